"""
A posterior and its alternatives
================================

The most probable forest of the ovarian data. The number on each edge, and its width, are its
posterior probability; faint dashed lines lead from other parents that are possible.
"""

from caprese import BayesForest, datasets
from caprese.plots import progression_figure

fit = BayesForest().fit(datasets.ovarian())

figure = progression_figure(fit)
