"""What is called significant: one level for all tests, and one for all confidence intervals."""

from statistics import NormalDist

SIGNIFICANT = 0.05  # p-values below it
LEVEL = 1 - SIGNIFICANT


def standard_errors(level: float = LEVEL) -> float:
    """Return how many standard errors an interval of this level reaches to each side.

    By `statistics`, because importing `scipy.special` takes longer than most commands.

    Examples
    --------
    >>> round(standard_errors(), 6)
    1.959964
    """
    return NormalDist().inv_cdf((1 + level) / 2)
