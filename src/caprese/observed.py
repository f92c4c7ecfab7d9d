"""ObservedForest: a progression as it is seen, through errors."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from caprese.arrays import BoolArray, FloatArray
from caprese.dataset import Dataset
from caprese.models.forest import Forest
from caprese.models.noise import Noise
from caprese.names import places

_LEAST = 200_000  # entries worth a thread of their own


@dataclass(frozen=True)
class ObservedForest:
    """A forest whose genotypes are hidden, and seen through false positives and negatives.

    Everything is exact, and linear in events for each sample; unknown entries are summed over.

    Parameters
    ----------
    forest
        The progression the hidden genotypes are drawn from.
    noise
        How often what is seen is wrong.

    Examples
    --------
    >>> from caprese.models.forest import ROOT
    >>> chain = ObservedForest(Forest(("a", "b"), (ROOT, 0), (0.5, 0.5)), Noise(0.1, 0.1))
    >>> data = Dataset.from_rows([[0, 1], [1, 0]], events="ab")
    >>> chain.probabilities(data).round(4)
    array([0.07, 0.27])
    >>> chain.posteriors(data).round(2)
    array([[0.36, 0.32],
           [0.83, 0.08]])
    """

    forest: Forest
    noise: Noise

    def log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability to see each sample; only its known entries count."""
        from caprese.kernels import messages

        return self._rows(messages.log_probabilities, data)

    def probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability to see each sample; only its known entries count."""
        return np.exp(self.log_probabilities(data))

    def log_likelihood(self, data: Dataset) -> float:
        """Return the log-probability of all samples together."""
        return float(self.log_probabilities(data).sum())

    def posteriors(self, data: Dataset) -> FloatArray:
        """Return the probability that each event truly occurred in each sample, given all seen.

        Samples x events, as in the data.
        """
        from caprese.kernels import messages

        found: FloatArray = self._rows(messages.posteriors, data)
        return found[:, [self.forest.events.index(event) for event in data.events]]

    def most_likely(self, data: Dataset) -> Dataset:
        """Return the most likely true genotype of each sample; absent if that is as likely."""
        from caprese.kernels import messages

        truth: BoolArray = self._rows(messages.most_likely, data)
        return Dataset(truth, self.forest.events, data.samples).take_events(data.events)

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples as they would be seen."""
        return self.noise.corrupt(self.forest.sample(samples, rng), rng)

    def _rows(self, work: Any, data: Dataset) -> NDArray[Any]:
        from caprese.kernels.threads import over_spans

        codes = observation_codes(self.forest, data)
        model = log_parameters(self.forest, self.noise)
        parts = over_spans(
            lambda start, stop: work(codes[start:stop], *model),
            len(codes),
            least=_LEAST // codes.shape[1],
        )
        return np.concatenate(parts)


def observation_codes(forest: Forest, data: Dataset) -> NDArray[np.uint8]:
    """Return what was seen of the events of the forest: 0 absent, 1 present, 2 unknown."""
    if data.events != forest.events:
        places(data.events, forest.events, "forest and data")
        data = data.take_events(forest.events)
    codes = data.values.astype(np.uint8)
    if data.known is not None:
        codes[~data.known] = 2
    return codes


def log_parameters(forest: Forest, noise: Noise) -> tuple[NDArray[Any], ...]:
    """Return a forest with errors as the message kernels take it."""
    with np.errstate(divide="ignore"):
        seen = np.log(
            [
                [1 - noise.false_positive, noise.false_positive, 1],
                [noise.false_negative, 1 - noise.false_negative, 1],
            ]
        )
        p, q = np.log(forest.probabilities), np.log1p(-forest.probabilities)
    return forest.order, forest.parents, p, q, seen
