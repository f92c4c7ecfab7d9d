"""Fits that are shared: a slow method is fitted once to the same data, by all tests of a folder.

Methods are values and give the same answer twice, which `tests/contract` checks without this.
"""

import pickle
from functools import wraps

import pytest

from caprese import HCBN, MHN, BayesForest, Stack
from caprese.data.dataset import Dataset


def once(fit):
    """The same fit for the same method and data."""
    known = {}

    @wraps(fit)
    def shared(method, data):
        data = Dataset.of(data)
        key = pickle.dumps((method, data))
        if key not in known:
            known[key] = fit(method, data)
        return known[key]

    return shared


_SHARED = {kind: once(kind.fit) for kind in (BayesForest, HCBN, MHN, Stack)}


@pytest.fixture(autouse=True, scope="module")
def slow_methods_are_fitted_once():
    """Of a module, so that tests of other folders, which follow, fit again."""
    with pytest.MonkeyPatch.context() as patch:
        for kind, shared in _SHARED.items():
            patch.setattr(kind, "fit", shared)
        yield
