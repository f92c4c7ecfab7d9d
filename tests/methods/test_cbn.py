"""CBN: the maximal poset that the genotypes allow."""

import numpy as np
import pytest
from hypothesis import given

from caprese import CBN, Counts, Dataset, TimedPoset
from caprese import datasets as embedded
from caprese.methods.evidence import Reason
from caprese.text.facts import in_words
from shapes import SHAPES
from strategies import datasets


def relations_by_definition(data, tolerance):
    """Pairs of which the first is more frequent, and the second rarely seen without it."""
    rows = [
        [
            None if data.known is not None and not known else bool(value)
            for value, known in zip(
                values, data.known[sample] if data.known is not None else values, strict=True
            )
        ]
        for sample, values in enumerate(data.values)
    ]
    n = len(data.events)
    columns = [[row[j] for row in rows if row[j] is not None] for j in range(n)]
    varies = [0 < sum(column) < len(column) for column in columns]
    found = set()
    for i in range(n):
        for j in range(n):
            both = [(row[i], row[j]) for row in rows if row[i] is not None and row[j] is not None]
            if not (i != j and varies[i] and varies[j] and any(second for _, second in both)):
                continue
            more = sum(columns[i]) * len(columns[j]) > sum(columns[j]) * len(columns[i])
            against = sum(second and not first for first, second in both)
            if more and against <= tolerance * len(both):
                found.add((i, j))
    return found


@pytest.mark.parametrize("tolerance", [0.0, 0.1, 0.3])
@given(data=datasets())
def test_the_relations_are_the_definition(tolerance, data):
    found = np.argwhere(CBN(tolerance=tolerance).relations(Counts.of(data))).tolist()
    assert {tuple(pair) for pair in found} == relations_by_definition(data, tolerance)


@pytest.mark.parametrize("shape", SHAPES)
def test_exact_counts_of_a_forest_give_it_back(shape):
    relations = CBN().relations(Counts.expected(SHAPES[shape]))
    assert (relations == SHAPES[shape].ancestors()).all()


def test_finds_a_poset_without_errors():
    truth = TimedPoset("abcde", ((), (), (0, 1), (1,), (2, 3)), (2.0, 3.0, 4.0, 2.0, 5.0))
    fit = CBN().fit(truth.sample(500, np.random.default_rng(3)))
    assert fit.model.parent_sets == truth.parent_sets
    assert fit.model.rates == pytest.approx(truth.rates, rel=0.3)
    assert fit.evidence.compatible == 500


def test_samples_that_stand_against_it_are_left_out_of_the_rates():
    fit = CBN(tolerance=0.1).fit(embedded.ovarian())
    assert fit.model.edges == (("8q+", "3q+"), ("8q+", "8p-"))
    assert fit.evidence.compatible == 78
    assert fit.evidence.columns(fit.model)["against"].tolist()[4] == 4
    assert in_words(fit.evidence.notes()) == [
        "78 of 87 samples are compatible with the poset; their log-likelihood is -324.18",
    ]


def test_without_errors_the_rate_of_an_event_alone_is_its_odds():
    fit = CBN().fit(Dataset.from_rows([[1]] * 3 + [[0]], events="a"))
    assert fit.model.rates == pytest.approx([3.0], rel=1e-3)


def test_what_is_said():
    rows = [[1, 1, 1], [1, 1, 1], [1, 0, 0], [0, 0, 0]]
    fit = CBN().fit(Dataset.from_rows(rows, events="abc"))
    assert in_words(fit.remarks()) == [
        "seen without each of the more frequent events",
        "rarely seen without its parent",
        "rarely seen without its parent",
    ]
    twins = CBN().fit(Dataset.from_rows([[1, 1], [0, 0]], events="ab"))
    assert twins.evidence.reasons == (Reason.TIED, Reason.TIED)
    assert in_words(twins.remarks()) == [
        "tied: seen in the same samples as b",
        "tied: seen in the same samples as a",
    ]
