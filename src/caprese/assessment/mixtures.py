"""Mixtures of methods, judged by what their parts say of held-out samples, without another fit."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import FloatArray
from caprese.assessment.order_scores import scored_orders
from caprese.assessment.prediction import Given, Learnt, Prediction
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.methods.protocols import CombiningMethod, learns_from_orders
from caprese.models.stacked import mixed, mixture_shares

Entry = Learnt | Given


@dataclass(frozen=True)
class Mixture:
    """A method that mixes others, and the positions of these among all that are learnt."""

    method: CombiningMethod
    parts: tuple[int, ...]

    def predictions(
        self, said: Sequence[Sequence[Prediction | str]], held_out: Sequence[Dataset]
    ) -> list[Prediction]:
        """Return what the mixture says of each fold, with weights learnt from all other folds.

        Parameters
        ----------
        said
            What each method says of each fold, folds x methods; why, of one that refused.
        held_out
            The samples of each fold.
        """
        asked = [of_method(said, part) for part in self.parts]
        kept = [each for each in asked if not isinstance(each, str)]
        if not kept:
            raise ModelError("no part of the stack takes the data")
        own = [list(fold) for fold in zip(*kept, strict=True)]
        likely = [np.array([part.log_probabilities for part in fold]) for fold in own]
        found: list[Prediction] = []
        for fold, rest in enumerate(held_out):
            others = np.concatenate([*likely[:fold], *likely[fold + 1 :]], axis=1)
            found.append(_mixed(own[fold], likely[fold], self.method.weights(others), rest))
        return found


def of_method(said: Sequence[Sequence[Prediction | str]], place: int) -> list[Prediction] | str:
    """Return what the method in this place says of each fold, or why it refused one."""
    found: list[Prediction] = []
    for fold in said:
        if isinstance(part := fold[place], str):
            return part
        found.append(part)
    return found


def arranged(entries: Sequence[Entry]) -> tuple[list[Entry], list[int | Mixture]]:
    """Return what has to be learnt, and for each entry its position there, or how it is mixed.

    Parts of a mixture that are not among the entries come last.
    """
    learnt: list[Entry] = []
    for entry in sorted(entries, key=lambda entry: _mixing(entry) is not None):
        learnt += [part for part in _parts(entry) if part not in learnt]
    sources: list[int | Mixture] = []
    for entry in entries:
        places, mixing = tuple(map(learnt.index, _parts(entry))), _mixing(entry)
        sources.append(places[0] if mixing is None else Mixture(mixing, places))
    return learnt, sources


def _mixing(entry: Entry) -> CombiningMethod | None:
    method = entry.method if isinstance(entry, Learnt) else None
    return method if isinstance(method, CombiningMethod) else None


def _parts(entry: Entry) -> list[Entry]:
    """Return what has to be learnt for an entry: its parts if it is a mixture, else itself."""
    mixing = _mixing(entry)
    if mixing is None or not isinstance(entry, Learnt):
        return [entry]
    return [
        Learnt(method, entry.rules, entry.orders and learns_from_orders(method))
        for method in mixing.methods
    ]


def _mixed(
    parts: Sequence[Prediction], likely: FloatArray, weights: FloatArray, rest: Dataset
) -> Prediction:
    """Return what a mixture says of a fold.

    A part gives a sample with one entry changed the probability of the sample, times the odds
    against the entry; so the parts need not be asked again. The order of two events is what the
    parts say, each with its share for the sample.
    """
    shares = mixture_shares(likely, weights)
    present = np.array([part.present for part in parts])
    observed = np.where(rest.values, present, 1 - present)
    own = shares[:, :, None]
    counts = np.where(own > 0, own / np.where(observed > 0, observed, np.nan), 0.0)
    orders = np.array([part.orders for part in parts])
    as_observed = 1 / counts.sum(axis=0)
    return Prediction(
        mixed(likely, weights),
        np.where(rest.values, as_observed, 1 - as_observed),
        parts[0].unmodelled,
        (shares[:, scored_orders(rest)[:, 0]] * orders).sum(axis=0),
        mixed(np.array([part.training for part in parts]), weights),
    )
