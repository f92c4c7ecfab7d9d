"""Curation: prepare a data set for a fit, and log every change.

A *rule* is a frozen dataclass of options with one method, ``apply(data) -> Curated``; `curate`
applies several in turn. A rule that changes nothing adds no step to the log. Results do not depend
on the order of rows or columns: names in the log are in alphabetical order, events keep their
position in the table, and a composite has the position of its first member.
"""

from caprese.data.curation.composites import MergeEvents, MergeIdentical, split
from caprese.data.curation.log import Curated, Rule, Step, Why
from caprese.data.curation.pipeline import (
    checked_rules,
    chosen_rules,
    curate,
    divided,
    names_in,
    standard,
)
from caprese.data.curation.selection import (
    DropConstant,
    DropEvents,
    DropHypermutated,
    DropUnknownSamples,
    KeepEvents,
    KeepFrequent,
    KeepMostFrequent,
)

__all__ = [
    "Curated",
    "DropConstant",
    "DropEvents",
    "DropHypermutated",
    "DropUnknownSamples",
    "KeepEvents",
    "KeepFrequent",
    "KeepMostFrequent",
    "MergeEvents",
    "MergeIdentical",
    "Rule",
    "Step",
    "Why",
    "checked_rules",
    "chosen_rules",
    "curate",
    "divided",
    "names_in",
    "split",
    "standard",
]
