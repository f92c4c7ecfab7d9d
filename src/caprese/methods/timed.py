"""Timed forests: the posterior over forests whose events take times of their own."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.facts import Fact
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.data.visits import Times
from caprese.fitting.diagnostics import Diagnostics, diagnostics
from caprese.fitting.forest_ascent import ForestPrior, pairwise_starts
from caprese.fitting.forest_em import RateIntervals
from caprese.fitting.stacking import weights_of_chains
from caprese.fitting.structure import consensus
from caprese.fitting.timed_likelihood import TimedLikelihood, TimedPrior
from caprese.fitting.timed_sampler import TimedChains, sample_timed_forests
from caprese.fitting.timed_walk import search
from caprese.methods.evidence import (
    ForestPosteriorEvidence,
    Reason,
    TimesUsed,
    freeze_arrays,
    searched_reasons,
)
from caprese.methods.fit import OrderedFit
from caprese.methods.parameters import (
    ERROR_RATES,
    POSITIVE,
    SEED,
    Parameters,
    Rates,
    option,
    times_option,
    whole_number,
)
from caprese.models.forest import ROOT, Forest
from caprese.models.noise import Noise
from caprese.models.posterior import Posterior
from caprese.models.stacked import Stacked
from caprese.models.timed_forest import NoisyTimedForest, TimedForest

_INTERVAL = (0.05, 0.95)  # quantiles of the 90 % intervals
_FEW = 200  # draws by which chains are weighed


@dataclass(frozen=True, eq=False)
class TimedEvidence(ForestPosteriorEvidence):
    """What the posterior says about parents, order, rates and error rates."""

    #: Posterior probability of each parent: parent row, the last one the root, child column.
    parent_probabilities: FloatArray
    ancestor_probabilities: FloatArray  #: ``[i, j]``: posterior probability that i comes before j.
    mean_noise: Noise  #: The posterior means of the error rates.
    intervals: RateIntervals | None  #: 90 % intervals of the error rates; None if they were given.
    diagnostics: Diagnostics  #: How well the chains agree.
    rate_low: FloatArray  #: Of each event, where the 90 % interval of its rate begins.
    rate_high: FloatArray  #: Where it ends.
    noise: Noise  #: The most probable error rates of the stated forest.
    log_likelihood: float  #: Of the stated forest.
    log_posterior: float  #: Of the stated forest, up to a constant.
    reasons: tuple[Reason, ...]  #: Why each event has the parent it has.
    #: What was learnt from the times of samples; None if they were not used.
    times: TimesUsed | None = field(default=None, metadata={"optional": True})

    def __post_init__(self) -> None:
        super().__post_init__()
        n = len(self.reasons)
        freeze_arrays(self, rate_low=(n,), rate_high=(n,))

    def columns(self, forest: Forest | TimedForest) -> dict[str, FloatArray]:
        """Return the interval of each rate, and the posterior probability of each parent."""
        intervals = {"rate low": self.rate_low, "rate high": self.rate_high}
        return {**intervals, **super().columns(forest)}

    def notes(self) -> tuple[Fact, ...]:
        """Return what the times say, the error rates, and whether the chains agree."""
        return (*(() if self.times is None else self.times.notes()), *super().notes())


@dataclass(frozen=True, kw_only=True)
class TimedForests(Parameters):
    """Infer the posterior distribution over timed forests, their rates and error rates.

    In a timed forest, each event takes an exponential time after its one parent, or after the
    progression began. Samples may be snapshots at unknown times, series of a patient with known
    times between them, or of known time. The model of the fit is the forest on which draws agree
    most, with its most probable numbers; predictions are averages over the posterior.

    Parameters
    ----------
    times
        What of the times of samples is used: ``"unknown"``, nothing; ``"order"``, the order of the
        samples of a patient; ``"gaps"``, also the times between them; ``"known"``, also when the
        first was taken, from the start of the progression.
    noise
        ``"estimate"``: error rates are unknown and inferred with the rest. Or the rates.
    chains, draws, thin, warm_up
        Chains, draws kept of each, sweeps between two draws, and sweeps before the first.
    keep
        How many draws predict, evenly spaced.
    rate_first, rate_second
        The Beta prior of the two error rates, restricted to below 1/2.
    seed
        A whole number, not negative; the same seed gives the same answer.

    Examples
    --------
    >>> from caprese.data.datasets import acml
    >>> fit = TimedForests(chains=2, draws=50, warm_up=50).fit(acml())
    >>> fit.predictive.next_probabilities(acml()).shape
    (64, 3)

    References
    ----------
    Beerenwinkel and Sullivant (2009), Biometrika 96:645-661. Desper et al. (1999), Journal of
    Computational Biology 6:37-51.
    """

    only_by_name: ClassVar[bool] = True  # its chains take longer than all other methods together
    times: Times = times_option()
    noise: Rates = option(
        "estimate", "Error rates: the word estimate, or FALSE_POSITIVE,FALSE_NEGATIVE.", ERROR_RATES
    )
    chains: int = option(TimedChains.chains, "Markov chains.", whole_number(1, 1000))
    draws: int = option(TimedChains.draws, "Draws kept of each chain.", whole_number(1, 1_000_000))
    thin: int = option(TimedChains.thin, "Sweeps between two draws.", whole_number(1), expert=True)
    warm_up: int = option(
        TimedChains.warm_up, "Sweeps before the first draw.", whole_number(), expert=True
    )
    keep: int = option(100, "Draws that predict.", whole_number(1), expert=True)
    rate_first: float = option(
        1.0, "First parameter of the Beta prior of error rates.", POSITIVE, expert=True
    )
    rate_second: float = option(
        20.0, "Second parameter of the Beta prior of error rates.", POSITIVE, expert=True
    )
    seed: int = option(1, "Seed of the chains.", SEED)

    def cost(self, data: Dataset) -> float:
        """Return the seconds of one core of a fit: a search, then sweeps of chains.

        Fitted to snapshots of 64 x 3 to 250 x 8, and to series of 250 patients with 8 events, and
        of 600 with 12.
        """
        events = len(data.events)
        patients = len(data.samples) if data.patients is None else data.patients.number
        distinct = len(data.genotypes()[0].samples) if self.times == "unknown" else 3 * patients
        sweeps = self.chains * (self.warm_up + self.draws * self.thin)
        each = 6e-5 + 1.5e-7 * distinct * np.log2(events + 1)  # of a move
        return 0.5 + float(each) * (3 * events * sweeps + 20 * events**2)

    def fit(self, data: Dataset) -> OrderedFit[TimedForest, TimedEvidence]:
        """Infer the posterior of a data set; a frame or a 0/1 array is taken for one."""
        data = Dataset.of(data)
        counts, starts = Counts.of(data), pairwise_starts(data)
        noise = self.noise if isinstance(self.noise, Noise) else None
        likelihood = TimedLikelihood(data, self.times, noise, starts[0])
        prior = TimedPrior(rate_first=self.rate_first, rate_second=self.rate_second)
        inward = [likelihood.table.inward(start) for start in starts]
        mode = search(likelihood, prior, ForestPrior(), inward)
        draws, paces = sample_timed_forests(
            likelihood,
            data.events,
            mode.point,
            prior=prior,
            forests=ForestPrior(),
            chains=TimedChains(
                chains=self.chains, draws=self.draws, thin=self.thin, warm_up=self.warm_up
            ),
            seed=self.seed,
        )
        check = diagnostics(draws)
        if not check.agree:
            draws = draws.weighted(_chain_weights(draws.thinned(_FEW), data))
        support = draws.parent_probabilities()
        parents, doubt = consensus(support)
        parents = likelihood.table.inward(np.where(counts.never | counts.always, ROOT, parents))
        start = mode.point if (parents == mode.point.parents).all() else likelihood.start(parents)
        best = likelihood.maximum(likelihood.tables(), start, prior)
        stated = likelihood.model(best.point, data.events)
        found = searched_reasons(counts, stated.forest)
        reasons = tuple(
            Reason.OUTWEIGHED if outweighed and reason.decided else reason
            for outweighed, reason in zip(doubt, found, strict=True)
        )
        low, high = np.quantile(_rates(draws).reshape(-1, len(data.events)), _INTERVAL, axis=0)
        errors = draws.mean_rates.reshape(-1, 2)
        least, most = np.quantile(errors, _INTERVAL, axis=0).tolist()
        evidence = TimedEvidence(
            support,
            draws.ancestor_probabilities(),
            Noise(*errors.mean(axis=0).tolist()),
            RateIntervals((least[0], most[0]), (least[1], most[1])) if noise is None else None,
            check,
            low,
            high,
            stated.noise,
            likelihood.log_likelihood(best.point),
            best.objective,
            reasons,
            self._times_used(likelihood, paces),
        )
        return OrderedFit.of(
            self,
            stated.forest,
            evidence,
            data,
            counts=counts,
            predictor=_mixture(draws.thinned(self.keep)),
        )

    def _times_used(self, likelihood: TimedLikelihood, paces: FloatArray) -> TimesUsed | None:
        """Return what was learnt from the times of samples."""
        if self.times == "unknown":
            return None
        ordered = self.times == "order"
        unit = None if ordered else likelihood.unit / float(np.median(paces))
        return TimesUsed.of(likelihood.visits, mean_time=unit, mean_gap=likelihood.gap)


def _rates(draws: Posterior) -> FloatArray:
    """Return the rates of draws, chains x draws x events."""
    chances = draws.probabilities[:, :, 0]
    return np.asarray(chances / (1 - chances))


def _chain_weights(draws: Posterior, data: Dataset) -> FloatArray:
    """Return by how much each chain counts, if they found different answers."""
    distinct, times = data.genotypes()
    said = [model.log_probabilities(distinct) for model in _mixture(draws).models]
    return weights_of_chains(np.reshape(said, (*draws.log_likelihood.shape, -1)), times)


def _mixture(draws: Posterior) -> Stacked:
    """Return the average over draws as a model."""
    n, rates = len(draws.events), _rates(draws)
    models = tuple(
        NoisyTimedForest(TimedForest(draws.events, parents, rate), Noise(*errors.tolist()))
        for parents, rate, errors in zip(
            draws.parents.reshape(-1, n),
            rates.reshape(-1, n),
            draws.mean_rates.reshape(-1, 2),
            strict=True,
        )
    )
    return Stacked(models, np.full(len(models), 1 / len(models)))
