"""
How events act on each other
============================

A mutual hazard network has no edges: each event (row) speeds up (red) or slows down (blue) each
other (column). The first row has the base rates. The last column is the effect of an event on the
rate at which samples are taken.
"""

from caprese import MHN, datasets
from caprese.plots import effects_figure

fit = MHN(penalty_strength=0.02, observation=True).fit(datasets.ovarian())

figure = effects_figure(fit.model)
