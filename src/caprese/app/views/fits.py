"""A fit on the page: the tree, its numbers, how far to trust it, and how it compares."""

from typing import Any

import numpy as np

from caprese._core.words import number_of, visible
from caprese.app.pictures import live_tree, outline_of
from caprese.app.views import html
from caprese.assessment.answer import Answer
from caprese.assessment.confidence import Confidence
from caprese.assessment.edge_tests import EdgeTests
from caprese.data.curation import Curated
from caprese.data.dataset import Dataset
from caprese.data.inspection import inspect
from caprese.errors import CapreseError
from caprese.methods import method_text, name_of
from caprese.methods.evidence import PairEvidence
from caprese.methods.fit import Fit, Method, OrderedFit
from caprese.models.base import parent_sets
from caprese.recipe.files import comparison_picture
from caprese.recipe.results import Results
from caprese.report.content import Block, Notice, Paragraph, Picture, Section, Table
from caprese.report.glossary import explained
from caprese.report.order import AssessedOrder
from caprese.report.page import blocks_html
from caprese.report.sections import grouped_sections
from caprese.report.sections.alternatives import judgement_section, other_parents
from caprese.report.sections.answer import answer_section, known_section
from caprese.report.sections.model import edges_section, events_table, model_section, notes
from caprese.report.sections.summary import summary_section, uncertainty_section
from caprese.text.directions import stated_directions
from caprese.text.facts import names_of
from caprese.text.fits import fit_title
from caprese.text.sentences import (
    SHORT,
    Cell,
    Number,
    Sentence,
    decimal,
    listed,
    share,
    shown_names,
)

_MOST_SAMPLES = 200  # named in a list
_MOST_OTHERS = 8  # other parents of an event
_SHARES = ("support", "posterior")  # of replicates or of probability, not scores


def tree_view(fit: Fit[Any, Any], confidence: Confidence | None = None) -> str:
    """Return the picture of a progression; a sentence if the model has no order."""
    if isinstance(fit, OrderedFit):
        said = zip(fit.evidence.notes(), notes(fit), strict=True)
        warnings = blocks_html([Notice(each.text) for note, each in said if note.doubt])
        outline = outline_of(fit, confidence)
        return html("tree", svg=live_tree(fit, confidence), notes=warnings, outline=outline)
    words = "This model has no edges, so there is no tree to draw: it does not say that one event "
    return blocks_html([Notice((words + "occurs before another.",))])


def fit_view(fit: Fit[Any, Any]) -> str:
    """Return all that a fit says of its events, as a table."""
    title = Paragraph((f"{fit_title(fit)}.",))
    if not isinstance(fit, OrderedFit):
        return blocks_html([title, *model_section(fit).blocks])
    stated = stated_directions(fit, names_of(fit.model.events))
    resting = [Paragraph(stated)] if stated else []
    said = zip(fit.evidence.notes(), notes(fit), strict=True)
    others = [each for note, each in said if not note.doubt]  # those stand beside the tree
    return blocks_html([title, *others, *resting, events_table(fit)])


def comparison_view(found: Results) -> str:
    """Return two progressions side by side, and the events with different parents."""
    first, second = found.fit, found.second_fit
    if not (isinstance(first, OrderedFit) and isinstance(second, OrderedFit)):
        raise CapreseError("only models with edges can be drawn side by side")
    figure = comparison_picture(found)
    names = shown_names(first.model.events)

    def parents(fit: OrderedFit[Any, Any]) -> dict[str, Sentence]:
        events, sets = fit.model.events, parent_sets(fit.model.adjacency())
        own = ([names[events[parent]] for parent in each] for each in sets)
        return {event: listed(each) or ("root",) for event, each in zip(events, own, strict=True)}

    here, there = parents(first), parents(second)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        ((names[event],), here[event], there[event])
        for event in first.model.events
        if set(here[event]) != set(there[event])
    )
    picture = Picture(
        "comparison",
        "Two drawings of the progression, side by side.",
        ("Edges that only one of the two has are coloured and dashed.",),
        lambda: figure,
    )
    if not rows:
        same = Paragraph(("Both methods give every event the same parents.",))
        return blocks_html([picture, same])
    titles = (f"parent by {method_text(each.method)}" for each in (first, second))
    caption = f"The two differ in the parents of {number_of(len(rows), 'event')}."
    return blocks_html([picture, Table((caption,), ("event", *titles), rows)])


def confidence_view(
    data: Dataset,
    fit: OrderedFit[Any, Any],
    confidence: Confidence | None,
    requested: int | None = None,
    tests: EdgeTests | None = None,
    refuted: bool = False,
) -> str:
    """Return how far to trust each edge, in the words of the report."""
    order = AssessedOrder(fit, confidence, requested, tests, refuted)
    sections = [
        summary_section(order),
        edges_section(order),
        *([] if refuted else [uncertainty_section(order, inspect(data))]),
        other_parents(order),
        *grouped_sections(order),
    ]
    return blocks_html(sections)


def answer_view(answer: Answer) -> str:
    """Return the verdict, what is known and how well each method predicts, as in the report."""
    known = [] if answer.known is None else [known_section(answer.known)]
    first = blocks_html(answer_section(answer).blocks)
    best = best_method(answer)
    shown = html("answer", answer=first, best="" if best is None else name_of(best))
    return shown + blocks_html([judgement_section(answer.judgement), *known])


def best_method(answer: Answer) -> Method | None:
    """Return the judged method that predicts best; None if no order is supported, or by a file."""
    found = answer.judgement
    if found is None or not found.supports_order:
        return None
    name = found.methods[found.best]
    if name in answer.fits:
        return answer.fits[name].method
    return None if found.choice is None else found.choice.methods().get(name)


def event_view(
    curated: Curated, fit: Fit[Any, Any], confidence: Confidence | None, event: int
) -> str:
    """Return the alternatives of an event, and the samples that carry it."""
    data, name = curated.data, fit.model.events[event]
    carriers = np.flatnonzero(data.values[:, data.events.index(name)])
    samples = [(visible(data.samples[k], SHORT),) for k in carriers]
    size = f"{number_of(len(carriers), 'sample')} of {len(data.samples)} with this event."
    listing = listed(samples, separator=", ", most=_MOST_SAMPLES) or ("none",)
    parents = (_alternatives(fit, confidence, event),)
    carried = (Paragraph((size,)), Paragraph(listing))
    return html(
        "event",
        name=shown_names(fit.model.events)[name],
        place=event,
        alternatives=blocks_html([Section("alternatives", "Alternatives", parents)]),
        samples=blocks_html([Section("samples", "Samples", carried)]),
    )


def _alternatives(fit: Fit[Any, Any], confidence: Confidence | None, event: int) -> Block:
    """Return a table of possible parents, by their support and by what the method compares."""
    columns = {} if confidence is None else {"support": confidence.support[:-1, event]}
    if isinstance(fit.evidence, PairEvidence):
        scores = fit.evidence.pair_scores()
        root = np.nan if scores.root is None else scores.root[event]
        admissible = np.where(scores.admissible[:, event], scores.matrix[:, event], np.nan)
        columns[scores.name] = np.append(admissible, root)
    if not isinstance(fit, OrderedFit) or not columns:
        return Paragraph(("The method does not compare parents of this event.",))
    parents, names = [*fit.model.events, "root"], shown_names(fit.model.events)
    own = np.append(fit.model.adjacency()[:, event], not fit.model.adjacency()[:, event].any())
    ranks = np.nan_to_num(np.array(list(columns.values())), nan=-np.inf)
    found = [
        values > 0 if title in _SHARES else ~np.isnan(values) for title, values in columns.items()
    ]
    possible = own | np.any(found, axis=0)
    ranked = sorted(np.flatnonzero(possible).tolist(), key=lambda k: (*-ranks[:, k], not own[k]))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            (names.get(parents[k], parents[k]),),
            *(_number(title, float(values[k])) for title, values in columns.items()),
            ("yes" if own[k] else "",),
        )
        for k in ranked[:_MOST_OTHERS]
    )
    head = (*map(explained, ["parent", *columns]), "in the model")
    return Table(("Possible parents, the best first.",), head, rows)


def _number(title: str, value: float) -> Number:
    return share(value) if title in _SHARES else decimal(value)
