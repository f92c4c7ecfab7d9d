"""Curation: prepare a data set for a fit, and log every change.

A *rule* is a frozen dataclass of options with one method, ``apply(data) -> Curated``; `curate`
applies several in turn. A rule that changes nothing adds no step to the log. Results do not depend
on the order of rows or columns: names in the log are in alphabetical order, events keep their
position in the table, and a composite has the position of its first member.
"""

import csv
from collections.abc import Iterable
from typing import Any

from caprese._core.checks import instance
from caprese.data.curation.log import LEAST_COVERAGE as LEAST_COVERAGE
from caprese.data.curation.log import Curated as Curated
from caprese.data.curation.log import Rule as Rule
from caprese.data.curation.log import Step as Step
from caprese.data.curation.log import Why as Why
from caprese.data.curation.patients import PerPatient as PerPatient
from caprese.data.curation.rules import DropConstant as DropConstant
from caprese.data.curation.rules import DropEvents as DropEvents
from caprese.data.curation.rules import DropHypermutated as DropHypermutated
from caprese.data.curation.rules import DropSeldomKnown as DropSeldomKnown
from caprese.data.curation.rules import DropUnknownSamples as DropUnknownSamples
from caprese.data.curation.rules import KeepEvents as KeepEvents
from caprese.data.curation.rules import KeepFrequent as KeepFrequent
from caprese.data.curation.rules import KeepMostFrequent as KeepMostFrequent
from caprese.data.curation.rules import MergeEvents as MergeEvents
from caprese.data.curation.rules import MergeIdentical as MergeIdentical
from caprese.data.curation.rules import split as split
from caprese.data.dataset import Dataset


def curate(data: Dataset, rules: Iterable[Rule] | None = None) -> Curated:
    """Return the data after these rules, by default those of `standard`, with the log.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 1, 0, 1], [0, 0, 0, 1], [1, 1, 0, 0]], events="abcd")
    >>> curated = curate(data)
    >>> curated.data.events
    ('a / b', 'd')
    >>> [(step.what, step.events) for step in curated.log]
    [('drop', ('c',)), ('merge', ('a', 'b'))]
    """
    curated = Curated(Dataset.of(data))
    for rule in checked_rules(standard() if rules is None else rules):
        after = rule.apply(curated.data)
        curated = Curated(after.data, curated.log + after.log)
    return curated


def checked_rules(rules: Any) -> tuple[Rule, ...]:
    """Return rules; refuse anything else."""
    given = tuple(rules) if isinstance(rules, Iterable) else (rules,)
    rule = "rules of curation, such as DropConstant()"
    return tuple(instance("rules", each, Rule, rule) for each in given)


MANY_EVENTS, KEPT = 50, 20
"""Above how many events, by default, only the most frequent are kept; and how many of them."""


def standard(
    *,
    coverage: float = LEAST_COVERAGE,
    constant: bool = True,
    identical: bool = True,
    unknown_samples: bool = True,
    many: bool = True,
) -> tuple[Rule, ...]:
    """Return the default rules of the command line, of the page and of `curate`.

    All but the last lose hardly any information about the order of events.

    Parameters
    ----------
    coverage
        Drop events known in less than this proportion of samples; 0 keeps them.
    constant
        Drop events in no or in all samples.
    identical
        Merge identical events.
    unknown_samples
        Drop samples with no known entry.
    many
        Of more than 50 events, keep the 20 most frequent.

    Examples
    --------
    >>> standard(coverage=0, identical=False)
    (DropConstant(never=True, always=True), DropUnknownSamples(least=0.0),
     KeepMostFrequent(number=20, above=50))
    """
    rules: tuple[tuple[bool, Rule], ...] = (
        (coverage > 0, DropSeldomKnown(least=coverage)),
        (constant, DropConstant()),
        (identical, MergeIdentical()),
        (unknown_samples, DropUnknownSamples()),
        (many, KeepMostFrequent(KEPT, above=MANY_EVENTS)),
    )
    return tuple(rule for wanted, rule in rules if wanted)


SUGGESTED = ("event", "use")
"""The first columns of a table of suggested events."""

_FROM_ALL_SAMPLES = (
    *(DropSeldomKnown, KeepFrequent, KeepMostFrequent),
    *(DropConstant, MergeIdentical),
)


def divided(rules: Iterable[Rule]) -> tuple[tuple[Rule, ...], tuple[Rule, ...]]:
    """Return the rules that look at names or single samples, and those that look at all samples.

    The second must be applied to each training part anew where samples are held out.
    """
    given = tuple(rules)
    later = tuple(rule for rule in given if isinstance(rule, _FROM_ALL_SAMPLES))
    return tuple(rule for rule in given if rule not in later), later


def names_in(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the names in lines of text; blank lines and ``#`` comments are skipped.

    Of a table of suggested events, whose header begins with ``event,use``, they are those in use.

    Examples
    --------
    >>> names_in(["event,use,present", "TP53,yes,40", "TTN,no,30"])
    ('TP53',)
    """
    stripped = (line.strip() for line in lines)
    told = [line for line in stripped if line and not line.startswith("#")]
    if told and told[0].startswith(f"{','.join(SUGGESTED)},"):
        rows = list(csv.reader(told[1:]))
        return tuple(row[0] for row in rows if len(row) > 1 and row[1].strip().lower() == "yes")
    return tuple(told)
