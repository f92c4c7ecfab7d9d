"""Inspection: what to know about a data set before fitting it.

The result does not depend on the order of rows or columns: events are sorted by frequency, the most
frequent first, then by name.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, compress

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, NumberArray
from caprese._core.facts import Fact
from caprese._core.significance import SIGNIFICANT
from caprese.data import scores
from caprese.data.contingency import adjusted
from caprese.data.counts import Counts
from caprese.data.curation.log import LEAST_COVERAGE
from caprese.data.curation.rules import Groups, identical_events
from caprese.data.dataset import Dataset
from caprese.data.grouping import distinct_rows
from caprese.kernels.rank_tests import hypergeometric_tails

FEW_CARRIERS = 5  # with fewer, the position of an event depends on chance
RARE = 0.05
NEARLY_ALL = 0.95
MUCH_UNKNOWN = 0.3
MOST_COMPARED = 1000  # events, which have half a million pairs
MANY_EVENTS = 50
NEARLY_IDENTICAL = 0.9  # Jaccard index: samples with both events, of those with either

_SAMPLE_ID = re.compile(r"TCGA-\w{2}-\w{4}|(sample|patient|tumou?r|case|subject)[-_. ]?\d+", re.I)
_GENE = re.compile(
    r"(TP53|[KNH]RAS|BRAF|EGFR|ERBB2|PIK3CA|PTEN|APC|RB1|CDKN2A|MYC|ATM|ARID1A|BRCA[12]|NF1|VHL|"
    r"IDH[12]|JAK2|FLT3|NPM1|DNMT3A|TET2|ASXL1|SETBP1|RUNX1|CTNNB1|SMAD4|KMT2[CD]|TTN|MUC16)\b"
)
_ENOUGH_GENES = 2  # rows with the names of genes before a table looks transposed


@dataclass(frozen=True)
class Pair:
    """Two events, the more frequent one first.

    Parameters
    ----------
    joint, total
        Number of samples with both, and in which both are known.
    value
        The Jaccard index of a nearly identical pair; the adjusted p-value of an exclusive one.
    """

    first: str
    second: str
    joint: int
    total: int
    value: float


@dataclass(frozen=True, eq=False)
class Inspection(ArrayValue):
    """Numbers and findings about a data set, and warnings that follow from them.

    Parameters
    ----------
    samples
        Number of samples.
    events
        Names of the events, the most frequent first.
    present, known
        Number of samples with each event, and in which it is known.
    events_per_sample
        Number of events in each sample, in ascending order.
    genotypes
        Number of distinct genotypes; unknown entries are part of a genotype.
    repeated
        Groups of samples with the same genotype, the largest first, without samples of which
        nothing is known.
    identical
        Groups of events that vary, and are present, absent and unknown in the same samples.
    compared
        Number of events whose pairs were compared: those that vary, at most the 1000 most
        frequent.
    nearly_identical
        Pairs that are not identical but with a Jaccard index of 0.9 or more.
    exclusive
        Pairs that co-occur less often than by chance: adjusted p-value below 0.05.
    unordered
        Pairs, not identical, that raise each other's probability and are equally frequent, so that
        methods based on frequency cannot order them.
    apart
        Pairs never known in the same sample.
    transposed
        The reason to suspect that rows are events and columns samples; None without one.
    """

    samples: int
    events: tuple[str, ...]
    present: IntArray
    known: IntArray
    events_per_sample: IntArray
    genotypes: int
    repeated: Groups
    identical: Groups
    compared: int
    nearly_identical: tuple[Pair, ...]
    exclusive: tuple[Pair, ...]
    unordered: tuple[tuple[str, str], ...]
    apart: tuple[tuple[str, str], ...]
    transposed: Fact | None

    @property
    def entries(self) -> int:
        """Number of entries of the table."""
        return self.samples * len(self.events)

    @property
    def unknown(self) -> int:
        """Number of unknown entries."""
        return self.entries - int(self.known.sum())

    @property
    def frequency(self) -> FloatArray:
        """Proportion of samples with each event, of those in which it is known; 0 if in none."""
        return np.asarray(self.present / np.maximum(self.known, 1))

    @property
    def unknown_share(self) -> FloatArray:
        """Proportion of samples in which each event is unknown."""
        return np.asarray((self.samples - self.known) / self.samples)

    @property
    def never_known(self) -> BoolArray:
        """Events unknown in every sample."""
        return np.asarray(self.known == 0)

    @property
    def never(self) -> BoolArray:
        """Events that are known in some samples and present in none."""
        return np.asarray((self.known > 0) & (self.present == 0))

    @property
    def always(self) -> BoolArray:
        """Events in every sample in which they are known."""
        return np.asarray((self.known > 0) & (self.present == self.known))

    @property
    def varies(self) -> BoolArray:
        """Events present in some samples and absent in others."""
        return np.asarray((self.present > 0) & (self.present < self.known))

    @property
    def rare(self) -> BoolArray:
        """Events that vary, in fewer than 5 samples or in less than 5 % of samples."""
        return self.varies & ((self.present < FEW_CARRIERS) | (self.frequency < RARE))

    @property
    def nearly_always(self) -> BoolArray:
        """Events that vary, in more than 95 % of samples."""
        return self.varies & (self.frequency > NEARLY_ALL)

    @property
    def seldom_known(self) -> BoolArray:
        """Events that vary, known in less than 20 % of samples: a fit leaves them out."""
        return self.varies & (self.known < LEAST_COVERAGE * self.samples)

    @property
    def much_unknown(self) -> BoolArray:
        """Events that vary, unknown in more than 30 % of samples, and not seldom known."""
        return self.varies & (self.unknown_share > MUCH_UNKNOWN) & ~self.seldom_known

    @property
    def warnings(self) -> tuple[Fact, ...]:
        """Problems of the data that may affect a fit."""
        return tuple(_warnings(self))


def inspect(data: Dataset) -> Inspection:
    """Return what to know about a data set before fitting it.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 1, 0], [1, 1, 0], [0, 0, 0]], events="abc")
    >>> found = inspect(data)
    >>> found.identical, found.never
    ((('a', 'b'),), array([False, False,  True]))
    """
    data = Dataset.of(data)
    present, known = data.tallies()
    ranked = sorted(zip(-data.frequency, data.events, range(len(present)), strict=True))
    order = [place for _, _, place in ranked]
    varying = [data.events[k] for k in order if 0 < present[k] < known[k]]
    counts = _pair_counts(data, varying[:MOST_COMPARED])
    may_differ = set(varying)
    identical = tuple(group for group in identical_events(data) if group[0] in may_differ)
    distinct = ~_same_group(counts.events, identical)
    genotypes, kinds = distinct_rows(data.values, data.known, np.arange(len(data.events)))
    return Inspection(
        samples=len(data.samples),
        events=tuple(data.events[k] for k in order),
        present=present[order],
        known=known[order],
        events_per_sample=np.sort(data.values.sum(axis=1)),
        genotypes=len(genotypes),
        repeated=_repeated(data, kinds),
        identical=identical,
        compared=len(counts.events),
        nearly_identical=_nearly_identical(counts, distinct),
        exclusive=exclusive(counts),
        unordered=_unordered(counts, distinct),
        apart=_named_pairs(counts, counts.total == 0),
        transposed=_transposed(data),
    )


def _repeated(data: Dataset, kinds: IntArray) -> Groups:
    """Return the groups of samples with the same genotype, of those with any known entry."""
    groups = defaultdict[int, list[str]](list)
    seen: BoolArray = np.asarray(data.known_mask.any(axis=1))
    for kind, sample in zip(kinds[seen].tolist(), compress(data.samples, seen), strict=True):
        groups[kind].append(sample)
    repeated = (tuple(sorted(group)) for group in groups.values() if len(group) > 1)
    return tuple(sorted(repeated, key=lambda group: (-len(group), group)))


def _nearly_identical(counts: Counts, distinct: BoolArray) -> tuple[Pair, ...]:
    """Return distinct pairs with a Jaccard index of 0.9 or more, the highest first."""
    either = counts.first + counts.second - counts.joint
    jaccard = counts.joint / np.maximum(either, 1)
    found = _pairs(counts, jaccard, (jaccard >= NEARLY_IDENTICAL) & distinct)
    return tuple(sorted(found, key=lambda pair: (-pair.value, pair.first, pair.second)))


def exclusive(counts: Counts) -> tuple[Pair, ...]:
    """Return pairs that co-occur less often than by chance, the most significant first.

    P(X <= joint) of the hypergeometric distribution, adjusted by Benjamini and Hochberg over all
    pairs in which both vary.
    """
    both_vary = _varies(counts.first, counts.total) & _varies(counts.second, counts.total)
    tested = np.triu(both_vary, 1)
    value = np.ones(counts.joint.shape)
    tables = (counts.joint, counts.first, counts.second, counts.total)
    joint, first, second, total = (table[tested].astype(np.int64) for table in tables)
    # As few with both are as many with the first alone, of all without the second.
    _, chance = hypergeometric_tails(first - joint, first, total - first, total - second)
    value[tested] = adjusted(chance)
    found = _pairs(counts, value, value < SIGNIFICANT)
    return tuple(sorted(found, key=lambda pair: (pair.value, pair.first, pair.second)))


def _unordered(counts: Counts, distinct: BoolArray) -> tuple[tuple[str, str], ...]:
    """Return distinct pairs that raise each other's probability and are equally frequent."""
    ahead = scores.temporal_priority(counts)
    raises = scores.probability_raising(counts) > 0
    return _named_pairs(counts, raises & distinct & ~ahead & ~ahead.T)


def _named_pairs(counts: Counts, chosen: BoolArray) -> tuple[tuple[str, str], ...]:
    """Return the names of the chosen pairs, each once."""
    pairs = np.argwhere(np.triu(chosen, 1))
    return tuple((counts.events[i], counts.events[j]) for i, j in pairs)


def _pairs(counts: Counts, value: FloatArray, chosen: BoolArray) -> list[Pair]:
    """Return the chosen pairs, each once: those above the diagonal of the matrix."""
    events, joint, total = counts.events, counts.joint, counts.total
    return [
        Pair(events[i], events[j], int(joint[i, j]), int(total[i, j]), float(value[i, j]))
        for i, j in np.argwhere(np.triu(chosen, 1))
    ]


def _varies(present: NumberArray, known: NumberArray) -> BoolArray:
    return np.asarray((present > 0) & (present < known))


def _pair_counts(data: Dataset, events: list[str]) -> Counts:
    if not events:
        return Counts.complete((), np.zeros((0, 0), dtype=np.int64), 0)
    return Counts.of(data.take_events(events))


def _same_group(events: tuple[str, ...], groups: Groups) -> BoolArray:
    """Return which pairs of events are in the same group."""
    group_of = {event: number for number, group in enumerate(groups) for event in group}
    labels = np.array([group_of.get(event, -1) for event in events], dtype=np.int64)
    return np.equal.outer(labels, labels) & (labels >= 0)


def _transposed(data: Dataset) -> Fact | None:
    """Return the reason to suspect that rows are events and columns samples, if there is one."""
    ids = tuple(sorted(event for event in data.events if _SAMPLE_ID.match(event)))
    genes = tuple(sorted(sample for sample in data.samples if _GENE.match(sample)))
    rows, columns = len(data.samples), len(data.events)
    if 2 * len(ids) > columns:
        return Fact("transposed", ids, {"sign": "sample names"})
    if len(genes) >= _ENOUGH_GENES:
        return Fact("transposed", genes, {"sign": "gene names"})
    as_expected = sum(bool(_SAMPLE_ID.match(sample)) for sample in data.samples) > rows / 2 or (
        sum(bool(_GENE.match(event)) for event in data.events) >= _ENOUGH_GENES
    )
    if rows < columns and columns >= MANY_EVENTS and not as_expected:
        return Fact("transposed", values={"sign": "shape", "rows": rows, "columns": columns})
    return None


def _warnings(found: Inspection) -> Iterator[Fact]:
    numbers = {"samples": found.samples, "events": len(found.events)}
    if found.transposed is not None:
        yield found.transposed
    if not found.varies.any():
        yield Fact("nothing varies", values={"problem": _why_nothing_varies(found)})
    if found.transposed is None and found.samples < len(found.events):
        yield Fact("few samples", values=numbers)
    if found.rare.any():
        yield _rare(found)
    if found.nearly_always.any():
        yield _shares("nearly always", found, found.nearly_always, found.frequency, NEARLY_ALL)
    if found.seldom_known.any():
        share = 1 - found.unknown_share
        yield _shares("seldom known", found, found.seldom_known, share, LEAST_COVERAGE)
    if found.much_unknown.any():
        yield _shares("much unknown", found, found.much_unknown, found.unknown_share, MUCH_UNKNOWN)
    if found.apart:
        yield Fact("never together", tuple(chain.from_iterable(found.apart)))
    if found.exclusive:
        events = tuple(event for pair in found.exclusive for event in (pair.first, pair.second))
        values = {f"p {place}": pair.value for place, pair in enumerate(found.exclusive)}
        yield Fact("mutually exclusive", events, values)


def _why_nothing_varies(found: Inspection) -> str:
    if found.unknown == found.entries:
        return "unknown"
    return "one genotype" if found.genotypes == 1 and found.samples > 1 else "constant"


def _rare(found: Inspection) -> Fact:
    fewest = int(found.present[found.rare].min())
    rarest = tuple(sorted(compress(found.events, found.rare & (found.present == fewest))))
    values = {
        "rare": int(found.rare.sum()),
        "events": len(found.events),
        "carriers": FEW_CARRIERS,
        "share": RARE,
        "fewest": fewest,
    }
    return Fact("rare", rarest, values)


def _shares(
    kind: str, found: Inspection, chosen: BoolArray, shares: FloatArray, bound: float
) -> Fact:
    """Return the chosen events with their proportions, the highest first."""
    ranked = sorted((-float(shares[k]), found.events[k]) for k in np.flatnonzero(chosen))
    values = {f"share {place}": -share for place, (share, _) in enumerate(ranked)}
    return Fact(kind, tuple(event for _, event in ranked), {"share": bound, **values})
