"""Held-out prediction: which method predicts samples that it has not seen."""

import numpy as np

from caprese.assessment.judgement import Judgement
from caprese.plots.curves import judgement_figure
from caprese.report.content import Block, Code, Paragraph, Section, Table, columns
from caprese.report.pictures import picture
from caprese.text.judgement import design, interval, verdict_sentence
from caprese.text.sentences import NOTHING, Cell, Number, phrase


def judgement_section(found: Judgement | None) -> Section:
    """Return how well the methods predict held-out samples, or how to find out."""
    blocks = _unknown() if found is None else _known(found)
    return Section("judgement", "Held-out prediction", blocks)


def _unknown() -> tuple[Block, ...]:
    words = (
        "A likelihood on the data that a model was fitted to does not tell whether to believe it. "
        "How well each method predicts [held-out] samples was not computed here, because there are "
        "too few samples or because it takes long. To find out, with the data in DATA:"
    )
    return Paragraph(phrase(words)), Code("caprese judge DATA")


def _known(found: Judgement) -> tuple[Block, ...]:
    words = (
        "Each method was fitted to a part of the samples and predicted the [held-out] others "
        "({design}).{single}"
    )
    single = " This is a single split; the command caprese judge holds out every sample once."
    caption = (
        "Mean log-probability of a held-out sample, gain over independent events in nats per "
        "sample with its interval, and area under the curve of hidden entries.",
    )
    titles = columns("method", "log-probability", "gain", "AUC")
    ranked = np.argsort(-found.scores, kind="stable").tolist()
    rows = tuple(_row(found, place) for place in ranked)
    chart = picture(
        "judgement",
        "A chart of the gain of each method over independent events, with intervals.",
        phrase("The gain of each method over independent events; filled if it is beyond chance."),
        lambda: judgement_figure(found),
    )
    about = phrase(
        words, design=design(found), single=single if found.held_out < found.folds else ""
    )
    table = Table(caption, titles, rows, name="held-out")
    return Paragraph(verdict_sentence(found)), Paragraph(about), chart, table


def _row(found: Judgement, place: int) -> tuple[Cell, ...]:
    score, gain = float(found.scores[place]), found.gains[place]
    auc = float(found.entry_scores()["AUC"][place])
    shown = Number(f"{gain.mean:.2f}", gain.mean, interval(found, gain))
    return (
        (found.methods[place],),
        Number(f"{score:.3f}", score),
        NOTHING if place == found.reference else shown,
        NOTHING if np.isnan(auc) else Number(f"{auc:.3f}", auc),
    )
