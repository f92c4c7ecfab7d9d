"""Effects: which events speed up or slow down which others, the strongest first."""

from typing import TYPE_CHECKING

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.facts import Fact
from caprese.models.base import EffectsModel

if TYPE_CHECKING:
    import pandas as pd

SLIGHT = 0.1  # change of a rate up to which an effect is not worth a word
_OBSERVATION = "observation"


def effect_table(model: EffectsModel) -> "pd.DataFrame":
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
    import pandas as pd

    rows = [
        (model.events[cause], model.events[event], factor)
        for cause, event, factor in _strongest(model.effects)
        if cause != event
    ]
    biased = (np.asarray(model.observation) != 1).any()
    if biased:
        rows += [
            (event, _OBSERVATION, float(factor))
            for event, factor in zip(model.events, model.observation, strict=True)
        ]
        rows.sort(key=lambda row: -abs(np.log(row[2])))
    return pd.DataFrame(rows, columns=["cause", "event", "factor"])


def effect_facts(model: EffectsModel, most: int = 5) -> tuple[Fact, ...]:
    """Return how many effects there are, and the strongest ones.

    Examples
    --------
    >>> from caprese import Hazards
    >>> model = Hazards(("a", "b"), rates=(1.0, 0.5), effects=((1.0, 4.0), (0.95, 1.0)))
    >>> for fact in effect_facts(model):
    ...     print(fact.kind, fact.events, dict(fact.values))
    effects () {'notable': 1, 'pairs': 2, 'slight': 0.1}
    speeds up ('a', 'b') {'fold': 4.0}
    """
    names = model.events
    strong = [each for each in _strongest(model.effects) if _is_notable(each[2])]
    biased = [each for each in _strongest(np.diag(model.observation)) if _is_notable(each[2])]
    pairs = len(names) * (len(names) - 1)
    number = Fact("effects", values={"notable": len(strong), "pairs": pairs, "slight": SLIGHT})
    between = (
        Fact("speeds up", (names[i], names[j]), {"fold": factor})
        if factor > 1
        else Fact("slows down", (names[i], names[j]), {"fold": 1 / factor})
        for i, j, factor in strong[:most]
    )
    observed = (
        Fact("taken sooner", (names[i],), {"fold": factor})
        if factor > 1
        else Fact("taken later", (names[i],), {"fold": 1 / factor})
        for i, _, factor in biased[:most]
    )
    return (number, *between, *observed)


def _is_notable(factor: float) -> bool:
    return max(factor, 1 / factor) > 1 + SLIGHT


def _strongest(factors: FloatArray) -> list[tuple[int, int, float]]:
    """Return positions and factors that are not 0, the strongest first."""
    places = zip(*(where.tolist() for where in np.nonzero(factors)), strict=True)
    found = [(i, j, float(factors[i, j])) for i, j in places]
    return sorted(found, key=lambda each: -abs(np.log(each[2])))
