"""Resampled, simulated and permuted data sets: against definitions, by chance, and as in Python."""

from collections import Counter
from math import comb

import numpy as np
import pytest
from scipy.stats import chisquare, hypergeom

from caprese._core.arrays import packed_columns
from caprese.kernels.resampling import (
    permuted_counts,
    resample,
    resampled_pair_counts,
    simulated_pair_counts,
    simulated_samples,
)
from caprese.kernels.words import next_state, random_bits, stream_of
from caprese.models.forest import ROOT
from uncompiled import uncompiled

SIZES = [(1, 1), (5, 3), (63, 2), (64, 7), (65, 20), (130, 65), (300, 9)]  # samples, columns
ERRORS = [(0.0, 0.0), (0.1, 0.2), (0.0, 0.3), (0.25, 0.0), (1.0, 0.0)]


def uniforms(seed, replicate):
    """The numbers in [0, 1) of a stream, one after the other."""
    state = stream_of(seed, replicate)
    while True:
        state = next_state(state)
        yield (random_bits(state) >> 11) / 2**53


def table_of(samples, columns):
    return np.random.default_rng([2, samples, columns]).random((samples, columns)) < 0.4


def packed_rows(table):
    """The columns of each row, 64 in a word."""
    return np.ascontiguousarray(packed_columns(table.T))


def product(table):
    return (table.astype(int).T @ table.astype(int)).tolist()


def forest(events, errors=(0.0, 0.0)):
    """A chain of every other event, the rest below the root; drawn from last to first."""
    parents = np.array([k - 2 if k >= 2 and k % 2 == 0 else ROOT for k in range(events)])
    probabilities = np.random.default_rng(3).random(events)
    return parents, np.arange(events), np.arange(events)[::-1].copy(), probabilities, *errors


def simulated(samples, model, seed, replicate):
    """The definition: draw each event, remove it where its parent is absent, add the errors."""
    parents, order, by_name, probabilities, false_positive, false_negative = model
    draws = uniforms(seed, replicate)
    true = np.empty((samples, len(parents)), dtype=bool)
    for event in by_name:
        true[:, event] = [next(draws) < probabilities[event] for _ in range(samples)]
    for event in order:
        if parents[event] != ROOT:
            true[:, event] &= true[:, parents[event]]
    seen = true.copy()
    for event in by_name if false_positive or false_negative else ():
        for sample, value in enumerate(true[:, event]):
            rate = false_negative if value else false_positive
            seen[sample, event] ^= next(draws) < rate
    return seen


class TestResamples:
    def test_positions_are_the_upper_part_of_a_product(self):
        """Below 2 ** 32 / samples no draw of these is rejected."""
        draws = uniforms(7, 3)
        expected = [int(next(draws) * 100) for _ in range(100)]
        assert resample(100, 7, 3).tolist() == expected

    def test_every_sample_is_equally_likely(self):
        drawn = np.concatenate([resample(11, 1, replicate) for replicate in range(2000)])
        assert chisquare(np.bincount(drawn, minlength=11)).pvalue > 0.001

    @pytest.mark.parametrize(("samples", "columns"), SIZES)
    def test_the_counts_are_those_of_the_drawn_samples(self, samples, columns):
        table = table_of(samples, columns)
        counts = resampled_pair_counts(packed_rows(table), columns, 5, 2, 6)
        for replicate in range(2, 6):
            expected = product(table[resample(samples, 5, replicate)])
            assert counts[replicate - 2].tolist() == expected

    @pytest.mark.parametrize(("samples", "columns"), SIZES)
    def test_compiled_resamples_are_those_of_python(self, samples, columns):
        plain, rows = uncompiled("resampling"), packed_rows(table_of(samples, columns))
        assert resample(samples, 5, 4).tolist() == plain.resample(samples, 5, 4).tolist()
        expected = plain.resampled_pair_counts(rows, columns, 5, 2, 4).tolist()
        assert resampled_pair_counts(rows, columns, 5, 2, 4).tolist() == expected

    def test_of_no_samples_none_are_drawn(self):
        assert resample(0, 1, 0).tolist() == []
        assert uncompiled("resampling").resample(0, 1, 0).tolist() == []


class TestSimulations:
    @pytest.mark.parametrize("errors", ERRORS)
    @pytest.mark.parametrize(("samples", "events"), SIZES)
    def test_samples_are_simulated_as_defined(self, samples, events, errors):
        model = forest(events, errors)
        found = simulated_samples(samples, model, 8, 3)
        assert found.dtype == bool
        assert found.tolist() == simulated(samples, model, 8, 3).tolist()

    @pytest.mark.parametrize("errors", ERRORS[:2])
    @pytest.mark.parametrize(("samples", "events"), SIZES)
    def test_the_counts_are_those_of_the_simulated_samples(self, samples, events, errors):
        model = forest(events, errors)
        known = table_of(samples, events)
        for mask in (None, known):
            words = packed_columns(known) if mask is not None else packed_columns(known)[:0]
            counts = simulated_pair_counts(samples, words, model, 8, 1, 4)
            for replicate in range(1, 4):
                seen = simulated_samples(samples, model, 8, replicate)
                columns = seen if mask is None else np.hstack([seen & mask, mask])
                assert counts[replicate - 1].tolist() == product(columns)

    @pytest.mark.slow
    @pytest.mark.parametrize("errors", ERRORS)
    @pytest.mark.parametrize(("samples", "events"), SIZES)
    def test_compiled_simulations_are_those_of_python(self, samples, events, errors):
        plain, model = uncompiled("resampling"), forest(events, errors)
        expected = plain.simulated_samples(samples, model, 8, 3).tolist()
        assert simulated_samples(samples, model, 8, 3).tolist() == expected
        known = packed_columns(table_of(samples, events))
        for words in (known[:0], known):
            counts = plain.simulated_pair_counts(samples, words, model, 8, 1, 3).tolist()
            assert simulated_pair_counts(samples, words, model, 8, 1, 3).tolist() == counts


def permuted(table, carriers, permutations, seed=1):
    counts = np.empty((permutations, table.shape[1]), dtype=np.int64)
    permuted_counts(packed_columns(table), len(table), carriers, seed, 0, permutations, counts)
    return counts


class TestPermutations:
    """Every set of carriers is equally likely."""

    @pytest.mark.parametrize("carriers", [1, 2, 3, 5])
    def test_every_set_of_carriers_is_equally_likely(self, carriers):
        drawn = Counter(map(tuple, permuted(np.eye(6, dtype=bool), carriers, 20_000).tolist()))
        assert all(sum(row) == carriers for row in drawn)
        assert len(drawn) == comb(6, carriers)
        assert chisquare(list(drawn.values())).pvalue > 0.001

    @pytest.mark.parametrize("samples", [63, 64, 65, 200])
    @pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.9])
    def test_a_column_meets_as_many_carriers_as_the_hypergeometric_says(self, samples, share):
        rng = np.random.default_rng([3, samples])
        column, carriers = rng.random((samples, 1)) < 0.4, max(1, round(share * samples))
        met = permuted(column, carriers, 20_000)[:, 0]
        expected = hypergeom(samples, int(column.sum()), carriers)
        error = expected.std() / np.sqrt(20_000)
        assert met.mean() == pytest.approx(expected.mean(), abs=4 * error + 1e-12)
        assert met.var() == pytest.approx(expected.var(), rel=0.06, abs=1e-12)

    def test_each_permutation_has_its_own_stream(self):
        table = np.random.default_rng(4).random((100, 3)) < 0.5
        whole = permuted(table, 30, 50)
        parts = np.empty_like(whole)
        for start, stop in ((20, 50), (0, 20)):
            permuted_counts(packed_columns(table), 100, 30, 1, start, stop, parts)
        assert (parts == whole).all()

    @pytest.mark.parametrize(("samples", "columns"), SIZES)
    @pytest.mark.parametrize("permutations", [0, 1, 2, 5])
    def test_compiled_permutations_are_those_of_python(self, samples, columns, permutations):
        words = packed_columns(table_of(samples, columns))
        for carriers in {0, 1, samples // 3, samples}:
            found, expected = np.full((2, permutations, columns), -1)
            given = words, samples, carriers, 9, 0, permutations
            permuted_counts(*given, found)
            uncompiled("resampling").permuted_counts(*given, expected)
            assert found.tolist() == expected.tolist()
