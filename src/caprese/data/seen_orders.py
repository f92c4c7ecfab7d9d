"""Seen orders: which events of a sample were seen to come before which others."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, sealed
from caprese._core.budget import budget, exceeded
from caprese._core.names import by_name, distinct_names
from caprese._core.words import nearest, number_of
from caprese.errors import DatasetError

FIRM = 0.9
"""Confidence from which on the orders of a sample must not contradict each other."""

_SAMPLE, _EARLIER, _LATER = range(3)
_PER_STEP = 150  # bytes of memory for a pair that follows from two others


class Seen(NamedTuple):
    """The order of two events of one sample."""

    sample: str
    earlier: str
    later: str
    confidence: float = 1.0
    nested: float = 1.0


@dataclass(frozen=True, eq=False, repr=False)
class SeenOrders(ArrayValue):
    """The order of events within samples, as somebody saw it.

    Such orders come from trees of single cells or regions, from allele fractions, or from several
    samples of a patient. Certain ones, of confidence 1, are transitive: what follows from them is
    added. Orders of a confidence of at least 0.9 must not contradict each other; others may.

    Parameters
    ----------
    samples, events
        Names.
    pairs
        Pairs x 3: the position of the sample, of the earlier and of the later event.
    confidence
        The probability that the order is the one stated; one for all pairs, or one for each. Below
        1/2 the pair is turned round.
    nested
        The probability that the cells with the later event are among those with the earlier one,
        and not a clone beside them.
    source
        Where the orders come from, in words.

    Examples
    --------
    >>> orders = SeenOrders.from_rows([("p", "TP53", "KRAS"), ("p", "KRAS", "MYC", 0.8)])
    >>> orders
    <SeenOrders: 2 pairs of events in 1 sample>
    >>> SeenOrders.from_rows([("p", "a", "b"), ("p", "b", "c")]).rows()[1]
    Seen(sample='p', earlier='a', later='c', confidence=1.0, nested=1.0)
    """

    samples: tuple[str, ...]
    events: tuple[str, ...]
    pairs: IntArray
    confidence: FloatArray
    nested: FloatArray
    source: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "samples", distinct_names("sample", self.samples, DatasetError))
        object.__setattr__(self, "events", distinct_names("event", self.events, DatasetError))
        pairs = np.asarray(self.pairs, dtype=np.int64).reshape(-1, 3)
        sizes = (len(self.samples), len(self.events), len(self.events))
        if ((pairs < 0) | (pairs >= sizes)).any():
            raise DatasetError("pairs must be positions of samples and events")
        confidence = self._checked("confidence", self.confidence, pairs)
        nested = self._checked("nested", self.nested, pairs)
        same = pairs[:, _EARLIER] == pairs[:, _LATER]
        if same.any():
            sample, event, _ = pairs[same.argmax()]
            problem = f"event {self.events[event]!r} cannot come before itself"
            raise DatasetError(f"sample {self.samples[sample]!r}: {problem}")
        for name, array in zip(
            ("pairs", "confidence", "nested"),
            self._in_order(pairs, confidence, nested),
            strict=True,
        ):
            object.__setattr__(self, name, sealed(array))

    def __repr__(self) -> str:
        pairs = f"{number_of(len(self.pairs), 'pair')} of events"
        return f"<SeenOrders: {pairs} in {number_of(self.ordered_samples().size, 'sample')}>"

    def __len__(self) -> int:
        return len(self.pairs)

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[Any]], *, source: str = "") -> Self:
        """Return orders from rows: sample, earlier event, later event, confidence, nested.

        The last two may be left out; they are then 1.
        """
        seen = [Seen(str(row[0]), str(row[1]), str(row[2]), *map(float, row[3:])) for row in rows]
        samples = {name: k for k, name in enumerate(dict.fromkeys(each.sample for each in seen))}
        named = dict.fromkeys(name for each in seen for name in (each.earlier, each.later))
        events = {name: k for k, name in enumerate(named)}
        places = [(samples[one.sample], events[one.earlier], events[one.later]) for one in seen]
        return cls(
            tuple(samples),
            tuple(events),
            np.array(places, dtype=np.int64).reshape(-1, 3),
            np.array([each.confidence for each in seen]),
            np.array([each.nested for each in seen]),
            source,
        )

    def rows(self) -> list[Seen]:
        """Return the orders by name, samples in their order."""
        return [
            Seen(self.samples[sample], self.events[earlier], self.events[later], sure, nested)
            for (sample, earlier, later), sure, nested in zip(
                self.pairs.tolist(), self.confidence.tolist(), self.nested.tolist(), strict=True
            )
        ]

    def ordered_samples(self) -> IntArray:
        """Return the positions of the samples that have an order."""
        return np.unique(self.pairs[:, _SAMPLE])

    def firm(self) -> BoolArray:
        """Return which pairs have a confidence of at least 0.9."""
        return np.asarray(self.confidence >= FIRM)

    def tally(self) -> FloatArray:
        """Return in how many samples i was seen before j, for every pair i, j: confidences summed.

        Examples
        --------
        >>> SeenOrders.from_rows([("p", "a", "b", 0.8), ("q", "a", "b")]).tally()
        array([[0. , 1.8],
               [0.2, 0. ]])
        """
        found = np.zeros((len(self.events),) * 2)
        _, earlier, later = self.pairs.T
        np.add.at(found, (earlier, later), self.confidence)
        np.add.at(found, (later, earlier), 1 - self.confidence)
        return found

    def by_sample(self) -> IntArray:
        """Return where the pairs of each sample start, and at last how many pairs there are."""
        return np.searchsorted(self.pairs[:, _SAMPLE], np.arange(len(self.samples) + 1))

    def mixed(self) -> Self:
        """Return the orders with a confidence that counts clones beside each other as open.

        Where cells with the later event need not be among those with the earlier one, their order
        is as good as unknown: the confidence moves towards 1/2.
        """
        confidence = self.nested * self.confidence + (1 - self.nested) / 2
        return replace(self, confidence=confidence)

    def within(self, samples: Sequence[str], events: Sequence[str]) -> Self:
        """Return the orders of these samples and events, without those of others."""
        rows = {name: k for k, name in enumerate(samples)}
        columns = {name: k for k, name in enumerate(events)}
        row_of = np.array([rows.get(name, -1) for name in self.samples], dtype=np.int64)
        column_of = np.array([columns.get(name, -1) for name in self.events], dtype=np.int64)
        pairs = self._mapped(row_of, column_of)
        kept = (pairs >= 0).all(axis=1)
        return self._with(samples, events, pairs[kept], kept)

    def take_samples(self, positions: IntArray, names: Sequence[str]) -> Self:
        """Return the orders of the samples at these positions, which may repeat, by new names."""
        starts = self.by_sample()
        sizes = starts[positions + 1] - starts[positions]
        first = np.repeat(starts[positions] - np.concatenate([[0], sizes.cumsum()[:-1]]), sizes)
        chosen = (first + np.arange(len(first))).astype(np.int64)
        pairs = self.pairs[chosen].copy()
        pairs[:, _SAMPLE] = np.repeat(np.arange(len(positions)), sizes)
        return self._with(names, self.events, pairs, chosen)

    def renamed(
        self, events: Sequence[str], name_of: Mapping[str, str], present: BoolArray
    ) -> Self:
        """Return the orders after events were merged into composites.

        A composite comes when the first of its members does. It is before another event if one of
        its members is before all members of the other that the sample has; the confidence is that
        of the weakest order needed.

        Parameters
        ----------
        events
            The events after merging.
        name_of
            The composite of each member.
        present
            Samples x events before merging: what each sample has.
        """
        place = {name: k for k, name in enumerate(events)}
        target = [place.get(name_of.get(event, event), -1) for event in self.events]
        column_of = np.array(target, dtype=np.int64)
        merged = np.isin(self.events, list(name_of)) & (column_of >= 0)
        touched = merged[self.pairs[:, 1:]].any(axis=1)
        pairs = self._mapped(np.arange(len(self.samples)), column_of)
        plain = ~touched & (pairs >= 0).all(axis=1)
        joined = list(_of_composites(self, np.flatnonzero(touched), column_of, present))
        more = np.array([each[:3] for each in joined], dtype=np.int64).reshape(-1, 3)
        numbers = np.array([each[3:] for each in joined], dtype=np.float64).reshape(-1, 2)
        return type(self)(
            self.samples,
            tuple(events),
            np.concatenate([pairs[plain], more]),
            np.concatenate([self.confidence[plain], numbers[:, 0]]),
            np.concatenate([self.nested[plain], numbers[:, 1]]),
            self.source,
        )

    def joined(self, other: "SeenOrders") -> Self:
        """Return these orders and others of the same samples and events."""
        same = other.within(self.samples, self.events)
        sources = dict.fromkeys(each for each in (self.source, other.source) if each)
        return type(self)(
            self.samples,
            self.events,
            np.concatenate([self.pairs, same.pairs]),
            np.concatenate([self.confidence, same.confidence]),
            np.concatenate([self.nested, same.nested]),
            "; ".join(sources),
        )

    def attached(
        self, samples: tuple[str, ...], events: tuple[str, ...], present: BoolArray
    ) -> "SeenOrders | None":
        """Return the orders of a table: refuse names it lacks, leave out events that are absent."""
        for kind, own, known in (
            ("sample", self.samples, samples),
            ("event", self.events, events),
        ):
            if own != known and (lacking := set(own) - set(known)):
                name = next(each for each in own if each in lacking)
                meant = nearest(name, known)
                similar = "" if meant is None else f"; did you mean {meant!r}?"
                raise DatasetError(f"orders of {kind} {name!r}, which the data lacks{similar}")
        found = (
            self
            if (self.samples, self.events) == (samples, events)
            else self.within(samples, events)
        )
        sample, earlier, later = found.pairs.T
        carried = present[sample, earlier] & present[sample, later]
        if not carried.any():
            return None
        return (
            found if carried.all() else found._with(samples, events, found.pairs[carried], carried)
        )

    def _mapped(self, row_of: IntArray, column_of: IntArray) -> IntArray:
        sample, earlier, later = self.pairs.T
        return np.column_stack([row_of[sample], column_of[earlier], column_of[later]])

    def _with(
        self, samples: Sequence[str], events: Sequence[str], pairs: IntArray, chosen: Any
    ) -> Self:
        confidence, nested = self.confidence[chosen], self.nested[chosen]
        return type(self)(tuple(samples), tuple(events), pairs, confidence, nested, self.source)

    def _checked(self, name: str, given: Any, pairs: IntArray) -> FloatArray:
        """Return a probability for each pair."""
        numbers = np.asarray(given, dtype=np.float64)
        if numbers.shape not in ((), (len(pairs),)):
            raise DatasetError(f"{name} must be one per pair, {len(pairs)}, got {numbers.shape}")
        numbers = np.broadcast_to(numbers, (len(pairs),))
        wrong = ~((numbers >= 0) & (numbers <= 1))
        if wrong.any():
            at = int(wrong.argmax())
            rule = f"{name} must be in [0, 1], got {numbers[at]:g}"
            raise DatasetError(f"{self._pair(pairs[at])}: {rule}")
        return numbers

    def _pair(self, pair: IntArray) -> str:
        sample, earlier, later = pair.tolist()
        events = f"{self.events[earlier]!r} before {self.events[later]!r}"
        return f"sample {self.samples[sample]!r}, {events}"

    def _in_order(
        self, pairs: IntArray, confidence: FloatArray, nested: FloatArray
    ) -> tuple[IntArray, FloatArray, FloatArray]:
        """Return each pair once, the earlier event first, with what follows from certain ones."""
        rank = np.argsort(by_name(self.events))
        _, earlier, later = pairs.T
        turned = (confidence < 0.5) | ((confidence == 0.5) & (rank[earlier] > rank[later]))
        pairs = np.where(turned[:, None], pairs[:, [_SAMPLE, _LATER, _EARLIER]], pairs)
        confidence = np.where(turned, 1 - confidence, confidence)
        self._refuse_contradictions(pairs, confidence)
        certain = confidence == 1
        following, of_following = _closure(pairs[certain], nested[certain], len(self.events))
        pairs = np.concatenate([following, pairs[~certain]])
        confidence = np.concatenate([np.ones(len(following)), confidence[~certain]])
        nested = np.concatenate([of_following, nested[~certain]])
        n = len(self.events)
        low, high = pairs[:, 1:].min(axis=1, initial=n), pairs[:, 1:].max(axis=1, initial=0)
        _, first = np.unique((pairs[:, 0] * n + low) * n + high, return_index=True)
        pairs, confidence, nested = pairs[first], confidence[first], nested[first]
        order = np.lexsort([rank[pairs[:, _LATER]], rank[pairs[:, _EARLIER]], pairs[:, _SAMPLE]])
        return pairs[order], confidence[order], nested[order]

    def _refuse_contradictions(self, pairs: IntArray, confidence: FloatArray) -> None:
        n = len(self.events)
        firm = _in_loops(pairs[confidence >= FIRM])
        reached, _ = _closure(firm, np.ones(len(firm)), n)
        loops = reached[:, _EARLIER] == reached[:, _LATER]
        if loops.any():
            sample = reached[loops.argmax(), _SAMPLE]
            among = reached[loops & (reached[:, _SAMPLE] == sample), _EARLIER]
            names = ", ".join(repr(self.events[event]) for event in among)
            problem = "its orders contradict each other: each comes before the others"
            raise DatasetError(f"sample {self.samples[sample]!r}: {problem}, {names}")
        low, high = pairs[:, 1:].min(axis=1, initial=n), pairs[:, 1:].max(axis=1, initial=0)
        forwards = np.where(pairs[:, _EARLIER] == low, confidence, 1 - confidence)
        code = (pairs[:, _SAMPLE] * n + low) * n + high
        order = np.argsort(code, kind="stable")
        twice = (np.diff(code[order]) == 0) & (np.diff(forwards[order]) != 0)
        twice &= (confidence[order][1:] < 1) & (confidence[order][:-1] < 1)
        if twice.any():
            at = order[int(twice.argmax()) + 1]
            names = " and ".join(repr(self.events[event]) for event in sorted(pairs[at, 1:]))
            problem = f"the order of {names} is given twice, with different confidences"
            raise DatasetError(f"sample {self.samples[pairs[at, _SAMPLE]]!r}: {problem}")


def _in_loops(pairs: IntArray) -> IntArray:
    """Return the pairs that are left when first and last events are removed, again and again.

    These are the pairs of one sample that are in a loop, or between two loops; none without loops.
    """
    ends = pairs[:, [_SAMPLE, _SAMPLE]] * (pairs[:, 1:].max(initial=0) + 1) + pairs[:, 1:]
    names, numbers = np.unique(ends, return_inverse=True)
    earlier, later = numbers.reshape(-1, 2).T
    kept = np.arange(len(pairs))
    while kept.size:
        starts, stops = np.zeros((2, len(names)), dtype=bool)
        starts[earlier[kept]] = True
        stops[later[kept]] = True
        inner = stops[earlier[kept]] & starts[later[kept]]
        if inner.all():
            break
        kept = kept[inner]
    of_first = pairs[kept, _SAMPLE] == pairs[kept, _SAMPLE].min(initial=len(pairs))
    return np.asarray(pairs[kept[of_first]])


def _closure(pairs: IntArray, nested: FloatArray, events: int) -> tuple[IntArray, FloatArray]:
    """Return the pairs and all that follow from them, each once.

    What follows from two nested pairs is as surely nested as the less sure of them.
    """
    while True:
        sample, earlier, later = pairs.T
        starts = sample * events + earlier
        order = np.argsort(starts, kind="stable")
        ends = sample * events + later
        first = np.searchsorted(starts[order], ends, "left")
        sizes = np.searchsorted(starts[order], ends, "right") - first
        if _PER_STEP * sizes.sum() > budget():
            raise DatasetError(f"what follows from {len(pairs):,} certain orders: {exceeded()}")
        left = np.repeat(np.arange(len(pairs)), sizes)
        offset = np.arange(len(left)) - np.repeat(sizes.cumsum() - sizes, sizes)
        right = order[np.repeat(first, sizes) + offset]
        following = np.column_stack([sample[left], earlier[left], later[right]])
        found = np.concatenate([pairs, following])
        sure = np.concatenate([nested, np.minimum(nested[left], nested[right])])
        code = (found[:, 0] * events + found[:, 1]) * events + found[:, 2]
        _, once = np.unique(code, return_index=True)
        if len(once) == len(pairs):
            return found[once], sure[once]
        pairs, nested = found[once], sure[once]


def _of_composites(
    orders: SeenOrders, touched: IntArray, column_of: IntArray, present: BoolArray
) -> Iterator[tuple[float, ...]]:
    """Yield the orders of composites with other events: sample, earlier, later, two numbers."""
    seen: dict[tuple[int, int, int], tuple[float, float]] = {}
    for at in touched.tolist():
        sample, earlier, later = orders.pairs[at].tolist()
        sure, nested = float(orders.confidence[at]), float(orders.nested[at])
        seen[sample, earlier, later] = sure, nested
        seen[sample, later, earlier] = 1 - sure, nested
    wanted = dict.fromkeys(
        (sample, int(column_of[one]), int(column_of[other])) for sample, one, other in seen
    )
    found: dict[tuple[int, int, int], tuple[float, float]] = {}
    for sample, one, other in wanted:
        if one < 0 or other < 0 or one == other:
            continue
        of_one, of_other = (
            np.flatnonzero(present[sample] & (column_of == which)).tolist()
            for which in (one, other)
        )
        ways = [
            min((seen.get((sample, a, b), (0.0, 0.0)) for b in of_other), default=(0.0, 0.0))
            for a in of_one
        ]
        found[sample, one, other] = max(ways, default=(0.0, 0.0))
    for (sample, one, other), (sure, nested) in found.items():
        if sure >= 0.5 and sure >= found[sample, other, one][0] and (sure > 0.5 or one < other):
            yield sample, one, other, sure, nested
