"""Hypothesis strategies: data sets, forests and noises, the awkward ones among them."""

from functools import cache

import numpy as np
from hypothesis import strategies as st

from caprese.data.dataset import Dataset
from caprese.models.forest import ROOT, Forest
from caprese.models.noise import Noise

NAMES = st.one_of(
    st.sampled_from(["8q+", "Xp-", "TP53 (R175H)", " a", "a ", "a, b", '"', "0", "?", "µ", "事"]),
    st.text(min_size=1, max_size=4).filter(str.strip),
)


# Strategies are made once for each bound: making one costs more than drawing from it.
@cache
def upto(most):
    """Whole numbers from 0 to the most."""
    return st.integers(0, most)


@cache
def names(number):
    """Distinct names, odd ones among them."""
    return st.lists(NAMES, min_size=number, max_size=number, unique=True).map(tuple)


KINDS = st.sampled_from(["drawn", "drawn", "drawn", "absent", "present", "repeated", "opposite"])


@st.composite
def rows(draw, max_samples=12, max_events=6, unknown=True):
    """Rows of 0, 1 and None: constant, repeated and opposite columns, and unknown entries.

    A column is drawn as one number whose binary digits are its entries.
    """
    samples = 1 + draw(upto(max_samples - 1))
    full = 2**samples - 1
    columns = []
    for _ in range(1 + draw(upto(max_events - 1))):
        kind = draw(KINDS)
        if kind in ("repeated", "opposite") and columns:
            earlier = columns[draw(upto(len(columns) - 1))]
            columns.append(earlier if kind == "repeated" else full - earlier)
        else:
            constant = {"absent": 0, "present": full}.get(kind)
            columns.append(draw(upto(full)) if constant is None else constant)
    hidden = [0] * len(columns)
    if unknown and draw(upto(1)):
        hidden = [draw(upto(full)) & draw(upto(full)) for _ in columns]
    return [
        [
            None if mask >> row & 1 else column >> row & 1
            for column, mask in zip(columns, hidden, strict=True)
        ]
        for row in range(samples)
    ]


@st.composite
def datasets(draw, max_samples=12, max_events=6, unknown=True):
    """Valid data sets, however poor."""
    table = draw(rows(max_samples, max_events, unknown))
    samples = draw(names(len(table))) if draw(upto(1)) else ()
    return Dataset.from_rows(table, draw(names(len(table[0]))), samples)


@st.composite
def distinct_rows(draw, max_samples=12, max_events=6):
    """Rows whose columns all differ, none of them constant."""
    samples = 3 + draw(upto(max_samples - 3))
    patterns = draw(distinct_patterns(samples, max_events))
    return [[pattern >> row & 1 for pattern in patterns] for row in range(samples)]


@cache
def distinct_patterns(samples, max_events):
    pattern = st.integers(1, 2**samples - 2)
    return st.lists(pattern, min_size=2, max_size=max_events, unique=True)


@st.composite
def distinct_datasets(draw, max_samples=12, max_events=6):
    """Complete data sets whose events all differ, none of them constant."""
    table = draw(distinct_rows(max_samples, max_events))
    return Dataset.from_rows(table, draw(names(len(table[0]))))


@cache
def orders(number):
    """The numbers from 0, in any order."""
    return st.permutations(range(number))


@cache
def chances(least, most):
    """Probabilities from the least to the most."""
    return st.floats(least, most)


@st.composite
def forests(draw, max_events=6, least=0.0, most=1.0):
    """Forests of any shape with edge probabilities from least to most."""
    events = 1 + draw(upto(max_events - 1))
    order = draw(orders(events))
    parents = np.full(events, ROOT)
    for place, event in enumerate(order):
        parents[event] = [ROOT, *order[:place]][draw(upto(place))]
    chance = chances(least, most)
    probabilities = [draw(chance) for _ in range(events)]
    return Forest(draw(names(events)), parents, np.array(probabilities))


@st.composite
def noises(draw, limit=0.95):
    """Noises whose rates sum to no more than the limit."""
    total, share = draw(chances(0.0, limit)), draw(chances(0.0, 1.0))
    return Noise(total * share, total * (1 - share))


def entries(data: Dataset) -> list[list[int | None]]:
    """Return the data as the plain rows the definitions speak of."""
    seen = np.ones_like(data.values) if data.known is None else data.known
    return [
        [int(value) if there else None for value, there in zip(row, mask, strict=True)]
        for row, mask in zip(data.values, seen, strict=True)
    ]
