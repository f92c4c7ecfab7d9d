"""Posterior: many forests with errors, or mixtures of them, drawn from their posterior."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import ArrayValue, FloatArray, IntArray, frozen, sealed
from caprese._core.extras import install_command
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.models.base import as_in, observation_codes
from caprese.models.forest import ROOT, Forest, NoisyForest
from caprese.models.noise import Noise

if TYPE_CHECKING:
    from arviz import InferenceData

_AXES = {
    "parents": ("component", "event"),
    "probabilities": ("component", "event"),
    "rates": ("rate",),
    "weights": ("component",),
    "root_probability": ("component",),
    "log_likelihood": (),
}


@dataclass(frozen=True, eq=False)
class Posterior(ArrayValue):
    """Draws from a posterior over forests with error rates, or over mixtures of forests.

    As a model it predicts by averaging over its draws. The first two axes of all arrays are chain
    and draw; events are in the order of `events`.

    Parameters
    ----------
    events
        Distinct names.
    parents
        ``[chain, draw, component, event]``: positions of parents, or ``ROOT``.
    probabilities
        Of each event given its parent, in the same shape.
    rates
        ``[chain, draw, 2]``: false positive and false negative rate.
    weights
        ``[chain, draw, component]``: share of each component.
    root_probability
        ``[chain, draw, component]``: the parameter r of the prior.
    log_likelihood
        ``[chain, draw]``: log-probability of the data.
    acceptance
        Share of accepted moves: of events, of swapped labels, of rates with probabilities.
    """

    events: tuple[str, ...]
    parents: IntArray
    probabilities: FloatArray
    rates: FloatArray
    weights: FloatArray
    root_probability: FloatArray
    log_likelihood: FloatArray
    acceptance: FloatArray

    def __post_init__(self) -> None:
        n = len(self.events)
        for name in (*_AXES, "acceptance"):
            dtype = np.int64 if name == "parents" else np.float64
            object.__setattr__(self, name, frozen(getattr(self, name), dtype))
        for name, axes in _AXES.items():
            shape = getattr(self, name).shape
            sizes = {"component": self.components, "event": n, "rate": 2}
            expected = (*self.parents.shape[:2], *(sizes[axis] for axis in axes))
            if shape != expected:
                raise ModelError(f"{name} must have shape {expected}, got {shape}")
        if not ((self.parents >= ROOT) & (self.parents < n)).all():
            raise ModelError("parents must be positions of events or the root")

    def __repr__(self) -> str:
        chains, draws = self.parents.shape[:2]
        return f"<Posterior: {chains} chains x {draws} draws, {len(self.events)} events>"

    @property
    def components(self) -> int:
        """How many components each draw has."""
        return int(self.parents.shape[2])

    @property
    def draws(self) -> int:
        """How many draws there are, all chains together."""
        return int(self.log_likelihood.size)

    def parent_probabilities(self) -> FloatArray:
        """Return the posterior probability of each parent: parent row, child column.

        The last row is the root. Components count by their weights.
        """
        n = len(self.events)
        weights = np.broadcast_to(self.weights[..., None], self.parents.shape)
        cell = np.where(self.parents == ROOT, n, self.parents) * n + np.arange(n)
        total = np.bincount(cell.ravel(), weights.ravel(), minlength=(n + 1) * n)
        return sealed(total.reshape(n + 1, n) / self.draws)

    def ancestor_probabilities(self) -> FloatArray:
        """Return the posterior probability that i comes before j, for every pair i, j."""
        n = len(self.events)
        total = np.zeros((n, n))
        rows = self.parents.reshape(-1, n)
        weights, children = self.weights.ravel(), np.arange(n)
        above = rows.copy()
        while (above != ROOT).any():  # one generation at a time, for all draws at once
            draw, child = np.nonzero(above != ROOT)
            np.add.at(total, (above[draw, child], children[child]), weights[draw])
            padded = np.concatenate([rows, np.full((len(rows), 1), ROOT)], axis=1)
            above = np.take_along_axis(padded, above, axis=1)
        return sealed(total / self.draws)

    def log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability of each sample, averaged over all draws."""
        found = self.draw_log_probabilities(data)
        most = found.max(axis=0)
        shift = np.where(np.isfinite(most), most, 0.0)
        with np.errstate(divide="ignore"):
            return np.asarray(shift + np.log(np.exp(found - shift).mean(axis=0)))

    def draw_log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability of each sample under each draw, draws x samples."""
        from caprese.kernels import forest_predictions

        codes, inverse = self._genotypes(data)
        found: FloatArray = forest_predictions.draw_log_probabilities(codes, *self._arrays())
        return np.asarray(found[:, inverse])

    def event_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that each event is truly there, given all seen of the sample.

        A draw counts by how well it predicts the sample. Samples x events, as in the data.
        """
        from caprese.kernels import forest_predictions

        codes, inverse = self._genotypes(data)
        draws = self._arrays()
        log_likely: FloatArray = forest_predictions.draw_log_probabilities(codes, *draws)
        shares = np.exp(log_likely - log_likely.max(axis=0))
        shares /= shares.sum(axis=0)
        arguments = (*draws, shares)
        found: FloatArray = forest_predictions.event_probabilities(codes, *arguments)
        return as_in(data, self.events, found.T[inverse])

    def component_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability of each component, draws x components x samples."""
        from caprese.kernels import forest_predictions

        codes, inverse = self._genotypes(data)
        found: FloatArray = forest_predictions.draw_component_probabilities(codes, *self._arrays())
        return np.asarray(found[..., inverse])

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples as they would be observed, each from a draw of its own."""
        parents, probabilities, rates, weights = self._arrays()
        chosen = rng.integers(self.draws, size=samples)
        component = (rng.random((samples, 1)) > weights[chosen].cumsum(axis=1)).sum(axis=1)
        component = np.minimum(component, self.components - 1)
        values = np.zeros((samples, len(self.events)), dtype=bool)
        for draw, part in {*zip(chosen.tolist(), component.tolist(), strict=True)}:
            rows = np.flatnonzero((chosen == draw) & (component == part))
            forest = Forest(self.events, parents[draw, part], probabilities[draw, part])
            noisy = NoisyForest(forest, Noise(*rates[draw].tolist()))
            values[rows] = noisy.sample(len(rows), rng).values
        return Dataset(sealed(values), self.events)

    def thinned(self, most: int) -> "Posterior":
        """Return evenly spaced draws, at most so many in all."""
        chains, length = self.parents.shape[:2]
        kept = max(1, min(length, most // chains))
        places = np.linspace(0, length - 1, kept).round().astype(int)
        return replace(self, **{name: getattr(self, name)[:, places] for name in _AXES})

    def to_arviz(self) -> "InferenceData":
        """Return the draws as ArviZ takes them, to look at chains with its plots.

        The log-likelihood is the sample statistic ``lp``.

        Raises
        ------
        ModelError
            If the package arviz is not installed; the extra ``chains`` brings it.
        """
        try:
            import arviz
        except ImportError:
            raise ModelError(f"to_arviz needs arviz: {install_command('chains')}") from None
        return arviz.from_dict(
            posterior={name: getattr(self, name) for name in _AXES if name != "log_likelihood"},
            sample_stats={"lp": self.log_likelihood},
            dims={name: list(axes) for name, axes in _AXES.items()},
            coords={"event": list(self.events), "rate": ["false_positive", "false_negative"]},
        )

    def _genotypes(self, data: Dataset) -> tuple[NDArray[np.uint8], IntArray]:
        """Return the distinct genotypes, events x genotypes, and which each sample has."""
        codes = np.ascontiguousarray(observation_codes(self.events, data))
        _, first, inverse = np.unique(
            codes.view(f"V{codes.shape[1]}").ravel(), return_index=True, return_inverse=True
        )
        return np.ascontiguousarray(codes[first].T), inverse.ravel()

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        """Return the draws of all chains one after another, as the compiled loops take them."""
        arrays = (self.parents, self.probabilities, self.rates, self.weights)
        return tuple(array.reshape(-1, *array.shape[2:]).copy() for array in arrays)
