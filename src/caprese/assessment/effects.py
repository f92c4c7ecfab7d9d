"""Effects: which events speed up or slow down which others, and how sure that is."""

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from caprese._core.arrays import ArrayValue, FloatArray, shaped
from caprese._core.checks import SEEDS, instance, one_of, whole
from caprese._core.environment import worker_count
from caprese._core.facts import Fact
from caprese._core.progress import tell
from caprese.assessment.bootstrap import BootstrapInterrupted, refits, source_of, spans
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.methods.evidence import EffectsEvidence
from caprese.methods.fit import Fit, Fitted, OrderedFit, fit_of
from caprese.methods.protocols import with_choices
from caprese.models.base import Effects, EffectsModel

if TYPE_CHECKING:
    import pandas as pd

SLIGHT = 0.1  # change of a rate up to which an effect is not worth a word
ENDS = (0.05, 0.95)  # of intervals, as shares of the replicates

EffectKind = Literal["nonparametric", "parametric"]
Kept = tuple[tuple[str, float | str], ...]
Intervals = tuple[FloatArray, FloatArray]  # lower and upper factors
_Numbers = tuple[FloatArray, FloatArray, FloatArray]  # rates, effects, effects on observation


def effect_table(model: "Effects | Fit[Any, Any]") -> "pd.DataFrame":
    """Return one row for each pair: by which factor one changes the rate of the other.

    The strongest effects come first. Effects on the rate of observation, if the model has any, are
    listed with the word observation in place of the event. Of a fit with intervals, such as
    ``MHN(intervals=True)``, each factor is between `low` and `high` with a probability of 90 %.

    Examples
    --------
    >>> from caprese import Hazards
    >>> model = Hazards(("a", "b"), rates=(1.0, 0.5), effects=((1.0, 4.0), (0.95, 1.0)))
    >>> effect_table(model)
      cause event  factor
    0     a     b    4.00
    1     b     a    0.95
    """
    given = model.model if isinstance(model, Fit) else model
    instance("model", given, Effects, "a model with effects")
    import pandas as pd

    names, found = (*given.events, "observation"), effect_list(given)
    rows = [(names[cause], names[event], factor) for cause, event, factor in found]
    table = pd.DataFrame(rows, columns=["cause", "event", "factor"])
    intervals = effect_intervals(model) if isinstance(model, Fit) else None
    if intervals is not None:
        pairs = tuple(np.array([each[:2] for each in found], dtype=np.int64).reshape(-1, 2).T)
        table["low"], table["high"] = (bound[pairs] for bound in intervals)
    return table


def effect_intervals(fit: Fit[Any, Any]) -> Intervals | None:
    """Return between which factors each effect of a fit is with 90 %; None if it does not say."""
    evidence = fit.evidence
    return evidence.effect_intervals if isinstance(evidence, EffectsEvidence) else None


def effect_list(model: Effects) -> list[tuple[int, int, float]]:
    """Return cause, event and factor of each pair, by position, the strongest first.

    The position after the last event stands for observation, if the model has effects on it.
    """
    biased = (np.asarray(model.observation) != 1).any()
    factors = np.column_stack([model.effects, model.observation]) if biased else model.effects
    causes, events = np.nonzero(factors)
    found = zip(causes.tolist(), events.tolist(), factors[causes, events].tolist(), strict=True)
    between = [(cause, event, factor) for cause, event, factor in found if cause != event]
    return sorted(between, key=lambda each: -abs(np.log(each[2])))


def effect_facts(
    model: Effects, most: int = 5, intervals: Intervals | None = None
) -> tuple[Fact, ...]:
    """Return how many effects there are, and the strongest ones, with their intervals if known."""
    names = model.events
    between, observed = [], []
    for cause, event, factor in effect_list(model):
        fold = {"fold": max(factor, 1 / factor)}
        if intervals is not None:
            low, high = (float(bound[cause, event]) for bound in intervals)
            fold |= {"low": low, "high": high}
        if is_notable(factor) and event < len(names):
            kind = "speeds up" if factor > 1 else "slows down"
            between.append(Fact(kind, (names[cause], names[event]), fold))
        elif is_notable(factor):
            kind = "taken sooner" if factor > 1 else "taken later"
            observed.append(Fact(kind, (names[cause],), fold))
    values = {"notable": len(between), "pairs": len(names) * (len(names) - 1), "slight": SLIGHT}
    return (Fact("effects", values=values), *between[:most], *observed[:most])


def is_notable(factor: float) -> bool:
    """Whether a factor changes a rate by more than is slight."""
    return max(factor, 1 / factor) > 1 + SLIGHT


@dataclass(frozen=True, eq=False)
class EffectConfidence(ArrayValue):
    """The rates and effects of a fit, and those of every replicate of its data.

    Parameters
    ----------
    events
        Names of the events.
    rates, effects, observation
        Those of the fit, as of an `EffectsModel`.
    drawn_rates, drawn_effects, drawn_observation
        Those of the replicates, one after the other.
    kind
        The kind of bootstrap.
    kept
        Parameters of the method that were chosen from the data once, and kept in all replicates.
    seed
        Seed of the bootstrap.
    digest
        Fingerprint of the data.
    """

    events: tuple[str, ...]
    rates: FloatArray
    effects: FloatArray
    observation: FloatArray
    drawn_rates: FloatArray
    drawn_effects: FloatArray
    drawn_observation: FloatArray
    kind: EffectKind
    kept: Kept
    seed: int
    digest: str

    def __post_init__(self) -> None:
        n, replicates = len(self.events), len(self.drawn_rates)
        shapes = {"rates": (n,), "effects": (n, n), "observation": (n,)}
        drawn = {f"drawn_{name}": (replicates, *shape) for name, shape in shapes.items()}
        for name, shape in {**shapes, **drawn}.items():
            numbers = shaped(self, name, shape)
            if not (np.isfinite(numbers) & (numbers > 0)).all():
                raise ModelError(f"{name} must be positive and finite")
        if not replicates:
            raise ModelError("a bootstrap needs at least one replicate")

    @property
    def replicates(self) -> int:
        """How often data was resampled or simulated, and a model inferred from it."""
        return len(self.drawn_rates)

    def rate_table(self) -> "pd.DataFrame":
        """Return the base rate of each event, and its interval: 5 to 95 % of the replicates.

        Examples
        --------
        >>> from caprese import MHN, datasets
        >>> method = MHN(penalty_strength=0.02)
        >>> bootstrap_effects(method, datasets.acml(), replicates=20).rate_table().round(1)
                         rate  low  high
        event
        SETBP1 missense   0.3  0.2   0.4
        ASXL1 indel       0.2  0.1   0.2
        ASXL1 nonsense    0.1  0.0   0.2
        """
        import pandas as pd

        low, high = np.quantile(self.drawn_rates, ENDS, axis=0)
        columns = {"rate": self.rates, "low": low, "high": high}
        return pd.DataFrame(columns, index=pd.Index(self.events, name="event"))

    def table(self) -> "pd.DataFrame":
        """Return one row for each effect, as `effect_table` does, the strongest first.

        Beside its factor are the interval, 5 to 95 % of the replicates, and the share of replicates
        in which it speeds the event up, slows it down, or is absent: changes the rate by no more
        than 10 %.
        """
        pairs = [(cause, event) for cause, event, _factor in effect_list(self)]
        causes, events = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        observed = self.drawn_observation[:, :, None]
        drawn = np.concatenate([self.drawn_effects, observed], axis=2)[:, causes, events]
        low, high = np.quantile(drawn, ENDS, axis=0)
        faster, slower = drawn > 1 + SLIGHT, 1 / drawn > 1 + SLIGHT
        return effect_table(self).assign(
            low=low,
            high=high,
            speeds_up=faster.mean(axis=0),
            slows_down=slower.mean(axis=0),
            absent=(~faster & ~slower).mean(axis=0),
        )


def has_effects(fit: Fit[Any, Any]) -> bool:
    """Whether a bootstrap is of effects, in a model without edges."""
    return isinstance(fit.model, EffectsModel) and not isinstance(fit, OrderedFit)


def bootstrap_effects(
    method: Fitted,
    data: Dataset,
    *,
    kind: EffectKind = "nonparametric",
    replicates: int = 100,
    seed: int = 1,
    jobs: int | None = None,
) -> EffectConfidence:
    """Resample or simulate data many times, and infer rates and effects from each.

    As `bootstrap` does for edges. A parameter that the method chooses from the data, such as the
    strength of a penalty, is chosen once, from the data itself.

    Parameters
    ----------
    method
        A method whose model has effects, such as `MHN`, or a fit to the data.
    data, kind, replicates, seed, jobs
        As in `bootstrap`; there is no ``"statistical"`` kind.

    Raises
    ------
    ModelError
        If the model has no effects.

    Examples
    --------
    >>> from caprese import MHN, datasets
    >>> found = bootstrap_effects(MHN(penalty_strength=0.02), datasets.acml(), replicates=20)
    >>> found.table()[["cause", "event", "factor", "low", "high"]].head(1).round(1)
                cause            event  factor  low  high
    0  ASXL1 nonsense  SETBP1 missense     2.2  1.0   5.9
    """
    whole("replicates", replicates, 1)
    whole("seed", seed, *SEEDS)
    one_of("kind", kind, get_args(EffectKind))
    workers = worker_count(jobs)
    data = Dataset.of(data)
    fit = fit_of(method, data)
    if not isinstance(fit.model, EffectsModel):
        raise ModelError("this model has no effects of events on each other; infer them by mhn")
    source = source_of(fit, data, kind, None, seed)
    draws: list[_Numbers] = []
    try:
        for found in refits(with_choices(fit), source, spans(replicates), workers, _numbers):
            draws += found
            tell("replicates", len(draws), replicates)
    except KeyboardInterrupt:
        done = _confidence(fit, draws, kind, seed) if draws else None
        raise BootstrapInterrupted(done) from None
    return _confidence(fit, draws, kind, seed)


def _numbers(fit: Fit[Any, Any]) -> _Numbers:
    return fit.model.rates, fit.model.effects, fit.model.observation


def _confidence(
    fit: Fit[Any, Any], draws: list[_Numbers], kind: EffectKind, seed: int
) -> EffectConfidence:
    rates, effects, observation = map(np.stack, zip(*draws, strict=True))
    drawn = (rates, effects, observation)
    fixed = with_choices(fit)
    chosen = ((each.name, getattr(fixed, each.name)) for each in fields(fixed))
    kept = tuple((name, value) for name, value in chosen if value != getattr(fit.method, name))
    return EffectConfidence(fit.model.events, *_numbers(fit), *drawn, kind, kept, seed, fit.digest)
