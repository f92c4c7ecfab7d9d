"""An iteration that reached its limit is a note of the fit."""

from dataclasses import replace

import pytest

from caprese import CBN, HCBN, MHN, datasets
from caprese.text.facts import in_words


@pytest.mark.parametrize(
    ("method", "steps"), [(CBN(), "10,000"), (HCBN(), "10,000"), (MHN(), "5,000")], ids=repr
)
def test_a_fit_that_did_not_converge_says_so(method, steps):
    evidence = method.fit(datasets.acml()).evidence
    note = f"did not converge in {steps} steps; the numbers are the best found by then"
    assert evidence.converged
    assert note not in in_words(evidence.notes())
    assert note in in_words(replace(evidence, converged=False).notes())
