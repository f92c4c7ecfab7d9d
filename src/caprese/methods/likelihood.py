"""The likeliest forest, observed with errors: an ascent over forests from several starts."""

from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese._core.facts import Fact
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.fitting.estimated import searches_note
from caprese.fitting.forest_ascent import attachment_gains, most_probable_forest, pairwise_starts
from caprese.methods.evidence import (
    PairScores,
    Reason,
    ReasonedEvidence,
    freeze_arrays,
    searched_reasons,
)
from caprese.methods.fit import OrderedFit
from caprese.methods.parameters import ERROR_RATES, Parameters, Rates, option, whole_number
from caprese.models.forest import ROOT, Forest
from caprese.models.noise import Noise


@dataclass(frozen=True, eq=False)
class LikelihoodEvidence(ReasonedEvidence):
    """How likely the data is, and what each other parent would cost."""

    #: Log-likelihood of each event under each parent, all else unchanged, relative to its best
    #: parent; parent row, child column, the last row the root. -inf for its own descendants.
    gain: FloatArray
    noise: Noise  #: The error rates of highest likelihood, or those given.
    log_likelihood: float  #: Of the data.
    starts: FloatArray  #: The log-likelihood that the ascent reached from each start.
    reasons: tuple[Reason, ...]  #: Why each event has the parent it has.

    def __post_init__(self) -> None:
        n = len(self.reasons)
        freeze_arrays(self, gain=(n + 1, n), starts=(len(self.starts),))

    def columns(self, forest: Forest) -> dict[str, FloatArray]:
        """Return by how much the parent of each event is likelier than the next best."""
        return {"gain": second_best(self.gain, forest.parents)[1]}

    def pair_scores(self) -> PairScores:
        """Return the gain of every pair."""
        n = len(self.reasons)
        return PairScores("gain", self.gain[:n], np.isfinite(self.gain[:n]), self.gain[n])

    def notes(self) -> tuple[Fact, ...]:
        """Return the log-likelihood, the error rates, and how many starts reached them."""
        values = {
            "log-likelihood": self.log_likelihood,
            "false positive": self.noise.false_positive,
            "false negative": self.noise.false_negative,
        }
        return (
            Fact("likeliest forest", values=values),
            searches_note("starts", self.starts),
        )

    def remark(self, event: int, reason: Reason, counts: Counts, forest: Forest) -> Fact:
        """Return the next best parent of an event, and what it would cost."""
        own = forest.parents[[event]]
        other, gain = (each[0].item() for each in second_best(self.gain[:, [event]], own))
        if not (reason.decided and np.isfinite(gain)):
            return Fact(str(reason))
        named = () if other == len(counts.events) else (counts.events[other],)
        return Fact("next best parent", named, {"gain": gain, "root": float(own[0] == ROOT)})


def second_best(table: FloatArray, parents: IntArray) -> tuple[IntArray, FloatArray]:
    """Return the best other parent of each event, and by how much its own parent is better.

    The last row is the root, which as a parent is -1. NaN for an event without another parent.
    """
    columns = np.arange(len(parents))
    others = table.copy()
    others[parents, columns] = -np.inf
    best = others.argmax(axis=0)
    with np.errstate(invalid="ignore"):
        gains = table[parents, columns] - others[best, columns]
    return best, np.where(np.isfinite(gains), gains, np.nan)


@dataclass(frozen=True, kw_only=True)
class LikelihoodForest(Parameters):
    """Infer the forest under which the data, observed with errors, is most likely.

    The ascent gives each event in turn its best parent and edge probability, swaps parents and
    children, and estimates all numbers, until nothing improves; it starts from the forests of
    CAPRESE and Szabo, from independent events, and from perturbations of the best.

    Parameters
    ----------
    noise
        ``"estimate"``: error rates are estimated with the forest. Or the rates to assume.
    perturbations
        How many times the best forest is perturbed and improved again.

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> fit = LikelihoodForest().fit(ovarian())
    >>> fit.edges
    (('8q+', '3q+'), ('8q+', '5q-'), ('5q-', '4q-'), ('5q-', '8p-'), ('8p-', 'Xp-'))
    >>> round(fit.evidence.log_likelihood, 2)
    -367.69

    References
    ----------
    Szabo and Boucher (2002), Mathematical Biosciences 176:219-236.
    """

    noise: Rates = option(
        "estimate", "Error rates: the word estimate, or FALSE_POSITIVE,FALSE_NEGATIVE.", ERROR_RATES
    )
    perturbations: int = option(
        4, "How many times the best forest is perturbed and improved.", whole_number()
    )

    def cost(self, data: Dataset) -> float:
        """Return the seconds of one core of a fit. Fitted to 7 to 60 events."""
        return 0.005 + 3e-5 * len(data.events) ** 2

    def fit(self, data: Dataset) -> OrderedFit[Forest, LikelihoodEvidence]:
        """Infer the forest of a data set; a frame or a 0/1 array is taken for one."""
        data = Dataset.of(data)
        counts = Counts.of(data)
        found = most_probable_forest(
            data,
            prior=None,
            noise=self.noise if isinstance(self.noise, Noise) else None,
            starts=pairwise_starts(data),
            perturbed=self.perturbations,
        )
        evidence = LikelihoodEvidence(
            attachment_gains(found.forest, found.noise, data),
            found.noise,
            found.log_likelihood,
            np.array(found.starts),
            searched_reasons(counts, found.forest),
        )
        return OrderedFit.of(self, found.forest, evidence, data, counts=counts)
