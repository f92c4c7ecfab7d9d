"""
Two methods side by side
========================

CAPRESE and oncotrees on the ovarian data: they disagree only on the parent of 8p-.
"""

from caprese import Caprese, Oncotree, datasets
from caprese.plots import comparison_figure

data = datasets.ovarian()
one, other = Caprese(shrinkage=0.5).fit(data), Oncotree().fit(data)

figure = comparison_figure(
    one.model,
    other.model,
    titles=("CAPRESE", "oncotree"),
    frequency=one.counts.frequency,
)
