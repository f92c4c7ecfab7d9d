"""Annotations: a category for each sample, as colours."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import FloatArray
from caprese.plots.canvas.labels import legible
from caprese.plots.canvas.legend import Entry, swatch
from caprese.plots.canvas.palette import CATEGORIES, LINE, PAPER, SOFT, rgb

_OTHER, _NOT_GIVEN = "other", "not given"


@dataclass(frozen=True)
class Track:
    """The annotation of samples before it is drawn: a colour for each, and the legend."""

    colours: FloatArray
    entries: tuple[Entry, ...]


def track(samples: Sequence[str], annotation: Mapping[str, str]) -> Track:
    """Return the annotation of samples in this order.

    The most frequent categories have a colour each, as many as there are; all others share one.

    Examples
    --------
    >>> [entry.meaning for entry in track(["p", "q", "r"], {"p": "II", "q": "I"}).entries]
    ['I', 'II', 'not given']
    """
    given = [annotation.get(sample) for sample in samples]
    counted = Counter(category for category in given if category is not None)
    frequent = sorted(counted, key=lambda category: (-counted[category], category))
    own = dict(zip(sorted(frequent[: len(CATEGORIES)]), CATEGORIES, strict=False))
    colours = [PAPER if each is None else own.get(each, SOFT) for each in given]
    meanings = [(colour, legible(category, 24)) for category, colour in own.items()]
    meanings += [(SOFT, _OTHER)] if len(frequent) > len(CATEGORIES) else []
    meanings += [(PAPER, _NOT_GIVEN)] if None in given else []
    entries = tuple(swatch(colour, meaning, outline=LINE) for colour, meaning in meanings)
    return Track(np.array([[rgb(colour) for colour in colours]]), entries)
