"""Allele fractions: how surely one event of a sample came before another, from read counts.

At a heterozygous locus with two copies, the fraction of cells with a variant is twice the fraction
of its reads, over the purity of the sample. What is in more cells came first, unless it is in
another clone: two events are certainly in the same cells only where both fractions add up to more
than 1. Reads vary more than binomial numbers do, so the posterior of a fraction is that of fewer,
effective reads.

Fractions are divided into cells of equal width, with all that is 1 or more in one cell of its own:
two events in all tumour cells have no order. Of a pair, each cell of one is compared with all of
the other, which is a product of matrices; that the fractions are the same counts one half.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese._core.checks import number, one_of, whole
from caprese._core.names import by_name
from caprese.data.seen_orders import SeenOrders
from caprese.kernels.functions import exp, log, log1p, product

PAIRS = ("all", "neighbours")
"""Which pairs of the events of a sample: all, or those that are next to each other by fraction.

The fraction of an event is part of all of its pairs, so these depend on each other. To multiply
probabilities of pairs, take neighbours.
"""

LEAST_DEPTH = 50
OVERDISPERSION = 0.005
HIGHEST = 0.55
"""A higher fraction of reads is not that of one copy of two."""

SUREST = 0.999
"""No order is more certain: the loci may have other copies than was known."""

_CELLS = 512
_MIDDLES = (np.arange(_CELLS) + 0.5) / _CELLS


@dataclass(frozen=True)
class Variants:
    """Variants in samples, several of which may be of one event.

    Parameters
    ----------
    samples, events
        Names.
    sample, event
        Of each variant, positions.
    reads, depth
        The number of reads with the variant, and of all; NaN if not known.
    purity
        The proportion of tumour cells; 1 if not known, and fractions are then of all cells.
    copies
        The number of copies of the locus; NaN if not known.
    autosomal
        Whether the variant is on a chromosome of which everybody has two.
    """

    samples: tuple[str, ...]
    events: tuple[str, ...]
    sample: IntArray
    event: IntArray
    reads: FloatArray
    depth: FloatArray
    purity: FloatArray
    copies: FloatArray
    autosomal: BoolArray


class FractionOrders(NamedTuple):
    """The orders in allele fractions, and how many variants were left out, by reason."""

    orders: SeenOrders
    left_out: Counter[str]


def orders_of_fractions(
    variants: Variants,
    *,
    pairs: str = "all",
    depth: int = LEAST_DEPTH,
    overdispersion: float = OVERDISPERSION,
    source: str = "",
) -> FractionOrders:
    """Return how surely events of a sample came before each other.

    Variants are left out whose fraction does not say in how many cells they are: on a sex
    chromosome or in mitochondria, with a number of copies other than 2, in more than 0.55 of the
    reads, or at a low depth. An event of which one variant is left out is left out in this sample,
    since that variant may have been its first. An event with several variants came with the first
    of them: its fraction is the highest, whichever that is.

    Parameters
    ----------
    pairs
        One of `PAIRS`.
    depth
        The least number of reads.
    overdispersion
        The correlation of reads of a beta-binomial distribution, from 0.001 on.

    Examples
    --------
    >>> reads, depth = np.array([90.0, 30.0]), np.array([200.0, 200.0])
    >>> first = np.array([0, 0])
    >>> one, yes = np.ones(2), np.ones(2, dtype=bool)
    >>> variants = Variants("p", "ab", first, np.array([0, 1]), reads, depth, one, 2 * one, yes)
    >>> orders_of_fractions(variants).orders.rows()
    [Seen(sample='p', earlier='a', later='b', confidence=0.999, nested=0.9...)]
    """
    one_of("pairs", pairs, PAIRS)
    whole("depth", depth, 1)
    number("overdispersion", overdispersion, 0.001, 1)
    reasons = _reasons(variants, depth)
    place = variants.sample * len(variants.events) + variants.event
    spoilt = np.isin(place, place[reasons != ""])
    reasons[spoilt & (reasons == "")] = "of an event with such a variant"
    kept = np.flatnonzero(~spoilt)
    names = np.argsort(by_name(variants.events))  # the order of rows does not matter
    kept = kept[np.lexsort([names[variants.event[kept]], variants.sample[kept]])]
    found = [
        _Compared.of(variants, rows, overdispersion, pairs)
        for rows in _parts(variants.sample, kept)
    ]
    orders = SeenOrders(
        variants.samples,
        variants.events,
        np.concatenate([each.pairs for each in found] or [np.empty((0, 3), dtype=np.int64)]),
        np.concatenate([each.confidence for each in found] or [np.empty(0)]),
        np.concatenate([each.nested for each in found] or [np.empty(0)]),
        source,
    )
    return FractionOrders(orders, Counter(reasons[spoilt].tolist()))


def fraction_masses(
    reads: FloatArray, depth: FloatArray, purity: FloatArray, overdispersion: float
) -> FloatArray:
    """Return how probably the fraction of cells with each variant is in each cell of fractions.

    The last cell is 1 or more. Before the reads, all fractions of reads are equally probable.
    """
    effective = depth / (1 + (depth - 1) * overdispersion)
    seen = (effective * reads / depth)[:, None]
    unseen = effective[:, None] - seen
    logs, others = np.array([_logs(each) for each in purity.tolist()]).transpose(1, 0, 2)
    density = seen * logs + unseen * others
    masses = exp(density - density.max(axis=1, keepdims=True))
    whole = purity[:, None] / 2
    below, above = whole * masses[:, :_CELLS], (1 - whole) * masses[:, _CELLS:]
    masses = np.hstack([below, above.sum(axis=1, keepdims=True)])
    return np.asarray(masses / masses.sum(axis=1, keepdims=True))


@lru_cache(64)
def _logs(purity: float) -> tuple[FloatArray, FloatArray]:
    """Return the logarithms of fractions of reads, up to that of all tumour cells and above it."""
    whole = purity / 2
    places = np.concatenate([whole * _MIDDLES, whole + (1 - whole) * _MIDDLES])
    return log(places), log1p(-places)


def compare_fractions(masses: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return how probably each fraction is higher than each other, and their sum is above 1."""
    upto = masses.cumsum(axis=1) - masses / 2
    mirrored = 1 - upto[:, -2::-1]
    beyond = np.hstack([mirrored, np.ones((len(masses), 1))])
    return product(masses, upto.T), product(masses, beyond.T)


class _Compared(NamedTuple):
    """The pairs of events of one sample."""

    pairs: IntArray
    confidence: FloatArray
    nested: FloatArray

    @classmethod
    def of(
        cls, variants: Variants, rows: IntArray, overdispersion: float, pairs: str
    ) -> "_Compared":
        """Compare the events of these variants, which are sorted by event."""
        reads, depth, purity = (
            each[rows] for each in (variants.reads, variants.depth, variants.purity)
        )
        masses = fraction_masses(reads, depth, purity, overdispersion)
        starts = np.flatnonzero(np.diff(variants.event[rows], prepend=-1))
        upto = np.multiply.reduceat(masses.cumsum(axis=1), starts, axis=0)
        masses = np.diff(upto, prepend=0.0, axis=1)  # of the highest of the variants of an event
        higher, nested = compare_fractions(masses)
        one, other = np.triu_indices(len(starts), 1)
        if pairs == "neighbours":
            mean = product(masses, np.append(_MIDDLES, 1.0))
            ranked = np.argsort(-mean, kind="stable")
            one, other = ranked[:-1], ranked[1:]
        events = variants.event[rows[starts]]
        sample = np.full(len(one), variants.sample[rows[0]])
        sure = np.clip(higher[one, other], 1 - SUREST, SUREST)
        return cls(
            np.column_stack([sample, events[one], events[other]]),
            sure,
            np.clip(nested[one, other], 0, 1),
        )


def _parts(sample: IntArray, kept: IntArray) -> list[IntArray]:
    """Return the variants of each sample, which are sorted by sample."""
    return np.split(kept, np.flatnonzero(np.diff(sample[kept])) + 1) if kept.size else []


def _reasons(variants: Variants, depth: int) -> NDArray[np.object_]:
    """Return why each variant is left out; empty if it is not."""
    with np.errstate(invalid="ignore", divide="ignore"):
        causes = {
            "on a sex chromosome or in mitochondria": ~variants.autosomal,
            "without read counts": np.isnan(variants.reads) | np.isnan(variants.depth),
            "with a copy number other than 2": np.abs(variants.copies - 2) >= 0.5,
            f"in more than {HIGHEST} of the reads": variants.reads > HIGHEST * variants.depth,
            f"at a depth below {depth}": variants.depth < depth,
        }
    found = np.full(len(variants.sample), "", dtype=object)
    for cause, which in reversed(causes.items()):
        found[which] = cause
    return found
