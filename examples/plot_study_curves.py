"""
Curves of a study
=================

How far the inferred tree is from the truth, against the number of samples: CAPRESE and oncotrees on
a few random trees without noise. ``caprese study noise-free`` does the same with a hundred.
"""

import numpy as np
from matplotlib.figure import Figure

from caprese import Caprese, ForestRecipe, Oncotree, tree_edit_distance
from caprese.plots.curves import draw_curves

TREES, SAMPLES = 20, (50, 100, 150, 200, 250)
METHODS = {"CAPRESE": Caprese(shrinkage=0.01), "oncotree": Oncotree()}


def distances(method, samples):
    """Return the distances of the inferred trees to the true ones, the same for every method."""
    found = []
    for tree in range(TREES):
        rng = np.random.default_rng([2014, tree, samples])
        truth = ForestRecipe(events=12).draw(np.random.default_rng([2014, tree]))
        found.append(tree_edit_distance(method.fit(truth.sample(samples, rng)).model, truth))
    return np.array(found)


curves = []
for name, method in METHODS.items():
    table = np.array([distances(method, samples) for samples in SAMPLES])
    error = table.std(axis=1, ddof=1) / np.sqrt(TREES)
    curves.append((name, SAMPLES, table.mean(axis=1), error))

figure = Figure(figsize=(6, 3.5), layout="constrained")
axes = figure.subplots()
draw_curves(axes, curves, xlabel="samples", ylabel="tree edit distance")
