"""
How many trees a bootstrap finds
================================

The distinct trees of five hundred resampled data sets of the ovarian data, the most frequent first.
No tree is found often: the fitted one is the best single guess, not a certain result.
"""

from matplotlib.figure import Figure

from caprese import Caprese, bootstrap, datasets
from caprese.plots import draw_distinct_models

SHOWN = 40

confidence = bootstrap(Caprese(shrinkage=0.5), datasets.ovarian(), replicates=500, seed=1)

models, times = zip(*confidence.distinct_models[:SHOWN], strict=True)
figure = Figure(figsize=(7, 4), layout="constrained")
draw_distinct_models(
    figure.subplots(),
    [number / confidence.replicates for number in times],
    fitted=models.index(confidence.parent_sets),
)
