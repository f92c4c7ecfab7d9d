"""
One patient
===========

What was seen of one sample, what is probably there, and what comes next.
"""

from caprese import HCBN, datasets, place
from caprese.plots import patient_card

data = datasets.ovarian()
placed = place(HCBN().fit(data), data)

figure = patient_card(placed, "3")
