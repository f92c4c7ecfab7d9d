"""The patients: where each sample stands, and what tends to come next."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from caprese._core.arrays import BoolArray
from caprese._core.words import number_of, percent, visible
from caprese.io.data.annotations import Annotation
from caprese.methods.fit import Fit, OrderedFit
from caprese.patients.clinical import Clinical
from caprese.patients.groups import Associations, as_seen, associations
from caprese.patients.place import UNUSUAL, Placement
from caprese.patients.survival import Survival
from caprese.plots.progression.crowds import MOST_DOTS
from caprese.plots.progression.drawing import patients_figure
from caprese.plots.survival import survival_figure
from caprese.report.content import (
    Block,
    Card,
    Column,
    Notice,
    Paragraph,
    Picture,
    Section,
    Table,
    columns,
    section,
)
from caprese.report.sections.cards import card
from caprese.text.clinical import (
    ASSOCIATION_TITLES,
    SURVIVAL_TITLES,
    association_row,
    comparison_notes,
    log_rank_text,
    survival_row,
    tests_made,
)
from caprese.text.facts import Names, in_words, names_of
from caprese.text.patients import mismatch_sentences, placement_sentences
from caprese.text.sentences import (
    NOTHING,
    SHORT,
    Cell,
    Event,
    Number,
    Sentence,
    as_sentence,
    count,
    joined,
    listed,
    phrase,
    share,
)

_MOST_ROWS = 500
_MOST_CATEGORIES = 12
_MOST_TESTS = 15


@dataclass(frozen=True)
class Patients:
    """What the page says of samples rests on this."""

    placement: Placement
    fit: Fit[Any, Any]
    annotation: Annotation | None = None
    tests: Associations | None = None  # against the columns of a clinical table
    curves: Survival | None = None

    @cached_property
    def event(self) -> Names:
        """How an event is shown."""
        return names_of(self.placement.events)

    @cached_property
    def sample(self) -> Names:
        """How a sample is shown."""
        return names_of(self.placement.samples)

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The samples in the table: all of them, or of many the least typical ones."""
        if len(self.placement.samples) <= _MOST_ROWS:
            return tuple(range(len(self.placement.samples)))
        first = np.argsort(self.placement.typicality, kind="stable")[:_MOST_ROWS]
        return tuple(first.tolist())

    def category(self, row: int) -> Sentence:
        """Return the category of a sample as it is shown; nothing if it has none."""
        given = {} if self.annotation is None else self.annotation.categories
        name = given.get(self.placement.samples[row])
        return ("",) if name is None else (Event(visible(name, SHORT)),)

    @property
    def title(self) -> str:
        """The title of the annotation as it is shown."""
        return "" if self.annotation is None else visible(self.annotation.title, SHORT)

    def named(self, row: BoolArray) -> Sentence:
        """Return the names of the chosen events."""
        names = self.placement.events
        return listed([self.event(names[k]) for k in np.flatnonzero(row)]) or ("",)


@section("patients", "The patients")
def patients_section(
    found: Patients, opened: Sequence[int] = (), *, with_cards: bool = True
) -> Iterator[Block]:
    """Return where samples stand; opened rows have a card, which may be somewhere else."""
    placed = found.placement
    yield Paragraph(joined(placement_sentences(placed, found.event, found.sample)))
    yield from map(Notice, mismatch_sentences(placed, found.event))
    if isinstance(found.fit, OrderedFit):
        yield _picture(found)
    if found.annotation is not None:
        blocks = (_categories(found, found.annotation), _associations(found, found.annotation))
        yield Section("groups", f"By {found.title}", blocks)
    if found.tests is not None:
        yield _clinical(found, found.tests)
    if found.curves is not None:
        yield _survival(found.curves)
    cards = [_card(found, row) for row in opened if with_cards]
    every: tuple[Block, ...] = (Paragraph(_reading(found)), _table(found, opened), *cards)
    yield Section("samples", "Every sample", every)


def _card(found: Patients, row: int) -> Card:
    about = ((phrase(found.title), found.category(row)),) if found.annotation else ()
    name = found.sample(found.placement.samples[row])
    return Card(_key(row), ("Sample ", name), card(found.placement, row, about))


def _picture(found: Patients) -> Picture:
    samples = number_of(len(found.placement.samples), "sample")
    caption = phrase(
        "Each [sample] is counted once, at the deepest [event] of its [most probable genotype]: "
        "the one with the most events before it, of equally deep ones the rarest. Those that are "
        "not filled are on other branches too. Samples without events are at the [root].{many}",
        many=f" Bars stand for samples, because there are more than {MOST_DOTS} at a node."
        if len(found.placement.samples) > MOST_DOTS * (1 + len(found.placement.events))
        else "",
    )
    return Picture(
        "patients",
        f"The progression with {samples} on its events.",
        caption,
        lambda: patients_figure(found.fit, found.placement),
    )


def _categories(found: Patients, annotation: Annotation) -> Table:
    """Return the categories of the annotation, each with its samples and how far they have come."""
    of_sample = np.array(_entries(found, annotation), dtype=object)
    counted = Counter(name for name in of_sample.tolist() if name)
    frequent = sorted(counted, key=lambda name: (-counted[name], name))
    shown = sorted(frequent[:_MOST_CATEGORIES])
    rows = [_group(found, (Event(visible(name, SHORT)),), of_sample == name) for name in shown]
    rest = np.isin(of_sample, frequent[_MOST_CATEGORIES:])
    if rest.any():
        rows.append(_group(found, ("others",), rest))
    if (of_sample == "").any():
        rows.append(_group(found, ("not given",), of_sample == ""))
    events, next_one = "[number of events|events]", "[next event|most often next]"
    titles = columns("samples", events, "[typicality|do not fit]", next_one)
    caption = phrase(
        "The samples by {title}: how many there are, and their mean number of events, with its "
        "lowest and highest value.",
        title=found.title,
    )
    return Table(caption, (Column(found.title), *titles), tuple(rows))


def _group(found: Patients, name: Sentence, own: BoolArray) -> tuple[Cell, ...]:
    placed, names = found.placement, found.placement.events
    counts = placed.counts[own, 0]
    following = Counter(placed.following[own & (placed.following >= 0)].tolist())
    best = min(following, key=lambda k: (-following[k], names[k]), default=None)
    mean = float(counts.mean())
    return (
        name,
        count(own.sum()),
        Number(f"{mean:.1f}", mean, f"{counts.min():.1f} to {counts.max():.1f}"),
        count((placed.typicality[own] < UNUSUAL).sum()),
        ("",) if best is None else (found.event(names[best]),),
    )


def _associations(found: Patients, annotation: Annotation) -> Block:
    """Return the tests of the annotation against what was seen of the samples."""
    given = {annotation.title: _entries(found, annotation)}
    table = Clinical(found.placement.samples, given)
    tests = associations(as_seen(found.placement), table)
    if not tests.tests:
        return Paragraph(phrase("{words}", words=" ".join(in_words(tests.facts))))
    caption = phrase(
        "{title} against each event that was seen, and against their number: {made}.",
        title=found.title,
        made=tests_made(tests),
    )
    rows = tuple(association_row(test, found.event)[1:] for test in tests.tests[:_MOST_TESTS])
    return Table(caption, columns(*ASSOCIATION_TITLES[1:]), rows)


def _entries(found: Patients, annotation: Annotation) -> tuple[str, ...]:
    return tuple(annotation.categories.get(name, "") for name in found.placement.samples)


def _clinical(found: Patients, tests: Associations) -> Section:
    """Return the tests against the columns of a clinical table."""
    rows = tuple(association_row(test, found.event) for test in tests.tests)
    most = f"; the {_MOST_ROWS} with the smallest p-values" if len(rows) > _MOST_ROWS else ""
    table = Table(
        phrase("Each column against each event and their number{most}.", most=most),
        columns(*ASSOCIATION_TITLES),
        rows[:_MOST_ROWS],
        name="clinical-tests",
        searched="Search the tests",
    )
    made = Paragraph((f"{tests_made(tests)}.",))
    blocks: tuple[Block, ...] = (made, *(table,) * bool(rows), *_notes(tests))
    return Section("clinical", "The clinical table", blocks)


def _survival(curves: Survival) -> Section:
    """Return the survival of groups of samples."""
    by = visible(curves.by, SHORT)
    caption = phrase("Median survival by {by}, in units of {time}.", by=by, time=curves.time)
    words = phrase("Kaplan-Meier curves, with the numbers at risk below; marks are censored times.")
    description = f"Survival curves of samples by {by}."
    rows = tuple(map(survival_row, curves.curves))
    blocks: tuple[Block, ...] = (
        Paragraph(as_sentence((log_rank_text(curves),))),
        Picture("survival", description, words, lambda: survival_figure(curves)),
        Table(caption, columns(*SURVIVAL_TITLES), rows, name="survival"),
        *_notes(curves),
    )
    return Section("survival", f"Survival by {by}", blocks)


def _notes(compared: Associations | Survival) -> tuple[Paragraph, ...]:
    notes = comparison_notes(compared, names=False)
    return tuple(Paragraph(as_sentence((note,))) for note in notes)


def _reading(found: Patients) -> Sentence:
    number = len(found.placement.samples)
    few = (
        f"Of {number} samples the {_MOST_ROWS} least typical ones are listed; "
        "the command caprese patients writes all. "
    )
    return (
        f"{few if number > _MOST_ROWS else ''}What comes next holds if the model is right and the "
        "disease goes on as it did in these samples; it is not a prognosis of a single patient.",
    )


def _table(found: Patients, opened: Sequence[int]) -> Table:
    placed, rows = found.placement, found.rows
    about = _about(found)
    caption = phrase(
        "The [sample|samples]: what was seen, what is probably wrong, how far each has come, and "
        "what probably comes next.{cards}",
        cards=" Choose a sample to see all about it." if opened else "",
    )
    chosen = set(opened)
    keys = tuple(_key(row) if row in chosen else "" for row in rows) if opened else ()
    titles = (
        *columns("[sample]"),
        *(column for column, _ in about),
        *columns("[next event]", "probability", "[median time]"),
    )
    names = [(found.sample(placed.samples[row]),) for row in rows]
    cells = tuple(
        (name, *(content(row) for _, content in about), *_next(found, row))
        for name, row in zip(names, rows, strict=True)
    )
    return Table(caption, titles, cells, searched="Search the samples", opens=keys)


def _about(found: Patients) -> list[tuple[Column, Callable[[int], Cell]]]:
    """Return the columns about a sample that are of use, and what each says of a row."""
    placed = found.placement
    missed = placed.missed & placed.known

    def named(title: str, mask: BoolArray) -> list[tuple[Column, Callable[[int], Cell]]]:
        return [(Column(title), lambda row: found.named(mask[row]))] if mask.any() else []

    category = [(Column(found.title), found.category)] if found.annotation is not None else []
    subtype = [(Column("subtype", "subtype"), lambda row: _subtype(placed, row))]
    return [
        *category,
        *(subtype if placed.subtypes.size else []),
        (Column("seen"), lambda row: found.named(placed.data.values[row])),
        *named("unknown", ~placed.known),
        *named("probably missed", missed),
        *named("probably seen wrongly", placed.wrongly_seen),
        (Column("events", "number of events"), lambda row: _count(placed, row)),
        (Column("typicality", "typicality"), lambda row: _typicality(placed, row)),
    ]


def _key(row: int) -> str:
    return f"sample-{row + 1}"


def _subtype(placed: Placement, row: int) -> Number:
    best = int(placed.subtypes[row].argmax())
    return Number(str(best + 1), best + 1, percent(float(placed.subtypes[row, best])))


def _count(placed: Placement, row: int) -> Number:
    mean, low, high = placed.counts[row].tolist()
    return Number(f"{mean:.1f}", mean, f"{low:.0f} to {high:.0f}")


def _typicality(placed: Placement, row: int) -> Number:
    value = float(placed.typicality[row])
    return Number(percent(value, 1), value, "does not fit" if value < UNUSUAL else "")


def _next(found: Patients, row: int) -> tuple[Cell, Cell, Cell]:
    """Return the most probable next event of a sample, its probability, and its median time."""
    placed = found.placement
    k = int(placed.following[row])
    if k < 0:
        return ("",), NOTHING, NOTHING
    time = float(placed.waiting_medians[row, k])
    chance = float(placed.next_probabilities[row, k])
    return (found.event(placed.events[k]),), share(chance), Number(f"{time:.2g}", time)
