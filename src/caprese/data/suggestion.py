"""Which events to look at: a proposal with reasons; samples with far more events than others."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, lgamma, log

import numpy as np

from caprese._core.names import by_name
from caprese._core.words import percent
from caprese.data.curation import LEAST_COVERAGE
from caprese.data.dataset import Dataset
from caprese.data.genes import known_panels

MOST = 15
"""Events that a suggestion proposes at most, by default."""

LEAST_SHARE = 0.02
LEAST_CARRIERS = 5
"""What a proposed event needs: a share and a number of the samples in which it is known."""

NEUTRAL = 0.76
"""The share of random coding substitutions that change the protein."""

_LEVEL = 0.01  # of the test for an excess of such substitutions
_RECURRENT = 0.2  # share of variants at one position, or truncating, of the 20/20 rule
_LEAST_RECURRENT = 3
_COMMON_PANELS = 5  # public panels that have a gene
_FAR = 4.5  # interquartile ranges above the upper quartile
_LEAST_MANY = 10  # events of a hypermutated sample


@dataclass(frozen=True)
class GeneVariants:
    """What the variants of a gene in a file say of selection.

    Parameters
    ----------
    changing, truncating
        Numbers of variants that change the protein, and of those among them that cut it short.
    substitutions, silent
        Numbers of substitutions of a base in the coding sequence that change the protein, and of
        those that do not.
    recurrent, position
        The most samples with a change at one position of the protein, and that position.
    """

    changing: int
    truncating: int
    substitutions: int
    silent: int
    recurrent: int
    position: str


@dataclass(frozen=True)
class Suggested:
    """An event, whether it is proposed, and why or why not."""

    event: str
    use: bool
    present: int
    known: int
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Suggestion:
    """Events in the order of their rank, and samples with far more events than the others.

    Parameters
    ----------
    events
        All events that vary, proposed ones first, by the number of samples that have them.
    hypermutated
        Samples with more than `limit` events, in alphabetical order.
    limit
        The number of events beyond which a sample is far from the others; None if none is.
    """

    events: tuple[Suggested, ...]
    hypermutated: tuple[str, ...]
    limit: int | None


def suggest(
    data: Dataset, variants: Mapping[str, GeneVariants] | None = None, *, most: int = MOST
) -> Suggestion:
    """Propose events to infer the order of, for a person to change.

    An event is proposed if enough samples have it, if it is known in a fifth of them or more, and
    if something says that it is selected for: more changes of the protein than silent variants
    predict, one position that is hit again and again, truncations, a copy number change or a
    fusion of a gene that public panels have. A file without silent variants has no excess: a gene
    that public panels have is then proposed. Where nothing is known of variants, frequency and
    coverage decide.

    Parameters
    ----------
    data
        The data.
    variants
        What the variants of each gene say, as `Reading.variants` returns it.
    most
        The number of events that are proposed at most.

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> found = suggest(ovarian(), most=3)
    >>> [each.event for each in found.events if each.use]
    ['8q+', '3q+', '5q-']
    """
    present, known = data.tallies()
    far, limit = _far(data)
    panels = _panels_of(event.split(" ", 1)[0] for event in data.events)
    rows = []
    for column in np.lexsort((np.argsort(by_name(data.events)), -known, -present)):
        event, carriers, seen = data.events[column], int(present[column]), int(known[column])
        if 0 < carriers < seen:
            against = _against(carriers, seen, len(data.samples))
            reasons, needed = _reasons(event, variants or {}, panels)
            lacking = () if reasons or not needed else ("nothing says that it is selected for",)
            use = not against and not lacking
            rows.append(Suggested(event, use, carriers, seen, (*against, *lacking, *reasons)))
    proposed = [each for each in rows if each.use]
    beyond = {each.event for each in proposed[most:]}
    cut = [
        Suggested(e.event, False, e.present, e.known, (f"not among the first {most}", *e.reasons))
        if e.event in beyond
        else e
        for e in rows
    ]
    ranked = sorted(cut, key=lambda each: not each.use)
    return Suggestion(tuple(ranked), far, limit)


def _against(carriers: int, known: int, samples: int) -> tuple[str, ...]:
    found = []
    if known < LEAST_COVERAGE * samples:
        found.append(f"known in {percent(known / samples)} of samples only")
    if carriers < max(LEAST_CARRIERS, LEAST_SHARE * known):
        found.append("rare")
    return tuple(found)


def _reasons(
    event: str, variants: Mapping[str, GeneVariants], panels: Mapping[str, int]
) -> tuple[tuple[str, ...], bool]:
    """Return what speaks for an event, and whether anything has to."""
    gene, _, kind = event.partition(" ")
    found = []
    if kind in ("gain", "loss", "fusion", "rearrangement"):
        if panels[gene] >= _COMMON_PANELS:
            found.append(f"{kind} of a gene that {panels[gene]} public panels have")
        return tuple(found), panels[gene] > 0 or bool(variants)
    own = variants.get(gene)
    if own is None:
        return (), bool(variants)
    compared = any(each.silent for each in variants.values())
    if compared and excess_of(own) < _LEVEL:
        changed = f"{own.substitutions} substitutions change the protein"
        found.append(f"{changed}, {own.silent} are silent")
    if not compared and panels[gene] >= _COMMON_PANELS:
        panelled = f"a gene that {panels[gene]} public panels have"
        found.append(f"{panelled}; the file has no silent variants to compare with")
    if own.recurrent >= max(_LEAST_RECURRENT, _RECURRENT * own.changing):
        found.append(f"position {own.position} in {own.recurrent} of {own.changing}")
    if own.truncating >= max(_LEAST_RECURRENT, _RECURRENT * own.changing):
        found.append(f"{own.truncating} of {own.changing} truncate the protein")
    return tuple(found), True


def excess_of(gene: GeneVariants) -> float:
    """Return the probability of so many changes, or more, if substitutions were random."""
    total = gene.substitutions + gene.silent
    return sum(
        exp(
            lgamma(total + 1)
            - lgamma(k + 1)
            - lgamma(total - k + 1)
            + k * log(NEUTRAL)
            + (total - k) * log(1 - NEUTRAL)
        )
        for k in range(gene.substitutions, total + 1)
    )


def _panels_of(genes: Iterable[str]) -> dict[str, int]:
    known = {*known_panels().values()}  # some have two names
    return {gene: sum(gene in panel for panel in known) for gene in dict.fromkeys(genes)}


def _far(data: Dataset) -> tuple[tuple[str, ...], int | None]:
    """Return the samples with far more events than the others, and the limit."""
    carried = data.values.sum(axis=1)
    low, high = np.quantile(carried, (0.25, 0.75))
    limit = int(max(high + _FAR * (high - low), _LEAST_MANY - 1))
    names: Sequence[str] = [data.samples[k] for k in np.flatnonzero(carried > limit)]
    return tuple(sorted(names)), limit if names else None
