"""
The choice of the shrinkage
===========================

``Caprese(shrinkage="auto")`` simulates data sets like the given one and takes the smallest
shrinkage that recovers the simulated forest as well as the best one, up to chance. The curve is
kept in the evidence of the fit. Note the scale: on the ovarian data the choice matters little, and
the tree is the same.
"""

from matplotlib.figure import Figure

from caprese import Caprese, datasets
from caprese.plots import draw_shrinkage_choice

fit = Caprese(shrinkage="auto").fit(datasets.ovarian())

figure = Figure(figsize=(6, 3.5), layout="constrained")
draw_shrinkage_choice(figure.subplots(), fit.evidence.choice)
