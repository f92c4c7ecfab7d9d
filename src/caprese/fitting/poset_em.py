"""Poset EM: the rates and the error under which data is most likely, for a given poset."""

import numpy as np

from caprese.data.dataset import Dataset
from caprese.fitting.estimated import Estimate
from caprese.kernels.poset_em import Ascent, Limits, maximise_likelihood
from caprese.kernels.true_counts import Observations
from caprese.models.base import in_order_of
from caprese.models.poset import NoisyPoset, Poset, TimedPoset
from caprese.models.states import as_sets, check_lattice

START_ERROR = 0.1
STEPS = 10_000


def fit_poset(
    poset: Poset,
    data: Dataset,
    *,
    error: float | None = None,
    tolerance: float = 1e-6,
    steps: int = STEPS,
) -> Estimate[NoisyPoset]:
    """Return the rates and the error under which the data is most likely.

    By accelerated expectation maximisation over the lattice of the poset, from three errors, and
    from rates of 1 as well as those that the poset has, as the likelihood may have several maxima.
    Rates are kept within 1e-6 and 1e6: that of an event that follows its parents at once tends to
    infinity.

    Parameters
    ----------
    poset
        Which events wait for which; the rates of a `TimedPoset` are a start.
    data
        The samples; unknown entries are summed over.
    error
        An error rate to keep fixed; by default it is estimated.
    tolerance
        The iteration ends when no more log-likelihood than this seems left to gain.
    steps
        The largest number of steps, converged or not.

    Raises
    ------
    ModelError
        If poset and data have different events, or more than 20 of them.

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> parents = ((), (0,), (), (2,), (0, 2), (), (2,))
    >>> best = fit_poset(Poset(ovarian().events, parents), ovarian())
    >>> round(best.log_likelihood, 2), round(best.model.error, 2)
    (-371.29, 0.15)
    """
    ascent = Ascent(observations(in_order_of(poset.events, data)))
    above = as_sets(poset.ancestors().T)
    errors = (0.01, START_ERROR, 0.3) if error is None else (error,)
    starts = [np.ones(len(poset.events))]
    if isinstance(poset, TimedPoset):
        starts.append(poset.rates)
    limits = Limits(error is None, tolerance, steps)
    runs = [
        maximise_likelihood(ascent, above, rates, each, limits, -np.inf)
        for rates in starts
        for each in errors
    ]
    best_rates, best_error, log_likelihood, converged = max(runs, key=lambda found: found[2])
    timed = TimedPoset(poset.events, poset.parent_sets, best_rates)
    model = NoisyPoset(timed, float(best_error))
    numbers = len(poset.events) + 1  # the rates and the error
    return Estimate(model, float(log_likelihood), numbers, model.noise, bool(converged))


def observations(data: Dataset) -> Observations:
    """Return the distinct genotypes of a data set as the kernels take them."""
    check_lattice(len(data.events))
    distinct, times = data.genotypes()
    sets, known = as_sets(distinct.values), as_sets(distinct.known_mask)
    order = np.lexsort((sets, known))
    often = times[order].astype(np.float64)
    return Observations(len(data.events), sets[order], often, known[order])
