"""The patients: where each sample stands, what tends to come next, and all about one sample."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
    Bullets,
    Card,
    Inside,
    Notice,
    Paragraph,
    Picture,
    Properties,
    Section,
    Table,
    columns,
    section,
)
from caprese.text import clinical
from caprese.text.facts import Names, in_words, names_of
from caprese.text.patients import (
    mismatch_sentences,
    next_rows,
    order_rows,
    placement_sentences,
    sample_sentences,
)
from caprese.text.sentences import (
    NOTHING,
    SHORT,
    Cell,
    Event,
    Number,
    Piece,
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
_MOST_EVENTS = 60  # rows of a card; of more events, those that may be there
_DOUBTFUL = 0.01  # probability from which on an event may be there
_MOST_NEXT = 12
_MOST_ORDERS = 5


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

    @property
    def title(self) -> str:
        """The title of the annotation as it is shown."""
        return "" if self.annotation is None else visible(self.annotation.title, SHORT)

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """The category of each sample; empty if it has none."""
        given = {} if self.annotation is None else self.annotation.categories
        return tuple(given.get(name, "") for name in self.placement.samples)

    def named(self, row: BoolArray) -> Sentence:
        """Return the names of the chosen events."""
        names = self.placement.events
        return listed([self.event(names[k]) for k in np.flatnonzero(row)]) or ("",)


def _category(name: str) -> Sentence:
    """Return the category of a sample as it is shown; nothing if it has none."""
    return (Event(visible(name, SHORT)),) if name else ("",)


@section("patients", "The patients")
def patients_section(
    found: Patients, opened: Sequence[int] = (), *, with_cards: bool = True
) -> Iterator[Block | Inside]:
    """Return where samples stand; opened rows have a card, which may be somewhere else."""
    samples = number_of(len(found.placement.samples), "sample")
    yield Inside.of("Where each of {samples} stands.", samples=samples)
    yield Paragraph(joined(placement_sentences(found.placement, found.event, found.sample)))
    yield from map(Notice, mismatch_sentences(found.placement, found.event))
    if isinstance(found.fit, OrderedFit):
        yield _picture(found)
    if found.annotation is not None:
        blocks = (_categories(found), _associations(found, found.annotation.title))
        yield Section("groups", f"By {found.title}", blocks)
    if found.tests is not None:
        yield _clinical(found, found.tests)
    if found.curves is not None:
        yield _survival(found.curves)
    number = len(found.placement.samples)
    few = f"Of {number} samples the {_MOST_ROWS} least typical ones are listed; "
    reading = (
        f"{few}the command caprese patients writes all." if number > _MOST_ROWS else "",
        "What comes next holds if the model is right and the disease goes on as it did in these "
        "samples; it is not a prognosis of a single patient."
        if found.placement.timed
        else "",
    )
    said = tuple(Paragraph.of(words) for words in reading if words)
    cards = [sample_card(found, row) for row in opened if with_cards]
    yield Section("samples", "Every sample", (*said, _table(found, opened), *cards))


def in_the_tree(own: Section, *, refuted: bool) -> Section:
    """Return the section of a report that does not lead with the method of this fit."""
    words = (
        "Here the [sample|samples] stand in the tree of CAPRESE, which the judgement does not "
        "support: a place in it is no stage. Of what comes next only the frequencies of the events "
        "that a sample lacks are known."
        if refuted
        else "Here the [sample|samples] stand in the tree of CAPRESE. The command caprese patients "
        "places them by the method that judging chose, and says what comes next where one can tell."
    )
    return replace(own, blocks=(Paragraph.of(words), *own.blocks))


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


def _categories(found: Patients) -> Table:
    """Return the categories of the annotation, each with its samples and how far they have come."""
    of_sample = np.array(found.categories, dtype=object)
    counted = Counter(name for name in of_sample.tolist() if name)
    frequent = sorted(counted, key=lambda name: (-counted[name], name))
    shown = sorted(frequent[:_MOST_CATEGORIES])
    rows = [_group(found, _category(name), of_sample == name) for name in shown]
    rest = np.isin(of_sample, frequent[_MOST_CATEGORIES:])
    if rest.any():
        rows.append(_group(found, ("others",), rest))
    if (of_sample == "").any():
        rows.append(_group(found, ("not given",), of_sample == ""))
    events, next_one = "[number of events|events]", "[next event|most often next]"
    coming = [next_one] * found.placement.timed
    titles = columns("samples", events, "[typicality|do not fit]", *coming)
    caption = phrase(
        "The samples by {title}: how many there are, and their mean number of events, with its "
        "lowest and highest value.",
        title=found.title,
    )
    return Table(caption, (found.title, *titles), tuple(rows), name="categories")


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
        *([("",) if best is None else (found.event(names[best]),)] if placed.timed else []),
    )


def _associations(found: Patients, title: str) -> Block:
    """Return the tests of the annotation against what was seen of the samples."""
    table = Clinical(found.placement.samples, {title: found.categories})
    tests = associations(as_seen(found.placement), table)
    if not tests.tests:
        return Paragraph((" ".join(in_words(tests.facts)),))
    caption = phrase(
        "{title} against each event that was seen, and against their number: {made}.",
        title=found.title,
        made=clinical.tests_made(tests),
    )
    rows = tuple(
        clinical.association_row(test, found.event)[1:] for test in tests.tests[:_MOST_TESTS]
    )
    titles = columns(*clinical.ASSOCIATION_TITLES[1:])
    return Table(caption, titles, rows, name="category-tests")


def _clinical(found: Patients, tests: Associations) -> Section:
    """Return the tests against the columns of a clinical table."""
    rows = tuple(clinical.association_row(test, found.event) for test in tests.tests)
    most = f"; the {_MOST_ROWS} with the smallest p-values" if len(rows) > _MOST_ROWS else ""
    table = Table(
        phrase("Each column against each event and their number{most}.", most=most),
        columns(*clinical.ASSOCIATION_TITLES),
        rows[:_MOST_ROWS],
        name="clinical-tests",
        searched="Search the tests",
    )
    made = Paragraph((f"{clinical.tests_made(tests)}.",))
    grows = (Paragraph(as_sentence((each,))) for each in clinical.growth_sentences(tests))
    blocks: tuple[Block, ...] = (made, *grows, *(table,) * bool(rows), *_notes(tests))
    return Section("clinical", "The clinical table", blocks)


def _survival(curves: Survival) -> Section:
    """Return the survival of groups of samples."""
    by = visible(curves.by, SHORT)
    caption = phrase("Median survival by {by}, in units of {time}.", by=by, time=curves.time)
    words = phrase("Kaplan-Meier curves, with the numbers at risk below; marks are censored times.")
    description = f"Survival curves of samples by {by}."
    rows = tuple(map(clinical.survival_row, curves.curves))
    blocks: tuple[Block, ...] = (
        Paragraph(as_sentence((clinical.log_rank_text(curves),))),
        Picture("survival", description, words, lambda: survival_figure(curves)),
        Table(caption, columns(*clinical.SURVIVAL_TITLES), rows, name="survival"),
        *_notes(curves),
    )
    return Section("survival", f"Survival by {by}", blocks)


def _notes(compared: Associations | Survival) -> tuple[Paragraph, ...]:
    notes = clinical.comparison_notes(compared, names=False)
    return tuple(Paragraph(as_sentence((note,))) for note in notes)


def _table(found: Patients, opened: Sequence[int]) -> Table:
    caption = phrase(
        "The [sample|samples]: what was seen, {wrong}how far each has come, and {coming}.{cards}",
        wrong="what is probably wrong, " if found.placement.corrected else "",
        coming="what probably comes next"
        if found.placement.timed
        else "the most frequent event that it lacks",
        cards=" Choose a sample to see all about it." if opened else "",
    )
    titles, cells = zip(*_columns(found), strict=True)
    chosen = set(opened)
    keys = tuple(_key(row) if row in chosen else "" for row in found.rows) if opened else ()
    rows = tuple(zip(*cells, strict=True))
    return Table(caption, titles, rows, searched="Search the samples", opens=keys, name="patients")


def _key(row: int) -> str:
    return f"sample-{row + 1}"


def _columns(found: Patients) -> Iterator[tuple[Piece, Sequence[Cell]]]:
    """Yield the columns about samples that are of use: the title, and a cell for each row."""
    placed, rows = found.placement, [*found.rows]
    sample, subtype, events, typicality = columns(
        "[sample]", "[subtype]", "[number of events|events]", "[typicality]"
    )
    yield sample, [(found.sample(placed.samples[row]),) for row in rows]
    if found.annotation is not None:
        yield found.title, [_category(found.categories[row]) for row in rows]
    if placed.subtypes.size:
        best = [(int(each.argmax()) + 1, float(each.max())) for each in placed.subtypes[rows]]
        yield subtype, [Number(str(number), number, percent(chance)) for number, chance in best]
    masks = {
        "seen": placed.data.values,
        "unknown": ~placed.known,
        "probably missed": placed.missed & placed.known,
        "probably seen wrongly": placed.wrongly_seen,
    }
    for title, mask in masks.items():
        if title == "seen" or mask.any():
            yield title, [found.named(mask[row]) for row in rows]
    yield events, [_far(found, row) for row in rows]
    typical = [(p, "does not fit" if p < UNUSUAL else "") for p in placed.typicality[rows].tolist()]
    yield typicality, [Number(percent(p, 1), p, aside) for p, aside in typical]
    following = columns("[next event]", "probability", "[median time]")
    if not placed.timed:
        following = columns("most frequent of those that it lacks", "frequency")
    yield from zip(following, zip(*(_next(found, row) for row in rows), strict=True), strict=True)


def _far(found: Patients, row: int) -> Number:
    """Return how many events are there, with an interval unless that is sure."""
    k, low, high = found.placement.counts[row].tolist()
    sure = not found.placement.corrected and bool(found.placement.known[row].all())
    return Number(f"{k:.0f}", k) if sure else Number(f"{k:.1f}", k, f"{low:.0f} to {high:.0f}")


def _next(found: Patients, row: int) -> tuple[Cell, ...]:
    """Return the most probable next event of a sample, its probability, and its median time.

    Where that is not said, the most frequent event that it lacks, and its frequency.
    """
    placed = found.placement
    if not placed.timed:
        first = placed.lacked(row)[:1]
        told = [((found.event(placed.events[k]),), share(placed.frequencies[k])) for k in first]
        return told[0] if told else (("",), NOTHING)
    k = int(placed.following[row])
    if k < 0:
        return ("",), NOTHING, NOTHING
    time = float(placed.waiting_medians[row, k])
    chance = float(placed.next_probabilities[row, k])
    return (found.event(placed.events[k]),), share(chance), Number(f"{time:.2g}", time)


def sample_card(found: Patients, row: int) -> Card:
    """Return the card of a sample: what was seen, what is probably there, and what comes next."""
    placed, names = found.placement, found.event
    blocks: list[Block] = [
        Bullets(tuple(sample_sentences(placed, row, names))),
        _there(placed, row, names),
    ]
    if found.annotation is not None:
        about = (((found.title,), _category(found.categories[row])),)
        blocks.insert(0, Properties(about))
    if np.isfinite(placed.log_probabilities[row]):
        blocks += [_coming(placed, row, names), *_orders(placed, row, names)]
    return Card(_key(row), ("Sample ", found.sample(placed.samples[row])), tuple(blocks))


def _there(placed: Placement, row: int, names: Names) -> Table:
    chances = placed.event_probabilities[row]
    known, values = placed.known[row], placed.data.values[row]
    shown = list(range(len(placed.events)))
    if len(shown) > _MOST_EVENTS:
        worth = values | ~(chances < _DOUBTFUL)
        shown = np.flatnonzero(worth)[:_MOST_EVENTS].tolist()
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            (names(placed.events[k]),),
            ("seen" if values[k] else "not seen" if known[k] else "unknown",),
            NOTHING if np.isnan(chances[k]) else share(float(chances[k])),
        )
        for k in shown
    )
    more = len(placed.events) - len(rows)
    caption = "What is there." + (f" {more} more events are not." if more else "")
    return Table((caption,), columns("event", "seen", "probability"), rows, bars=(2,), plain=True)


def _coming(placed: Placement, row: int, names: Names) -> Table:
    if not placed.timed:
        return _lacking(placed, row, names)
    rows = tuple(next_rows(placed, row, names)[:_MOST_NEXT])
    titles = columns("event", "probability", "[median time]")
    caption = "What comes next." if rows else "Nothing is left to come."
    return Table((caption,), titles, rows, bars=(1,), plain=True)


def _lacking(placed: Placement, row: int, names: Names) -> Table:
    """Return the most frequent events that a sample lacks, where nothing says what comes next."""
    rows = tuple(
        ((names(placed.events[k]),), share(float(placed.frequencies[k])))
        for k in placed.lacked(row)[:_MOST_NEXT]
    )
    caption = "What comes next is not said. The most frequent events that it lacks."
    return Table((caption,), columns("event", "frequency"), rows, bars=(1,), plain=True)


def _orders(placed: Placement, row: int, names: Names) -> tuple[Table, ...]:
    found = placed.orders(placed.samples[row], _MOST_ORDERS)
    if not found.orders or len(found.orders[0]) < 2:
        return ()
    titles, rows = columns("order", "probability"), tuple(order_rows(found, names))
    return (Table(("The likeliest orders.",), titles, rows, bars=(1,), plain=True),)
