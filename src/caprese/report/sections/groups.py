"""Groups of samples: whether their orders of events differ by more than chance."""

from collections.abc import Iterator

from caprese._core.significance import SIGNIFICANT
from caprese.assessment.group_comparison import GroupComparison
from caprese.report.content import Block, Inside, Paragraph, Sure, Table, columns, section
from caprese.text.facts import names_of
from caprese.text.groups import (
    group_method,
    group_rows,
    group_sentences,
    group_titles,
    rows_left_out,
)


@section("groups", "Groups of samples")
def groups_section(found: GroupComparison) -> Iterator[Block | Inside]:
    """Return whether the order differs between groups, and which orders differ most."""
    if (found.overall < SIGNIFICANT).any():
        yield Inside.of("The order differs between groups by more than chance.", Sure.YES)
    else:
        yield Inside.of("The order does not differ between groups by more than chance.", Sure.NO)
    names = names_of(found.events)
    yield from map(Paragraph, group_sentences(found, names))
    rows = tuple(group_rows(found, names))
    if not rows:
        yield Paragraph.of("The groups have the same order of all events.")
        return
    more = rows_left_out(found)
    caption = f"How probably one event comes before another{f'; {more}' if more else ''}."
    yield Table((caption,), columns(*group_titles(found)), rows, name="groups")
    yield Paragraph((group_method(found),))
