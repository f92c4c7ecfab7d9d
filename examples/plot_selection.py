"""
The choice of the shrinkage
===========================

``Caprese(shrinkage="auto")`` simulates data like the data at hand and takes the smallest shrinkage
that finds the simulated forest again no worse than the best does. The curve it chose from is kept
in the evidence of the fit. Mind the scale: on the ovarian data the choice matters little, and the
tree is the same.
"""

from matplotlib.figure import Figure

from caprese import Caprese, datasets
from caprese.plots import draw_shrinkage_choice

fit = Caprese(shrinkage="auto").fit(datasets.ovarian())

figure = Figure(figsize=(6, 3.5), layout="constrained")
draw_shrinkage_choice(figure.subplots(), fit.evidence.choice)
