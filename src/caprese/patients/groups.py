"""Groups: whether where samples stand goes along with what a clinical table says of them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress, product
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal
from zlib import crc32

import numpy as np

from caprese._core.arrays import FloatArray, IntArray, NumberArray
from caprese._core.checks import SEEDS, instance, listed, whole
from caprese._core.facts import Fact
from caprese._core.progress import tell
from caprese._core.significance import SIGNIFICANT
from caprese.data.contingency import adjusted
from caprese.errors import DatasetError
from caprese.patients.clinical import Clinical, ClinicalVariable, is_follow_up, recognised
from caprese.patients.growth import (
    RankCorrelation,
    partial_correlations,
    rank_correlation,
    stands_for_time,
)
from caprese.patients.place import Placement

if TYPE_CHECKING:
    import pandas as pd

About = Literal["event", "progress", "subtype"]

_TABLES = 100_000  # of given margins, up to which all are listed
_DRAWS = (9_999, 99_999)  # tables drawn where there are more, at first and if few are as rare
_RARE = 0.01
_EXACT = 1_000  # values of the larger part, up to which the exact rank test is quick
_STREAM = 0xC11C  # apart from the streams of other work with the same seed
_SAME = 1e-7  # difference of two log-probabilities that counts for nothing


@dataclass(frozen=True)
class Group:
    """Some of the samples.

    Parameters
    ----------
    name
        A level of the column; or, if its values are compared, ``with`` or ``without`` the event or
        the number of a subtype.
    samples
        How many there are.
    value
        The share of them with the event, their median number of events, or the median of the
        column, of an ordered one the position of the level; NaN for levels beside subtypes.
    """

    name: str
    samples: int
    value: float


@dataclass(frozen=True)
class Association:
    """One column of a clinical table against one aspect of where samples stand.

    Parameters
    ----------
    column, kind
        Title of the column, and whether it is numeric, ordered or categorical.
    about, event
        What it is compared with: an event of the most probable genotype, the number of these
        events (``progress``), or the most probable subtype. The event is empty unless it is one.
    test
        Its name.
    samples
        How many have a value in the column.
    p_value, adjusted
        Of the test alone, and adjusted for all tests that were made.
    effect
        The odds ratio of a table of two rows and two columns, of having the event in the second
        level rather than the first; Spearman's correlation; else NaN.
    low, high
        The 95 % interval of Spearman's correlation; else NaN.
    groups
        The samples that were compared; none for a correlation.
    counts
        How many samples have each level, in columns, without and with the event or in each
        subtype, in rows; empty unless the test is one of counts.
    levels
        Names of the levels; none of a numeric column.
    like_time
        Whether a numeric or ordered column stands for time: an age, a stage or a grade.
    partial
        Of such a column its correlation with the number of events given the others; None if there
        is no other.
    """

    column: str
    kind: str
    about: About
    event: str
    test: str
    samples: int
    p_value: float
    adjusted: float = math.nan
    effect: float = math.nan
    groups: tuple[Group, ...] = ()
    counts: tuple[tuple[int, ...], ...] = ()
    levels: tuple[str, ...] = ()
    low: float = math.nan
    high: float = math.nan
    like_time: bool = False
    partial: RankCorrelation | None = None

    def counts_table(self) -> "pd.DataFrame":
        """Return the counts with their names; without rows if the test is not one of counts."""
        import pandas as pd

        names = ["without", "with"] if self.about == "event" else range(1, len(self.counts) + 1)
        index = pd.Index(list(names)[: len(self.counts)], name=self.event or self.about)
        columns = pd.Index(self.levels if self.counts else (), name=self.column)
        return pd.DataFrame(list(self.counts), index=index, columns=columns, dtype=np.int64)


@dataclass(frozen=True)
class Associations:
    """All tests that were made, the smallest p-value first.

    Parameters
    ----------
    tests
        Each column against each aspect of where samples stand.
    left_out
        Samples that have no row in the table.
    facts
        Columns that were not tested and why, and what limits the tests.
    """

    tests: tuple[Association, ...]
    left_out: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()

    @property
    def growth(self) -> tuple[Association, ...]:
        """Those that say whether the number of events grows with an age, a stage or a grade."""
        return tuple(test for test in self.tests if test.like_time and test.about == "progress")

    @property
    def significant(self) -> tuple[Association, ...]:
        """Those with an adjusted p-value below 0.05."""
        return tuple(test for test in self.tests if test.adjusted < SIGNIFICANT)

    def table(self) -> "pd.DataFrame":
        """Return one row per test."""
        import pandas as pd

        first = ("column", "about", "event", "test", "samples")
        names = (*first, "effect", "low", "high", "p_value", "adjusted")
        rows = [[getattr(test, name) for name in names] for test in self.tests]
        return pd.DataFrame(rows, columns=list(names))


def associations(
    placement: Placement,
    clinical: Clinical,
    *,
    columns: Sequence[str] | None = None,
    without: Sequence[str] = (),
    seed: int = 1,
) -> Associations:
    """Test whether where samples stand goes along with the columns of a clinical table.

    Each column is tested against each event of the most probable genotypes, against their number
    of events, and against the subtype if the model has several. A categorical column against an
    event or a subtype: Fisher's exact test, for larger tables that of Freeman and Halton. Numbers
    of events between levels: the test of Mann and Whitney or, for three or more levels, of Kruskal
    and Wallis; so for a numeric or ordered column between samples without and with an event, or
    between subtypes. Numeric and ordered columns against the number of events: Spearman's
    correlation. All p-values are two-sided, and are adjusted together by Benjamini and Hochberg.

    Parameters
    ----------
    placement
        Where the samples stand.
    clinical
        The table; rows are matched by `Clinical.rows`.
    columns
        Titles of the columns to test; by default all but times of follow-up, of which the end may
        not have been observed: these are for `survival`.
    without
        Titles of columns not to test.
    seed
        For tables of counts with more than 100,000 others of the same margins, which are drawn.

    Raises
    ------
    DatasetError
        If no sample is in the table, or a column is not.

    Examples
    --------
    >>> import caprese
    >>> data = caprese.datasets.ovarian()
    >>> placed = caprese.place(caprese.Caprese().fit(data), data)
    >>> grade = tuple("high" if row.sum() > 2 else "low" for row in data.values)
    >>> found = associations(placed, Clinical(data.samples, {"grade": grade}))
    >>> found.tests[0].about, found.tests[0].test
    ('progress', 'Mann-Whitney')
    """
    whole("seed", seed, *SEEDS)
    aligned, rows = joined(placement, clinical)
    excluded = {title: clinical.column(title) for title in listed("without", without)}
    named = clinical.columns if columns is None else dict.fromkeys(listed("columns", columns))
    chosen = [title for title in named if title not in excluded]
    tests: list[Association] = []
    facts: list[Fact] = []
    like_time: list[ClinicalVariable] = []
    for k, title in enumerate(chosen):
        tell("columns tested", k, len(chosen))
        column = recognised(title, aligned.column(title))
        if columns is None and is_follow_up(title):
            column = Fact("column of follow-up", values={"column": title})
        if isinstance(column, Fact):
            facts.append(column)
        else:
            tests += _tests(placement, column, seed)
            like_time += [column] * stands_for_time(column)
    tests = _given_others(tests, like_time, placement)
    facts += limits(placement, rows)
    left_out = tuple(compress(placement.samples, rows < 0))
    return Associations(_adjusted(tests), left_out, tuple(facts))


def as_seen(placement: Placement) -> Placement:
    """Return the placement with genotypes as they were seen, in place of the most probable ones.

    Only unknown entries are filled in. To see whether a comparison depends on which events the
    model takes for errors.

    Examples
    --------
    >>> import caprese
    >>> data = caprese.datasets.ovarian()
    >>> seen = as_seen(caprese.place(caprese.Caprese().fit(data), data))
    >>> bool((seen.genotypes == data.values).all())
    True
    """
    instance("placement", placement, Placement, "a placement of samples")
    seen = np.where(placement.known, placement.data.values, placement.genotypes)
    return replace(placement, genotypes=seen)


def joined(placement: Placement, clinical: Clinical) -> tuple[Clinical, IntArray]:
    """Return the rows of a table that are of placed samples, and which rows these are."""
    instance("placement", placement, Placement, "a placement of samples")
    instance("clinical", clinical, Clinical, "a clinical table")
    rows = clinical.rows(placement.samples)
    if (rows < 0).all():
        raise DatasetError(
            "no sample is in the clinical table: the samples are "
            f"{placement.samples[0]!r}, ..., those of the table {clinical.samples[0]!r}, ..."
        )
    return clinical.of_samples(placement.samples), rows


def limits(placement: Placement, rows: IntArray) -> list[Fact]:
    """Return what limits every comparison of these samples with these rows of a table."""
    _, times = np.unique(rows[rows >= 0], return_counts=True)
    shared = int(times[times > 1].sum())
    corrected = placement.genotypes & placement.data.values
    kept, seen = corrected.sum(axis=0), placement.data.values.sum(axis=0)
    doubted = tuple(compress(placement.events, 2 * kept < seen))
    facts = [Fact("samples of one patient", values={"samples": shared})] if shared else []
    return [*facts, Fact("events taken for errors", doubted)] if doubted else facts


def _tests(placement: Placement, column: ClinicalVariable, seed: int) -> Iterator[Association]:
    """Yield the tests of one column; none where nothing varies among the samples that have it."""
    genotypes = placement.genotypes[column.known].astype(np.int64)
    aspects: list[tuple[About, str, IntArray]] = [
        *(("event", event, own) for event, own in zip(placement.events, genotypes.T, strict=True)),
        ("progress", "", genotypes.sum(axis=1)),
    ]
    if placement.subtypes.shape[1] > 1:
        aspects.append(("subtype", "", placement.subtypes[column.known].argmax(axis=1)))
    for about, event, own in aspects:
        if np.ptp(own) > 0:
            yield _test(column, about, event, own, seed)


def _test(
    column: ClinicalVariable, about: About, event: str, own: IntArray, seed: int
) -> Association:
    """Compare the values of a column with an event, a number of events or a subtype."""
    values, levels = column.values[column.known], column.levels
    if column.kind == "categorical" and about == "progress":
        found = _by_ranks({level: own[values == k] for k, level in enumerate(levels)})
    elif column.kind == "categorical":
        stream = crc32(f"{column.title}\0{about}\0{event}".encode(errors="surrogatepass"))
        rng = np.random.default_rng([_STREAM, seed, stream])
        found = _by_counts(levels, values.astype(np.int64), about, own, rng)
    elif about == "progress":
        found = _by_correlation(values, own)
    else:
        names = ("without", "with") if about == "event" else range(1, int(own.max()) + 2)
        found = _by_ranks({str(names[k]): values[own == k] for k in np.unique(own).tolist()})
    about_column: dict[str, Any] = {"levels": levels, "like_time": stands_for_time(column)}
    return Association(
        column.title, column.kind, about, event, samples=len(own), **about_column, **found
    )


def _by_counts(
    levels: tuple[str, ...], values: IntArray, about: About, own: IntArray, rng: np.random.Generator
) -> dict[str, Any]:
    """Compare how samples are divided over levels, between those without and with an event."""
    from scipy.stats.contingency import odds_ratio

    counts = np.zeros((int(own.max()) + 1, len(levels)), dtype=np.int64)
    np.add.at(counts, (own, values), 1)
    test, p_value = table_test(counts[counts.any(axis=1)], rng)
    sizes, shares, effect = counts.sum(axis=0), np.full(len(levels), np.nan), math.nan
    if about == "event":
        shares = counts[1] / np.maximum(sizes, 1)
        effect = float(odds_ratio(counts, kind="sample").statistic) if len(levels) == 2 else effect
    groups = tuple(map(Group, levels, sizes.tolist(), shares.tolist()))
    table = tuple(map(tuple, counts.tolist()))
    return {"test": test, "p_value": p_value, "effect": effect, "groups": groups, "counts": table}


def _by_ranks(parts: dict[str, NumberArray]) -> dict[str, Any]:
    """Compare numbers between groups of samples."""
    test, p_value = rank_test(list(parts.values()))
    groups = [Group(name, len(part), float(np.median(part))) for name, part in parts.items()]
    return {"test": test, "p_value": p_value, "groups": tuple(groups)}


def _by_correlation(values: FloatArray, numbers: IntArray) -> dict[str, Any]:
    from scipy.stats import spearmanr

    found = rank_correlation(values, numbers)
    p_value = float(spearmanr(values, numbers).pvalue)
    effect = {"effect": found.value, "low": found.low, "high": found.high}
    return {"test": "Spearman", "p_value": p_value, **effect}


def _given_others(
    tests: list[Association], like_time: Sequence[ClinicalVariable], placement: Placement
) -> list[Association]:
    """Return the tests, with what remains of those of ages, stages and grades given each other."""
    if len(like_time) < 2:
        return tests
    found = partial_correlations(like_time, placement.genotypes.sum(axis=1))
    return [
        replace(test, partial=found.get(test.column)) if test.about == "progress" else test
        for test in tests
    ]


def table_test(counts: IntArray, rng: np.random.Generator) -> tuple[str, float]:
    """Return the name and the p-value of an exact test of a table of counts, given its margins.

    That of Freeman and Halton is the probability of all tables that are at most as probable.
    """
    from scipy.stats import fisher_exact

    if counts.shape == (2, 2):
        return "Fisher", float(fisher_exact(counts).pvalue)
    if 2 in counts.shape:
        pair = counts if len(counts) == 2 else counts.T
        if math.prod(np.sort(pair.sum(axis=0) + 1)[:-1].tolist()) <= _TABLES:
            return "Freeman-Halton", _all_tables(pair)
    return "Freeman-Halton, drawn", _drawn_tables(counts, rng)


def _all_tables(counts: IntArray) -> float:
    """Return the p-value of a table with two rows, from all tables of the same margins."""
    from scipy.stats import multivariate_hypergeom

    counts = counts[:, np.argsort(counts.sum(axis=0), kind="stable")]
    columns, total = counts.sum(axis=0), int(counts[0].sum())
    first = np.array(list(product(*(range(size + 1) for size in columns[:-1]))), dtype=np.int64)
    rest = total - first.sum(axis=1)
    tables = np.column_stack([first, rest])[(rest >= 0) & (rest <= columns[-1])]
    likely = multivariate_hypergeom.logpmf(tables, columns, total)
    own = multivariate_hypergeom.logpmf(counts[0], columns, total)
    return min(1.0, float(np.exp(likely[likely <= own + _SAME]).sum()))


def _drawn_tables(counts: IntArray, rng: np.random.Generator) -> float:
    from scipy.stats import random_table

    tables = random_table(counts.sum(axis=1), counts.sum(axis=0), seed=rng)
    own = tables.logpmf(counts) + _SAME
    for draws in _DRAWS:  # new ones each time, so that the p-value stays valid
        rarer = int((tables.logpmf(tables.rvs(draws)) <= own).sum())
        p_value = (1 + rarer) / (1 + draws)
        if p_value >= _RARE:
            break
    return p_value


def rank_test(parts: Sequence[NumberArray]) -> tuple[str, float]:
    """Return the name and the p-value of a test that all parts have the same distribution."""
    from scipy.stats import kruskal, mannwhitneyu

    if np.ptp(np.concatenate(parts)) == 0:
        return "Mann-Whitney" if len(parts) == 2 else "Kruskal-Wallis", 1.0
    if len(parts) == 2:  # by itself exact for up to 8 values without ties, against any number
        method = "auto" if max(map(len, parts)) <= _EXACT else "asymptotic"
        return "Mann-Whitney", float(mannwhitneyu(*parts, method=method).pvalue)
    return "Kruskal-Wallis", float(kruskal(*parts).pvalue)


def _adjusted(tests: Sequence[Association]) -> tuple[Association, ...]:
    """Return the tests adjusted for their number, the smallest p-value first."""
    p_values = adjusted(np.array([test.p_value for test in tests]))
    found = [replace(test, adjusted=float(p)) for test, p in zip(tests, p_values, strict=True)]
    return tuple(sorted(found, key=attrgetter("p_value", "column", "about", "event")))
