"""Small public data sets with their sources; the command line takes their names like files."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from caprese._core.arrays import sealed
from caprese.data.dataset import Dataset
from caprese.data.sample_trees import SampleTree, orders_of_trees

__all__ = ["EMBEDDED", "acml", "acml_full31", "acml_selected17", "aml_trees", "ovarian"]

_ROWS = """
0000010 0001010 1111000 1000000 0000000 1111100 1111101 0110000 0100001 1011111 0000000
1111101 1111111 1110011 1000000 0000000 1100011 1101010 1011010 1000110 1011111 1100111
1111110 1010101 0000000 0010000 1111101 1101101 1111101 0110100 1111101 1100111 1011101
1111100 1110111 1001101 1001110 1110111 1111101 1000000 1101010 1111110 0011011 1111000
1111101 0001010 0000000 1011100 0000010 1100000 1111010 1100010 1100000 1110110 1000000
1110110 1101101 0011011 1000000 0000001 1100000 1100010 0011111 1011101 0010001 1100010
0100010 1111101 1111100 0011111 1011110 0011100 1000000 1011100 1110101 1001101 0000000
0101011 1100111 1111011 0111011 0000010 1111101 1100000 1111010 0010000 1100000
"""
_PATIENTS = 64
# The patients with atypical chronic myeloid leukaemia that carry each event, by number.
_CARRIERS = {
    "TET2 Ins/Del": (23, 24, 25, 55),
    "EZH2 Ins/Del": (27,),
    "CBL Ins/Del": (41,),
    "ASXL1 Ins/Del": (9, 21, 24, 27, 29, 32, 39, 45, 48),
    "SETBP1 Missense point": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
    "NRAS Missense point": (3, 12, 17, 57, 60),
    "KRAS Missense point": (32,),
    "TET2 Missense point": (21, 27, 34, 41, 56),
    "EZH2 Missense point": (17, 20, 23, 24, 29, 38, 62),
    "CBL Missense point": (2, 4, 24),
    "IDH2 Missense point": (15, 48, 56),
    "SUZ12 Missense point": (57,),
    "SF3B1 Missense point": (22,),
    "JARID2 Missense point": (12,),
    "EED Missense point": (31,),
    "DNMT3A Missense point": (64,),
    "CEBPA Missense point": (38,),
    "EPHB3 Missense point": (7,),
    "ETNK1 Missense point": (20,),
    "GATA2 Missense point": (19,),
    "IRAK4 Missense point": (17,),
    "MTA2 Missense point": (16,),
    "CSF3R Missense point": (5, 13, 30, 34, 45),
    "KIT Missense point": (23, 25, 63),
    "WT1 Nonsense Ins/Del": (34,),
    "RUNX1 Nonsense Ins/Del": (25,),
    "CEBPA Nonsense Ins/Del": (31, 34),
    "TET2 Nonsense point": (12, 13, 26, 29, 40, 57, 62),
    "EZH2 Nonsense point": (6, 61),
    "ASXL1 Nonsense point": (2, 4, 7, 8, 42),
    "CSF3R Nonsense point": (5, 14, 35),
}
# Genes of the 17 events that the vignette of TRONCO selects.
_SELECTED = ["TET2", "EZH2", "CBL", "ASXL1", "SETBP1", "NRAS", "KRAS", "IDH2", "SF3B1", "CSF3R"]


def ovarian() -> Dataset:
    """Return the seven most frequent gains and losses in 87 papillary serous ovarian tumours.

    Used by Desper, by Szabo and by the paper; rows in their original order.

    References
    ----------
    NCBI SKY/M-FISH and CGH database; Knutsen et al. (2005), Genes Chromosomes Cancer 44:52-64.

    Examples
    --------
    >>> ovarian()
    <Dataset: 87 samples x 7 events>
    """
    rows = [[entry == "1" for entry in row] for row in _ROWS.split()]
    return Dataset.from_rows(rows, events=["8q+", "3q+", "5q-", "4q-", "8p-", "1q+", "Xp-"])


def acml() -> Dataset:
    """Return three mutations in 64 patients with atypical chronic myeloid leukaemia.

    References
    ----------
    Piazza et al. (2013), Nature Genetics 45:18-24: counts of SETBP1 and ASXL1 mutations.

    Examples
    --------
    >>> acml()
    <Dataset: 64 samples x 3 events>
    """
    return Dataset.from_genotypes(
        {"000": 41, "100": 9, "010": 8, "101": 4, "110": 1, "001": 1},
        events=["SETBP1 missense", "ASXL1 indel", "ASXL1 nonsense"],
    )


def acml_full31() -> Dataset:
    """Return 31 events in 64 patients with atypical chronic myeloid leukaemia.

    The table that the R package TRONCO ships as ``aCML``; events are a gene and a type of mutation.

    References
    ----------
    Piazza et al. (2013), Nature Genetics 45:18-24. De Sano et al. (2016), Bioinformatics
    32:1911-1913.

    Examples
    --------
    >>> acml_full31()
    <Dataset: 64 samples x 31 events>
    """
    values = np.zeros((_PATIENTS, len(_CARRIERS)), dtype=bool)
    for column, carriers in enumerate(_CARRIERS.values()):
        values[np.array(carriers) - 1, column] = True
    samples = tuple(f"patient {number}" for number in range(1, _PATIENTS + 1))
    return Dataset(sealed(values), tuple(_CARRIERS), samples)


def acml_selected17() -> Dataset:
    """Return the 17 events of `acml_full31` that the vignette of TRONCO selects.

    Examples
    --------
    >>> acml_selected17()
    <Dataset: 64 samples x 17 events>
    """
    data = acml_full31()
    return data.take_events([event for event in data.events if event.split()[0] in _SELECTED])


def aml_trees() -> Dataset:
    """Return 31 mutations in 123 patients with acute myeloid leukaemia, and their order.

    The order in each patient comes from a tree of single cells; mutations that recur in the tree of
    their patient have none.

    References
    ----------
    Morita et al. (2020), Nature Communications 11:5327; the trees as oncotreeVIS distributes them,
    by the MIT licence, Copyright (c) 2024 Monica-Andreea Baciu-Dragan.

    Examples
    --------
    >>> aml_trees()
    <Dataset: 123 samples x 31 events, 468 seen orders>
    """
    lines = Path(__file__).with_name("aml_trees.txt").read_text(encoding="utf-8").splitlines()
    named = (line.split(" ", 1) for line in lines if not line.startswith("#"))
    trees = {sample: SampleTree.of(text) for sample, text in named}
    carried = {
        sample: {each for own in tree.events for each in own} for sample, tree in trees.items()
    }
    events = sorted(set().union(*carried.values()))
    rows = [[event in own for event in events] for own in carried.values()]
    orders = orders_of_trees(trees, "trees of single cells, Morita et al. (2020)").orders
    return Dataset.from_rows(rows, events, tuple(trees)).with_orders(orders)


EMBEDDED: dict[str, Callable[[], Dataset]] = {
    each.__name__: each for each in (ovarian, acml, acml_full31, acml_selected17, aml_trees)
}
