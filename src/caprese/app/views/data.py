"""The data on the page: what was read, its events with their switches, what curation left."""

from collections.abc import Iterable, Sequence
from itertools import islice

from caprese._core.words import number_of, percent, visible
from caprese.app.views import html
from caprese.app.wording import setting
from caprese.data.curation import Curated, Step
from caprese.data.dataset import Dataset
from caprese.data.inspection import Inspection, inspect
from caprese.io.data.reading import Reading
from caprese.report.content import Bullets, Paragraph
from caprese.report.page import blocks_html
from caprese.report.sections.data import data_section
from caprese.text.sentences import SHORT, shown_names

MOST_LISTED = 300  # events with a switch of their own


def overview(reading: Reading, found: Inspection) -> str:
    """Return what the file holds, what its reader decided, and warnings."""
    section = data_section(reading.data, found)
    said = tuple((visible(note.message(setting), 600),) for note in reading.notes)
    notes = [Bullets(said)] if said else []
    turned = "If the table is transposed, tick “rows are events, columns are samples” above."
    advice = [] if found.transposed is None else [Paragraph((turned,))]
    return blocks_html([section.blocks[0], *notes, section.part("warnings"), *advice])


def event_table(data: Dataset, found: Inspection) -> str:
    """Return the events with their switches, the most frequent first."""
    names = shown_names(data.events)
    numbers = zip(found.events, found.frequency, found.unknown_share, strict=True)
    rows = [
        {
            "place": data.events.index(name),
            "name": names[name],
            "frequency": float(frequency),
            "shown": percent(float(frequency)),
            "unknown": percent(float(unknown)) if unknown else "",
        }
        for name, frequency, unknown in islice(numbers, MOST_LISTED)
    ]
    return html("events", rows=rows, total=len(data.events), unknown=bool(found.unknown))


def event_states(events: Sequence[str], log: Iterable[Step]) -> list[str]:
    """Return what curation did to each event; empty if nothing."""
    states: dict[str, str] = {}
    for step in log:
        verb = {"drop": "dropped", "merge": "merged"}.get(step.what)
        into = f" into {visible(step.composite, SHORT)}" if step.composite else ""
        for event in step.events if verb else ():
            states[event] = f"{verb}{into}: {step.why}"
    return [states.get(event, "") for event in events]


def curated_view(curated: Curated) -> str:
    """Return the size of the curated data, the log, and the oncoprint."""
    done = tuple(step for step in curated.log if step.what != "read")  # that stands above
    section = data_section(curated.data, inspect(curated.data), done)
    samples = number_of(len(curated.data.samples), "sample")
    left = " are left" if done else ""
    size = f"{samples} and {number_of(len(curated.data.events), 'event')}{left}."
    changes, picture = section.part("curation").blocks, section.part("overview").blocks
    return blocks_html([*changes, Paragraph((size,)), *picture])
