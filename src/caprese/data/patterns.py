"""Patterns: AND, OR and XOR of events, as further columns that a method may test as parents.

A pattern is written ``NAME = XOR(KRAS, NRAS)``; operators may be nested. Where a part is no event,
it is a gene: all events whose name begins with this word. After the formula, ``-> A, B`` names the
events that the pattern may cause, ``<- C`` those that may cause it; by default all others, and
``none`` stands for no event.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Literal, NamedTuple, NoReturn, TypeVar, get_args

import numpy as np

from caprese._core.arrays import BoolArray
from caprese._core.checks import instance, listed, one_of, whole
from caprese._core.words import did_you_mean
from caprese.data.dataset import Dataset
from caprese.errors import DatasetError, ParameterError

T = TypeVar("T")
Operator = Literal["AND", "OR", "XOR"]
OPERATORS: tuple[str, ...] = get_args(Operator)
HOMOLOGOUS = "homologous"
"""In place of a pattern: one for each gene with several events."""
PAIRS = "pairs"
"""Before an operator: one pattern for each pair of its parts."""
NO_EVENT = "none"
"""In place of events: patterns that do not say otherwise have no causes, or no effects."""

Columns = Mapping[str, tuple[BoolArray, BoolArray]]
"""For each event in which samples it is present, and in which it is known."""

_TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|(->|<-|[(),=;])|((?:(?!->|<-)[^(),=;"])+))')
_PIECE = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^;])+')
_SPECIAL = re.compile(r'[(),=;"\\]|->|<-|^\s|\s$')


@dataclass(frozen=True)
class Formula:
    """Events combined by an operator.

    Parameters
    ----------
    operator
        AND: all parts are present; OR: at least one; XOR: exactly one.
    parts
        Names of events, or formulas.

    Examples
    --------
    >>> str(Formula("XOR", ("SF3B1", Formula("OR", ("ASXL1 indel", "ASXL1 nonsense")))))
    'XOR(SF3B1, OR(ASXL1 indel, ASXL1 nonsense))'
    """

    operator: Operator
    parts: "tuple[Formula | str, ...]"

    def __post_init__(self) -> None:
        one_of("operator", self.operator, OPERATORS)

    def __str__(self) -> str:
        return f"{self.operator}({', '.join(map(_written, self.parts))})"

    @property
    def members(self) -> tuple[str, ...]:
        """Names of all events in it, each once."""
        found = (part.members if isinstance(part, Formula) else (part,) for part in self.parts)
        return tuple(dict.fromkeys(chain.from_iterable(found)))

    def holds(self, columns: Columns) -> tuple[BoolArray, BoolArray]:
        """Return whether it holds, and whether that is known, by what is known of its events."""
        parts = [
            part.holds(columns) if isinstance(part, Formula) else columns[part]
            for part in self.parts
        ]
        number = np.sum([there for there, _ in parts], axis=0)  # surely there
        unclear = np.sum([~sure for _, sure in parts], axis=0)
        match self.operator:
            case "AND":
                failed = number + unclear < len(parts)
                return number == len(parts), (unclear == 0) | failed
            case "OR":
                return number > 0, (unclear == 0) | (number > 0)
            case _:
                return (number == 1) & (unclear == 0), (unclear == 0) | (number > 1)


@dataclass(frozen=True)
class Pattern:
    """A formula with a name, and the events that it may cause, or that may cause it.

    Parameters
    ----------
    name
        Its name, which no event has.
    formula
        The events and how they are combined.
    effects, causes
        Names of events; None for all that are not in the formula.

    Examples
    --------
    >>> pattern = Pattern.parse("RAS = XOR(KRAS, NRAS) -> BRAF")
    >>> pattern.formula.members, pattern.effects, pattern.causes
    (('KRAS', 'NRAS'), ('BRAF',), None)
    >>> str(pattern)
    'RAS = XOR(KRAS, NRAS) -> BRAF'
    """

    name: str
    formula: Formula
    effects: tuple[str, ...] | None = None
    causes: tuple[str, ...] | None = None

    @classmethod
    def parse(cls, text: str) -> "Pattern":
        """Read a pattern; a `ParameterError` says what is wrong with the text."""
        tokens = _Tokens(instance("text", text, str, "the text of a pattern"))
        name = tokens.name("a name")
        if tokens.next == "(":
            tokens.position = 0
            tokens.fail(f"a name before the formula, as in NAME = {text.strip()}")
        if not tokens.next and (meant := did_you_mean(name, [HOMOLOGOUS])):
            tokens.refuse(f"{name!r} is not known{meant}")
        tokens.expect("=")
        formula = tokens.formula()
        related: dict[str, tuple[str, ...] | None] = {"->": None, "<-": None}
        while tokens.next in related:
            arrow = tokens.next
            tokens.expect(arrow)
            if related[arrow] is not None:
                tokens.fail(f"one {arrow}")
            names = tuple(tokens.listed(lambda: tokens.name("an event")))
            related[arrow] = () if names == (NO_EVENT,) else names
        tokens.end()
        return cls(name, formula, related["->"], related["<-"])

    def __str__(self) -> str:
        effects = "" if self.effects is None else f" -> {_listed(self.effects)}"
        causes = "" if self.causes is None else f" <- {_listed(self.causes)}"
        return f"{_written(self.name)} = {self.formula}{effects}{causes}"


class PatternColumn(NamedTuple):
    """A pattern in data: its formula in names of events, and the samples in which it holds."""

    pattern: Pattern
    present: BoolArray
    known: BoolArray


class Refused(NamedTuple):
    """A pattern that says nothing in this data: its name, why, and which event it equals."""

    name: str
    why: str
    event: str


def split_patterns(text: str) -> tuple[str, ...]:
    """Return the patterns in a text, which are separated by semicolons."""
    return tuple(piece.strip() for piece in _PIECE.findall(text) if piece.strip())


def canonical(text: str) -> str:
    """Return a pattern, or what stands for several, in the way it is written here."""
    if text.strip() == HOMOLOGOUS:
        return HOMOLOGOUS
    group = _pairs_of(text)
    return str(Pattern.parse(text)) if group is None else f"{PAIRS} {group}"


def expanded(
    texts: Iterable[str],
    data: Dataset,
    effects: tuple[str, ...] | None = None,
    causes: tuple[str, ...] | None = None,
) -> tuple[Pattern, ...]:
    """Return all patterns that texts stand for in data, in names of its events.

    Effects and causes are those of patterns that do not name their own; None for all other events.
    """
    given = [pattern for text in texts for pattern in _patterns_of(text, data)]
    formulas = {pattern.name: pattern.formula for pattern in given}
    for pattern in given:
        for name in pattern.formula.members:
            if name in formulas and name not in data.events:
                instead = f"is a pattern, not an event; write {formulas[name]} in place of its name"
                raise DatasetError(f"pattern {pattern.name!r}: {name!r} {instead}")
    found = [_resolved(pattern, data, effects, causes) for pattern in given]
    taken = set(data.events)
    for pattern in found:
        if pattern.name in taken:
            raise DatasetError(f"pattern name {pattern.name!r} is taken; names must differ")
        taken.add(pattern.name)
    return tuple(found)


def evaluated(
    patterns: Sequence[Pattern], data: Dataset
) -> tuple[tuple[PatternColumn, ...], tuple[Refused, ...]]:
    """Return the columns of patterns, and those refused: constant, or equal to a column before."""
    if not patterns:
        return (), ()
    given = columns_of(data)
    seen = {  # of identical events the first by name
        _content(*given[event]): event for event in sorted(data.events, reverse=True)
    }
    columns, refused = [], []
    for pattern in patterns:
        there, sure = pattern.formula.holds(given)
        if not there.any():
            refused.append(Refused(pattern.name, "never", ""))
        elif there[sure].all():
            refused.append(Refused(pattern.name, "always", ""))
        elif (equal := seen.get(_content(there, sure))) is not None:
            refused.append(Refused(pattern.name, "equal", equal))
        else:
            seen[_content(there, sure)] = pattern.name
            columns.append(PatternColumn(pattern, there, sure))
    return tuple(columns), tuple(refused)


def columns_of(data: Dataset) -> Columns:
    """Return the column of each event, and of what is known of it."""
    return dict(zip(data.events, zip(data.values.T, data.known_mask.T, strict=True), strict=True))


def homologous_patterns(data: Dataset) -> tuple[str, ...]:
    """Return a pattern for each gene with several events, as TRONCO adds them.

    XOR if no sample has two of them, else OR.

    Examples
    --------
    >>> from caprese.data.datasets import acml
    >>> homologous_patterns(acml())
    ('XOR_ASXL1 = XOR(ASXL1 indel, ASXL1 nonsense)',)
    """
    return tuple(map(str, _homologous(Dataset.of(data))))


def group_patterns(
    operator: Operator, group: Sequence[str], *, least: int = 2, most: int = 2
) -> tuple[str, ...]:
    """Return a pattern for every subset of a group of events or genes, of these sizes.

    Examples
    --------
    >>> group_patterns("XOR", ["KRAS", "NRAS", "BRAF"])[-1]
    'XOR_NRAS_BRAF = XOR(NRAS, BRAF)'
    """
    formula = Formula(operator, tuple(map(str, listed("group", group))))
    sizes = range(whole("least", least, 1), whole("most", most, least) + 1)
    return tuple(str(pattern) for size in sizes for pattern in _subsets(formula, size))


def gene_of(event: str) -> str:
    """Return the first word of the name of an event."""
    return event.split(maxsplit=1)[0]


def _patterns_of(text: str, data: Dataset) -> Iterator[Pattern]:
    group = _pairs_of(text)
    if text.strip() == HOMOLOGOUS:
        yield from _homologous(data)
    elif group is not None:
        yield from _subsets(group, 2)
    else:
        yield Pattern.parse(text)


def _subsets(group: Formula, size: int) -> Iterator[Pattern]:
    for parts in combinations(group.parts, size):
        yield Pattern("_".join((group.operator, *map(str, parts))), replace(group, parts=parts))


def _pairs_of(text: str) -> Formula | None:
    """Return the formula behind the word for all pairs; None if there is none."""
    word, _, rest = text.strip().partition(" ")
    if word != PAIRS or "(" not in rest or "=" in rest.partition("(")[0]:
        return None
    tokens = _Tokens(rest)
    formula = tokens.formula()
    tokens.end()
    return formula


def _homologous(data: Dataset) -> Iterator[Pattern]:
    genes = defaultdict[str, list[str]](list)
    for event in sorted(data.events):
        genes[gene_of(event)].append(event)
    for gene, own in sorted(genes.items()):
        if len(own) > 1:
            together = data.take_events(own).values.sum(axis=1).max() > 1
            operator: Operator = "OR" if together else "XOR"
            yield Pattern(f"{operator}_{gene}", Formula(operator, tuple(own)))


def _resolved(
    pattern: Pattern,
    data: Dataset,
    effects: tuple[str, ...] | None,
    causes: tuple[str, ...] | None,
) -> Pattern:
    """Return a pattern in names of events; its own effects and causes before those given."""
    formula = _formula_in(pattern, pattern.formula, data)
    inside = set(formula.members)

    def others(own: tuple[str, ...] | None, usual: tuple[str, ...] | None) -> tuple[str, ...]:
        chosen = usual if own is None else own
        named = data.events if chosen is None else _events_in(pattern, chosen, data)
        parts = [event for event in named if event in inside]
        if own is not None and parts:
            problem = f"{parts[0]!r} is part of it, so it cannot be its cause or effect"
            raise DatasetError(f"pattern {pattern.name!r}: {problem}")
        return tuple(event for event in named if event not in inside)

    return Pattern(
        pattern.name, formula, others(pattern.effects, effects), others(pattern.causes, causes)
    )


def _formula_in(pattern: Pattern, formula: Formula, data: Dataset) -> Formula:
    parts: list[Formula | str] = []
    for part in formula.parts:
        if isinstance(part, Formula):
            parts.append(_formula_in(pattern, part, data))
        else:
            parts += _events_in(pattern, (part,), data)
    return replace(formula, parts=tuple(dict.fromkeys(parts)))


def _events_in(pattern: Pattern, names: tuple[str, ...], data: Dataset) -> tuple[str, ...]:
    """Return the events that names stand for: an event itself, or all events of a gene."""
    found: list[str] = []
    for name in names:
        own = [event for event in data.events if gene_of(event) == name]
        if name not in data.events and not own:
            meant = did_you_mean(name, data.events)
            raise DatasetError(f"pattern {pattern.name!r}: the data has no event {name!r}{meant}")
        found += [name] if name in data.events else own
    return tuple(dict.fromkeys(found))


def _content(present: BoolArray, known: BoolArray) -> bytes:
    return (present & known).tobytes() + known.tobytes()


def _written(part: Formula | str) -> str:
    """Return a formula or a name as it is read; in quotes if it would be misread without."""
    if isinstance(part, str) and (_SPECIAL.search(part) or part == NO_EVENT):
        escaped = part.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(part)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(_written, names)) or NO_EVENT


class _Tokens:
    """The pieces of a text, read from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.position = text, 0

    @property
    def next(self) -> str:
        """The sign that follows; empty if none does."""
        found = _TOKEN.match(self.text, self.position)
        return (found.group(2) or "") if found else ""

    def expect(self, sign: str) -> None:
        """Take this sign."""
        if self.next != sign:
            self.fail(f"{sign!r}")
        self.position = self.text.index(sign, self.position) + len(sign)

    def name(self, what: str) -> str:
        """Take a name, in quotes or without."""
        found = _TOKEN.match(self.text, self.position)
        quoted, _, bare = found.groups(default="") if found else ("", "", "")
        name = bare.strip() or re.sub(r"\\(.)", r"\1", quoted)
        if found is None or not name:
            self.fail(what)
        self.position = found.end()
        return name

    def listed(self, part: Callable[[], T]) -> list[T]:
        """Take parts separated by commas."""
        found = [part()]
        while self.next == ",":
            self.expect(",")
            found.append(part())
        return found

    def formula(self) -> Formula:
        """Take an operator and its parts."""
        known = ", ".join(OPERATORS)
        operator = self.name(f"one of {known}")
        if operator not in OPERATORS and self.next == "(":
            meant = did_you_mean(operator, OPERATORS)
            self.refuse(f"{operator!r} is not an operator; expected one of {known}{meant}")
        if self.next != "(":
            self.fail(f"one of {known} with its events in parentheses")
        self.expect("(")
        parts = self.listed(self._part)
        self.expect(")")
        for part in parts:
            if parts.count(part) > 1:
                self.refuse(f"{str(part)!r} is there twice; parts must differ")
        return Formula(operator, tuple(parts))  # type: ignore[arg-type]

    def _part(self) -> Formula | str:
        before = self.position
        name = self.name("an event")
        if self.next != "(":
            return name
        self.position = before
        return self.formula()

    def end(self) -> None:
        """Refuse anything that is left."""
        if self.text[self.position :].strip():
            self.fail("nothing more")

    def fail(self, expected: str) -> NoReturn:
        """Raise an error that says what was expected where."""
        rest = self.text[self.position :].strip() or "the end"
        self.refuse(f"expected {expected}, got {rest!r}")

    def refuse(self, problem: str) -> NoReturn:
        """Raise an error about the whole text."""
        raise ParameterError("pattern", f"such as P = XOR(A, B) ({problem})", self.text.strip())
