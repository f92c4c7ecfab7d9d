"""Bootstraps of the ovarian data against those of R's programs."""

import numpy as np
import pytest

from caprese import Caprese, Counts, Noise, Oncotree, bootstrap, datasets, scores
from caprese.fitting.structure import best_candidates
from reference.answers import bootstrap_answers, paired_resamples

pytestmark = pytest.mark.slow

METHODS = {
    "oncotree": Oncotree(),
    "caprese_0.01": Caprese(shrinkage=0.01),
    "caprese_0.5": Caprese(shrinkage=0.5),
}


def resampled_counts():
    rows, _ = paired_resamples()
    weights = np.array([np.bincount(row, minlength=87) for row in rows])
    return Counts.of_resamples(datasets.ovarian(), weights)


def tied_candidates(name, counts):
    """Which events share the highest score, and where an event weighs just as much as the root."""
    method = METHODS[name]
    score = (
        scores.desper(counts)
        if method == Oncotree()
        else scores.shrinkage(counts, method.shrinkage)
    )
    earlier = scores.temporal_priority(counts)
    best = best_candidates(score, earlier & (score > 0))
    root = counts.second * (counts.first + counts.second)
    level = root == counts.joint * (counts.total + counts.second)
    return best, (level & earlier).any(axis=-2)


@pytest.mark.parametrize(
    ("name", "agreeing"), [("oncotree", 971), ("caprese_0.01", 944), ("caprese_0.5", 933)]
)
def test_each_difference_from_r_in_the_same_resample_is_a_documented_tie(name, agreeing):
    counts, (_, answers) = resampled_counts(), paired_resamples()
    ours, theirs = METHODS[name].infer_parents(counts), answers[name]
    best, with_root = tied_candidates(name, counts)
    for b, event in np.argwhere(ours != theirs):
        other = theirs[b, event]
        equally_frequent = other >= 0 and counts.present[b, other] == counts.present[b, event]
        several = best[b, :, event].sum() > 1 and best[b, other, event]
        assert equally_frequent or several or with_root[b, event]
    assert (ours == theirs).all(axis=1).sum() == agreeing


@pytest.mark.parametrize(
    ("name", "key", "points", "exact"),
    [
        ("oncotree", "o", 0.015, 0.100),
        ("caprese_0.01", "c1", 0.025, 0.096),
        ("caprese_0.5", "c5", 0.025, 0.081),
    ],
)
def test_the_support_of_every_edge_is_that_of_r(name, key, points, exact):
    confidence = bootstrap(METHODS[name], datasets.ovarian(), replicates=100_000, seed=1)
    expected = np.array(bootstrap_answers()["counts"][key]) / 10_000
    np.testing.assert_allclose(confidence.support[7], expected[0], rtol=0, atol=points)
    np.testing.assert_allclose(confidence.support[:7], expected[1:], rtol=0, atol=points)
    assert confidence.exact / confidence.replicates == pytest.approx(exact, abs=0.01)


@pytest.mark.parametrize(
    ("name", "noise", "exact", "within"),
    [
        ("oncotree", None, 0.875, 0.015),
        ("caprese_0.01", None, 0.909, 0.02),
        ("caprese_0.5", None, 0.909, 0.02),
        ("oncotree", Noise(0.2085, 0.0268), 0.16, 0.015),
        ("caprese_0.01", Noise(0.2085, 0.0268), 0.255, 0.02),
        ("caprese_0.5", Noise(0.2085, 0.0268), 0.289, 0.02),
    ],
)
def test_the_parametric_bootstrap_finds_the_tree_again_as_often_as_r(name, noise, exact, within):
    confidence = bootstrap(
        METHODS[name],
        datasets.ovarian(),
        kind="parametric",
        noise=noise,
        replicates=20_000,
        seed=1,
    )
    assert confidence.exact / confidence.replicates == pytest.approx(exact, abs=within)
