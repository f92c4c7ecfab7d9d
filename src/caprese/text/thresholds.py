"""Thresholds: the numbers that decide how an answer is worded and emphasised.

Sentences on the terminal and on the report page quote them from here.
"""

SURE = 0.8  # support from which on an edge is called well supported
WEAK = 0.7  # support below which an edge is called uncertain
CONTRADICTED = 0.5  # support below which most replicates contradict an edge
NOTABLE = 0.1  # support from which on another parent is listed as an alternative
POSTERIOR_LEVEL = 0.9  # of every posterior interval
UNBOUNDED_RATE = 1e4  # rate from which on an event occurs at once, as far as data can show
HIGH_ERROR_RATE = 0.2  # error rates from which on the model itself is in question
