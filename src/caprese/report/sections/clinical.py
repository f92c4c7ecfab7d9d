"""Comparisons with a clinical table: tests of its columns, and survival."""

from collections.abc import Mapping, Sequence

from caprese._core.words import listing, number_of, percent, visible
from caprese.patients.groups import Association, Associations
from caprese.patients.survival import LEVEL, Curve, Survival
from caprese.report.content import Block, Bullets, Column, Heading, Paragraph, Picture, Table
from caprese.text.clinical import against, difference, log_rank_text, p_text, tests_made, time_text
from caprese.text.facts import in_words
from caprese.text.sentences import SHORT, Cell, Event, Number, Sentence, phrase

_MOST_TESTS = 15


def association_table(
    tests: Sequence[Association],
    events: Mapping[str, Event],
    caption: Sentence,
    *,
    columns: bool = False,
) -> Table:
    """Return the tests with the smallest p-values; with the columns they are of, if several."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            *(((visible(test.column, SHORT),),) if columns else ()),
            (events[test.event],) if test.event else phrase(against(test)),
            phrase(test.test),
            Number(p_text(test.p_value), test.p_value),
            Number(p_text(test.adjusted), test.adjusted),
            (visible(difference(test), SHORT * 3),),
        )
        for test in tests[:_MOST_TESTS]
    )
    titles = (*(("column",) if columns else ()), "against", "test", "p", "adjusted", "difference")
    return Table(caption, tuple(map(Column, titles)), rows)


def clinical_blocks(
    tests: Associations, curves: Survival | None, events: Mapping[str, Event]
) -> tuple[Block, ...]:
    """Return the tests against a clinical table, and the survival of groups if it was asked for."""
    blocks: list[Block] = [Heading("Against the clinical table")]
    caption = phrase("{made}.", made=tests_made(tests).removesuffix("."))
    more = len(tests.tests) - _MOST_TESTS
    if tests.tests:
        blocks.append(association_table(tests.tests, events, caption, columns=True))
    else:
        blocks.append(Paragraph(caption))
    if more > 0:
        blocks.append(Paragraph((f"{more} more have greater p-values.",)))
    blocks += _notes([*in_words(tests.facts), *_missing(tests.left_out, "in the clinical table")])
    return (*blocks, *(() if curves is None else _survival(curves)))


def _survival(found: Survival) -> tuple[Block, ...]:
    by = visible(found.by, SHORT)
    title = f"Survival by {by}"
    caption = phrase("{title}: {test}.", title=title, test=log_rank_text(found))
    columns = ("group", "samples", "deaths", "median", f"{percent(LEVEL)} interval")
    rows = tuple(_row(curve) for curve in found.curves)
    left = _missing(found.left_out, "with a time and a status")
    return (
        Heading(title),
        Picture("survival", "Kaplan-Meier curves of the groups.", caption),
        Table(("The groups.",), tuple(map(Column, columns)), rows),
        *_notes([*in_words(found.facts), *left]),
    )


def _row(curve: Curve) -> tuple[Cell, ...]:
    return (
        (visible(curve.group, SHORT),),
        Number(str(curve.samples), curve.samples),
        Number(str(curve.deaths), curve.deaths),
        Number(time_text(curve.median), curve.median),
        (f"{time_text(curve.median_low)} to {time_text(curve.median_high)}",),
    )


def _missing(samples: Sequence[str], what: str) -> list[str]:
    if not samples:
        return []
    return [f"{number_of(len(samples), 'sample')} not {what}: {listing(samples)}"]


def _notes(lines: Sequence[str]) -> list[Block]:
    return [Bullets(tuple((visible(line, 600),) for line in lines))] if lines else []
