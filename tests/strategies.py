"""Hypothesis strategies: data sets, forests and noises, the awkward ones among them."""

import numpy as np
from hypothesis import strategies as st

from caprese.dataset import Dataset
from caprese.models.forest import ROOT, Forest
from caprese.models.noise import Noise

NAMES = st.one_of(
    st.sampled_from(["8q+", "Xp-", "TP53 (R175H)", " a", "a ", "a, b", '"', "0", "?", "µ", "事"]),
    st.text(min_size=1, max_size=4).filter(str.strip),
)


def names(number):
    """Distinct names, odd ones among them."""
    return st.lists(NAMES, min_size=number, max_size=number, unique=True).map(tuple)


@st.composite
def rows(draw, max_samples=12, max_events=6, unknown=True):
    """Rows of 0, 1 and None: constant, repeated and opposite columns, and unknown entries."""
    samples = draw(st.integers(1, max_samples))
    entry = st.integers(0, 1)
    kinds = ["drawn", "drawn", "absent", "present", "repeated", "opposite"]
    columns = []
    for _ in range(draw(st.integers(1, max_events))):
        kind = draw(st.sampled_from(kinds))
        if kind in ("repeated", "opposite") and columns:
            earlier = draw(st.sampled_from(columns))
            columns.append([1 - e if kind == "opposite" else e for e in earlier])
        elif kind in ("absent", "present"):
            columns.append([int(kind == "present")] * samples)
        else:
            columns.append(draw(st.lists(entry, min_size=samples, max_size=samples)))
    if unknown and draw(st.booleans()):
        hidden = draw(
            st.lists(
                st.tuples(st.integers(0, len(columns) - 1), st.integers(0, samples - 1)),
                max_size=samples * len(columns),
            )
        )
        for column, row in hidden:
            columns[column][row] = None
    return [list(row) for row in zip(*columns, strict=True)]


@st.composite
def datasets(draw, max_samples=12, max_events=6, unknown=True):
    """Valid data sets, however poor."""
    table = draw(rows(max_samples, max_events, unknown))
    samples = draw(st.one_of(st.just(()), names(len(table))))
    return Dataset.from_rows(table, draw(names(len(table[0]))), samples)


@st.composite
def distinct_rows(draw, max_samples=12, max_events=6):
    """Rows whose columns all differ, none of them constant."""
    samples = draw(st.integers(3, max_samples))
    patterns = draw(
        st.lists(st.integers(1, 2**samples - 2), min_size=2, max_size=max_events, unique=True)
    )
    return [[pattern >> row & 1 for pattern in patterns] for row in range(samples)]


@st.composite
def distinct_datasets(draw, max_samples=12, max_events=6):
    """Complete data sets whose events all differ, none of them constant."""
    table = draw(distinct_rows(max_samples, max_events))
    return Dataset.from_rows(table, draw(names(len(table[0]))))


@st.composite
def forests(draw, max_events=6, least=0.0, most=1.0):
    """Forests of any shape with edge probabilities from least to most."""
    events = draw(st.integers(1, max_events))
    order = draw(st.permutations(range(events)))
    parents = np.full(events, ROOT)
    for place, event in enumerate(order):
        parents[event] = draw(st.sampled_from([ROOT, *order[:place]]))
    chances = st.floats(least, most)
    probabilities = draw(st.lists(chances, min_size=events, max_size=events))
    return Forest(draw(names(events)), parents, np.array(probabilities))


@st.composite
def noises(draw, limit=0.95):
    """Noises whose rates sum to no more than the limit."""
    total = draw(st.floats(0, limit))
    share = draw(st.floats(0, 1))
    return Noise(total * share, total * (1 - share))


def entries(data: Dataset) -> list[list[int | None]]:
    """Return the data as the plain rows the definitions speak of."""
    seen = np.ones_like(data.values) if data.known is None else data.known
    return [
        [int(value) if there else None for value, there in zip(row, mask, strict=True)]
        for row, mask in zip(data.values, seen, strict=True)
    ]
