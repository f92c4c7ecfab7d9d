"""Atypical chronic myeloid leukaemia, as the paper uses it."""

from caprese.data.dataset import Dataset


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
