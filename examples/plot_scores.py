"""
The scores behind a tree
========================

The score of CAPRESE for every pair of events, parents in rows and children in columns; the edges of
the tree are outlined.
"""

from caprese import Caprese, datasets
from caprese.plots import scores_figure

fit = Caprese(shrinkage=0.5).fit(datasets.ovarian())

figure = scores_figure(fit.model, fit.evidence.pair_scores())
