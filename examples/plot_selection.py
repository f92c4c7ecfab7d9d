"""
The choice of the shrinkage
===========================

``Caprese(shrinkage="auto")`` simulates data like the data at hand and takes the smallest shrinkage
that finds the simulated forest again no worse than the best does. The curve it chose from is kept
in the evidence of the fit. Here it is flat: on the ovarian data the choice matters little, and the
tree is the same.
"""

import matplotlib.pyplot as plt
import numpy as np

from caprese import Caprese, datasets
from caprese.plots.curves import draw_curves

choice = Caprese(shrinkage="auto").fit(datasets.ovarian()).evidence.choice

figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
curve = ("simulated data", choice.grid, choice.distance, np.zeros_like(choice.distance))
draw_curves(axes, [curve], across="shrinkage", up="tree edit distance")
axes.axvline(choice.shrinkage, color="black", linestyle=":", linewidth=1)
axes.set_title(f"shrinkage {choice.shrinkage:g} is chosen")
plt.show()
