"""Averaged over: what a model averages over, and what models without a clock say of it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, sealed
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.fitting.estimate import kind_name, placing
from caprese.kernels.functions import exp
from caprese.models.base import (
    AncestralModel,
    AveragedModel,
    BlockableModel,
    HiddenModel,
    MixedModel,
    PlacingModel,
    has_clock,
)
from caprese.models.passage import Goal, Part, Reach, distinct_genotypes
from caprese.models.states import all_unknown, completions

FEW = 200  # draws of a posterior that say enough
_MOST_LISTED = 2**20  # genotypes of all parts together


def parts_of(model: PlacingModel, carried: Iterable[str] | None) -> list[Part]:
    """Return what a model averages over, each with how much it counts for what is carried."""
    if carried is None:
        parts = [Part(truth_of(part), np.array([share])) for part, share in weighted(model)]
    else:
        start = sealed(np.isin(model.events, tuple(carried))[None])
        parts = parts_for(model, Dataset(start, model.events))
    if isinstance(model, AncestralModel) and model.draws > FEW:
        each = len(parts) // model.draws
        kept = np.linspace(0, model.draws - 1, FEW).round().astype(int)
        parts = [parts[draw * each + k] for draw in kept for k in range(each)]
    total = sum(part.shares for part in parts)
    return [Part(part.model, part.shares / total) for part in parts]


def parts_for(model: PlacingModel, data: Dataset) -> list[Part]:
    """Return what a model averages over, each with how much it counts for each sample."""
    if not isinstance(model, AveragedModel):
        return [Part(truth_of(model), np.ones(len(data.samples)))]
    return [Part(truth_of(part), share) for part, share in model.parts(data)]


def weighted(model: PlacingModel) -> Iterator[tuple[PlacingModel, float]]:
    """Yield what a model averages over, with weights; of parts with a clock, if it has one."""
    if isinstance(model, MixedModel):
        for part, weight in zip(model.models, model.weights.tolist(), strict=True):
            if weight and has_clock(part) == has_clock(model):
                yield from ((own, weight * share) for own, share in weighted(placing(part)))
    elif isinstance(model, AveragedModel):
        none = np.zeros((1, len(model.events)), dtype=bool)
        unknown = Dataset(sealed(none), model.events, known=sealed(none.copy()))
        yield from ((part, float(share[0])) for part, share in model.parts(unknown))
    else:
        yield model, 1.0


def truth_of(model: PlacingModel) -> Any:
    """Return the model of true genotypes."""
    return model.truth if isinstance(model, HiddenModel) else model


def untimed_reach(parts: Sequence[Part], blocked: BoolArray, goals: Sequence[Goal]) -> list[Reach]:
    """Return how probably goals are there when samples are taken, in models without a clock."""
    events = parts[0].model.events
    none = np.zeros((1, len(events)), dtype=bool)
    unknown = Dataset(sealed(none), events, known=sealed(none.copy()))
    chances = np.zeros(len(goals))
    for model, shares in parts:
        left = without(model, blocked)
        single, numbers = left.event_probabilities(unknown)[0], None
        for place, goal in enumerate(goals):
            if goal.event is not None:
                chances[place] += shares[0] * single[goal.event]
                continue
            numbers = left.count_probabilities(unknown)[0] if numbers is None else numbers
            chances[place] += shares[0] * numbers[goal.number :].sum()
    nothing = np.zeros(1)
    return [Reach(np.array([each]), np.array([np.nan]), nothing, nothing) for each in chances]


def without(model: Any, blocked: BoolArray) -> PlacingModel:
    """Return a model without a clock in which events do not occur; refuse if it cannot say."""
    if not blocked.any():
        return cast(PlacingModel, model)
    if not isinstance(model, BlockableModel):
        raise ModelError(
            f"a {kind_name(model)} without a clock does not say what follows when events are "
            "blocked: it lacks blocked; the methods stack, mhn and hcbn have a clock"
        )
    return model.blocked(blocked)


def untimed_genotypes(
    parts: Sequence[Part], blocked: BoolArray, *, simulated: int, seed: int
) -> tuple[BoolArray, FloatArray]:
    """Return genotypes of models without a clock; drawn, if these have too many."""
    models = [without(part.model, blocked) for part in parts]
    weights = np.array([part.shares[0] for part in parts])
    if len(parts) * 2 ** len(blocked) <= _MOST_LISTED:
        present = completions(all_unknown(len(blocked)))
        listed = Dataset(sealed(present), parts[0].model.events)
        own = [exp(model.log_probabilities(listed)) for model in models]
        return present, np.asarray(weights @ np.array(own))
    rng = np.random.default_rng(seed)
    times = rng.multinomial(simulated, weights / weights.sum()).tolist()
    drawn = [model.sample(n, rng).values for model, n in zip(models, times, strict=True)]
    return distinct_genotypes(np.concatenate(drawn), np.full(sum(times), 1 / sum(times)))
