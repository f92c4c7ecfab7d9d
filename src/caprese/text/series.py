"""Series in words: which method predicts a later sample of a patient from an earlier one."""

from collections.abc import Iterator

import numpy as np

from caprese._core.words import number_of, visible
from caprese.assessment.difference import Difference
from caprese.assessment.series_judgement import BASELINES, SeriesJudgement
from caprese.text.columns import aligned, separated
from caprese.text.facts import sentence
from caprese.text.sentences import Sentence, as_sentence, joined, plain
from caprese.text.style import Style
from caprese.text.style import plain as unstyled

TITLES = ("method", "log-probability", *(f"over {name}" for name in BASELINES), "entry")
ABOUT = (
    "Log-probability: of what is seen of absent events in a later sample, given the earlier one. "
    "Gains, how much better it predicts than each, are in nats; the time between two samples is "
    "exponential, with the mean that fits the training part. An entry: one absent event, given "
    "also the rest of the later sample."
)


def series_sentence(found: SeriesJudgement) -> Sentence:
    """Return which method predicts later samples best, and whether it beats all comparisons."""
    return joined([as_sentence(sentence(fact)) for fact in found.verdict])


def series_lines(
    found: SeriesJudgement, style: Style = unstyled, width: int | None = None
) -> list[str]:
    """Return the lines that show how well later samples are predicted: the verdict first."""
    return separated(
        [style(plain(series_sentence(found)), "title")],
        [f"What comes next in a patient, in {predicted(found)}"],
        aligned([TITLES, *series_rows(found)], width=width),
        [ABOUT],
    )


def predicted(found: SeriesJudgement) -> str:
    """Return how much was predicted, in words."""
    samples = number_of(len(found.later), "later sample")
    pairs = f"{samples} of {number_of(found.patients, 'patient')}"
    came = number_of(int(found.came.sum()), "event")
    return f"{pairs}: {came} came, of {len(found.came)} that might have"


def series_rows(found: SeriesJudgement) -> Iterator[list[str]]:
    """Yield what is shown of each method, the best first."""
    entries = found.entry_scores.mean(axis=1)
    for place in np.argsort([-score.mean for score in found.scores], kind="stable").tolist():
        name = found.methods[place]
        gains = ["" if name == each else _gain(found.gain(place, each)) for each in BASELINES]
        yield [visible(name), f"{found.scores[place].mean:.3f}", *gains, f"{entries[place]:.3f}"]


def _gain(found: Difference) -> str:
    error = f" ± {found.error:.3f}" if np.isfinite(found.error) else ""
    return f"{found.mean:.3f}{error}"
