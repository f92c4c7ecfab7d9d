"""Data of two subtypes."""

import numpy as np

from caprese import ROOT, Dataset, Forest, Noise, NoisyForest


def two_forests(samples=150, seed=3):
    """Samples of a chain a-b-c-d, and as many of a chain e-f-g-h; the other events are rare."""
    rng = np.random.default_rng(seed)
    events, chain, rare = tuple("abcdefgh"), (0.9, 0.8, 0.8, 0.7), (0.1, 0.1, 0.1, 0.1)
    one = Forest(events, (ROOT, 0, 1, 2, ROOT, ROOT, ROOT, ROOT), chain + rare)
    other = Forest(events, (ROOT, ROOT, ROOT, ROOT, ROOT, 4, 5, 6), rare + chain)
    drawn = [NoisyForest(each, Noise(0.02, 0.02)).sample(samples, rng) for each in (one, other)]
    return Dataset(np.vstack([each.values for each in drawn]), events)
