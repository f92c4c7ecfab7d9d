"""Atypical chronic myeloid leukaemia: all 31 events, as TRONCO ships them."""

import numpy as np

from caprese._core.arrays import sealed
from caprese.data.dataset import Dataset

_PATIENTS = 64
# The patients that carry each event, by number.
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
