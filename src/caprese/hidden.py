"""HiddenPoset: a timed poset as it is seen, through errors; and the rates that fit data best."""

from dataclasses import dataclass

import numpy as np

from caprese.arrays import FloatArray, IntArray
from caprese.dataset import Dataset
from caprese.errors import ConvergenceError, ModelError
from caprese.models.noise import Noise
from caprese.models.poset import Poset, TimedPoset, as_sets, check_lattice
from caprese.names import places

Observations = tuple[IntArray, FloatArray, IntArray, float]
"""Distinct genotypes as sets, how often each was seen, what was known in it, known entries."""

START_ERROR = 0.1


@dataclass(frozen=True)
class HiddenPoset:
    """A hidden conjunctive Bayesian network: genotypes of a timed poset, seen through errors.

    Parameters
    ----------
    poset
        The progression the hidden genotypes are drawn from.
    error
        The rate at which an entry is seen the wrong way round, present or absent, at most 1/2.

    Examples
    --------
    >>> hidden = HiddenPoset(TimedPoset(("a", "b"), ((), (0,)), (1.0, 3.0)), error=0.1)
    >>> data = Dataset.from_rows([[0, 1], [1, None]], events="ab")
    >>> hidden.probabilities(data).round(4)
    array([0.08, 0.5 ])

    References
    ----------
    Gerstung et al. (2009), Bioinformatics 25:2809-2815.
    """

    poset: TimedPoset
    error: float

    def __post_init__(self) -> None:
        if not 0 <= self.error <= 0.5:
            raise ModelError(f"error must be in [0, 0.5], got {self.error}")

    @property
    def noise(self) -> Noise:
        """The error as false positive and false negative rate, which are equal."""
        return Noise(min(self.error, 0.5 - 1e-9), min(self.error, 0.5 - 1e-9))

    def probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability to see each sample; only its known entries count."""
        from caprese.kernels import lattice

        ordered = _same_events(data, self.poset)
        likely = self.poset.state_probabilities()
        sets, known = _sets(ordered)
        result = np.empty(len(sets))
        for mask in np.unique(known):
            seen = likely.copy()
            lattice.blur(seen, mask, self.error)
            result[known == mask] = seen[sets[known == mask]]
        return result

    def log_likelihood(self, data: Dataset) -> float:
        """Return the log-probability of all samples together.

        Examples
        --------
        >>> from caprese.datasets import ovarian
        >>> alone = TimedPoset(ovarian().events, ((),) * 7, (1.0,) * 7)
        >>> round(HiddenPoset(alone, 0.1).log_likelihood(ovarian()), 2)
        -398.04
        """
        with np.errstate(divide="ignore"):
            return float(np.log(self.probabilities(data)).sum())

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples as they would be seen."""
        return self.noise.corrupt(self.poset.sample(samples, rng), rng)


@dataclass(frozen=True)
class PosetEstimate:
    """Rates, and error, of highest likelihood.

    Parameters
    ----------
    hidden
        The poset with these rates, and the error.
    log_likelihood
        Of the data.
    """

    hidden: HiddenPoset
    log_likelihood: float

    @property
    def noise(self) -> Noise:
        """The error as false positive and false negative rate."""
        return self.hidden.noise

    @property
    def parameters(self) -> int:
        """How many numbers were estimated, a rate for each event and the error."""
        return len(self.hidden.poset.events) + 1


def fit_rates(
    poset: Poset,
    data: Dataset,
    *,
    error: float | None = None,
    tolerance: float = 1e-6,
    steps: int = 10_000,
) -> PosetEstimate:
    """Return the rates and the error under which the data is most likely.

    By expectation maximisation over the lattice of the poset, accelerated; from rates of 1 and
    from three errors, as the likelihood may have several peaks. Rates are kept within 1e-6 and 1e6:
    that of an event that follows its parents at once tends to infinity.

    Parameters
    ----------
    poset
        Which events wait for which.
    data
        The samples; unknown entries are summed over.
    error
        An error rate to hold; estimated if left out.
    tolerance
        The climb ends when no more log-likelihood than this seems left to gain.
    steps
        Of the climb, at the most.

    Raises
    ------
    ModelError
        If poset and data have different events, or more than 20 of them.
    ConvergenceError
        If the climb did not end.

    Examples
    --------
    >>> from caprese.datasets import ovarian
    >>> parents = ((), (0,), (), (2,), (0, 2), (), (2,))
    >>> best = fit_rates(Poset(ovarian().events, parents), ovarian())
    >>> round(best.log_likelihood, 2), round(best.hidden.error, 2)
    (-371.29, 0.15)
    """
    from caprese.kernels.rates import climb

    seen = observations(_same_events(data, poset))
    above = as_sets(poset.ancestors().T)
    starts = (0.01, START_ERROR, 0.3) if error is None else (error,)
    rates = np.ones(len(poset.events))
    limits = (error is None, float(tolerance), steps)
    climbs = [climb(above, rates, float(each), seen, limits, -np.inf) for each in starts]
    best_rates, best_error, height, settled = max(climbs, key=lambda found: found[2])
    if not settled:
        raise ConvergenceError(
            f"the rates did not settle in {steps} steps; the log-likelihood is {height:.3f}"
        )
    timed = TimedPoset(poset.events, poset.parents, best_rates)
    return PosetEstimate(HiddenPoset(timed, float(best_error)), float(height))


def observations(data: Dataset) -> Observations:
    """Return the distinct genotypes of a data set as the kernels take them."""
    check_lattice(len(data.events))
    distinct, times = data.genotypes()
    sets, known = _sets(distinct)
    order = np.lexsort((sets, known))
    entries = float(data.values.size if data.known is None else data.known.sum())
    return sets[order], times[order].astype(np.float64), known[order], entries


def _sets(data: Dataset) -> tuple[IntArray, IntArray]:
    """Return what is present in each sample, and what is known, as sets."""
    if data.known is None:
        return as_sets(data.values), np.full(len(data.samples), (1 << len(data.events)) - 1)
    return as_sets(data.values & data.known), as_sets(data.known)


def _same_events(data: Dataset, poset: Poset) -> Dataset:
    """Return the data with its events as the poset lists them."""
    places(data.events, poset.events, "poset and data")
    return data if data.events == poset.events else data.take_events(poset.events)
