"""
Events with several parents
===========================

A conjunctive DAG: an event occurs only after all of its parents.
``draw_progression`` draws it on given axes.
"""

import numpy as np
from matplotlib.figure import Figure

from caprese import DagRecipe
from caprese.plots import draw_progression

dag = DagRecipe(events=10, max_parents=3).draw(np.random.default_rng(4))

figure = Figure(figsize=(5, 7), layout="constrained")
draw_progression(figure.subplots(), dag, frequency=dag.marginals())
