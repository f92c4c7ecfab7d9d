"""Allele fractions: probabilities of orders against integrals, symmetry, and calibration."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate, stats

from caprese.data.allele_fractions import (
    SUREST,
    Variants,
    compare_fractions,
    fraction_masses,
    orders_of_fractions,
)
from caprese.errors import ParameterError

OVERDISPERSION = 0.005


def variants(*rows, purity=1.0, copies=2.0, autosomal=True, samples=("p",)):
    """Variants from rows: event, reads, depth; all in the first sample."""
    events = tuple(dict.fromkeys(event for event, _, _ in rows))
    numbers = len(rows)
    return Variants(
        samples,
        events,
        sample=np.zeros(numbers, dtype=np.int64),
        event=np.array([events.index(event) for event, _, _ in rows]),
        reads=np.array([float(reads) for _, reads, _ in rows]),
        depth=np.array([float(depth) for _, _, depth in rows]),
        purity=np.full(numbers, float(purity)),
        copies=np.full(numbers, copies),
        autosomal=np.full(numbers, autosomal),
    )


def posterior(reads, depth):
    """The posterior of the fraction of reads: that of as many binomial reads as vary like these."""
    effective = depth / (1 + (depth - 1) * OVERDISPERSION)
    share = reads / depth
    return stats.beta(1 + share * effective, 1 + (1 - share) * effective)


def higher_definition(one, other, purities):
    """P(f1 > f2) + P(f1 = f2) / 2, where f is 2 VAF / purity, at most 1."""
    first, second = posterior(*one), posterior(*other)
    most, others_most = purities[0] / 2, purities[1] / 2

    def below(v):
        return first.pdf(v) * second.cdf(v / most * others_most)

    inside, _ = integrate.quad(below, 0, most, limit=200)
    return inside + first.sf(most) * (second.cdf(others_most) + second.sf(others_most) / 2)


def nested_definition(one, other, purities):
    """P(f1 + f2 > 1)."""
    first, second = posterior(*one), posterior(*other)
    most, others_most = purities[0] / 2, purities[1] / 2

    def above(v):
        return first.pdf(v) * second.sf((1 - v / most) * others_most)

    inside, _ = integrate.quad(above, 0, most, limit=200)
    return inside + first.sf(most)


COUNTS = [(0, 50), (3, 60), (20, 80), (44, 100), (50, 100), (130, 1000), (300, 1000), (12, 4000)]


@pytest.mark.parametrize("purity", [1.0, 0.6, 0.3])
def test_probabilities_are_those_of_the_integrals(purity):
    reads, depth = np.array(COUNTS, dtype=float).T
    purities = np.where(np.arange(len(COUNTS)) % 2, purity, 1.0)
    higher, nested = compare_fractions(fraction_masses(reads, depth, purities, OVERDISPERSION))
    for i, one in enumerate(COUNTS):
        for j, other in enumerate(COUNTS):
            both = purities[i], purities[j]
            assert higher[i, j] == pytest.approx(higher_definition(one, other, both), abs=1.5e-3)
            assert nested[i, j] == pytest.approx(nested_definition(one, other, both), abs=1.5e-3)


def test_an_order_and_its_reverse_add_up_to_one():
    rng = np.random.default_rng(1)
    depth = rng.integers(50, 1000, 30).astype(float)
    reads = rng.binomial(depth.astype(int), rng.random(30) / 2).astype(float)
    higher, nested = compare_fractions(
        fraction_masses(reads, depth, rng.uniform(0.3, 1, 30), OVERDISPERSION)
    )
    assert np.allclose(higher + higher.T, 1)
    assert np.allclose(nested, nested.T)
    assert np.allclose(np.diag(higher), 0.5)


def test_two_events_in_all_tumour_cells_have_no_order():
    (seen,) = orders_of_fractions(
        variants(("a", 200, 400), ("b", 190, 400), purity=0.6)
    ).orders.rows()
    assert seen.confidence == pytest.approx(0.5, abs=1e-3)
    assert seen.nested > 0.999


def test_no_order_is_certain():
    found = orders_of_fractions(variants(("a", 2000, 4000), ("b", 4, 4000))).orders
    assert found.confidence.tolist() == [SUREST]


def test_overdispersion_and_depth_decide_how_sure_an_order_is():
    def sure(scale, overdispersion=OVERDISPERSION):
        rows = ("a", 40 * scale, 100 * scale), ("b", 30 * scale, 100 * scale)
        return orders_of_fractions(
            variants(*rows), overdispersion=overdispersion
        ).orders.confidence[0]

    assert 0.8 < sure(1) < sure(4) < sure(100) < 0.99  # more reads do not help without end
    assert sure(4, 0.001) > sure(4) > sure(4, 0.05)


def test_an_event_came_with_the_first_of_its_variants():
    """The fraction of an event is the highest of those of its variants, whichever that is."""
    rows = [("a", 40, 200), ("a", 42, 200), ("b", 50, 200)]
    found = orders_of_fractions(variants(*rows)).orders.rows()
    draws = [
        posterior(reads, depth).rvs(200_000, random_state=k)
        for k, (_, reads, depth) in enumerate(rows)
    ]
    first, second, other = (np.minimum(1, 2 * each) for each in draws)
    expected = (other > np.maximum(first, second)).mean()
    assert [tuple(seen)[1:3] for seen in found] == [("b", "a")]
    assert found[0].confidence == pytest.approx(expected, abs=5e-3)


def test_an_event_with_a_variant_that_is_left_out_is_left_out():
    found = orders_of_fractions(variants(("a", 70, 100), ("a", 30, 100), ("b", 40, 100)))
    assert len(found.orders) == 0
    assert found.left_out == {
        "in more than 0.55 of the reads": 1,
        "of an event with such a variant": 1,
    }


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"autosomal": np.array([True, False])}, "on a sex chromosome or in mitochondria"),
        ({"copies": np.array([2.0, 3.0])}, "with a copy number other than 2"),
        ({"copies": np.array([np.nan, 1.0])}, "with a copy number other than 2"),
        ({"reads": np.array([40.0, np.nan])}, "without read counts"),
        ({"reads": np.array([40.0, 56.0])}, "in more than 0.55 of the reads"),
        ({"depth": np.array([100.0, 49.0]), "reads": np.array([40.0, 2.0])}, "at a depth below 50"),
    ],
)
def test_each_reason_to_leave_a_variant_out(changed, reason):
    plain = variants(("a", 40, 100), ("b", 30, 100))
    assert len(orders_of_fractions(plain).orders) == 1
    found = orders_of_fractions(replace(plain, **changed))
    assert (len(found.orders), found.left_out) == (0, {reason: 1})


def test_the_order_of_the_variants_does_not_matter():
    rows = [("a", 40, 100), ("b", 30, 100), ("c", 30, 100), ("b", 28, 90), ("d", 11, 300)]
    for pairs in ("all", "neighbours"):
        one, other = (
            orders_of_fractions(variants(*given), pairs=pairs).orders.rows()
            for given in (rows, rows[::-1])
        )
        assert {each[:3] for each in one} == {each[:3] for each in other}
        assert sorted(each[3] for each in one) == pytest.approx(sorted(each[3] for each in other))


def test_neighbours_are_next_to_each_other_in_the_ranking():
    rows = [("a", 48, 100), ("b", 10, 100), ("c", 30, 100), ("d", 20, 100)]
    found = orders_of_fractions(variants(*rows), pairs="neighbours").orders.rows()
    assert {each[1:3] for each in found} == {("a", "c"), ("c", "d"), ("d", "b")}
    assert len(orders_of_fractions(variants(*rows)).orders) == 6


def test_parameters_are_refused_by_name():
    with pytest.raises(ParameterError, match=r"overdispersion must be in \[0.001, 1\], got 0"):
        orders_of_fractions(variants(("a", 1, 60)), overdispersion=0)


@pytest.mark.parametrize("events", [3, 4, 5, 6])
def test_orders_are_right_as_often_as_they_say(events):
    """Reads of chains of events in ever fewer cells; verify/orders.py does the same at length."""
    samples, rng = 1500, np.random.default_rng(events)
    fractions = -np.sort(-rng.random((samples, events)), axis=1)
    purity = rng.uniform(0.3, 1, samples).repeat(events)
    depth = rng.integers(50, 600, samples * events)
    share = fractions.ravel() * purity / 2
    strength = 1 / OVERDISPERSION - 1
    reads = rng.binomial(depth, rng.beta(share * strength, (1 - share) * strength))
    found = orders_of_fractions(
        Variants(
            tuple(map(str, range(samples))),
            tuple(map(str, range(events))),
            np.arange(samples).repeat(events),
            np.tile(np.arange(events), samples),
            reads.astype(float),
            depth.astype(float),
            purity,
            np.full(depth.shape, 2.0),
            np.ones(depth.shape, dtype=bool),
        )
    ).orders
    right = found.pairs[:, 1] < found.pairs[:, 2]
    for low, high in ((0.5, 0.7), (0.7, 0.9), (0.9, 0.99), (0.99, 1)):
        here = (found.confidence >= low) & (found.confidence < high)
        assert right[here].mean() == pytest.approx(found.confidence[here].mean(), abs=0.03)
