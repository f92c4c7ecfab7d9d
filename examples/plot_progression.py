"""
A progression and its support
=============================

The ovarian tree. Each event has the share of samples that carry it, each edge the share of ten
thousand resamples in which it came back; the thicker, the surer.
"""

from caprese import Caprese, bootstrap, datasets
from caprese.plots import progression_figure

data = datasets.ovarian()
fit = Caprese(shrinkage=0.5).fit(data)
confidence = bootstrap(fit.method, data, replicates=10_000, seed=1)

figure = progression_figure(fit, confidence)
