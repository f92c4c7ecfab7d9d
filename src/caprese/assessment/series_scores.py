"""Scores of series: what is said of the later sample of a patient, given the earlier one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese.assessment.prediction import Predictor, composed, copies
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.kernels.functions import log, log1p
from caprese.models.base import PlacingModel, has_clock
from caprese.models.series import later_log_probabilities

PACES: FloatArray = np.exp2(np.arange(-2.0, 8.0))
"""Rates of the time between two samples, from which the training part chooses."""

Says = Callable[["Pairs", FloatArray], FloatArray]
"""The log-probabilities of later samples at each rate of the time between, rates x pairs."""


@dataclass(frozen=True)
class Pairs:
    """Samples of patients, and the one that each followed.

    Only what may have come is predicted: in the later samples, events that are not known to be
    absent in the earlier one are unknown.
    """

    earlier: Dataset
    later: Dataset
    groups: IntArray  # the number of the patient of each pair
    names: tuple[tuple[str, str], ...]  # of the two samples
    lost: IntArray  # how many events of the earlier sample are absent in the later one

    @classmethod
    def of(cls, data: Dataset, groups: IntArray) -> "Pairs | None":
        """Return the pairs of the samples with a group that is not negative; None without any."""
        own = np.zeros((0, 2), dtype=np.int64) if data.patients is None else data.patients.pairs()
        own = own[groups[own[:, 1]] >= 0]
        if not len(own):
            return None
        earlier, later = (
            replace(data.take_samples(rows), orders=None, patients=None) for rows in own.T
        )
        lost = (earlier.values & later.known_mask & ~later.values).sum(axis=1)
        names = [(data.samples[one], data.samples[other]) for one, other in own.tolist()]
        asked = earlier.known_mask & ~earlier.values & later.known_mask
        later = replace(later, values=later.values & asked, known=asked)
        return cls(earlier, later, groups[own[:, 1]], tuple(names), lost)

    def taken(self, chosen: BoolArray) -> "Pairs":
        """Return some of the pairs."""
        return self._at(np.flatnonzero(chosen))

    def turned(self, pairs: IntArray, events: IntArray) -> "Pairs":
        """Return these pairs, each with one event of the later sample turned."""
        found = self._at(pairs)
        values = found.later.values.copy()
        values[np.arange(len(pairs)), events] ^= True
        return replace(found, later=replace(found.later, values=values))

    def entries(self) -> IntArray:
        """Return what may have come: entries x 2, the pair and the event."""
        return np.argwhere(self.later.known_mask)

    def _at(self, rows: IntArray) -> "Pairs":
        return Pairs(
            self.earlier.take_samples(rows),
            self.later.take_samples(rows),
            self.groups[rows],
            tuple(self.names[row] for row in rows.tolist()),
            self.lost[rows],
        )


class SeriesPrediction(NamedTuple):
    """What a method says of the later samples of held-out patients."""

    log_probabilities: FloatArray
    present: FloatArray  # the probability that each entry that may have come has


def said_by(predictor: Predictor, training: Pairs | None, held_out: Pairs) -> SeriesPrediction:
    """Return what is predicted by what was learnt; NaN if it has no clock or refuses.

    The mean time between two samples is that of the training part: one of `PACES`, under which its
    later samples are most probable.
    """
    model = predictor.model
    if not (isinstance(model, PlacingModel) and has_clock(model)):
        return unknown(held_out)
    clock = model

    def says(pairs: Pairs, paces: FloatArray) -> FloatArray:
        before, after = (composed(each, predictor.members) for each in (pairs.earlier, pairs.later))
        found = later_log_probabilities(clock, before, after, paces)
        left = list(predictor.unmodelled)
        found = found + _independent(predictor, pairs, paces, left)
        for agrees, known, event in copies(pairs.later, predictor.members):
            chance = predictor.agreement[event]
            found += np.where(known, np.where(agrees, np.log(chance), np.log1p(-chance)), 0.0)
        return found

    try:
        return predicted(says, training, held_out)
    except ModelError:
        return unknown(held_out)


def unknown(held_out: Pairs) -> SeriesPrediction:
    """Return that nothing is said of later samples."""
    entries = len(held_out.entries())
    return SeriesPrediction(np.full(len(held_out.groups), np.nan), np.full(entries, np.nan))


def frequencies_say(
    predictor: Predictor, training: Pairs | None, held_out: Pairs
) -> SeriesPrediction:
    """Return what independent events with the frequencies of the training part say."""

    def says(pairs: Pairs, paces: FloatArray) -> FloatArray:
        return _independent(predictor, pairs, paces, list(pairs.later.events))

    return predicted(says, training, held_out)


def nothing_changes(training: Pairs | None, held_out: Pairs) -> SeriesPrediction:
    """Return what is said by a single rate of change, which is that of the training part."""
    came = known = 0
    if training is not None:
        came, known = int(training.later.values.sum()), int(training.later.known_mask.sum())
    chance = (came + 0.5) / (known + 1)

    def says(pairs: Pairs, paces: FloatArray) -> FloatArray:
        came = (pairs.later.values & pairs.later.known_mask).sum(axis=1)
        asked = pairs.later.known_mask.sum(axis=1)
        total = came * np.log(chance) + (asked - came) * np.log1p(-chance)
        return np.tile(total, (len(paces), 1))

    return predicted(says, None, held_out)


def predicted(says: Says, training: Pairs | None, held_out: Pairs) -> SeriesPrediction:
    """Return predictions at the pace under which the training part is most probable."""
    pace: FloatArray = np.ones(1)
    if training is not None:
        said = says(training, PACES)
        scores = said[:, np.isfinite(said).all(axis=0)].sum(axis=1)  # others no pace makes possible
        best: FloatArray = PACES[scores == scores.max()]
        pace = best[[np.abs(np.log(best)).argmin()]]
    found = says(held_out, pace)[0]
    pairs, events = held_out.entries().T
    turned = says(held_out.turned(pairs, events), pace)[0] if len(pairs) else np.zeros(0)
    with np.errstate(invalid="ignore", over="ignore"):
        as_seen = 1 / (1 + np.exp(turned - found[pairs]))
    came = held_out.later.values[pairs, events]
    return SeriesPrediction(found, np.where(came, as_seen, 1 - as_seen))


def _independent(
    predictor: Predictor, pairs: Pairs, paces: FloatArray, events: list[str]
) -> FloatArray:
    """Return the log-probability of events of the later samples that come independently."""
    columns = [pairs.later.events.index(event) for event in events]
    places = [predictor.frequencies.events.index(event) for event in events]
    frequency = predictor.frequencies.frequencies[places]
    comes = frequency / (frequency + (1 - frequency) * paces[:, None])  # rates x events
    present, known = pairs.later.values[:, columns], pairs.later.known_mask[:, columns]
    came, stayed = (present & known).astype(float), (~present & known).astype(float)
    return np.asarray(log(comes) @ came.T + log1p(-comes) @ stayed.T)
