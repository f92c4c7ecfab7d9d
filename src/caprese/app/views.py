"""Parts of the page as HTML: sections of the report, and forms."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from caprese._core.words import number_of, percent, visible
from caprese.app.choices import Choices
from caprese.app.downloads import File
from caprese.app.forms import method_forms
from caprese.app.pictures import live_tree
from caprese.app.repeating import command, python_lines
from caprese.assessment.confidence import Confidence
from caprese.assessment.edge_tests import EdgeTests
from caprese.assessment.judgement import Judgement
from caprese.data.curation import Curated, Step
from caprese.data.dataset import Dataset
from caprese.data.embedded import EMBEDDED
from caprese.data.inspection import Inspection, inspect
from caprese.io.data.reading import Reading
from caprese.io.data.sources import READERS
from caprese.methods.base import Fit, OrderedFit, PairEvidence, SubtypeEvidence
from caprese.methods.independence import IndependentEvents
from caprese.models.base import parent_sets
from caprese.patients.place import Placement
from caprese.plots.canvas.figures import figure_bytes
from caprese.plots.patients.progression import patients_figure
from caprese.report.analysis import Analysis, OrderedAnalysis, needs_no_bootstrap
from caprese.report.content import (
    Block,
    Bullets,
    Card,
    Column,
    Heading,
    Notice,
    Paragraph,
    Picture,
    Section,
    Table,
)
from caprese.report.glossary import GLOSSARY
from caprese.report.page import blocks_html
from caprese.report.pictures import inline_svg, svg_pictures
from caprese.report.sections.alternatives import alternatives
from caprese.report.sections.cards import card
from caprese.report.sections.data import data as data_section
from caprese.report.sections.distinct_models import distinct_models
from caprese.report.sections.judgement import judgement as judgement_section
from caprese.report.sections.model import model as model_section
from caprese.report.sections.patients import Patients, patients_section
from caprese.report.sections.progression import as_sentence, edges
from caprese.report.sections.subtypes import subtypes
from caprese.report.sections.summary import summary
from caprese.report.sections.uncertainty import uncertainty
from caprese.report.support import bootstrap_support, posterior_support
from caprese.text.facts import sentence
from caprese.text.fits import event_numbers, fit_title
from caprese.text.sentences import SHORT, Cell, Event, Sentence, decimal, listed, share, shown_names

if TYPE_CHECKING:
    from jinja2 import Environment

MOST_LISTED = 300  # events with a switch of their own
_MOST_SAMPLES = 200  # named in a list
_MOST_OTHERS = 8  # other parents of an event


def html(template: str, /, **values: Any) -> str:
    """Return a part of the page from its template."""
    return _environment().get_template(f"{template}.html.j2").render(**values)


def start() -> dict[str, str]:
    """Return the forms, which depend on the methods and formats that there are."""
    forms = method_forms()
    return {
        "embedded": html("embedded", names=list(EMBEDDED)),
        "formats": html("formats", names=list(READERS)),
        "method": html("method", forms=forms, key="method", optional=False),
        "other-method": html("method", forms=forms, key="other", optional=True),
        "judged": html("judged", forms=forms),
        "glossary-terms": html("glossary", glossary=GLOSSARY),
    }


def overview(reading: Reading, found: Inspection) -> str:
    """Return what the file holds, what its reader decided, and warnings."""
    section = data_section(_plain_analysis(Curated(reading.data), found))
    shown = _before(section.blocks, "Curation")
    notes = (
        [Bullets(tuple((visible(note, 600),) for note in reading.notes))] if reading.notes else []
    )
    start, end = _at(section.blocks, "Warnings"), _at(section.blocks, "Overview")
    return blocks_html([*shown, *notes, *section.blocks[start:end]])


@dataclass(frozen=True)
class EventRow:
    """An event with its switch: its position in the file, its name, and numbers."""

    place: int
    name: Event
    frequency: float
    shown: str
    unknown: str


def event_table(data: Dataset, found: Inspection) -> str:
    """Return the events with their switches, the most frequent first."""
    names = shown_names(data.events)
    order = sorted(range(len(data.events)), key=lambda k: (-found.frequency[k], data.events[k]))
    rows = [
        EventRow(
            k,
            names[data.events[k]],
            float(found.frequency[k]),
            percent(float(found.frequency[k])),
            percent(float(found.unknown_share[k])) if found.unknown_share[k] else "",
        )
        for k in order[:MOST_LISTED]
    ]
    return html("events", rows=rows, total=len(order), unknown=bool(found.unknown))


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
    analysis = _plain_analysis(curated, inspect(curated.data))
    section = data_section(analysis)
    start, end = _at(section.blocks, "Curation"), _at(section.blocks, "Warnings")
    samples = number_of(len(curated.data.samples), "sample")
    left = " are left" if curated.log else ""
    size = f"{samples} and {number_of(len(curated.data.events), 'event')}{left}."
    blocks = [*section.blocks[start + 1 : end], Paragraph((size,)), section.blocks[-1]]
    return _with_pictures(blocks, analysis)


def fit_view(fit: Fit[Any, Any]) -> str:
    """Return all that a fit says of its events, as a table."""
    title = Paragraph((f"{fit_title(fit)}.",))
    if not isinstance(fit, OrderedFit):
        analysis = _unordered(fit)
        blocks = _before(model_section(analysis).blocks, "Other methods")
        return _with_pictures([title, *blocks], analysis)
    names = shown_names(fit.model.events)
    notes = [sentence(fact, lambda name: _named(names, name)) for fact in fit.evidence.notes()]
    said = [Paragraph(as_sentence(note)) for note in notes]
    return blocks_html([title, *said, _fit_table(fit)])


def _fit_table(fit: OrderedFit[Any, Any]) -> Table:
    names = shown_names(fit.model.events)
    numbers = event_numbers(fit)
    parents = parent_sets(fit.model.adjacency())
    columns = (
        Column("event"),
        Column("parent", "parent"),
        Column("frequency", "frequency"),
        *(Column(name, name if name in GLOSSARY else "") for name in numbers),
        Column("reason"),
    )
    reasons = [sentence(fact, lambda name: _named(names, name)) for fact in fit.remarks()]
    order = sorted(
        range(len(parents)), key=lambda k: (-fit.counts.frequency[k], fit.model.events[k])
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            (names[fit.model.events[k]],),
            listed([names[fit.model.events[parent]] for parent in parents[k]]) or ("root",),
            share(float(fit.counts.frequency[k])),
            *(decimal(float(values[k])) for values in numbers.values()),
            reasons[k],
        )
        for k in order
    )
    return Table(("All events, the most frequent first.",), columns, rows)


def tree_view(fit: Fit[Any, Any], confidence: Confidence | None = None) -> str:
    """Return the picture of a progression; a sentence if the model has no order."""
    if isinstance(fit, OrderedFit):
        return html("tree", svg=live_tree(fit, confidence))
    words = "This model has no edges, so there is no tree to draw: it does not say that one event "
    return blocks_html([Notice((words + "occurs before another.",))])


def confidence_view(
    data: Dataset,
    fit: OrderedFit[Any, Any],
    confidence: Confidence | None,
    requested: int = 0,
    tests: EdgeTests | None = None,
) -> str:
    """Return how far to trust each edge, in the words of the report."""
    constant = np.asarray(fit.counts.never | fit.counts.always)
    support = (
        posterior_support(fit.evidence, constant)
        if confidence is None
        else bootstrap_support(confidence)
    )
    analysis = OrderedAnalysis(
        data,
        fit,
        inspect(data),
        (),
        None,
        1 if confidence is None else confidence.seeds[0],
        None,
        support=support,
        confidence=confidence,
        requested=requested,
        tests=tests,
    )
    sections = [summary(analysis), edges(analysis), uncertainty(analysis)]
    blocks = [block for section in sections for block in _titled(section)]
    blocks += _before(alternatives(analysis).blocks, "Other methods")
    if isinstance(fit.evidence, SubtypeEvidence) and fit.evidence.subtypes:
        blocks += _titled(subtypes(analysis))
    if confidence is not None:
        blocks += _titled(distinct_models(analysis))
    return _with_pictures(blocks, analysis)


def needs_bootstrap(fit: Fit[Any, Any]) -> bool:
    """Whether a bootstrap says how far to trust the edges of a fit."""
    return isinstance(fit, OrderedFit) and not needs_no_bootstrap(fit)


def comparison_view(fits: Sequence[OrderedFit[Any, Any]], titles: Sequence[str], svg: str) -> str:
    """Return two progressions side by side, and the events with different parents."""
    first, second = fits
    names = shown_names(first.model.events)
    places = [second.model.events.index(event) for event in first.model.events]
    here = parent_sets(first.model.adjacency())
    there = parent_sets(second.model.adjacency())

    def parents(fit: OrderedFit[Any, Any], own: tuple[int, ...]) -> Sentence:
        return listed([names[fit.model.events[k]] for k in own]) or ("root",)

    rows: list[tuple[Cell, ...]] = []
    for k, event in enumerate(first.model.events):
        one, other = parents(first, here[k]), parents(second, there[places[k]])
        if set(one) != set(other):
            rows.append(((names[event],), one, other))
    picture = Picture(
        "comparison",
        "Two drawings of the progression, side by side.",
        ("Edges that only one of the two has are coloured and dashed.",),
    )
    blocks: list[Block] = [picture]
    if rows:
        columns = (Column("event"), *(Column(f"parent by {title}") for title in titles))
        caption = f"The two differ in the parents of {number_of(len(rows), 'event')}."
        blocks.append(Table((caption,), columns, tuple(rows)))
    else:
        blocks.append(Paragraph(("Both methods give every event the same parents.",)))
    return blocks_html(blocks, {"comparison": svg})


def judgement_view(curated: Curated, found: Judgement) -> str:
    """Return which method predicts held-out samples best, in the words of the report."""
    analysis = _plain_analysis(curated, inspect(curated.data), found)
    return _with_pictures(judgement_section(analysis).blocks, analysis)


def patients_view(placed: Placement, fit: Fit[Any, Any]) -> str:
    """Return where the samples stand, in the words of the report; each row opens a card."""
    found = Patients(placed, fit)
    blocks = [_opening(block, found.rows) for block in patients_section(found).blocks]
    pictures = {}
    if any(isinstance(block, Picture) for block in blocks):
        content = figure_bytes(patients_figure(fit, placed), "svg")
        pictures = {"patients": inline_svg(content, "patients")}
    return blocks_html(blocks, pictures)


def _opening(block: Block, rows: Sequence[int]) -> Block:
    if not isinstance(block, Table) or not block.searched:
        return block
    return replace(block, opens=tuple(f"sample-{row + 1}" for row in rows))


def patient_view(placed: Placement, fit: Fit[Any, Any], row: int) -> str:
    """Return all about one sample, and its place on the tree."""
    name = Patients(placed, fit).samples[placed.samples[row]]
    svg = ""
    if isinstance(fit, OrderedFit):
        places = [placed.events.index(event) for event in fit.model.events]
        states = [_state(placed, row, place) for place in places]
        svg = live_tree(fit, None, "patient", states)
    about = Card(f"sample-{row + 1}", ("Sample ", name), card(placed, row))
    return html("patient", svg=svg, card=blocks_html([about]))


def _state(placed: Placement, row: int, event: int) -> str:
    if placed.wrongly_seen[row, event]:
        return "wrong"
    if placed.data.values[row, event]:
        return "seen"
    if placed.missed[row, event]:
        return "missed"
    following = placed.next_events(placed.samples[row])
    return "next" if following and following[0].event == placed.events[event] else ""


def files_view(files: Sequence[File], choices: Choices) -> str:
    """Return the files to take away, each with the command that writes it, and the Python lines."""
    listed_files = [(file, command(choices, file.name)) for file in files]
    return html("files", files=listed_files, python=python_lines(choices))


def event_view(
    curated: Curated, fit: Fit[Any, Any], confidence: Confidence | None, event: int
) -> str:
    """Return the alternatives of an event, and the samples that carry it."""
    data, events = curated.data, fit.model.events
    names = shown_names(events)
    column = data.events.index(events[event])
    carriers = np.flatnonzero(data.values[:, column])
    shown = [(visible(data.samples[k], SHORT),) for k in carriers[:_MOST_SAMPLES]]
    more = len(carriers) - len(shown)
    caption = f"{number_of(len(carriers), 'sample')} of {len(data.samples)} with this event."
    rows = _other_parents(fit, confidence, event)
    others: list[Block] = (
        [Table(("Possible parents, the best first.",), rows[0], rows[1])]
        if rows
        else [Paragraph(("The method does not compare parents of this event.",))]
    )
    samples = listed(shown, separator=", ", most=_MOST_SAMPLES) if shown else ("none",)
    return html(
        "event",
        name=names[events[event]],
        alternatives=blocks_html([Heading("Alternatives"), *others]),
        samples=blocks_html(
            [
                Heading("Samples"),
                Paragraph((caption,)),
                Paragraph((*samples, f" and {more} more" * (more > 0))),
            ]
        ),
    )


def _other_parents(
    fit: Fit[Any, Any], confidence: Confidence | None, event: int
) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]] | None:
    """Return the columns and rows of a table of possible parents; None if nothing is known."""
    if not isinstance(fit, OrderedFit):
        return None
    n, names = len(fit.model.events), shown_names(fit.model.events)
    scores = fit.evidence.pair_scores() if isinstance(fit.evidence, PairEvidence) else None
    own = set(np.flatnonzero(fit.model.adjacency()[:, event]).tolist()) or {n}
    rank: dict[int, tuple[float, float]] = {}
    for row in range(n + 1):
        voted = 0.0 if confidence is None else float(confidence.support[row, event])
        score = float("-inf")
        if scores is not None and row < n and scores.admissible[row, event]:
            score = float(scores.matrix[row, event])
        if scores is not None and row == n and scores.root is not None:
            score = float(scores.root[event])
        if row in own or voted > 0 or score > float("-inf"):
            rank[row] = (voted, score)
    if scores is None and confidence is None:
        return None
    columns = [Column("parent", "parent")]
    columns += [] if confidence is None else [Column("support", "support")]
    if scores is not None:
        columns.append(Column(scores.name, scores.name if scores.name in GLOSSARY else ""))
    columns.append(Column("in the model"))
    rows: list[tuple[Cell, ...]] = []
    for row in sorted(rank, key=lambda row: (rank[row], row in own), reverse=True)[:_MOST_OTHERS]:
        voted, score = rank[row]
        cells: list[Cell] = [("root",) if row == n else (names[fit.model.events[row]],)]
        cells += [] if confidence is None else [share(voted)]
        cells += [] if scores is None else [decimal(score if np.isfinite(score) else np.nan)]
        rows.append((*cells, ("yes",) if row in own else ("",)))
    return tuple(columns), tuple(rows)


def _unordered(fit: Fit[Any, Any]) -> Analysis:
    assert fit.data is not None  # it was fitted here
    return Analysis(fit.data, fit, inspect(fit.data), (), None, 1, None)


def _plain_analysis(
    curated: Curated, found: Inspection, judgement: Judgement | None = None
) -> Analysis:
    """Return the analysis of data alone, for sections of the report that speak of nothing else."""
    fit = IndependentEvents().fit(curated.data)
    with_log = replace(fit, log=curated.log)
    return Analysis(curated.data, with_log, found, (), None, 1, judgement)


def _with_pictures(blocks: Sequence[Block], analysis: Analysis) -> str:
    keys = tuple(block.key for block in blocks if isinstance(block, Picture))
    return blocks_html(blocks, svg_pictures(analysis, keys))


def _titled(section: Section) -> tuple[Block, ...]:
    return (Heading(section.title), *section.blocks)


def _at(blocks: Sequence[Block], title: str) -> int:
    return [isinstance(block, Heading) and block.text == title for block in blocks].index(True)


def _before(blocks: Sequence[Block], title: str) -> list[Block]:
    return list(blocks[: _at(blocks, title)])


def _named(names: Any, name: str) -> Event:
    found: Event = names.get(name) or Event(visible(name, SHORT))
    return found


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("caprese.app"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
