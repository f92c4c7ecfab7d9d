"""Series: how probable a later sample of a patient is, given an earlier one, by a clock.

The earlier sample fixes where the patient stands; from there on events come at the rates of the
model, until the later sample is taken after an exponential time. Events stay: what the earlier
sample has is not asked of the later one.
"""

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.kernels.functions import log
from caprese.models.base import AveragedModel, PlacingModel, has_clock, observation_codes
from caprese.models.noise import Noise
from caprese.models.noisy import ListedModel, Noisy
from caprese.models.states import Codes, States, from_sets

MOST_OPEN = 14  # events that may come between two samples, of which all sets are listed


def later_log_probabilities(
    model: PlacingModel, earlier: Dataset, later: Dataset, ended: FloatArray
) -> FloatArray:
    """Return the log-probability of each later sample given the earlier one, rates x pairs.

    Of the events that the earlier sample does not have; unknown entries are summed over.

    Parameters
    ----------
    model
        One with a clock.
    earlier, later
        The samples of each pair, in the same order.
    ended
        Rates of the time between them, which is exponential; 1 is the rate at which the samples are
        taken that the model was learnt from.

    Raises
    ------
    ModelError
        If the model has no clock, or too many events may have come between two samples.

    Examples
    --------
    >>> from caprese.models.poset import TimedPoset
    >>> poset = TimedPoset(("a", "b"), ((), (0,)), rates=(1.0, 3.0))
    >>> earlier = Dataset.from_rows([[1, 0], [1, 0], [0, 0]], events="ab")
    >>> later = Dataset.from_rows([[1, 0], [1, 1], [1, 1]], events="ab")
    >>> np.exp(later_log_probabilities(poset, earlier, later, np.array([1.0]))).round(3)
    array([[0.25 , 0.75 , 0.375]])
    """
    if not has_clock(model):
        raise ModelError("later samples are predicted by models with a clock, which this has not")
    if isinstance(model, AveragedModel):
        found = np.zeros((len(ended), len(earlier.samples)))
        for part, share in model.parts(earlier):
            found += share * np.exp(later_log_probabilities(part, earlier, later, ended))
        return log(found)
    before, after = (observation_codes(model.events, each) for each in (earlier, later))
    after = np.where(before == 1, np.uint8(2), after)
    distinct, which = np.unique(np.hstack([before, after]), axis=0, return_inverse=True)
    before, after = np.hsplit(distinct, 2)
    chances = _with_errors if isinstance(model, Noisy) and model.noise != Noise() else _exact
    return log(chances(model, before, after, ended))[:, which.reshape(-1)]


def _with_errors(model: PlacingModel, before: Codes, after: Codes, ended: FloatArray) -> FloatArray:
    """Return the probability of each later sample, over all true genotypes of both."""
    assert isinstance(model, Noisy)
    states = States(*model.truth.states(), model.noise)
    return np.array([states.later(before, after, model.next_rates, each) for each in ended])


def _exact(model: PlacingModel, before: Codes, after: Codes, ended: FloatArray) -> FloatArray:
    """Return the probability of each later sample, if both are observed without errors."""
    pairs = zip(before, after, strict=True)
    return np.array([_of_pair(model, *pair, ended) for pair in pairs]).T


def _of_pair(model: PlacingModel, before: Codes, after: Codes, ended: FloatArray) -> FloatArray:
    """Return the probability of a later sample at each rate of the time between.

    By recursion over the sets of events that may have come between, from the largest down.
    """
    came = np.flatnonzero((before != 1) & (after != 0))
    if len(came) > MOST_OPEN:
        problem = f"{len(came)} events may have come between two samples"
        raise ModelError(f"{problem}; the most is {MOST_OPEN}")
    sets = from_sets(np.arange(1 << len(came)), len(came))
    present = np.tile(before == 1, (len(sets), 1))
    present[:, came] = sets
    rates = model.next_rates(present)
    leave = ended + rates.sum(axis=1)[:, None]
    found = np.where((sets | (after[came] == 2)).all(axis=1)[:, None], ended, 0.0)
    sizes = sets.sum(axis=1)
    for size in range(len(came), -1, -1):
        own = np.flatnonzero(sizes == size)
        for k, event in enumerate(came.tolist()):
            free = own[~sets[own, k]]
            found[free] += rates[free, event, None] * found[free | 1 << k]
        found[own] /= leave[own]
    start = _starts(model, before, came, sets)
    return np.asarray(start @ found)


def _starts(model: PlacingModel, before: Codes, came: IntArray, sets: BoolArray) -> FloatArray:
    """Return how probably the earlier sample has each set of the events that may have come.

    Unknown entries of it may be there already.
    """
    if not (before == 2).any():
        return np.asarray(np.eye(1, len(sets))[0])  # what it has is where the patient stands
    genotypes, chances = _listed(model).states(before)
    total = chances.sum()
    chances = chances / total if total > 0 else np.full(len(genotypes), 1 / len(genotypes))
    inside = genotypes.sum(axis=1) == (before == 1).sum() + genotypes[:, came].sum(axis=1)
    place = genotypes[:, came] @ (1 << np.arange(len(came)))
    return np.asarray(np.bincount(place[inside], chances[inside], len(sets)), dtype=np.float64)


def _listed(model: PlacingModel) -> ListedModel:
    """Return the model of true genotypes, which lists them."""
    found = model.truth if isinstance(model, Noisy) else model
    if not hasattr(found, "states"):
        raise ModelError("earlier samples with unknown entries need a model that lists genotypes")
    return found  # type: ignore[return-value]
