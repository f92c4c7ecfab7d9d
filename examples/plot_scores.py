"""
The scores a tree was made from
===============================

The estimator of CAPRESE for every pair of events, parents down and children across; the edges that
were chosen are outlined.
"""

from caprese import Caprese, datasets
from caprese.plots import scores_figure

fit = Caprese(shrinkage=0.5).fit(datasets.ovarian())

figure = scores_figure(fit.model, fit.evidence.score)
