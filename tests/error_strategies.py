"""Hypothesis strategies: forests, the errors they are seen through, and what was seen."""

import numpy as np
from hypothesis import strategies as st

from caprese.data.dataset import Dataset
from caprese.models.forest import Forest
from strategies import forests, noises, upto


@st.composite
def rows_of(draw, events, max_samples):
    """Rows of 0, 1 and None, each drawn as one number with a digit for each event."""
    digits = st.integers(0, 3**events - 1)
    numbers = draw(st.lists(digits, min_size=1, max_size=max_samples))
    return [[(0, 1, None)[number // 3**k % 3] for k in range(events)] for number in numbers]


@st.composite
def observations(draw, max_events=6, max_samples=6, least=0.0, most=1.0, limit=0.95):
    """A forest, noise, and rows of what may have been seen of its events, possible or not."""
    forest = draw(forests(max_events, least, most))
    noise = draw(noises(limit))
    if draw(upto(3)) == 0:  # one rate in four is exactly 0
        noise = type(noise)(0.0, noise.false_negative)
    elif draw(upto(3)) == 0:
        noise = type(noise)(noise.false_positive, 0.0)
    return forest, noise, draw(rows_of(len(forest.events), max_samples))


def seen_as(forest: Forest, rows: list[list[int | None]]) -> Dataset:
    """Return plain rows as data on the events of the forest."""
    return Dataset.from_rows(np.array(rows, dtype=object), forest.events)
