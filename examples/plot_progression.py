"""
A progression and its support
=============================

The ovarian tree. Each event shows the share of samples that carry it, each edge its support: the
share of ten thousand resampled data sets in which it was found. Thicker edges have more support.
"""

from caprese import Caprese, bootstrap, datasets
from caprese.plots import progression_figure

data = datasets.ovarian()
fit = Caprese(shrinkage=0.5).fit(data)
confidence = bootstrap(fit, data, replicates=10_000, seed=1)

figure = progression_figure(fit, confidence)
