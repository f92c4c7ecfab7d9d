"""Seeding in words: which events follow it, and which come before."""

from collections.abc import Iterator

from caprese._core.words import listing, number_of, visible
from caprese.assessment.seeding import SeededEvent, Seeding
from caprese.text.clinical import p_text
from caprese.text.columns import aligned, separated
from caprese.text.style import Style
from caprese.text.style import plain as unstyled

TITLES = (
    "event",
    "both",
    "metastasis only",
    "primary only",
    "before",
    "after",
    "difference",
    "adjusted p",
)
ABOUT = (
    "Before and after: the rate of the event before the metastasis was seeded, and afterwards in "
    "the metastasis, as a share of the rate of all events. Difference: with its 95 % interval, by "
    "resampling patients. Adjusted p: that after seeding it is as frequent in both, an exact test. "
    "An event that the sample of the primary tumour missed looks as if it came after seeding."
)


def seeding_lines(found: Seeding, style: Style = unstyled, width: int | None = None) -> list[str]:
    """Return the lines that show which events follow seeding: what is clear first."""
    said = list(seeding_sentences(found))
    head = f"Primary tumour and metastasis of {number_of(found.patients, 'patient')}"
    rows = [_row(each) for each in found.events]
    return separated(
        [style(said[0], "title"), *said[1:]],
        [head],
        aligned([TITLES, *rows], width=width),
        [ABOUT],
    )


def seeding_sentences(found: Seeding) -> Iterator[str]:
    """Yield which events follow seeding and which come before, as far as the data shows it."""
    if found.following:
        yield f"Faster after the metastasis is seeded: {_names(found.following)}."
    if found.preceding:
        yield f"Faster before the metastasis is seeded: {_names(found.preceding)}."
    if not (found.following or found.preceding):
        yield "No event is clearly faster before or after the metastasis is seeded."


def _names(events: tuple[SeededEvent, ...]) -> str:
    return listing(each.event for each in events)


def _row(each: SeededEvent) -> list[str]:
    return [
        visible(each.event),
        f"{each.both} of {each.patients}",
        str(each.metastasis),
        str(each.primary),
        f"{each.before:.2f}",
        f"{each.after:.2f}",
        f"{each.difference:.2f} ({each.low:.2f} to {each.high:.2f})",
        p_text(each.adjusted),
    ]
