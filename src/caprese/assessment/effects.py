"""Effects: which events speed up or slow down which others, the strongest first."""

from typing import TYPE_CHECKING

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.checks import instance
from caprese._core.facts import Fact
from caprese.models.base import Effects

if TYPE_CHECKING:
    import pandas as pd

SLIGHT = 0.1  # change of a rate up to which an effect is not worth a word
_OBSERVATION = "observation"


def effect_table(model: Effects) -> "pd.DataFrame":
    """Return one row for each pair: by which factor one changes the rate of the other.

    The strongest effects come first. Effects on the rate of observation, if the model has any, are
    listed with the word observation in place of the event.

    Examples
    --------
    >>> from caprese import Hazards
    >>> model = Hazards(("a", "b"), rates=(1.0, 0.5), effects=((1.0, 4.0), (0.95, 1.0)))
    >>> effect_table(model)
      cause event  factor
    0     a     b    4.00
    1     b     a    0.95
    """
    instance("model", model, Effects, "a model with effects")
    import pandas as pd

    names = (*model.events, _OBSERVATION)
    rows = [(names[cause], names[event], factor) for cause, event, factor in effect_list(model)]
    return pd.DataFrame(rows, columns=["cause", "event", "factor"])


def effect_list(model: Effects) -> list[tuple[int, int, float]]:
    """Return cause, event and factor of each pair, by position, the strongest first.

    The position after the last event stands for observation, if the model has effects on it.
    """
    biased = (np.asarray(model.observation) != 1).any()
    factors = np.column_stack([model.effects, model.observation]) if biased else model.effects
    return [each for each in _strongest(factors) if each[0] != each[1]]


def effect_facts(model: Effects, most: int = 5) -> tuple[Fact, ...]:
    """Return how many effects there are, and the strongest ones."""
    names = model.events
    strong = [each for each in _strongest(model.effects) if is_notable(each[2])]
    biased = [each for each in _strongest(np.diag(model.observation)) if is_notable(each[2])]
    pairs = len(names) * (len(names) - 1)
    number = Fact("effects", values={"notable": len(strong), "pairs": pairs, "slight": SLIGHT})
    between = (
        _effect("speeds up" if factor > 1 else "slows down", (names[i], names[j]), factor)
        for i, j, factor in strong[:most]
    )
    observed = (
        _effect("taken sooner" if factor > 1 else "taken later", (names[i],), factor)
        for i, _, factor in biased[:most]
    )
    return (number, *between, *observed)


def _effect(kind: str, events: tuple[str, ...], factor: float) -> Fact:
    return Fact(kind, events, {"fold": max(factor, 1 / factor)})


def is_notable(factor: float) -> bool:
    """Whether a factor changes a rate by more than is slight."""
    return max(factor, 1 / factor) > 1 + SLIGHT


def _strongest(factors: FloatArray) -> list[tuple[int, int, float]]:
    """Return positions and factors that are not 0, the strongest first."""
    places = zip(*(where.tolist() for where in np.nonzero(factors)), strict=True)
    found = [(i, j, float(factors[i, j])) for i, j in places]
    return sorted(found, key=lambda each: -abs(np.log(each[2])))
