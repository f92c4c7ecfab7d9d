"""Rules applied in turn, and the rules that are always a good idea."""

from collections.abc import Iterable

from caprese.data.curation.composites import MergeIdentical
from caprese.data.curation.events import DropConstant
from caprese.data.curation.log import Curated, Rule
from caprese.data.curation.samples import DropUnknownSamples
from caprese.data.dataset import Dataset


def curate(data: Dataset, rules: Iterable[Rule] | None = None) -> Curated:
    """Return the data after these rules in turn, with the log of all; else after `standard`.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 1, 0, 1], [0, 0, 0, 1], [1, 1, 0, 0]], events="abcd")
    >>> curated = curate(data)
    >>> curated.data.events
    ('a / b', 'd')
    >>> [(step.what, step.events) for step in curated.log]
    [('drop', ('c',)), ('merge', ('a', 'b'))]
    """
    curated = Curated(data)
    for rule in standard() if rules is None else rules:
        after = rule.apply(curated.data)
        curated = Curated(after.data, curated.log + after.log)
    return curated


def standard(
    *, constant: bool = True, identical: bool = True, unknown_samples: bool = True
) -> tuple[Rule, ...]:
    """Return the rules that cost no information about the order of events.

    Parameters
    ----------
    constant
        Drop events that are never or always seen.
    identical
        Merge events that cannot be told apart.
    unknown_samples
        Drop samples with no known entry.

    Examples
    --------
    >>> standard(identical=False)
    (DropConstant(never=True, always=True), DropUnknownSamples(least=0.0))
    """
    rules: tuple[tuple[bool, Rule], ...] = (
        (constant, DropConstant()),
        (identical, MergeIdentical()),
        (unknown_samples, DropUnknownSamples()),
    )
    return tuple(rule for wanted, rule in rules if wanted)


def names_in(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the names in the lines of a file, one on each; blank lines and ``#`` remarks are none.

    Examples
    --------
    >>> names_in(["# drivers", "TP53", "", "KRAS "])
    ('TP53', 'KRAS')
    """
    stripped = (line.strip() for line in lines)
    return tuple(line for line in stripped if line and not line.startswith("#"))
