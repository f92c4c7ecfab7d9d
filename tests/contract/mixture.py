"""A model without edges that nothing in the package knows: a mixture of independent events."""

from dataclasses import dataclass

import numpy as np

from caprese import Dataset, Fit, Independence, ModelError
from caprese.extend import (
    SEED,
    ArrayValue,
    Fact,
    FloatArray,
    ModelKind,
    as_in,
    check_parameters,
    freeze_arrays,
    in_order_of,
    option,
    whole_number,
)

ROUNDS = 50


@dataclass(frozen=True, eq=False)
class Mixture(ArrayValue):
    """Groups of samples, in each of which every event has a frequency of its own."""

    events: tuple[str, ...]
    weights: FloatArray
    frequencies: FloatArray

    def __post_init__(self):
        freeze_arrays(
            self, weights=(len(self.weights),), frequencies=(len(self.weights), len(self.events))
        )
        if not ((self.frequencies > 0) & (self.frequencies < 1)).all():
            raise ModelError("frequencies must be in (0, 1)")

    def log_probabilities(self, data: Dataset) -> FloatArray:
        return np.logaddexp.reduce(self._log_joint(data), axis=1)

    def event_probabilities(self, data: Dataset) -> FloatArray:
        ordered = in_order_of(self.events, data)
        expected = self.memberships(data) @ self.frequencies
        return as_in(data, self.events, np.where(ordered.known_mask, ordered.values, expected))

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        group = rng.choice(len(self.weights), samples, p=self.weights)
        values = np.empty((samples, len(self.events)), dtype=bool)
        for event in np.argsort(self.events):
            values[:, event] = rng.random(samples) < self.frequencies[group, event]
        return Dataset(values, self.events)

    def memberships(self, data: Dataset) -> FloatArray:
        """Return the probability of each group given each sample."""
        joint = self._log_joint(data)
        return np.exp(joint - np.logaddexp.reduce(joint, axis=1, keepdims=True))

    def _log_joint(self, data: Dataset) -> FloatArray:
        ordered = in_order_of(self.events, data)
        seen, missed = ordered.values & ordered.known_mask, ~ordered.values & ordered.known_mask
        logs = seen @ np.log(self.frequencies).T + missed @ np.log1p(-self.frequencies).T
        return logs + np.log(self.weights)


KIND = ModelKind(
    name="mixture",
    type=Mixture,
    parameters=lambda model: model.frequencies.size + len(model.weights) - 1,
    placed=lambda model: Independence(model.events, model.weights @ model.frequencies),
)


@dataclass(frozen=True)
class MixtureEvidence:
    log_likelihood: float

    def notes(self) -> tuple[Fact, ...]:
        return (Fact("mixture", values={"log-likelihood": self.log_likelihood}),)


@dataclass(frozen=True, kw_only=True)
class MixtureMethod:
    """Groups of samples by expectation maximisation."""

    groups: int = option(2, "Groups of samples.", whole_number(1))
    seed: int = option(1, "Seed of the first groups.", SEED)

    def __post_init__(self) -> None:
        check_parameters(self)

    def fit(self, data: Dataset) -> Fit[Mixture, MixtureEvidence]:
        data = Dataset.of(data)
        first = np.random.default_rng(self.seed).dirichlet(np.ones(self.groups), len(data.samples))
        model = _maximised(first, data)
        for _ in range(ROUNDS):
            model = _maximised(model.memberships(data), data)
        evidence = MixtureEvidence(float(model.log_probabilities(data).sum()))
        return Fit.of(self, model, evidence, data)


def _maximised(shares: FloatArray, data: Dataset) -> Mixture:
    known = shares.T @ data.known_mask
    seen = shares.T @ (data.values & data.known_mask)
    weights = (shares.sum(axis=0) + 1) / (len(shares) + shares.shape[1])
    return Mixture(data.events, weights, (seen + 1) / (known + 2))
