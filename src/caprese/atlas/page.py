"""The index of an atlas: a tile for each cohort, and the places of all events."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from caprese._core.significance import KNOWN
from caprese._core.words import number_of, percent, visible
from caprese.atlas.cohort import Cohort, EventPlace
from caprese.report.content import (
    Block,
    Bullets,
    Paragraph,
    Report,
    Table,
    Tile,
    Tiles,
    columns,
    section,
)
from caprese.report.page import report_page
from caprese.text.facts import Names, names_of
from caprese.text.sentences import (
    NOTHING,
    Cell,
    Link,
    Number,
    Sentence,
    count,
    decimal,
    listed,
    share,
)

if TYPE_CHECKING:
    import pandas as pd

_TEMPLATES = Path(__file__).parent / "templates"
_MOST = 4  # events named in a cell
_KIND = "Atlas of cohorts"
_QUESTION = "Is there an order?"


@dataclass(frozen=True)
class LeftOut:
    """What is in the folder of an atlas but not in the atlas, and why."""

    name: str
    why: str


@dataclass(frozen=True)
class Atlas:
    """What an atlas holds: its cohorts, and what could not be one of them."""

    cohorts: tuple[Cohort, ...]
    left_out: tuple[LeftOut, ...] = ()

    def __repr__(self) -> str:
        rest = f", {len(self.left_out)} left out" if self.left_out else ""
        return f"<Atlas: {number_of(len(self.cohorts), 'cohort')}{rest}>"

    def table(self) -> "pd.DataFrame":
        """Return one row for each event of each cohort, by event and place; NaN without a place."""
        import pandas as pd

        rows = [
            (at.event, cohort.name, at.frequency, at.place, at.before, at.after)
            for cohort, at in _by_event(self.cohorts)
        ]
        titles = ["event", "cohort", "frequency", "place", "before", "after"]
        return pd.DataFrame(rows, columns=titles).astype({"place": "float64"})


def atlas_page(atlas: Atlas, *, title: str = "") -> str:
    """Return the index as HTML."""
    samples = sum(cohort.samples for cohort in atlas.cohorts)
    events = {at.event for cohort in atlas.cohorts for at in cohort.events}
    number = number_of(len(atlas.cohorts), "cohort")
    parts = (number, number_of(samples, "sample"), number_of(len(events), "event"))
    sections = [cohorts_section(atlas.cohorts), events_section(atlas.cohorts)]
    if atlas.left_out:
        sections.append(left_out_section(atlas.left_out))
    sections.append(reading_section())
    report = Report(title or "An atlas of progressions", ", ".join(parts), tuple(sections), _KIND)
    texts = {name: (_TEMPLATES / f"atlas.{name}").read_text("utf-8") for name in ("css", "js")}
    return report_page(report, style=texts["css"], script=texts["js"])


@section("cohorts", "Cohorts")
def cohorts_section(cohorts: tuple[Cohort, ...]) -> Iterator[Block]:
    """Return a tile for each cohort."""
    yield Tiles(tuple(map(_tile, cohorts)), "Find a cohort, or those with an event")


def _tile(cohort: Cohort) -> Tile:
    gain = NOTHING if cohort.gain is None else decimal(cohort.gain)
    events = [at.event for at in cohort.events]
    numbers = (
        ("samples", count(cohort.samples)),
        ("events", count(len(events))),
        ("known orders", count(cohort.known)),
        ("gain, nats", Number(gain.text or "none", gain.value)),
    )
    title = Link(visible(cohort.name), cohort.report)
    found_by = tuple(map(visible, events))
    return Tile(title, _QUESTION, cohort.headline, numbers, cohort.said, found_by)


@section("events", "Where each event comes")
def events_section(cohorts: tuple[Cohort, ...]) -> Iterator[Block]:
    """Return a table of all events in all cohorts, the earliest first."""
    yield Paragraph.of(
        "The place of an event is the share of the other events of the cohort that probably come "
        "before it, over all models that state orders: near 0 it comes early, near 1 late. Two "
        "events whose order is open count half, so an event of which nothing is known is near 0.5."
    )
    titles = columns("[event]", "cohort", "place", "frequency", "known before", "known after")
    rows = tuple(_row(cohort, at) for cohort, at in _by_event(cohorts))
    caption: Sentence = (
        "† No order with this event is known: its place rests on the models alone. Where there is "
        "no place, no order is supported in the cohort.",
    )
    yield Table(
        caption, titles, rows, searched="Find an event", found_by=(0, 1), bars=(2,), name="events"
    )


def _by_event(cohorts: tuple[Cohort, ...]) -> list[tuple[Cohort, EventPlace]]:
    """Return each event of each cohort: by name, then the earliest first."""
    pairs = [(cohort, at) for cohort in cohorts for at in cohort.events]
    return sorted(
        pairs, key=lambda pair: (pair[1].event, pair[1].place is None, pair[1].place or 0)
    )


def _row(cohort: Cohort, at: EventPlace) -> tuple[Cell, ...]:
    names = names_of([each.event for each in cohort.events])
    return (
        (names(at.event),),
        (Link(visible(cohort.name), cohort.report),),
        _place(at),
        share(at.frequency),
        _listed(at.before, names),
        _listed(at.after, names),
    )


def _place(at: EventPlace) -> Number:
    if at.place is None:
        return NOTHING
    return Number(f"{at.place:.2f}", at.place, doubtful=not (at.before or at.after))


def _listed(events: tuple[str, ...], names: Names) -> Sentence:
    return listed([names(each) for each in events], most=_MOST) or ("",)


@section("left-out", "Left out")
def left_out_section(left_out: tuple[LeftOut, ...]) -> Iterator[Block]:
    """Return what is not in the atlas, and why."""
    yield Bullets(tuple((f"{visible(each.name)}: {each.why}",) for each in left_out))


@section("reading", "How to read this atlas")
def reading_section() -> Iterator[Block]:
    """Return what the numbers mean, and what not to conclude."""
    yield Paragraph.of(
        "Each cohort was analysed alone, by the methods that the budget allows; its report says "
        "which, and how to repeat it. The gain is by how much the best of them predicts held-out "
        "samples better than independent events, in [nats] per sample. An order of two events is "
        "known if its probability is {bound} or more over all models that state orders, no models "
        "of weight say the opposite, and its direction rests on something.",
        bound=percent(KNOWN),
    )
    yield Paragraph.of(
        "Cohorts differ in panels, calls and patients. The places of an event in two cohorts are "
        "two findings; their difference was not tested."
    )
