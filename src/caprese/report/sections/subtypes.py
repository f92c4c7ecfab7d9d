"""Subtypes: groups of samples with a forest of their own."""

import numpy as np

from caprese._core.words import number_of, percent, visible
from caprese.fitting.subtypes import Subtype
from caprese.methods.evidence import SubtypeEvidence
from caprese.models.base import parent_sets
from caprese.plots.progression.drawing import subtypes_figure
from caprese.report.content import Block, Paragraph, Section, Table, columns
from caprese.report.order import AssessedOrder
from caprese.report.pictures import picture
from caprese.text.sentences import SHORT, Cell, Sentence, listed, phrase, share

_MOST_EVENTS = 3  # that set a subtype apart
_LEAST_DIFFERENCE = 0.1  # of two frequencies that are worth a word
_MOST_SAMPLES = 500  # in the table
_MOST_OPEN = 12  # samples, above which the table is shown on request


def subtypes_section(order: AssessedOrder, evidence: SubtypeEvidence) -> Section:
    """Return the groups of samples, what sets them apart, and which samples belong to each."""
    found = evidence.subtypes
    blocks: list[Block] = []
    if len(found) == 1:
        words = "One [subtype] is enough: a single forest describes all [sample|samples]."
        blocks.append(Paragraph(phrase(words)))
    else:
        words = (
            "The [sample|samples] fall into {number}, each with a [progression] of its own. The "
            "progression above is the single one that describes all samples best."
        )
        number = number_of(len(found), "subtype")
        caption = phrase(
            "The progression of each [subtype]; frequencies are those among its samples."
        )
        blocks += [
            Paragraph(phrase(words, number=number)),
            picture(
                "subtypes",
                f"The progressions of {number}.",
                caption,
                lambda: subtypes_figure(order.fit),
            ),
            _overview(order, found),
            Section("members", "Which samples", (_members(evidence),)),
        ]
    return Section("subtypes", "Subtypes", tuple(blocks))


def _overview(order: AssessedOrder, found: tuple[Subtype, ...]) -> Table:
    titles = columns(
        *("[subtype]", "share of samples", "most probable for"),
        *("frequencies that differ most", "parents that differ from subtype 1"),
    )
    members = np.array([each.memberships for each in found]).argmax(axis=0)
    first = parent_sets(found[0].forest.adjacency())
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            (f"subtype {place + 1}",),
            share(each.weight),
            (number_of(int((members == place).sum()), "sample"),),
            _differences(order, each),
            order.differences(parent_sets(each.forest.adjacency()), first) if place else ("",),
        )
        for place, each in enumerate(found)
    )
    return Table(("The subtypes, the largest first.",), titles, rows, name="subtypes")


def _differences(order: AssessedOrder, subtype: Subtype) -> Sentence:
    difference = np.abs(subtype.frequencies - subtype.elsewhere)
    most = [k for k in np.argsort(-difference, kind="stable") if difference[k] >= _LEAST_DIFFERENCE]
    each = [
        phrase(
            "{event} {inside} (elsewhere {outside})",
            event=order.names[int(k)],
            inside=percent(float(subtype.frequencies[k])),
            outside=percent(float(subtype.elsewhere[k])),
        )
        for k in most[:_MOST_EVENTS]
    ]
    return listed(each, separator="; ") or ("none",)


def _members(evidence: SubtypeEvidence) -> Table:
    chances = np.array([each.memberships for each in evidence.subtypes])
    shown = range(min(len(evidence.samples), _MOST_SAMPLES))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            (visible(evidence.samples[k], SHORT),),
            (f"subtype {int(chances[:, k].argmax()) + 1}",),
            *(share(float(chance)) for chance in chances[:, k]),
        )
        for k in shown
    )
    titles = columns(
        "sample", "most probable", *(f"subtype {place + 1}" for place in range(len(chances)))
    )
    caption = "The probability that each sample belongs to each subtype."
    more = len(evidence.samples) - len(shown)
    if more:
        caption += f" The first {len(shown)} samples; the file of the fit has all."
    folded = f"Show {number_of(len(rows), 'sample')}" if len(rows) > _MOST_OPEN else ""
    return Table((caption,), titles, rows, folded, name="samples")
