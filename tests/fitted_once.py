"""Fits that are shared: what is slow is computed once of the same data, by all tests of a folder.

Methods are values and give the same answer twice, which `tests/contract` checks without this.
Fits are read-only, and so are their copies: the processes of one run share them through files.
"""

import pickle
from functools import wraps
from hashlib import sha256
from math import inf
from os import getpid

import pytest

from caprese import CBN, HCBN, MHN, BayesForest, Capri, LikelihoodForest, Stack
from caprese._core import workers
from caprese.assessment import planning, prediction, yardstick
from caprese.data.dataset import Dataset
from caprese.fitting import turned
from caprese.fitting.estimate import estimate
from caprese.fitting.pairwise import fitted_pairwise
from caprese.methods import fit as fits

KINDS = (BayesForest, CBN, Capri, HCBN, LikelihoodForest, MHN, Stack)


class Shared:
    """Answers by what they are the answers to, in memory and in a folder."""

    def __init__(self):
        self.folder = None
        self._known = {}

    def once(self, key, make):
        """What is known for the key, or is made now."""
        place = sha256(pickle.dumps(key)).hexdigest()
        if place not in self._known:
            self._known[place] = self._stored(self.folder / place, make)
        return self._known[place]

    def _stored(self, file, make):
        if file.exists():
            return pickle.loads(file.read_bytes())
        found = make()
        part = file.with_suffix(f".{getpid()}")
        part.write_bytes(pickle.dumps(found))
        part.replace(file)
        return found


SHARED = Shared()


def once(fit):
    """The same fit for the same method and data."""

    @wraps(fit)
    def shared(method, data):
        data = Dataset.of(data)
        return SHARED.once((method, data), lambda: fit(method, data))

    return shared


def answered_once(function):
    """The same answer for the same arguments."""

    @wraps(function)
    def shared(*given):
        return SHARED.once((function.__name__, given), lambda: function(*given))

    return shared


_FITS = {kind: once(kind.fit) for kind in KINDS}
_ESTIMATE = answered_once(estimate)
_PAIRWISE = answered_once(fitted_pairwise)
_PLANNED = answered_once(planning._judged)


@pytest.fixture(scope="session")
def shared(request, tmp_path_factory):
    """What is shared with the other processes of this run."""
    own = tmp_path_factory.getbasetemp()
    SHARED.folder = (own.parent if hasattr(request.config, "workerinput") else own) / "fits"
    SHARED.folder.mkdir(exist_ok=True)
    return SHARED


@pytest.fixture(autouse=True, scope="module")
def slow_methods_are_fitted_once(shared):
    """Of a module, so that tests of other folders, which follow, fit again.

    Judgements start no workers, where nothing would be shared, however slow the machine is.
    """
    with pytest.MonkeyPatch.context() as patch:
        for kind, shared in _FITS.items():
            patch.setattr(kind, "fit", shared)
        for module in (fits, prediction, turned):
            patch.setattr(module, "estimate", _ESTIMATE)
        patch.setattr(yardstick, "fitted_pairwise", _PAIRWISE)
        patch.setattr(planning, "_judged", _PLANNED)
        patch.setattr(workers, "_ALONE", inf)
        yield
