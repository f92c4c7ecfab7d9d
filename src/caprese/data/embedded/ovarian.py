"""Ovarian cancer by comparative genomic hybridisation, as the paper uses it."""

from caprese.data.dataset import Dataset

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
