"""The question, and the answer in a few sentences."""

from caprese._core.words import number_of, percent
from caprese.report.analysis import OrderedAnalysis
from caprese.report.content import Notice, Paragraph, Section
from caprese.report.edges import JudgedEdge, judged_edges
from caprese.text.sentences import Sentence, joined, listed, told

_HALF = 0.5
_SURE = 0.8  # support from which on an edge, or the whole, may be taken for settled


def question(analysis: OrderedAnalysis) -> Section:
    """Return what was asked, and how such data can answer it at all."""
    events, samples = len(analysis.data.events), len(analysis.data.samples)
    asked = told(
        "As the disease progresses, {order}? The data is {samples}.",
        order="when does this event occur"
        if events == 1
        else f"in which order do these {events} events occur",
        samples="one sample, a snapshot taken at an unknown moment"
        if samples == 1
        else f"{samples} samples, each a snapshot taken at an unknown moment",
    )
    idea = told(
        "Snapshots tell an order all the same. If one [event] is more frequent than another, and "
        "the other is mostly found where the first one is, then the first probably came first. "
        "From many such comparisons a [progression] is drawn, from its [root] on."
    )
    limits = told(
        "It is an order that holds on average over all [sample|samples]. It is not the history of "
        "any one patient, and it does not prove that one event causes another."
    )
    return Section(
        "question", "The question", (Paragraph(asked), Paragraph(idea), Paragraph(limits))
    )


def answer(analysis: OrderedAnalysis) -> Section:
    """Return the answer in a few sentences: what comes first, and how sure the steps are."""
    sentences = joined([_starts(analysis), *_steps(analysis), _whole(analysis)])
    return Section("answer", "The answer", (Paragraph(sentences), *_interruption(analysis)))


def _starts(analysis: OrderedAnalysis) -> Sentence:
    undetermined = analysis.fit.undetermined
    placed = [each for each in analysis.order if analysis.data.events[each] not in undetermined]
    first = [analysis.name(event) for event in placed if not analysis.parents_of(event)]
    later = len(placed) - len(first)
    if not placed:
        these = number_of(len(undetermined), "event")
        return told("The data cannot tell the order of the {these}.", these=these)
    if len(placed) == 1:
        only = "There is nothing to order" if not undetermined else "Nothing else could be placed"
        return told("{only}: {event} stands alone.", only=only, event=first[0])
    if later == 0:
        return told(
            "No event was found to wait for another: {all} start on their own.", all=listed(first)
        )
    if len(first) == 1:
        return told("{first} comes first; all that could be placed follows it.", first=first[0])
    follow = "one event follows" if later == 1 else f"{later} events follow"
    return told(
        "{first} come first, waiting for nothing; {follow}.", first=listed(first), follow=follow
    )


def _steps(analysis: OrderedAnalysis) -> list[Sentence]:
    """Tell the strongest and the weakest edge."""
    edges = sorted(
        (edge for edge in judged_edges(analysis) if edge.between_events),
        key=lambda edge: -edge.support,
    )
    if not edges:
        return []
    strongest = told(
        "The {surest} step is {edge}: it came back in {share} of {replicates} [replicate|"
        "replicates] of the data{but}.",
        surest="only" if len(edges) == 1 else "surest",
        edge=_step(analysis, edges[0]),
        share=percent(edges[0].support),
        replicates=str(analysis.confidence.replicates),
        but=", but not all tests rule out chance" if edges[0].failed else "",
    )
    if len(edges) == 1:
        return [strongest]
    return [strongest, _weakest(analysis, edges[-1])]


def _weakest(analysis: OrderedAnalysis, edge: JudgedEdge) -> Sentence:
    verdict = (
        "even that one may be trusted"
        if _sure(edge)
        else "the replicates contradict it more often than not"
        if edge.support < _HALF
        else "take it for a suggestion"
        if edge.weak
        else "likely, but not settled"
    )
    return told(
        "The least sure is {edge}, with {share}: {verdict}.",
        edge=_step(analysis, edge),
        share=percent(edge.support),
        verdict=verdict,
    )


def _sure(edge: JudgedEdge) -> bool:
    return edge.support >= _SURE and not edge.failed


def _step(analysis: OrderedAnalysis, edge: JudgedEdge) -> Sentence:
    return told(
        "from {parent} to {child}",
        parent=analysis.name(edge.parent),
        child=analysis.name(edge.child),
    )


def _whole(analysis: OrderedAnalysis) -> Sentence:
    if not analysis.fit.model.edges:
        return ()
    share = analysis.confidence.exact / analysis.confidence.replicates
    sound = share >= _SURE and all(_sure(edge) for edge in judged_edges(analysis))
    advice = "it may be read as a whole" if sound else "judge it step by step"
    return told(
        "The [progression] as a whole came back in {share} of them: {advice}.",
        share=percent(share),
        advice=advice,
    )


def _interruption(analysis: OrderedAnalysis) -> tuple[Notice, ...]:
    done = analysis.confidence.replicates
    if done == analysis.wanted:
        return ()
    text = told(
        "The analysis was interrupted after {done} of {wanted} [replicate|replicates].",
        done=str(done),
        wanted=str(analysis.wanted),
    )
    return (Notice(text),)
