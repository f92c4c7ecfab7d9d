"""
Subtypes
========

Samples of two simulated progressions, mixed. The method is told that there are two subtypes, but
not which samples belong to which; each panel shows the progression of one.
"""

import numpy as np

from caprese import ROOT, BayesForest, Dataset, Forest, Noise, NoisyForest
from caprese.plots import subtypes_figure

events, rng = tuple("abcdef"), np.random.default_rng(1)
one = Forest(events, (ROOT, 0, 1, ROOT, ROOT, ROOT), (0.9, 0.8, 0.7, 0.1, 0.1, 0.1))
other = Forest(events, (ROOT, ROOT, ROOT, ROOT, 3, 4), (0.1, 0.1, 0.1, 0.9, 0.8, 0.7))
drawn = [NoisyForest(forest, Noise(0.02, 0.02)).sample(150, rng) for forest in (one, other)]
data = Dataset(np.vstack([samples.values for samples in drawn]), events)
fit = BayesForest(subtypes=2).fit(data)

figure = subtypes_figure(fit)
