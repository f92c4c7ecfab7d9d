"""Patterns in a report: an edge from one of their events stands for the whole."""

import pytest

from caprese import Capri, analyse, datasets
from caprese.report.sections.model import pattern_notices
from caprese.text.sentences import plain


@pytest.mark.slow
def test_edges_of_a_pattern_are_said_to_stand_for_it():
    data = datasets.acml_selected17()
    method = Capri(patterns=("homologous",), resamples=20)
    found = analyse(method, data, replicates=5, budget=0.001)
    (notice,) = pattern_notices(found.order)
    words = plain(notice.text)
    for pattern, child in found.fit.model.pattern_edges:
        assert f"{pattern} → {child} (" in words
    assert "stands for the pattern as a whole" in words


@pytest.mark.slow
def test_without_patterns_nothing_is_said():
    found = analyse(Capri(resamples=20), datasets.acml(), replicates=5, budget=0.001)
    assert not list(pattern_notices(found.order))
