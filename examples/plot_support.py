"""
The support of every pair
=========================

How often each event was the parent of each other in ten thousand resampled data sets, as in the
tables of the paper; the edges of the tree are outlined. An event with two dark cells in its column
has two possible parents.
"""

from caprese import Caprese, bootstrap, datasets
from caprese.plots import support_figure

data = datasets.ovarian()
fit = Caprese(shrinkage=0.5).fit(data)
confidence = bootstrap(fit, data, replicates=10_000, seed=1)

figure = support_figure(fit.model, confidence)
