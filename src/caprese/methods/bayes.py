"""Posterior forests: what the data says about every edge, by Markov chain Monte Carlo."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese._core.budget import check_size
from caprese._core.facts import Fact
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.fitting.diagnostics import Diagnostics, diagnostics
from caprese.fitting.forest_ascent import (
    Ascent,
    ForestPrior,
    most_probable_forest,
    pairwise_starts,
    with_best_numbers,
)
from caprese.fitting.forest_em import RateIntervals
from caprese.fitting.forest_sampler import (
    AUTO_COMPONENTS,
    TEMPERED,
    Chains,
    RunningChains,
    ladder,
)
from caprese.fitting.stacking import chain_weights
from caprese.fitting.structure import consensus
from caprese.fitting.subtypes import Subtype, relabelled, subtypes
from caprese.methods.evidence import (
    ForestPosteriorEvidence,
    OrdersUsed,
    Reason,
    searched_reasons,
)
from caprese.methods.fit import OrderedFit
from caprese.methods.parameters import (
    ERROR_RATES,
    NOT_NEGATIVE,
    POSITIVE,
    SEED,
    Parameters,
    Rates,
    option,
    or_auto,
    whole_number,
)
from caprese.models.base import Model
from caprese.models.forest import ROOT, Forest
from caprese.models.noise import Noise
from caprese.models.posterior import Posterior

_PER_NUMBER = 24  # bytes of memory for a parent and a probability of a draw, and their copies
_PER_CHAIN = 10_000
_INTERVAL = (0.05, 0.95)  # quantiles of the 90 % intervals


@dataclass(frozen=True, eq=False)
class BayesEvidence(ForestPosteriorEvidence):
    """What the posterior says about parents, order, error rates and subtypes."""

    #: Posterior probability of each parent: parent row, the last one the root, child column.
    parent_probabilities: FloatArray
    ancestor_probabilities: FloatArray  #: ``[i, j]``: posterior probability that i comes before j.
    noise: Noise  #: The most probable error rates of the stated forest.
    mean_noise: Noise  #: Their posterior means.
    intervals: RateIntervals | None  #: 90 % intervals of the error rates; None if they were given.
    log_likelihood: float  #: Of the stated forest.
    log_posterior: float  #: Of the stated forest, up to a constant.
    diagnostics: Diagnostics  #: How well the chains agree.
    #: Those that hold at least 5 % of the samples, the heaviest first; none if the model was asked
    #: for a single forest.
    subtypes: tuple[Subtype, ...]
    #: Names of the samples, in the order of the memberships of subtypes; none without subtypes.
    samples: tuple[str, ...]
    reasons: tuple[Reason, ...]  #: Why each event has the parent it has.
    #: The seen orders that were learnt from; None if there were none.
    orders: OrdersUsed | None = field(default=None, metadata={"optional": True})

    def notes(self) -> tuple[Fact, ...]:
        """Return the error rates, whether the chains agree, the subtypes, and the seen orders."""
        found = list(super().notes())
        if self.orders is not None:
            found.append(self.orders.note())
        if len(self.subtypes) == 1:
            found.append(Fact("one subtype"))
        if len(self.subtypes) > 1:
            found += [_of_subtype(place, each) for place, each in enumerate(self.subtypes, start=1)]
            if self.diagnostics.agree:
                found.append(Fact("other seeds", doubt="another seed may find other subtypes"))
        return tuple(found)


@dataclass(frozen=True, repr=False)
class BayesFit(OrderedFit[Forest, BayesEvidence]):
    """The forest on which draws agree most, and the draws by which its posterior predicts.

    Parameters
    ----------
    posterior
        The draws that were kept; None if none were, so that nothing can be averaged over.
    """

    posterior: Posterior | None = None

    @property
    def predictive(self) -> Model:
        """The average over the posterior.

        Raises
        ------
        ModelError
            If the fit keeps no draws.
        """
        if self.posterior is None:
            raise ModelError(
                "this fit keeps no draws of its posterior, so it cannot predict by averaging; "
                "fit again with keep of at least 1"
            )
        return self.posterior


@dataclass(frozen=True, kw_only=True)
class BayesForest(Parameters):
    """Infer the posterior distribution over forests, edge probabilities and error rates.

    The model of the fit is the forest on which draws from the posterior agree most, with its most
    probable numbers: no edge that another parent of the same event outweighs. Its evidence holds
    the posterior probability of every edge; its predictions are averages over the posterior.
    Orders that were seen within samples are evidence, too, if the data has them.

    Parameters
    ----------
    subtypes
        How many groups of samples may have a forest of their own; ``"auto"`` allows six and
        leaves empty those that the data does not need.
    noise
        ``"estimate"``: error rates are unknown and inferred with the rest. Or the rates.
    chains, draws, thin, warm_up
        Chains, draws kept of each, sweeps between two draws, and sweeps before the first.
    keep
        How many draws a fit keeps for prediction and for files, evenly spaced; 0 keeps none.
    root_cost
        What it costs, in nats of prior log-probability for each event, to learn from the data how
        many events are roots; with probability 1 - exp(-root_cost x events) all forests are
        equally probable. 0: always learnt.
    root_first, root_second
        Where it is learnt, the Beta prior of the probability that an event is a root.
    rate_first, rate_second
        The Beta prior of the two error rates, restricted to below 1/2.
    dirichlet
        Parameter of the Dirichlet prior of the weights of subtypes; by default 1 for a number of
        subtypes, and learnt for ``"auto"``: its logarithm is uniform from 0.001 to 1.
    seed
        A whole number, not negative; the same seed gives the same answer.

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> fit = BayesForest(draws=100, warm_up=100).fit(ovarian())
    >>> fit.edges
    (('8q+', '3q+'), ('8q+', '5q-'), ('5q-', '4q-'), ('5q-', '8p-'), ('8p-', 'Xp-'))
    >>> fit.predictive.log_probabilities(ovarian()).shape
    (87,)

    References
    ----------
    Kuipers and Moffa (2017), Journal of the American Statistical Association 112:282-299.
    """

    subtypes: int | Literal["auto"] = option(
        1,
        "Groups of samples with a forest of their own, or the word auto.",
        or_auto(whole_number(1, 100)),
    )
    noise: Rates = option(
        "estimate", "Error rates: the word estimate, or FALSE_POSITIVE,FALSE_NEGATIVE.", ERROR_RATES
    )
    chains: int = option(Chains.chains, "Markov chains.", whole_number(1))
    draws: int = option(Chains.draws, "Draws kept of each chain.", whole_number(1))
    thin: int = option(Chains.thin, "Sweeps between two draws.", whole_number(1), expert=True)
    warm_up: int = option(
        Chains.warm_up, "Sweeps before the first draw.", whole_number(), expert=True
    )
    keep: int = option(1000, "Draws that a fit keeps for prediction.", whole_number(), expert=True)
    root_cost: float = option(
        ForestPrior.cost,
        "Cost of learning the share of roots, in nats per event.",
        NOT_NEGATIVE,
        expert=True,
    )
    root_first: float = option(
        ForestPrior.first, "First parameter of the Beta prior of roots.", POSITIVE, expert=True
    )
    root_second: float = option(
        ForestPrior.second, "Second parameter of the Beta prior of roots.", POSITIVE, expert=True
    )
    rate_first: float = option(
        1.0, "First parameter of the Beta prior of error rates.", POSITIVE, expert=True
    )
    rate_second: float = option(
        20.0, "Second parameter of the Beta prior of error rates.", POSITIVE, expert=True
    )
    dirichlet: float | None = option(
        None,
        "Dirichlet prior of the weights of subtypes; by default 1, or learnt with auto.",
        POSITIVE,
        expert=True,
    )
    seed: int = option(1, "Seed of the chains.", SEED)

    def cost(self, data: Dataset) -> float:
        """Return the seconds of one core of a fit: a search for the mode, then sweeps of chains.

        Fitted to 6 sizes, of 350 x 8 to 1,000 x 15; where the ladder stays for all draws, a fit
        takes two to four times as long.
        """
        self.check_draws(data)
        events, distinct = len(data.events), len(data.genotypes()[0].samples)
        rungs = len(ladder(len(data.samples), events)) if self.subtypes == 1 else 1
        hotter = TEMPERED * (rungs - 1)
        sweeps = self.chains * (self.warm_up * (1 + hotter) + self.draws * self.thin)
        grouped = 1.0 if self.subtypes == 1 else 2.5
        return 0.25 + 1e-3 * events**2 + 1.7e-7 * grouped * sweeps * events * distinct

    def check_draws(self, data: Dataset) -> None:
        """Refuse more chains and draws than the budget of memory holds."""
        components = AUTO_COMPONENTS if self.subtypes == "auto" else self.subtypes
        kept = self.draws * components * (len(data.events) + 2) * _PER_NUMBER
        what = f"{self.chains:,} chains of {self.draws:,} draws"
        check_size(what, self.chains * (kept + _PER_CHAIN))

    @property
    def uses_orders(self) -> bool:
        """Whether a fit learns from seen orders: it always does."""
        return True

    def fit(self, data: Dataset) -> BayesFit:
        """Infer the posterior of a data set; a frame or a 0/1 array is taken for one."""
        running = self.running_fit(data)
        for _ in running:
            pass
        return running.fit

    def running_fit(self, data: Dataset) -> "RunningBayes":
        """Return a fit that can be looked at after any number of draws, and stopped there."""
        return RunningBayes(self, Dataset.of(data))


class RunningBayes:
    """A posterior that can be looked at while it is sampled.

    Iterating over it samples it, and yields how many draws of each chain are done. Its `fit` is
    always that of a method that asks for as many draws.

    Examples
    --------
    >>> from caprese.data.datasets import acml
    >>> running = BayesForest(draws=100, warm_up=100).running_fit(acml())
    >>> done = next(draws for draws in running if draws)
    >>> running.fit == BayesForest(draws=done, warm_up=100).fit(acml())
    True
    """

    def __init__(self, method: BayesForest, data: Dataset) -> None:
        self._method, self._data = method, data
        self._noise = noise = method.noise if isinstance(method.noise, Noise) else None
        self._prior = prior = ForestPrior(
            first=method.root_first,
            second=method.root_second,
            cost=method.root_cost,
            rate_first=method.rate_first,
            rate_second=method.rate_second,
        )
        components, dirichlet = (
            (AUTO_COMPONENTS, None) if method.subtypes == "auto" else (method.subtypes, 1.0)
        )
        method.check_draws(data)
        starts = pairwise_starts(data)
        self._mode = most_probable_forest(
            data, prior=prior, noise=noise, starts=starts, orders=data.orders
        )
        self._chains = RunningChains(
            data,
            seed=method.seed,
            prior=prior,
            noise=noise,
            components=components,
            dirichlet=dirichlet if method.dirichlet is None else method.dirichlet,
            chains=Chains(
                chains=method.chains, draws=method.draws, thin=method.thin, warm_up=method.warm_up
            ),
            starts=[self._mode.forest.parents, *starts],
            orders=data.orders,
        )

    def __iter__(self) -> Iterator[int]:
        return iter(self._chains)

    @property
    def done(self) -> int:
        """How many draws of each chain are done."""
        return self._chains.draws

    @property
    def fit(self) -> BayesFit:
        """The fit of the draws that are done; there must be at least one of each chain."""
        method = replace(self._method, draws=self.done)
        counts, posterior = Counts.of(self._data), relabelled(self._chains.posterior, self._data)
        check = diagnostics(posterior)
        if not check.agree:
            posterior = posterior.weighted(chain_weights(posterior, self._data))
        support = posterior.parent_probabilities()
        parents, doubt = consensus(support)
        stated = self._with_numbers(np.where(counts.never | counts.always, ROOT, parents))
        found = searched_reasons(counts, stated.forest)
        reasons = tuple(
            Reason.OUTWEIGHED if outweighed and reason.decided else reason
            for outweighed, reason in zip(doubt, found, strict=True)
        )
        return BayesFit.of(
            method,
            stated.forest,
            self._evidence(posterior, check, stated, reasons),
            self._data,
            counts=counts,
            posterior=posterior.thinned(method.keep) if method.keep else None,
        )

    def _with_numbers(self, parents: IntArray) -> Ascent:
        """Return a forest with its most probable numbers."""
        if (parents == self._mode.forest.parents).all():
            return self._mode
        return with_best_numbers(
            parents, self._data, prior=self._prior, noise=self._noise, orders=self._data.orders
        )

    def _evidence(
        self,
        posterior: Posterior,
        check: Diagnostics,
        stated: Ascent,
        reasons: tuple[Reason, ...],
    ) -> BayesEvidence:
        rates = posterior.mean_rates.reshape(-1, 2)
        low, high = np.quantile(rates, _INTERVAL, axis=0).tolist()
        intervals = RateIntervals((low[0], high[0]), (low[1], high[1]))
        return BayesEvidence(
            posterior.parent_probabilities(),
            posterior.ancestor_probabilities(),
            stated.noise,
            Noise(*rates.mean(axis=0).tolist()),
            intervals if self._method.noise == "estimate" else None,
            stated.log_likelihood,
            float(stated.log_posterior or 0.0),
            check,
            subtypes(posterior, self._data),
            self._data.samples if posterior.components > 1 else (),
            reasons,
            OrdersUsed.of(self._data.orders),
        )


def _of_subtype(place: int, subtype: Subtype) -> Fact:
    at = subtype.forest.events.index(subtype.marker)
    values: dict[str, float | str] = {
        "place": place,
        "weight": subtype.weight,
        "frequency": float(subtype.frequencies[at]),
        "elsewhere": float(subtype.elsewhere[at]),
    }
    return Fact("subtype", (subtype.marker,), values)
