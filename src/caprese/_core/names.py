"""Names of events and samples: any text, as long as it tells them apart."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from caprese._core.arrays import IntArray
from caprese.errors import CapreseError, ModelError


def distinct_names(kind: str, names: Iterable[str], error: type[CapreseError]) -> tuple[str, ...]:
    """Return the names, all of them distinct and none of them blank; else raise the error.

    Parameters
    ----------
    kind
        What is named, for the message.

    Examples
    --------
    >>> distinct_names("event", ["8q+", "Xp-"], CapreseError)
    ('8q+', 'Xp-')
    """
    result = tuple(map(str, names))
    for position, name in enumerate(result):
        if not name.strip():
            raise error(f"{kind} {position + 1} has an empty name")
    if len(set(result)) < len(result):
        name, times = Counter(result).most_common(1)[0]
        raise error(f"{kind} name {name!r} stands {times} times; names must differ")
    return result


def numbered(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names with repeats told apart.

    Examples
    --------
    >>> numbered(["p", "q", "p", "p"])
    ('p', 'q', 'p.2', 'p.3')
    """
    given = list(names)
    taken, seen, result = set(given), Counter[str](), []
    for name in given:
        seen[name] += 1
        fresh = name if seen[name] == 1 else f"{name}.{seen[name]}"
        while seen[name] > 1 and fresh in taken:
            seen[name] += 1
            fresh = f"{name}.{seen[name]}"
        taken.add(fresh)
        result.append(fresh)
    return tuple(result)


def by_name(names: Sequence[str]) -> IntArray:
    """Return the positions of names in their alphabetical order, which no shuffling changes.

    Examples
    --------
    >>> by_name(["Xp-", "3q+", "8q+"])
    array([1, 2, 0])
    """
    return np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)


def places(names: Sequence[str], like: Sequence[str], who: str) -> IntArray:
    """Return where each event of another list stands in this one, which must hold the same.

    Parameters
    ----------
    who
        Whose the two lists are, for the message.

    Examples
    --------
    >>> places(["Xp-", "3q+", "8q+"], ["3q+", "8q+", "Xp-"], "both models")
    array([1, 2, 0])
    """
    if set(names) != set(like):
        odd = min(set(names) ^ set(like))
        raise ModelError(f"{who} must have the same events; {odd!r} is in one only")
    place = {name: position for position, name in enumerate(names)}
    return np.array([place[name] for name in like], dtype=np.int64)
