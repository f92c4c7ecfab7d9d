"""Dataset: the observed 0/1 table."""

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, frozen, sealed
from caprese._core.checks import MOST, instance, listed
from caprese._core.names import by_name, distinct_names, event_names, numbered, transposed
from caprese._core.words import number_of
from caprese.data.columns import UNKNOWN_CODE, codes_of_column, is_missing
from caprese.data.grouping import distinct_rows, row_blocks
from caprese.data.patients import Patients
from caprese.data.seen_orders import SeenOrders
from caprese.errors import DatasetError, ParameterError

if TYPE_CHECKING:
    import pandas as pd
    from anndata import AnnData

UNKNOWN = "?"


@dataclass(frozen=True, eq=False, repr=False)
class Dataset(ArrayValue):
    """Which samples carry which events: a read-only 0/1 matrix with names.

    Entries that were not observed (a gene the panel does not cover) are *unknown*, which is not
    the same as absent.

    Parameters
    ----------
    values
        Samples x events; True where the event is present. Unknown entries hold False.
    events
        One distinct, non-empty name per column. Any text will do: ``8q+``, ``TP53 (R175H)``.
    samples
        One distinct, non-empty name per row; by default numbered from 1.
    known
        Samples x events; False where the entry was not observed. None if all entries are known.
    orders
        In which order events of a sample were seen to come, where that is known; what they say of
        absent events is left out. None if nothing is known.
    patients
        Which samples are of one patient, and when each was taken. None if nothing is known: then
        each sample counts as a patient.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 0], [1, None]], events=["8q+", "Xp-"])
    >>> data
    <Dataset: 2 samples x 2 events, 1 entry unknown>
    >>> data.take_events(["Xp-"]).events
    ('Xp-',)
    """

    values: BoolArray
    events: tuple[str, ...]
    samples: tuple[str, ...] = ()
    known: BoolArray | None = None
    orders: SeenOrders | None = None
    patients: Patients | None = None

    def __post_init__(self) -> None:
        values = _zero_one(self.values)
        known = None if self.known is None else _zero_one(self.known)
        if values.ndim != 2:
            raise DatasetError(f"values must be samples x events, got {values.ndim} dimension(s)")
        if 0 in values.shape:
            rows, columns = values.shape
            rule = "a data set needs at least one sample and one event"
            raise DatasetError(f"{rule}, got {rows} x {columns}")
        if known is not None:
            if known.shape != values.shape:
                rule = f"known must have the shape of values, {values.shape}"
                raise DatasetError(f"{rule}, got {known.shape}")
            known = None if known.all() else known
            if known is not None and not _within(values, known):
                values = sealed(values & known)
        events = listed("events", self.events)
        samples = listed("samples", self.samples) or tuple(range(1, len(values) + 1))
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "known", known)
        for kind, names, expected in (
            ("event", events, values.shape[1]),
            ("sample", samples, values.shape[0]),
        ):
            if len(names) != expected:
                raise DatasetError(f"expected {expected} {kind} names, got {len(names)}")
            object.__setattr__(self, f"{kind}s", distinct_names(kind, names, DatasetError))
        if self.orders is not None:
            instance("orders", self.orders, SeenOrders, "seen orders")
            orders = self.orders.attached(self.samples, self.events, values)
            object.__setattr__(self, "orders", orders)
        if self.patients is not None:
            instance("patients", self.patients, Patients, "the patients of the samples")
            if (number := len(self.patients.names)) != len(values):
                rule = f"patients must be one per sample, {len(values)}"
                raise DatasetError(f"{rule}, got {number}")

    def __repr__(self) -> str:
        unknown = 0 if self.known is None else int(self.known.size - self.known.sum())
        remark = f", {unknown} {'entry' if unknown == 1 else 'entries'} unknown" if unknown else ""
        if self.orders is not None:
            remark += f", {number_of(len(self.orders), 'seen order')}"
        if self.patients is not None and self.patients.several:
            remark += f", of {number_of(self.patients.number, 'patient')}"
        rows, columns = self.values.shape
        return f"<Dataset: {number_of(rows, 'sample')} x {number_of(columns, 'event')}{remark}>"

    @classmethod
    def from_rows(
        cls,
        rows: ArrayLike | Iterable[Sequence[Any]],
        events: Sequence[str],
        samples: Sequence[str] = (),
    ) -> Self:
        """Return a data set from rows of 0, 1, True and False; None and NaN are unknown.

        Examples
        --------
        >>> Dataset.from_rows([[1, 0, 1], [0, 0, 1]], events="abc").values.sum(axis=0)
        array([1, 0, 2])
        """
        table, names = _table(rows), (listed("events", events), listed("samples", samples))
        if table.dtype.kind not in "Of":
            return cls(table, *names)
        missing = np.isnan if table.dtype.kind == "f" else np.frompyfunc(is_missing, 1, 1)
        known = ~missing(table).astype(bool)
        return cls(np.where(known, table, 0), *names, known)

    @classmethod
    def from_genotypes(cls, genotypes: Mapping[str, int], events: Sequence[str]) -> Self:
        """Return a data set from the number of samples with each genotype; ``?`` is unknown.

        Examples
        --------
        >>> Dataset.from_genotypes({"10": 3, "1?": 1}, events=["TP53", "KRAS"])
        <Dataset: 4 samples x 2 events, 1 entry unknown>
        """
        events = listed("events", events)
        instance("genotypes", genotypes, Mapping, "a mapping of genotypes to numbers")
        for genotype, times in genotypes.items():
            name = f"genotype {genotype!r}"
            if len(genotype) != len(events) or set(genotype) - {"0", "1", UNKNOWN}:
                rule = f"{len(events)} characters of 0, 1 and {UNKNOWN}"
                raise DatasetError(f"{name} must be {rule}")
            if not (isinstance(times, Real) and 0 <= times <= MOST and times == int(times)):
                raise DatasetError(f"{name} must be seen 0 or more times, got {times}")
        entries = np.array([list(genotype) for genotype in genotypes]).reshape(-1, len(events))
        entries = entries.repeat([int(times) for times in genotypes.values()], axis=0)
        return cls(entries == "1", events, (), entries != UNKNOWN)

    @classmethod
    def of(cls, data: Any) -> "Dataset":
        """Return a data set from any supported table; what `fit` of every method does first.

        Parameters
        ----------
        data
            A data set, which is returned as it is; a frame, as `from_frame` takes it; or an array
            or list of rows, as `from_rows` takes it, whose events are named e1, e2, ...

        Examples
        --------
        >>> Dataset.of(np.array([[1, 0], [1, 1]])).events
        ('e1', 'e2')
        """
        if isinstance(data, Dataset):
            return data
        if isinstance(data, np.ndarray | list | tuple):
            rows = _table(data)
            return cls.from_rows(rows, event_names(rows.shape[1] if rows.ndim == 2 else 0))
        return cls.from_frame(data)

    def to_frame(self) -> "pd.DataFrame":
        """Return a pandas frame of 0, 1 and <NA>, with a row per sample and a column per event.

        Examples
        --------
        >>> Dataset.from_rows([[1, None]], events="ab").to_frame()
           a     b
        1  1  <NA>
        """
        import pandas as pd

        columns = {
            event: pd.arrays.IntegerArray(values.astype(np.int8), ~known)
            for event, values, known in zip(
                self.events, self.values.T, self.known_mask.T, strict=True
            )
        }
        return pd.DataFrame(columns, index=list(self.samples))

    @classmethod
    def from_frame(cls, frame: Any, samples: str | None = None) -> Self:
        """Return a data set from a pandas, polars or pyarrow frame of samples x events.

        Parameters
        ----------
        frame
            Columns hold booleans, 0 and 1, or text as in a table, such as yes and no; nulls and NaN
            are unknown.
        samples
            The column of sample names. By default the index of a pandas frame, unless that only
            numbers the rows.

        Examples
        --------
        >>> import pandas
        >>> frame = pandas.DataFrame({"8q+": [1, 0], "Xp-": [True, None]}, index=["p", "q"])
        >>> Dataset.from_frame(frame)
        <Dataset: 2 samples x 2 events, 1 entry unknown>
        """
        import narwhals as nw

        try:
            table = nw.from_native(frame, eager_only=True)
        except nw.exceptions.DuplicateError:
            columns = getattr(frame, "column_names", None) or frame.columns  # pyarrow, others
            distinct_names("event", columns, DatasetError)
            raise
        except TypeError:
            given = isinstance(frame, str | PathLike)
            hint = f"; a file is read by read_dataset({os.fspath(frame)!r})" if given else ""
            raise DatasetError(
                "data must be a Dataset, rows of 0 and 1, or a pandas, polars or pyarrow frame, "
                f"got {type(frame).__name__}{hint}"
            ) from None
        if samples is None:
            index = nw.maybe_get_index(table)
            names = () if index is None or type(index).__name__ == "RangeIndex" else index
        elif samples in table.columns:
            names, table = table[samples].to_list(), table.drop(samples)
        else:
            raise DatasetError(f"the frame has no column {samples!r} of sample names")
        title, across = (getattr(each, "name", None) for each in (names, frame.columns))
        if why := transposed(title, across, table.columns, list(names)):
            raise DatasetError(f"the frame looks transposed: {why}; expected one row per sample")
        codes = np.empty(table.shape, dtype=np.uint8)
        for position, name in enumerate(table.columns):
            codes[:, position] = codes_of_column(name, table[:, position])
        events, names = tuple(map(str, table.columns)), tuple(map(str, names))
        return cls(sealed(codes == 1), events, names, sealed(codes != UNKNOWN_CODE))

    @classmethod
    def from_anndata(cls, table: "AnnData", layer: str | None = None) -> "Dataset":
        """Return a data set from an AnnData of samples (obs) x events (var).

        Entries are 0 and 1, dense or sparse; those that are NaN, or False in a layer ``known``, are
        unknown. Columns ``patient``, ``time``, ``site`` and ``primary`` of obs are taken as
        `Patients` has them, if there is a patient.

        Parameters
        ----------
        table
            The AnnData; one of a file is read as it is.
        layer
            The layer that holds the entries; by default X.

        Examples
        --------
        With the extra ``anndata``, ``Dataset.from_anndata(anndata.read_h5ad("cells.h5ad"))``; what
        `to_anndata` returns gives the same data set, but for seen orders.
        """
        from caprese.data.annotated import from_anndata

        found: Dataset = from_anndata(cls, table, layer)
        return found

    def to_anndata(self) -> "AnnData":
        """Return an AnnData of 0 and 1, which needs the extra ``anndata``.

        Samples are obs and events are var. Unknown entries are 0 in X and False in the layer
        ``known``, which is there only if some are. What is known of patients is in columns of obs;
        seen orders are left out.

        Examples
        --------
        ``caprese.datasets.acml().to_anndata().write_h5ad("acml.h5ad")``
        """
        from caprese.data.annotated import to_anndata

        return to_anndata(self)

    def take_samples(self, indices: ArrayLike) -> Self:
        """Return the samples at these positions; repeated names are numbered (``p``, ``p.2``).

        Examples
        --------
        >>> Dataset.from_rows([[1], [0]], events=["a"]).take_samples([1, 1]).samples
        ('2', '2.2')
        """
        chosen = np.asarray(indices)
        chosen = chosen if chosen.size else chosen.astype(np.int64)
        if chosen.ndim != 1 or chosen.dtype.kind not in "iub":
            raise ParameterError("indices", "positions of samples", indices)
        names = numbered(np.array(self.samples, dtype=object)[chosen])
        taken = self._rows(chosen, names)
        if self.orders is None and self.patients is None:
            return taken
        positions = np.arange(len(self.samples))[chosen]
        orders = None if self.orders is None else self.orders.take_samples(positions, names)
        patients = None if self.patients is None else self.patients.take(positions)
        return replace(taken, orders=orders, patients=patients)

    def take_events(self, names: Sequence[str]) -> Self:
        """Return the data of these events, in this order."""
        place = {event: column for column, event in enumerate(self.events)}
        for unknown in (name for name in listed("names", names) if name not in place):
            raise DatasetError(f"there is no event {unknown!r}")
        columns = [place[name] for name in names]
        known = None if self.known is None else self.known[:, columns]
        orders = None if self.orders is None else self.orders.within(self.samples, names)
        taken = type(self)(self.values[:, columns], tuple(names), self.samples, known, orders)
        return taken if self.patients is None else replace(taken, patients=self.patients)

    def with_orders(self, orders: SeenOrders, *, extra: bool = False) -> Self:
        """Return the data with seen orders of events.

        Parameters
        ----------
        orders
            They replace those that are there.
        extra
            Whether they may speak of samples and events that the data lacks, which are left out.

        Examples
        --------
        >>> data = Dataset.from_rows([[1, 1], [1, 0]], events=["TP53", "KRAS"], samples="pq")
        >>> data.with_orders(SeenOrders.from_rows([("p", "TP53", "KRAS")]))
        <Dataset: 2 samples x 2 events, 1 seen order>
        """
        instance("orders", orders, SeenOrders, "seen orders")
        found = orders.within(self.samples, self.events) if extra else orders
        return replace(self, orders=found)

    def without_orders(self) -> Self:
        """Return the data without seen orders."""
        return self if self.orders is None else replace(self, orders=None)

    def with_patients(self, patients: Patients | Mapping[str, str] | None) -> Self:
        """Return the data with the patients of its samples.

        Parameters
        ----------
        patients
            Of all samples; or the patient of some by the name of the sample, the others are then of
            patients of their own; None if nothing is known.

        Examples
        --------
        >>> data = Dataset.from_rows([[1], [0], [1]], events=["a"], samples=["p1", "p2", "q"])
        >>> data.with_patients({"p1": "p", "p2": "p"})
        <Dataset: 3 samples x 1 event, of 2 patients>
        """
        if isinstance(patients, Mapping):
            patients = Patients(tuple(patients.get(name, "") for name in self.samples))
        return replace(self, patients=patients)

    def genotypes(self) -> tuple[Self, IntArray]:
        """Return the distinct genotypes, and the number of samples with each.

        Their order depends on the names of the events only, not on the order of rows or columns.

        Examples
        --------
        >>> data = Dataset.from_rows([[1, 0], [0, 0], [1, 0]], events="ab")
        >>> distinct, times = data.genotypes()
        >>> distinct.samples, times
        (('00', '10'), array([1, 2]))
        """
        first, which = self._kinds
        characters = np.frombuffer(bytes(f"01{UNKNOWN}", "ascii"), dtype=np.uint8)
        names = [str(row.tobytes(), "ascii") for row in characters[self.codes()[first]]]
        return self._rows(first, names), np.bincount(which).astype(np.int64)

    def distinct(self) -> tuple[Self, IntArray]:
        """Return the first sample with each genotype, and which of them each sample is like.

        Their order depends on the names of the events only, as that of `genotypes`.

        Examples
        --------
        >>> data = Dataset.from_rows([[1, 0], [0, 0], [1, 0]], events="ab", samples="pqr")
        >>> distinct, which = data.distinct()
        >>> distinct.samples, which
        (('q', 'p'), array([1, 0, 1]))
        """
        first, which = self._kinds
        return self.take_samples(first), which

    @property
    def sample_order(self) -> IntArray:
        """Positions of the samples, by genotype as `genotypes` sorts them, then by name.

        What is drawn for a sample is drawn in this order, so that the order of rows and columns
        does not matter.
        """
        named = by_name(self.samples)
        return named[np.argsort(self._kinds[1][named], kind="stable")]

    @property
    def known_mask(self) -> BoolArray:
        """Which entries are known, for complete data too."""
        return np.ones_like(self.values) if self.known is None else self.known

    def tallies(self) -> tuple[IntArray, IntArray]:
        """Return the number of samples with each event, and in which it is known."""
        complete = np.full(len(self.events), len(self.samples))
        known = complete if self.known is None else self.known.sum(axis=0)
        return self.values.sum(axis=0), known

    @property
    def frequency(self) -> FloatArray:
        """Proportion of samples with each event, of those in which it is known; 0 if in none.

        A single division, correctly rounded: equal frequencies are equal, and 7 of 100 is 0.07.
        """
        present, known = self.tallies()
        return np.asarray(present / np.maximum(known, 1))

    def codes(self) -> NDArray[np.uint8]:
        """Return the entries as numbers: 0 absent, 1 present, 2 unknown."""
        codes = self.values.astype(np.uint8)
        if self.known is not None:
            codes[~self.known] = UNKNOWN_CODE
        return codes

    @cached_property
    def digest(self) -> str:
        """Fingerprint of all but names of samples, however rows and columns are sorted."""
        order = by_name(self.events)
        first, which = self._kinds
        names = bytes(repr(sorted(self.events)), "utf-8", "surrogatepass")
        content = hashlib.sha256(names)
        for table in (self.values, self.known):
            for block in row_blocks(len(first)):
                content.update(_bits(table, first[block], order))
        content.update(np.bincount(which).astype(np.int64).tobytes())
        if self.orders is not None:
            content.update(self._content_of_orders(self.orders))
        if self.patients is not None:
            content.update(bytes(self.patients.content(which), "utf-8", "surrogatepass"))
        return content.hexdigest()

    @cached_property
    def _kinds(self) -> tuple[IntArray, IntArray]:
        """The first sample with each genotype, and which of these each sample is like."""
        return distinct_rows(self.values, self.known, by_name(self.events))

    def _content_of_orders(self, orders: SeenOrders) -> bytes:
        """Return the orders of each sample that has any, whatever its name."""
        lines: dict[int, list[tuple[str | float, ...]]] = {}
        for (sample, *_), seen in zip(orders.pairs.tolist(), orders.rows(), strict=True):
            lines.setdefault(sample, []).append(seen[1:])
        kinds = self._kinds[1]
        content = sorted((int(kinds[sample]), own) for sample, own in lines.items())
        return bytes(repr(content), "utf-8", "surrogatepass")

    def _rows(self, rows: IntArray, names: Sequence[str]) -> Self:
        known = None if self.known is None else self.known[rows]
        return type(self)(self.values[rows], self.events, tuple(names), known)


def _bits(table: BoolArray | None, rows: IntArray, columns: IntArray) -> bytes:
    """Return these rows as bits, their columns in this order; all of them set without a table."""
    if table is None:
        return np.packbits(np.ones(len(rows) * len(columns), dtype=bool)).tobytes()
    return np.packbits(table[rows].take(columns, axis=1)).tobytes()


def _within(values: BoolArray, known: BoolArray) -> bool:
    """Whether only known entries are present."""
    blocks = row_blocks(len(values))
    return all(bool((values[block] <= known[block]).all()) for block in blocks)


def _zero_one(table: ArrayLike) -> BoolArray:
    array = np.asarray(table)
    if array.dtype != bool:
        wrong = np.asarray((array != 0) & (array != 1), dtype=bool)
        if wrong.any():
            place = tuple(int(i) for i in np.argwhere(wrong)[0])
            raise DatasetError(f"entries must be 0 or 1, got {array[place]!r} at {place}")
        array = array.astype(bool)
    return frozen(array)


def _table(rows: Any) -> Any:
    """Return rows as an array with two dimensions, of objects unless it is an array already."""
    if isinstance(rows, np.ndarray):
        return rows
    try:
        listed = [list(row) for row in rows]
    except TypeError:
        raise DatasetError("rows must be a sequence of rows, each a sequence of entries") from None
    widths = {len(row) for row in listed}
    if len(widths) > 1:
        width = len(listed[0])
        line, row = next((k, row) for k, row in enumerate(listed, 1) if len(row) != width)
        raise DatasetError(f"row {line} has {len(row)} entries, row 1 has {width}")
    table = np.empty((len(listed), widths.pop() if widths else 0), dtype=object)
    for position, row in enumerate(listed):
        table[position] = row
    return table
