"""What if events are blocked or slowed in each sample, from what it carries now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, sealed
from caprese._core.checks import whole
from caprese._core.words import described, number_of
from caprese.errors import ModelError
from caprese.models.passage import Goal, Part, Process, passage
from caprese.models.states import next_chances
from caprese.patients.averaged_over import parts_for
from caprese.patients.outlooks import Slowed, Target, slowed_text
from caprese.patients.place import NO_CLOCK, Placement
from caprese.patients.rests_on import Pairs
from caprese.patients.what_if import Change, goal_of

if TYPE_CHECKING:
    import pandas as pd

_NOT_SUPPORTED = (
    "no model with a clock predicts better than independent events here, so it is not said what "
    "comes next, nor what an intervention changes"
)


@dataclass(frozen=True, eq=False)
class SampleOutlooks(ArrayValue):
    """What an intervention changes for each sample, from what it carries.

    Parameters
    ----------
    samples
        Names.
    blocked, slowed
        The events that are blocked; those that are slowed, with the factor of each.
    target
        An event, or a number of events; None for the next event of each sample.
    concerned
        Which samples lack some of the events that are blocked or slowed.
    reached
        Which samples have the target already.
    probabilities, median_times
        Samples x without, with: how probably the target is reached before another sample is taken,
        and the median time until then, from now on.
    nexts
        For each sample the event that most probably comes next, without and with the intervention;
        empty if none may.
    simulated
        How many paths were simulated for each genotype; 0 if everything is exact.
    undetermined
        Orders of two events that this rests on, and that the data do not determine; None if that
        was not looked at.
    """

    samples: tuple[str, ...]
    blocked: tuple[str, ...]
    slowed: Slowed
    target: Target | None
    concerned: BoolArray
    reached: BoolArray
    probabilities: FloatArray
    median_times: FloatArray
    nexts: tuple[tuple[str, str], ...]
    simulated: int = 0
    undetermined: Pairs | None = None

    def __repr__(self) -> str:
        return f"<SampleOutlooks: {number_of(len(self.samples), 'sample')}>"

    def _repr_html_(self) -> str:
        return described(repr(self), self.table())

    def table(self) -> "pd.DataFrame":
        """Return one row for each sample."""
        import pandas as pd

        names = pd.Index(self.samples, name="sample", dtype=object)
        return pd.DataFrame(self.columns()).set_index(names)

    def columns(self) -> dict[str, Any]:
        """Return the columns of the table by title."""
        many, times = len(self.samples), self.median_times
        return {
            "blocked": ["; ".join(self.blocked)] * many,
            "slowed": [slowed_text(self.slowed)] * many,
            "target": ["next event" if self.target is None else str(self.target)] * many,
            "target_probability": self.probabilities[:, 0],
            "target_probability_with": self.probabilities[:, 1],
            "target_median_time": times[:, 0],
            "target_median_time_with": times[:, 1],
            "next_with": [changed for _, changed in self.nexts],
        }


def intervene_in_samples(
    placed: Placement,
    *,
    block: Iterable[str] | str = (),
    slow: Mapping[str, float] | None = None,
    target: Target | None = None,
    simulated: int = 2_000,
) -> SampleOutlooks:
    """Return what an intervention changes for each sample, from the genotype that is shown.

    Time begins now. Parts of a mixture count for a sample by how probable they make it.

    Parameters
    ----------
    placed
        Where the samples stand, with a model that has a clock.
    block, slow
        Events to block; events to slow, with a factor for each.
    target
        An event, or a number of events; by default the next event of each sample.
    simulated
        How many paths are simulated for each genotype if those to come cannot be listed.

    Raises
    ------
    ModelError
        If there is no such event, if the target itself is blocked, or without a clock.

    Examples
    --------
    >>> import caprese
    >>> data = caprese.datasets.ovarian()
    >>> placed = caprese.place(caprese.MHN(penalty_strength=0.01).fit(data), data)
    >>> found = intervene_in_samples(placed, block="8q+", target="8p-")
    >>> int(found.concerned.sum()), int(found.reached.sum())
    (26, 41)
    >>> found.median_times[~found.reached & found.concerned][0].round(2).tolist()
    [0.81, 1.72]
    """
    if placed.clock is None:
        raise ModelError(_NOT_SUPPORTED if placed.basis else NO_CLOCK)
    whole("simulated", simulated, 1)
    change = Change.of(placed.clock, block, slow)
    if target is not None:
        change.check(placed.events, target)
    first, which = _kinds(placed)
    rows = placed.genotypes[first]
    parts = parts_for(placed.clock, placed.data.take_samples(first))
    chances, times = np.ones((2, len(rows), 2))
    nexts, drawn = [], False
    for side, factors in enumerate((np.ones(len(placed.events)), change.factors)):
        found = passage(parts, factors, rows, simulated=simulated, seed=placed.seed)
        drawn |= found.simulated
        nexts.append(_next_chances(parts, factors, rows))
        for goal, own in _goals(placed.events, target, rows):
            reach = found.reach(goal)
            chances[own, side], times[own, side] = reach.probability[own], reach.median[own]
    there = placed.genotypes.all(axis=1)
    if target is not None:
        there = goal_of(placed.events, target).reached(placed.genotypes)
    lacking = ~placed.genotypes & (change.factors != 1)
    return SampleOutlooks(
        placed.samples,
        change.blocked,
        change.slowed,
        target,
        sealed(np.array(lacking.any(axis=1))),
        sealed(np.array(there)),
        sealed(chances[which]),
        sealed(times[which]),
        _likeliest(placed, *(each[which] for each in nexts)),
        simulated if drawn else 0,
    )


def _kinds(placed: Placement) -> tuple[IntArray, IntArray]:
    """Return one sample of each kind, and the kind of each: by entries and genotype shown."""
    rows = np.column_stack([placed.data.codes(), placed.genotypes])
    _, first, which = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first, which.ravel()


def _goals(
    events: tuple[str, ...], target: Target | None, rows: BoolArray
) -> Iterator[tuple[Goal, BoolArray]]:
    """Yield what is to be reached, and from which starts; by default one more event."""
    if target is not None:
        yield goal_of(events, target), np.ones(len(rows), dtype=bool)
        return
    sizes = rows.sum(axis=1)
    for size in np.unique(sizes).tolist():
        yield Goal(number=size + 1), sizes == size


def _next_chances(parts: Sequence[Part], factors: FloatArray, rows: BoolArray) -> FloatArray:
    """Return how probably each event is the next one, starts x events."""
    found = np.zeros(rows.shape)
    for model, shares in parts:
        found += shares[:, None] * next_chances(Process(model, factors).rates(rows))
    return found


def _likeliest(
    placed: Placement, usual: FloatArray, changed: FloatArray
) -> tuple[tuple[str, str], ...]:
    """Return the event that most probably comes next in each sample, without and with.

    Without the intervention as it is placed, where exclusive events are respected; with it, these
    probabilities change in the ratio of those of the model.
    """
    shown = np.nan_to_num(placed.next_probabilities)
    ratio = np.divide(changed, usual, out=np.zeros_like(usual), where=usual > 0)
    names = (*placed.events, "")
    best = [
        np.where(each.max(axis=1) > 0, each.argmax(axis=1), -1).tolist()
        for each in (shown, shown * ratio)
    ]
    return tuple((names[one], names[other]) for one, other in zip(*best, strict=True))
