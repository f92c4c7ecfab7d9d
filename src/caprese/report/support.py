"""How far to trust each edge: the share of bootstrap replicates, or a posterior probability.

Both give a number for every pair of events. They differ in what the number means, and so in the
words of the report, which are collected here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray
from caprese._core.significance import LEVEL
from caprese._core.words import number_of
from caprese.assessment.confidence import Confidence, monte_carlo_interval
from caprese.methods.evidence import PosteriorEvidence
from caprese.text.sentences import Piece, Sentence, phrase

_BOOTSTRAP = {
    "highest": "The {best} edge between events is from {edge}: it was found in {share} of "
    "{replicates} [replicate|replicates] of the data{but}.",
    "best": "best supported",
    "lowest": "The least supported edge of all is from {edge}, with {share}: {verdict}.",
    "contradicted": "most replicates contradict it",
    "reading": "The number on an edge, and its width, show the [support]: the share of "
    "{replicates} [replicate|replicates] of the data in which the edge was found.",
    "picture": "The [progression] with its support.",
    "edges": "The [support] shows whether other samples would have given the same edge.",
    "caption": "The columns before the support describe the child; below the support is its "
    "[interval].",
    "all above": "every edge was found in at least {share} of the replicates",
    "only": "it was found in only {share} of the replicates",
    "no other parent": "No event had another parent in {share} or more of the "
    "[replicate|replicates].",
    "other parents": "These [event|events] had another parent in {share} or more of the "
    "[replicate|replicates].",
    "other parents column": "other parents in replicates",
}
_POSTERIOR = {
    "highest": "The {best} edge between events is from {edge}: its "
    "[posterior|posterior probability] is {share}{but}.",
    "best": "most probable",
    "lowest": "The least probable edge of all is from {edge}, with {share}: {verdict}.",
    "contradicted": "all other parents together are more probable",
    "reading": "The number on an edge, and its width, show its [posterior|posterior probability]. "
    "Faint dashed lines lead from other parents that are possible.",
    "picture": "The most probable [progression], with the probability of each edge.",
    "edges": "The [posterior] is the probability of the edge, given the data and the model; no "
    "bootstrap and no test is needed.",
    "caption": "The columns before the posterior describe the child.",
    "all above": "every edge has a posterior probability of at least {share}",
    "only": "its posterior probability is only {share}",
    "no other parent": "No event has another parent with a [posterior|posterior probability] of "
    "{share} or more.",
    "other parents": "These [event|events] have another parent with a "
    "[posterior|posterior probability] of {share} or more.",
    "other parents column": "other parents",
}
_BOTH = {
    "low": "of {number} the {name} is below {share}",
    "all pairs": "The {name} of every possible [edge]; the edges of the progression are outlined.",
    "percentages": "Percentages are the {name} of the other parents.",
}
_NAMES = {"support": "[support]", "posterior": "[posterior|posterior probability]"}


@dataclass(frozen=True, eq=False)
class EdgeSupport:
    """A number for every edge that is possible, and what it is called.

    Parameters
    ----------
    name
        Title of its column, and its term in the glossary.
    matrix
        For every pair of parent and child; then a row for the root, and a row for events that
        could not be placed.
    low, high
        Ends of the interval of each number; None if there are no intervals.
    number, noun
        What it rests on, such as 400 and "replicate".
    words
        Templates of the sentences of the report that depend on what the number means.
    """

    name: str
    matrix: FloatArray
    low: FloatArray | None
    high: FloatArray | None
    number: int
    noun: str
    words: Mapping[str, str]

    @property
    def size(self) -> str:
        """What it rests on, in words."""
        return number_of(self.number, self.noun)

    def say(self, key: str, **parts: Piece | Sentence) -> Sentence:
        """Return the sentence of this key."""
        template = self.words.get(key) or _BOTH[key]
        return phrase(template, name=phrase(_NAMES[self.name]), **parts)

    def interval(self, row: int, child: int) -> tuple[float, float] | None:
        """Return the interval of a number."""
        if self.low is None or self.high is None:
            return None
        return float(self.low[row, child]), float(self.high[row, child])


def bootstrap_support(confidence: Confidence) -> EdgeSupport:
    """Return the share of replicates that have each edge."""
    low, high = monte_carlo_interval(confidence.votes, confidence.replicates, LEVEL)
    rests = (confidence.replicates, "replicate")
    return EdgeSupport("support", confidence.support, low, high, *rests, _BOOTSTRAP)


def posterior_support(evidence: PosteriorEvidence, constant: BoolArray) -> EdgeSupport:
    """Return the posterior probability of each edge; none of events that are constant."""
    probabilities = np.where(constant, 0.0, evidence.parent_probabilities)
    matrix = np.vstack([probabilities, constant.astype(float)])
    draws = evidence.diagnostics.draws
    return EdgeSupport("posterior", matrix, None, None, draws, "draw", _POSTERIOR)
