"""Numbers of the package mhn 1.2.3 on the embedded data; see README.md."""

import json
from pathlib import Path

import numpy as np
import pytest

from caprese import MHN, Hazards, datasets
from caprese.fitting.hazards_ascent import Objective, Observations, log_likelihood

EXPECTED = json.loads((Path(__file__).parent / "mhn_expected.json").read_text())


def parameters(log_theta):
    """The matrix of mhn as ours: causes in rows, and effects on observation in the last column."""
    matrix = np.array(log_theta)
    n = matrix.shape[1]
    return np.hstack([matrix[:n].T, matrix[n:].T])


def label(case):
    kind = "observation" if case["observation"] else "classical"
    return f"{case['data']} {kind} {case.get('penalty', '')} {case.get('strength', 0):.3g}"


@pytest.mark.parametrize("case", EXPECTED["score"], ids=label)
def test_likelihood_and_gradient_are_those_of_mhn(case):
    data = getattr(datasets, case["data"])()
    model = Hazards.from_log_theta(data.events, case["theta"])
    assert model.log_probabilities(data).mean() == pytest.approx(case["score"], abs=1e-10)
    seen = Observations.of(data)
    total, slopes = log_likelihood(parameters(case["theta"]), seen, seen.times)
    assert total / len(data.samples) == pytest.approx(case["score"], abs=1e-10)
    np.testing.assert_allclose(
        slopes / len(data.samples), parameters(case["gradient"]), rtol=0, atol=1e-10
    )


@pytest.mark.parametrize("case", EXPECTED["train"], ids=label)
def test_the_maximum_is_no_lower_than_that_of_mhn(case):
    data = getattr(datasets, case["data"])()
    seen = Observations.of(data)
    objective = Objective(case["penalty"], case["strength"], case["observation"])
    theirs, _ = objective.value(parameters(case["log_theta"]), seen, seen.times)
    ours, _ = objective.value(objective.best_maximum(seen).parameters, seen, seen.times)
    assert ours >= theirs - 1e-8


def test_the_method_gives_that_maximum():
    case = EXPECTED["train"][2]
    method = MHN(penalty=case["penalty"], penalty_strength=case["strength"])
    found = method.fit(datasets.ovarian()).model.log_theta()
    np.testing.assert_allclose(found, case["log_theta"], atol=0.01)
