"""Seen orders in words: which method says best which of two events came first."""

from collections.abc import Iterator

import numpy as np

from caprese._core.words import number_of, percent, visible
from caprese.assessment.difference import Difference
from caprese.assessment.order_judgement import OrderJudgement
from caprese.text.columns import aligned, separated
from caprese.text.facts import sentence
from caprese.text.sentences import (
    NOTHING,
    Cell,
    Number,
    Sentence,
    as_sentence,
    joined,
    plain,
    share,
    text_of,
)
from caprese.text.style import Style
from caprese.text.style import plain as unstyled

TITLES = ("method", "right", "log score", "stated", "nested", "others")
_UNSURE = ("right", "log score")  # with standard errors
ABOUT = (
    "Right: how often the order that was seen is the more probable one, 1/2 where it is left open. "
    "Log score: the mean log-probability of the order that was seen; no opinion scores -0.69. "
    "Stated: the share of pairs that are not left open. Nested: right where the later event is in "
    "cells of the earlier one; others: where they may be in clones beside each other."
)


def order_sentence(found: OrderJudgement) -> Sentence:
    """Return which method orders best, and whether that is better than frequency."""
    return joined([as_sentence(sentence(fact)) for fact in found.verdict])


def scored(found: OrderJudgement) -> str:
    """Return how many orders were scored, in words."""
    pairs = number_of(len(found.pairs), "pair")
    return f"{pairs} of events of {number_of(found.patients, 'held-out patient')}"


def order_lines(
    found: OrderJudgement, style: Style = unstyled, width: int | None = None
) -> list[str]:
    """Return the lines that show how well methods order events: the verdict first."""
    header = [text for title in TITLES for text in ([title, ""] if title in _UNSURE else [title])]
    return separated(
        [style(plain(order_sentence(found)), "title")],
        [f"Which of two events came first, as it was seen in {scored(found)}"],
        aligned([header, *map(_texts, order_rows(found))], width=width),
        [ABOUT],
    )


def order_rows(found: OrderJudgement) -> Iterator[tuple[Cell, ...]]:
    """Yield what is shown of each method, the best first."""
    table = found.table()
    for place in np.argsort([-score.mean for score in found.score], kind="stable").tolist():
        row, right, score = table.iloc[place], found.accuracy[place], found.score[place]
        yield (
            (visible(found.methods[place]),),
            Number(percent(right.mean), right.mean, _error(right, "{:.0%}")),
            Number(f"{score.mean:.3f}", score.mean, _error(score, "{:.3f}")),
            *(
                NOTHING if np.isnan(row[name]) else share(float(row[name]))
                for name in ("coverage", "accuracy, nested", "accuracy, others")
            ),
        )


def _texts(row: tuple[Cell, ...]) -> list[str]:
    """Return the cells of a row as texts; an error has a column of its own."""
    (name, right, score, *rest) = row
    unsure = [(each.text, each.aside) for each in (right, score) if isinstance(each, Number)]
    return [text_of(name), *(text for pair in unsure for text in pair), *map(text_of, rest)]


def _error(found: Difference, form: str) -> str:
    return f"± {form.format(found.error)}" if np.isfinite(found.error) else ""
