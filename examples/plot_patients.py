"""
Patients
========

The samples on the progression, each at the deepest event that is probably there. Circles that are
not filled are samples with events on other branches too.
"""

from caprese import Caprese, datasets, place
from caprese.plots import patients_figure

data = datasets.ovarian()
fit = Caprese().fit(data)

figure = patients_figure(fit, place(fit, data))
