"""Ends of a profile: against profiles whose ends are known exactly."""

import math

import numpy as np
import pytest

from caprese.data.dataset import Dataset
from caprese.fitting.forest_em import _EM, _RateProfile, fit_forest, rate_intervals
from caprese.fitting.profile import Maximum, _Side, interval_end
from caprese.models.forest import ROOT, Forest, NoisyForest
from caprese.models.noise import Noise
from error_definitions import log_likelihood
from shapes import BINARY, random_forest
from strategies import entries

DEPTH = 1.92


class Known:
    """A profile that is a function, and the branches of it that a search starts on and may miss."""

    def __init__(self, *branches):
        self.branches = branches
        self.asked = []

    def near(self, value, known):
        """Stay on the branch of the nearest maximum that is known."""
        self.asked.append(value)
        nearest = min(known, key=lambda each: abs(each.value - value))
        return self.maximum(value, int(nearest.point[0]))

    def afresh(self, value):
        return min(
            (self.maximum(value, branch) for branch in range(len(self.branches))),
            key=lambda each: each.fall,
        )

    def maximum(self, value, branch):
        return Maximum(value, np.array([branch]), self.branches[branch](value))


def end_of(profile, best, limit, distance=0.05, depth=DEPTH):
    return interval_end(profile, Maximum(best, np.array([0]), 0.0), limit, depth, distance)


class TestEnds:
    @pytest.mark.parametrize("distance", [1e-4, 0.01, 0.1, 0.8])
    @pytest.mark.parametrize("limit", [0.0, 1.0])
    def test_of_a_parabola_are_found_from_any_guess_with_few_maximisations(self, limit, distance):
        profile = Known(lambda value: ((value - 0.3) / 0.1) ** 2 / 2)
        found = end_of(profile, 0.3, limit, distance)
        side = -1 if limit == 0 else 1
        assert found == pytest.approx(0.3 + side * 0.1 * math.sqrt(2 * DEPTH), abs=1e-5)
        assert len(profile.asked) <= 8

    def test_are_sought_at_most_four_times_as_far_as_the_profile_is_known(self):
        profile = Known(lambda value: ((value - 0.3) / 0.1) ** 2 / 2)
        end = end_of(profile, 0.3, 1.0, 1e-3)
        distances = np.array(profile.asked) - 0.3
        assert distances[0] == pytest.approx(1e-3)
        assert (distances[1:] <= 4.001 * np.maximum.accumulate(distances)[:-1]).all()
        assert end - 0.3 > 100 * distances[0]

    @pytest.mark.parametrize("slope", [2.5, 40, 3000])
    def test_of_a_line_that_falls_from_the_lowest_rate(self, slope):
        profile = Known(lambda value: slope * value)
        assert end_of(profile, 0.0, 1.0) == pytest.approx(DEPTH / slope, abs=1e-5)
        assert len(profile.asked) <= 8

    @pytest.mark.parametrize("depth", [0.2, 1.92, 3.3])
    def test_of_the_likelihood_of_a_share(self, depth):
        """7 of 50: literal bisection beside it."""

        def fall(value):
            best = 7 * math.log(7 / 50) + 43 * math.log(43 / 50)
            return best - 7 * math.log(value) - 43 * math.log1p(-value)

        low, high = (end_of(Known(fall), 7 / 50, limit, depth=depth) for limit in (1e-9, 1 - 1e-9))
        assert low == pytest.approx(bisected(fall, 7 / 50, 1e-9, depth), abs=1e-5)
        assert high == pytest.approx(bisected(fall, 7 / 50, 1 - 1e-9, depth), abs=1e-5)

    @pytest.mark.parametrize("steep", [5.0, 400.0])
    def test_of_a_profile_with_a_kink(self, steep):
        """As where an edge probability reaches 0: flat up to there, and then steep."""

        def fall(value):
            return value - 0.2 if value < 0.25 else 0.05 + steep * (value - 0.25) ** 2 * 5

        profile = Known(fall)
        expected = bisected(fall, 0.2, 1.0, DEPTH)
        assert end_of(profile, 0.2, 1.0) == pytest.approx(expected, abs=1e-5)
        assert len(profile.asked) <= 30

    def test_of_a_profile_that_leaps_is_at_the_leap(self):
        profile = Known(lambda value: 0.1 * value if value < 0.6180 else 50.0)
        assert end_of(profile, 0.2, 1.0) == pytest.approx(0.6180, abs=2e-5)

    def test_narrow_ones_are_exact_to_a_hundredth_of_their_width(self):
        profile = Known(lambda value: ((value - 0.3) / 1e-6) ** 2 / 2)
        found = end_of(profile, 0.3, 1.0, 0.7e-6)
        assert found - 0.3 == pytest.approx(1e-6 * math.sqrt(2 * DEPTH), rel=0.01)

    @pytest.mark.parametrize("distance", [1e-6, 0.05])
    def test_so_is_a_leap_close_to_the_maximum(self, distance):
        profile = Known(lambda value: 0.0 if value < 0.3 + 3e-6 else 50.0)
        found = end_of(profile, 0.3, 1.0, distance)
        assert found - 0.3 == pytest.approx(3e-6, rel=0.01)

    def test_of_a_profile_that_leaps_at_once_is_its_maximum(self):
        profile = Known(lambda _: math.inf)
        assert end_of(profile, 0.3, 1.0) == pytest.approx(0.3, abs=1e-8)
        assert len(profile.asked) <= 40


def test_an_end_is_interpolated_by_a_parabola_through_three_maxima_around_it():
    """Two on both sides of the end, and the one whose fall is next in closeness to the depth."""
    roots = np.array([0.0, 0.5, 1.2, 1.6, 2.0])  # of the falls; that of the depth is 1.39
    values = 0.2 + (roots + roots**3) / 100
    known = (Maximum(*each) for each in zip(values, values[:, None], roots**2, strict=True))
    end = _Side(1.0, DEPTH, tuple(known)).end()
    parabola = np.polyfit(roots[2:], values[2:], 2)
    assert end == pytest.approx(np.polyval(parabola, math.sqrt(DEPTH)), rel=1e-9)


class TestLimits:
    @pytest.mark.parametrize("limit", [0.0, 1.0])
    def test_a_profile_that_does_not_fall_so_far_ends_at_the_limit(self, limit):
        profile = Known(lambda value: abs(value - 0.3))
        assert end_of(profile, 0.3, limit) == limit

    def test_a_maximum_at_the_limit_needs_no_search(self):
        profile = Known(lambda value: value)
        assert end_of(profile, 0.0, 0.0) == 0.0
        assert profile.asked == []

    def test_a_limit_at_which_the_data_are_impossible_is_not_reached(self):
        profile = Known(lambda value: -4 * math.log(value / 0.3) if value > 0 else math.inf)
        expected = 0.3 * math.exp(-DEPTH / 4)
        assert end_of(profile, 0.3, 0.0, 0.5) == pytest.approx(expected, abs=1e-5)


class TestSeveralMaxima:
    lower = staticmethod(lambda value: ((value - 0.3) / 0.05) ** 2 / 2)
    higher = staticmethod(lambda value: 0.4 + ((value - 0.4) / 0.1) ** 2 / 2)

    def test_the_higher_one_counts_where_another_start_finds_it(self):
        expected = 0.4 + 0.1 * math.sqrt(2 * (DEPTH - 0.4))
        found = end_of(Known(self.lower, self.higher), 0.3, 1.0)
        assert found == pytest.approx(expected, abs=1e-5)

    def test_one_that_is_lower_at_the_end_does_not(self):
        expected = 0.3 - 0.05 * math.sqrt(2 * DEPTH)
        found = end_of(Known(self.lower, self.higher), 0.3, 0.0)
        assert found == pytest.approx(expected, abs=1e-5)

    def test_a_higher_one_that_does_not_fall_leads_to_the_limit(self):
        assert end_of(Known(self.lower, lambda value: 0.5 * value), 0.3, 1.0) == 1.0

    def test_a_search_that_always_misses_the_higher_one_ends(self):
        class Lower(Known):
            def near(self, value, _):
                self.asked.append(value)
                return self.maximum(value, 0)

        profile = Lower(self.lower, lambda value: self.lower(value) - 0.5)
        found = end_of(profile, 0.3, 1.0)
        assert found >= 0.3 + 0.05 * math.sqrt(2 * DEPTH) - 1e-5
        assert len(profile.asked) <= 60


def bisected(fall, inside, outside, depth):
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if fall(middle) < depth else (inside, middle)
    return inside


class TestRates:
    def profile(self, seed, noise, samples=80, forest=BINARY):
        data = NoisyForest(forest, noise).sample(samples, np.random.default_rng(seed))
        best = fit_forest(forest, data, tolerance=1e-10)
        return best, data, _EM.of(best.forest, data)

    @pytest.mark.parametrize("rate", [-2, -1])
    def test_the_maximum_from_those_nearby_is_the_one_from_the_best_estimate(self, rate):
        best, _, em = self.profile([97, 1], Noise(0.1, 0.1), samples=250)
        profile = _RateProfile(em, rate, best.log_likelihood)
        point = np.array([*best.forest.probabilities, *(0.0, 0.0)])
        point[-2:] = best.noise.false_positive, best.noise.false_negative
        first = Maximum(float(point[rate]), point, 0.0)
        second = profile.near(first.value + 0.02, [first])
        third = profile.near(first.value + 0.03, [first, second])
        assert third.value == third.point[rate] == first.value + 0.03
        assert third.fall == pytest.approx(profile.near(third.value, [first]).fall, abs=1e-3)
        assert third.fall == pytest.approx(profile.afresh(third.value).fall, abs=1e-2)
        assert 0 < second.fall < third.fall

    @pytest.mark.parametrize("seed", range(4))
    def test_no_start_is_likelier_at_an_end(self, seed):
        """Also for high rates, where EM from the best estimate may end at a lower maximum."""
        rng = np.random.default_rng([98, seed])
        noise = Noise(*(float(rate) for rate in rng.uniform(0.3, 0.5, 2) * (1, 0.5)))
        best, data, em = self.profile([98, seed, 1], noise, 150, random_forest(rng, 4))
        found = rate_intervals(best, data)
        for rate, ends in ((-2, found.false_positive), (-1, found.false_negative)):
            for end in ends:
                if 0 < end < 0.99:
                    fallen = best.log_likelihood - DEPTH
                    assert highest(em, rate, end, rng) == pytest.approx(fallen, abs=0.01)

    def test_a_high_false_positive_rate_that_another_ridge_explains_is_in_its_interval(self):
        """Two events leave a ridge of equal likelihood; EM from one point of it stays too low."""
        forest = Forest("ab", (ROOT, 0), (0.6, 0.5))
        rng = np.random.default_rng(5)
        data = Noise(0.45, 0.02).corrupt(forest.sample(80, rng), rng)
        best = fit_forest(forest, data)
        low, high = rate_intervals(best, data).false_positive
        assert low == 0
        inner = [0.158, 1e-9, 0.689, 0.0056]  # of a general optimiser, from thirty starts
        literal = log_likelihood([ROOT, 0], inner[:2], entries(data), inner[2:])
        assert best.log_likelihood - literal < 1.5
        assert high > 0.695


class Still(_EM):
    """EM that stays where it starts."""

    def run(self, point, *_):
        return point, (0.0,), True


class TestStarts:
    """Where EM starts for a rate, and where the search for the ends of its interval does."""

    @staticmethod
    def profile(probabilities=(0.5, 0.5, 0.5), rate=-2, samples=10):
        forest = Forest("abc", (ROOT, ROOT, ROOT), probabilities)
        data = Dataset(np.ones((samples, 3), dtype=bool), tuple("abc"))
        return _RateProfile(Still.of(forest, data), rate, 0.0)

    def test_a_climb_starts_on_the_line_through_the_two_nearest_maxima(self):
        known = [
            Maximum(0.02, np.array([0.9, 0.9, 0.9, 0.02, 0.5]), 3.0),
            Maximum(0.1, np.array([0.2, 0.4, 0.8, 0.1, 0.04]), 0.0),
            Maximum(0.14, np.array([0.3, 0.4, 0.6, 0.14, 0.06]), 1.0),
        ]
        expected = [0.35, 0.4, 0.5, 0.16, 0.07]
        assert self.profile().near(0.16, known).point == pytest.approx(expected)
        assert self.profile().near(0.16, known[::-1]).point == pytest.approx(expected)
        assert self.profile().near(0.16, known[2:]).point == pytest.approx(
            [0.3, 0.4, 0.6, 0.16, 0.06]
        )

    def test_a_climb_starts_within_0_and_1_which_it_would_never_leave(self):
        known = [
            Maximum(0.1, np.array([0.1, 0.9, 1.0, 0.1, 0.0]), 0.0),
            Maximum(0.2, np.array([0.0, 1.0, 1.0, 0.2, 0.0]), 1.0),
        ]
        start = self.profile().near(0.4, known).point
        assert 0 < start.min() < start.max() < 1

    @pytest.mark.parametrize(("rate", "rates"), [(-2, [0.9, 0.05]), (-1, [0.05, 0.9])])
    def test_the_other_rate_starts_at_most_at_half_of_what_a_rate_leaves_to_it(self, rate, rates):
        known = [Maximum(0.3, np.array([0.6, 0.7, 0.8, 0.3, 0.3]), 0.0)]
        start = self.profile(rate=rate).near(0.9, known).point
        assert start == pytest.approx([0.6, 0.7, 0.8, *rates])

    @pytest.mark.parametrize(("rate", "chances"), [(-2, 2400), (-1, 600)])
    def test_the_ends_are_first_sought_where_they_were_if_the_truth_were_known(self, rate, chances):
        """False positives are shares of all that did not occur, false negatives of all that did."""

        class Asked(_RateProfile):
            def near(self, value, known):
                assert (known[0].value, known[0].fall) == (0.2, 0)  # the estimate itself
                asked.append(value)
                return super().near(value, known)

        asked = []
        some = self.profile((0.1, 0.2, 0.3), rate, samples=1000)
        Asked(some.em, rate, 0.0).interval(np.array([0.1, 0.2, 0.3, 0.2, 0.2]), DEPTH)
        reach = math.sqrt(2 * DEPTH) * math.sqrt(0.2 * 0.8 / chances)
        assert asked[0] == pytest.approx(0.2 - reach, abs=0.05 * reach)
        assert (
            0.2 + reach * 0.95 < min(value for value in asked if value > 0.2) < 0.2 + reach * 1.05
        )

    def test_of_a_rate_that_had_no_chance_anything_is_expected(self):
        assert self.profile((1.0, 1.0, 1.0))._deviation(0.0) == 0.5


def highest(em, rate, value, rng):
    """The highest log-likelihood with a rate fixed, by EM from many starts."""
    free = np.ones(len(em.forest.events) + 2, dtype=bool)
    free[rate] = False
    reached = []
    for _ in range(20):
        start = rng.uniform(0.02, 0.98, len(free))
        start[-2:] *= 1 - value
        start[rate] = value
        reached.append(em.run(start, free, 1e-9, 5000)[1][-1])
    return max(reached)
