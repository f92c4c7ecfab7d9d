"""
How many trees a bootstrap finds
================================

The different trees of five hundred resamples of the ovarian data, the most frequent first. No tree
comes back often: the fitted one is the best single guess, not a finding.
"""

from collections import Counter

import numpy as np
from matplotlib.figure import Figure

from caprese import Caprese, datasets
from caprese.plots import draw_distinct_models

REPLICATES, SHOWN = 500, 40

data, method = datasets.ovarian(), Caprese(shrinkage=0.5)
rng = np.random.default_rng(1)
found = Counter()
for _ in range(REPLICATES):
    drawn = data.take_samples(rng.integers(0, len(data.samples), len(data.samples)))
    found[method.fit(drawn).model.edges] += 1

edges, times = zip(*found.most_common(SHOWN), strict=True)
figure = Figure(figsize=(7, 4), layout="constrained")
draw_distinct_models(
    figure.subplots(),
    np.array(times) / REPLICATES,
    fitted=edges.index(method.fit(data).model.edges),
)
