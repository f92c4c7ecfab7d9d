"""How far to trust a fit, in the words of the report: support, posterior, held-out samples."""

from typing import Any

import numpy as np

from caprese.app.views.fragments import before, plain_analysis, titled, with_pictures
from caprese.assessment.confidence import Confidence
from caprese.assessment.edge_tests import EdgeTests
from caprese.assessment.judgement import Judgement
from caprese.data.curation import Curated
from caprese.data.dataset import Dataset
from caprese.data.inspection import inspect
from caprese.methods.evidence import SubtypeEvidence
from caprese.methods.fit import Fit, OrderedFit
from caprese.report.analysis import OrderedAnalysis, needs_no_bootstrap
from caprese.report.sections.alternatives import alternatives
from caprese.report.sections.distinct_models import distinct_models
from caprese.report.sections.judgement import judgement as judgement_section
from caprese.report.sections.progression import edges
from caprese.report.sections.subtypes import subtypes
from caprese.report.sections.summary import summary
from caprese.report.sections.uncertainty import uncertainty
from caprese.report.support import bootstrap_support, posterior_support


def needs_bootstrap(fit: Fit[Any, Any]) -> bool:
    """Whether a bootstrap says how far to trust the edges of a fit."""
    return isinstance(fit, OrderedFit) and not needs_no_bootstrap(fit)


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
    blocks = [block for section in sections for block in titled(section)]
    blocks += before(alternatives(analysis).blocks, "Other methods")
    if isinstance(fit.evidence, SubtypeEvidence) and fit.evidence.subtypes:
        blocks += titled(subtypes(analysis))
    if confidence is not None:
        blocks += titled(distinct_models(analysis))
    return with_pictures(blocks, analysis)


def judgement_view(curated: Curated, found: Judgement) -> str:
    """Return which method predicts held-out samples best, in the words of the report."""
    analysis = plain_analysis(curated, inspect(curated.data), found)
    return with_pictures(judgement_section(analysis).blocks, analysis)
