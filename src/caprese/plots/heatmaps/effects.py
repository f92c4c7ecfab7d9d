"""The plan of a heat map of effects: base rates in the first row, then what each event does."""

from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import FloatArray
from caprese.assessment.effects import SLIGHT
from caprese.errors import ModelError
from caprese.models.base import EffectsModel
from caprese.plots.canvas.labels import legible_names
from caprese.plots.canvas.legend import Legend
from caprese.plots.canvas.palette import BLUE, GREEN, PALE, VERMILION, rgb, shade
from caprese.plots.heatmaps.plan import LONGEST, Colour, HeatMap, two_digits

_FAINTEST, _STRONGEST = 0.1, 0.7  # shades of the lowest and of the highest base rate
_LEAST_END = 2.0  # factor at the ends of the scale, if all effects are weaker
_MANY = 9.95  # factor from which on no decimals are shown


@dataclass(frozen=True)
class EffectMap(HeatMap):
    """A heat map of factors on a logarithmic scale, below a row of base rates."""

    @property
    def titles(self) -> tuple[str, str]:
        """What rows and columns are."""
        return "what acts", "what it acts on"

    @property
    def scale_words(self) -> tuple[str, str]:
        """What is written before and after the colour scale."""
        low, high = map(self.number, self.range)
        return f"{self.name}  {low}", f"{high}  speeds it up"

    @property
    def legend(self) -> Legend:
        """None: the colour scale says it all."""
        return Legend.of([], 0)

    @property
    def depths(self) -> FloatArray:
        """Where factors are on the scale, from -1 to 1; and base rates on one of their own."""
        rates = np.log(self.values[0])
        low, high = np.nanmin(rates), np.nanmax(rates)
        share = (rates - low) / ((high - low) or 1.0)
        shades = _FAINTEST + (_STRONGEST - _FAINTEST) * share
        return np.vstack([shades, self.depths_of(self.values[1:])])

    def depths_of(self, values: FloatArray) -> FloatArray:
        """Return where factors are on the colour scale."""
        return np.asarray(np.clip(np.log(values) / np.log(self.range[1]), -1.0, 1.0))

    @property
    def scale(self) -> FloatArray:
        """Factors at even distances along the colour scale."""
        low, high = np.log(self.range)
        return np.exp(np.linspace(float(low), float(high), len(super().scale)))

    def colour(self, depth: float) -> Colour:
        """Return the colour of a factor: red speeds up, blue slows down, as the field has it."""
        if not np.isfinite(depth):
            return rgb(PALE)
        return shade(abs(depth), VERMILION if depth >= 0 else BLUE)

    def colours(self) -> FloatArray:
        """Return the colours of all cells; those of base rates are green."""
        found = super().colours()
        rates = self.depths[0].tolist()
        found[0] = [shade(depth, GREEN) if np.isfinite(depth) else rgb(PALE) for depth in rates]
        return found

    def number(self, value: float) -> str:
        """Return a factor as x3 or /3."""
        fold = max(value, 1 / value)
        return f"{'x' if value >= 1 else '/'}{fold:{',.0f' if fold >= _MANY else '.1f'}}"

    def text(self, row: int, column: int) -> str:
        """Return a base rate, or a factor unless it is slight."""
        value = float(self.values[row, column])
        if not self.numbered or not np.isfinite(value):
            return ""
        if row == 0:
            return two_digits(value)
        return self.number(value) if max(value, 1 / value) > 1 + SLIGHT else ""


def effects_plan(model: EffectsModel) -> EffectMap:
    """Return the plan of a heat map of effects; see `draw_effects`.

    Raises
    ------
    ModelError
        If the model has no effects of events on each other.
    """
    if not isinstance(model, EffectsModel):
        raise ModelError("this model has no effects of events on each other; infer them by mhn")
    names = legible_names(model.events, LONGEST)
    effects = np.array(model.effects)
    np.fill_diagonal(effects, np.nan)
    values, columns = np.vstack([model.rates, effects]), names
    if (model.observation != 1).any():
        values = np.column_stack([values, [np.nan, *model.observation]])
        columns = (*names, "observation")
    logs = np.abs(np.log(values[1:]))
    end = max(_LEAST_END, float(np.exp(np.nanmax(logs, initial=0.0))))
    edges = np.zeros(values.shape, dtype=bool)
    rows, ends = ("base rate", *names), (1 / end, end)
    every = np.isfinite(values)
    return EffectMap(rows, columns, values, edges, "row slows column down", ends, every)
