"""
All pictures of one cohort
==========================

123 patients with acute myeloid leukaemia, whose trees of mutations were seen in single cells, and
their eight most frequent events. One method, `bayes`, is looked at from all sides, beside the tree
of CAPRESE.
"""

import numpy as np

from caprese import (
    MHN,
    BayesForest,
    Caprese,
    Oncotree,
    bootstrap,
    datasets,
    inspect,
    judge,
    known_orders,
    place,
    timeline,
)
from caprese.plots import (
    comparison_figure,
    effects_figure,
    judgement_figure,
    known_figure,
    oncoprint_figure,
    order_figure,
    patient_card,
    patients_figure,
    progression_figure,
    scores_figure,
    support_figure,
    timeline_figure,
    trees_figure,
)

every = datasets.aml_trees()
frequent = np.argsort(-every.values.sum(axis=0), kind="stable")[:8]
data = every.take_events([every.events[event] for event in frequent])
fit = BayesForest(chains=2, draws=300, warm_up=300).fit(data)
tree = Caprese().fit(data)

# %%
# Which samples carry which events, parents above their children.
figure = oncoprint_figure(data, model=fit)

# %%
# Which methods predict samples that they have not seen.
figure = judgement_figure(judge([Caprese(), Oncotree()], data, folds=3))

# %%
# What is known of the order, with events that exclude each other.
known = known_orders(fit, threshold=0.6)
exclusive = [(pair.first, pair.second) for pair in inspect(data).exclusive]
figure = known_figure(known, exclusive)

# %%
# How probably each event comes before each other; the outlined orders were seen in single cells.
figure = order_figure(known)

# %%
# The places in the order of all events that each event may have.
figure = timeline_figure(timeline(fit))

# %%
# The trees of single patients, which the method did not see; colours compare its orders with them.
figure = trees_figure(data.orders, known)

# %%
# The most probable forest, with the posterior probability of each edge.
figure = progression_figure(fit)

# %%
# The tree of CAPRESE, with the support of each edge in a bootstrap.
confidence = bootstrap(tree, data, replicates=500)
figure = progression_figure(tree, confidence)

# %%
# The support of every possible edge, and the scores that CAPRESE compares.
figure = support_figure(tree.model, confidence)

# %%
figure = scores_figure(tree.model, tree.evidence.pair_scores())

# %%
# The two trees side by side, with what differs.
figure = comparison_figure(tree, fit, titles=("CAPRESE", "bayes"))

# %%
# How each event speeds up or slows down each other, by a hazard network.
figure = effects_figure(MHN(penalty_strength=0.01).fit(data).model)

# %%
# The samples on the tree, and one of them.
placement = place(tree, data)
figure = patients_figure(tree, placement)

# %%
figure = patient_card(placement, data.samples[3])
