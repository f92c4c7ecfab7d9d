"""Atypical chronic myeloid leukaemia: the 17 events that TRONCO's vignette selects."""

from caprese.data.dataset import Dataset
from caprese.data.embedded.acml_full31 import acml_full31

_SELECTED = (
    "TET2 Ins/Del",
    "EZH2 Ins/Del",
    "CBL Ins/Del",
    "ASXL1 Ins/Del",
    "SETBP1 Missense point",
    "NRAS Missense point",
    "KRAS Missense point",
    "TET2 Missense point",
    "EZH2 Missense point",
    "CBL Missense point",
    "IDH2 Missense point",
    "SF3B1 Missense point",
    "CSF3R Missense point",
    "TET2 Nonsense point",
    "EZH2 Nonsense point",
    "ASXL1 Nonsense point",
    "CSF3R Nonsense point",
)


def acml_selected17() -> Dataset:
    """Return the 17 of all 31 events that the vignette of TRONCO selects, in 64 patients.

    References
    ----------
    Piazza et al. (2013), Nature Genetics 45:18-24. De Sano et al. (2016), Bioinformatics
    32:1911-1913.

    Examples
    --------
    >>> acml_selected17()
    <Dataset: 64 samples x 17 events>
    """
    return acml_full31().take_events(_SELECTED)
