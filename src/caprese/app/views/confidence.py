"""How far to trust a fit, in the words of the report: support, posterior, held-out samples."""

from typing import Any

from caprese.assessment.confidence import Confidence
from caprese.assessment.edge_tests import EdgeTests
from caprese.assessment.judgement import Judgement
from caprese.data.dataset import Dataset
from caprese.data.inspection import inspect
from caprese.methods.fit import OrderedFit
from caprese.report.order import AssessedOrder
from caprese.report.page import blocks_html
from caprese.report.sections import grouped_sections
from caprese.report.sections.alternatives import judgement_section, other_parents
from caprese.report.sections.model import edges_section
from caprese.report.sections.summary import summary_section, uncertainty_section


def confidence_view(
    data: Dataset,
    fit: OrderedFit[Any, Any],
    confidence: Confidence | None,
    requested: int | None = None,
    tests: EdgeTests | None = None,
) -> str:
    """Return how far to trust each edge, in the words of the report."""
    order = AssessedOrder(fit, confidence, requested, tests)
    sections = [
        summary_section(order),
        edges_section(order),
        uncertainty_section(order, inspect(data)),
        other_parents(order),
        *grouped_sections(order),
    ]
    return blocks_html(sections)


def judgement_view(found: Judgement) -> str:
    """Return which method predicts held-out samples best, in the words of the report."""
    return blocks_html(judgement_section(found).blocks)
