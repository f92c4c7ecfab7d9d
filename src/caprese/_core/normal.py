"""The normal distribution, without the time that importing scipy.special takes."""

from statistics import NormalDist


def normal_quantile(probability: float) -> float:
    """Return the number that a standard normal variable is below with this probability.

    Examples
    --------
    >>> round(normal_quantile(0.975), 6)
    1.959964
    """
    return NormalDist().inv_cdf(probability)
