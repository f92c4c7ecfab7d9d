"""
A surface over shrinkage and noise
==================================

The mean distance to the true tree for every shrinkage and noise, on a few random trees of 150
samples; a star marks the best shrinkage at each noise. ``caprese study lambda`` draws it from a
hundred trees.
"""

import numpy as np
from matplotlib.figure import Figure

from caprese import Caprese, Counts, ForestRecipe, Noise
from caprese.models.metrics import tree_edit_distances
from caprese.plots.curves import draw_surface

TREES, SAMPLES = 30, 150
NOISE = (0.0, 0.05, 0.1, 0.15)
SHRINKAGES = (0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def mean_distances(nu):
    """Return the mean distance of each shrinkage at this noise."""
    total = np.zeros(len(SHRINKAGES))
    for tree in range(TREES):
        rng = np.random.default_rng([2014, tree])
        truth = ForestRecipe(events=15).draw(rng)
        counts = Counts.of(Noise.uniform(nu).corrupt(truth.sample(SAMPLES, rng), rng))
        parents = np.array([Caprese(shrinkage=each).infer_parents(counts) for each in SHRINKAGES])
        total += tree_edit_distances(parents, truth.parents)
    return total / TREES


distances = [mean_distances(nu) for nu in NOISE]
figure = Figure(figsize=(6, 3.5), layout="constrained")
axes = figure.subplots()
title = "mean tree edit distance"
image = draw_surface(
    axes, SHRINKAGES, NOISE, distances, xlabel="shrinkage", ylabel="noise", title=title
)
figure.colorbar(image)
