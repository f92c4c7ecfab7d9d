"""
Survival by progress
====================

Kaplan-Meier curves of samples with few, more and many events, with 95 % bands, a mark for each
censored time, and the numbers at risk. The events are those of the ovarian data; the times are made
up, shorter with more events.
"""

import numpy as np

from caprese import Caprese, Clinical, datasets, place, survival
from caprese.plots import survival_figure

data = datasets.ovarian()
rng = np.random.default_rng(1)
dies = rng.exponential(60 / (1 + data.values.sum(axis=1)))
leaves = rng.uniform(6, 60, len(data.samples))
table = Clinical(
    data.samples,
    {
        "OS_MONTHS": np.minimum(dies, leaves),
        "OS_STATUS": np.where(dies < leaves, "DECEASED", "LIVING"),
    },
)

placed = place(Caprese().fit(data), data)
figure = survival_figure(survival(placed, table, "OS_MONTHS", "OS_STATUS", by="thirds"))
