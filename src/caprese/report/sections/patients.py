"""The patients: where each sample stands, and what tends to come next."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from caprese._core.arrays import BoolArray
from caprese._core.facts import Fact
from caprese._core.significance import LEVEL
from caprese._core.words import number_of, percent, visible
from caprese.io.data.annotations import Annotation
from caprese.methods.fit import Fit, OrderedFit
from caprese.patients.clinical import Clinical
from caprese.patients.groups import Associations, as_seen, associations
from caprese.patients.place import UNUSUAL, Placement
from caprese.patients.survival import Survival
from caprese.plots.patients.progression import patients_figure
from caprese.plots.progression.crowds import MOST_DOTS
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
)
from caprese.report.pictures import picture
from caprese.report.sections.cards import card
from caprese.text.clinical import (
    against,
    difference,
    log_rank_text,
    p_text,
    tests_made,
    time_text,
)
from caprese.text.facts import in_words
from caprese.text.patients import correction_sentence
from caprese.text.sentences import (
    NOTHING,
    SHORT,
    Cell,
    Event,
    Number,
    Sentence,
    joined,
    listed,
    phrase,
    share,
    shown_names,
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
    def events(self) -> Mapping[str, Event]:
        """Each event as it is shown."""
        return shown_names(self.placement.events)

    @cached_property
    def samples(self) -> Mapping[str, Event]:
        """Each sample as it is shown."""
        return shown_names(self.placement.samples)

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The samples in the table: all of them, or of many the least typical ones."""
        number = len(self.placement.samples)
        if number <= _MOST_ROWS:
            return tuple(range(number))
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
        return listed([self.events[names[k]] for k in np.flatnonzero(row)]) or ("",)


def patients_section(
    found: Patients, opened: Sequence[int] = (), *, with_cards: bool = True
) -> Section:
    """Return where samples stand; opened rows have a card, which may be somewhere else."""
    blocks: list[Block] = [Paragraph(_summary(found)), *_notices(found)]
    if isinstance(found.fit, OrderedFit):
        blocks.append(_picture(found))
    blocks += [*_groups(found), *_clinical(found), *_survival(found)]
    every: tuple[Block, ...] = (
        Paragraph(_reading(found)),
        _table(found, opened),
        *(_card(found, row) for row in opened if with_cards),
    )
    blocks.append(Section("samples", "Every sample", every))
    return Section("patients", "The patients", tuple(blocks))


def _card(found: Patients, row: int) -> Card:
    about = ((phrase(found.title), found.category(row)),) if found.annotation else ()
    name = found.samples[found.placement.samples[row]]
    return Card(_key(row), ("Sample ", name), card(found.placement, row, about))


def _summary(found: Patients) -> Sentence:
    return joined([_fitting(found), _wrong(found), _far(found), _next(found)])


def _fitting(found: Patients) -> Sentence:
    placed = found.placement
    odd, samples = placed.unusual, len(placed.samples)
    if not odd:
        every = "The one sample fits" if samples == 1 else f"All {samples} samples fit"
        return phrase("{every} the model.", every=every)
    names = [found.samples[name] for name in odd]
    return phrase(
        "{fitting} of {samples} fit the model; {noun} {odd} {do} not, because fewer than {level} "
        "of samples drawn from it are as improbable ([typicality]). By chance about {expected} of "
        "{number} would not.",
        fitting=str(samples - len(odd)),
        samples=number_of(samples, "sample"),
        noun="sample" if len(odd) == 1 else "samples",
        odd=listed(names),
        do="does" if len(odd) == 1 else "do",
        level=percent(UNUSUAL),
        expected=f"{samples * UNUSUAL:.2g}",
        number=str(samples),
    )


def _wrong(found: Patients) -> Sentence:
    """Return how many entries are probably wrong, and what unknown ones probably are."""
    placed = found.placement
    missed = int((placed.missed & placed.known).sum())
    wrongly = int(placed.wrongly_seen.sum())
    entries = int(found.placement.known.sum())
    first = phrase(
        "Of {entries} known entries {wrong} probably wrong{kinds}.",
        entries=str(entries),
        wrong={0: "none is", 1: "one is"}.get(missed + wrongly, f"{missed + wrongly} are"),
        kinds=f" ({missed} missed, {wrongly} seen wrongly)" if missed + wrongly else "",
    )
    told = [first, (correction_sentence(placed),)]
    unknown = int((~found.placement.known).sum())
    if unknown:
        there = int((placed.genotypes & ~found.placement.known).sum())
        one = {0: "none is probably an event", 1: "one is probably an event"}
        entries_are = "entry" if unknown == 1 else "entries"
        events_are = one.get(there, f"{there} are probably events")
        told.append((f"Of {unknown} unknown {entries_are} {events_are}.",))
    return joined(told)


def _far(found: Patients) -> Sentence:
    counts = found.placement.counts[:, 0]
    return phrase(
        "{who} {mean} of {all} events{range}.",
        who="It has" if len(counts) == 1 else "On average a sample has",
        mean=f"{counts.mean():.1f}",
        all=str(len(found.placement.events)),
        range="" if len(counts) == 1 else f", from {counts.min():.1f} to {counts.max():.1f}",
    )


def _next(found: Patients) -> Sentence:
    counted = Counter(found.placement.following[found.placement.following >= 0].tolist())
    if not counted:
        return phrase("In no sample is anything left to come.")
    names = found.placement.events
    event, times = min(counted.items(), key=lambda item: (-item[1], names[item[0]]))
    return phrase(
        "Most often {event} comes next: it is the most probable [next event] of {samples}.",
        event=found.events[names[event]],
        samples=number_of(times, "sample"),
    )


def _notices(found: Patients) -> tuple[Notice, ...]:
    placed = found.placement
    told = []
    if placed.lacking:
        names: list[Event] = [found.events[name] for name in placed.lacking]
        words = "The samples do not have {events}, which the model has: taken as unknown."
        told.append(phrase(words, events=listed(names)))
    if placed.surplus:
        names = list(shown_names(placed.surplus).values())
        words = "The model does not have {events}, which the samples have: not used."
        told.append(phrase(words, events=listed(names)))
    return tuple(map(Notice, told))


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
    return picture(
        "patients",
        f"The progression with {samples} on its events.",
        caption,
        lambda: patients_figure(found.fit, found.placement),
    )


def _groups(found: Patients) -> tuple[Section, ...]:
    """Return the samples by their annotation, and its tests against what was seen of them."""
    if found.annotation is None:
        return ()
    given = found.annotation
    blocks = (_categories(found, given.categories), _associations(found, given))
    return (Section("groups", f"By {found.title}", blocks),)


def _categories(found: Patients, given: Mapping[str, str]) -> Table:
    """Return the categories of the annotation, each with its samples and how far they have come."""
    of_sample = np.array([given.get(name, "") for name in found.placement.samples], dtype=object)
    counted = Counter(name for name in of_sample.tolist() if name)
    frequent = sorted(counted, key=lambda name: (-counted[name], name))
    shown = sorted(frequent[:_MOST_CATEGORIES])
    rows = [_group(found, (Event(visible(name, SHORT)),), of_sample == name) for name in shown]
    rest = np.isin(of_sample, frequent[_MOST_CATEGORIES:])
    if rest.any():
        rows.append(_group(found, ("others",), rest))
    if (of_sample == "").any():
        rows.append(_group(found, ("not given",), of_sample == ""))
    columns = (
        Column(found.title),
        Column("samples"),
        Column("events", "number of events"),
        Column("do not fit", "typicality"),
        Column("most often next", "next event"),
    )
    caption = phrase(
        "The samples by {title}: how many there are, and their mean number of events, with its "
        "lowest and highest value.",
        title=found.title,
    )
    return Table(caption, columns, tuple(rows))


def _group(found: Patients, name: Sentence, own: BoolArray) -> tuple[Cell, ...]:
    counts = found.placement.counts[own, 0]
    odd = int((found.placement.typicality[own] < UNUSUAL).sum())
    following = Counter(found.placement.following[own & (found.placement.following >= 0)].tolist())
    names = found.placement.events
    best = min(following, key=lambda k: (-following[k], names[k]), default=None)
    return (
        name,
        Number(str(own.sum()), float(own.sum())),
        Number(
            f"{counts.mean():.1f}",
            float(counts.mean()),
            f"{counts.min():.1f} to {counts.max():.1f}",
        ),
        Number(str(odd), odd),
        ("",) if best is None else (found.events[names[best]],),
    )


def _associations(found: Patients, annotation: Annotation) -> Block:
    """Return the tests of the annotation against what was seen of the samples."""
    entries = tuple(annotation.categories.get(name, "") for name in found.placement.samples)
    table = Clinical(found.placement.samples, {annotation.title: entries})
    tests = associations(as_seen(found.placement), table)
    if not tests.tests:
        return Paragraph(phrase("{words}", words=" ".join(in_words(tests.facts))))
    caption = phrase(
        "{title} against each event that was seen, and against their number: {made}.",
        title=found.title,
        made=tests_made(tests),
    )
    columns, rows = _tests(found, tests)
    return Table(caption, columns[1:], tuple(row[1:] for row in rows[:_MOST_TESTS]))


def _tests(
    found: Patients, tests: Associations
) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]:
    """Return the titles and the rows of a table of tests, that of the column first."""
    titles = ("column", "against", "samples", "test", "p", "adjusted", "difference")
    rows = tuple(
        (
            (visible(test.column, SHORT),),
            (found.events[test.event],) if test.event else phrase(against(test)),
            Number(str(test.samples), test.samples),
            phrase(test.test),
            Number(p_text(test.p_value), test.p_value),
            Number(p_text(test.adjusted), test.adjusted),
            (visible(difference(test), SHORT * 3),),
        )
        for test in tests.tests
    )
    return tuple(map(Column, titles)), rows


def _clinical(found: Patients) -> tuple[Section, ...]:
    """Return the tests against the columns of a clinical table."""
    if found.tests is None:
        return ()
    columns, rows = _tests(found, found.tests)
    made = Paragraph((f"{tests_made(found.tests)}.",))
    shown = rows[:_MOST_ROWS]
    most = f"; the {_MOST_ROWS} with the smallest p-values" if len(rows) > _MOST_ROWS else ""
    table = Table(
        phrase("Each column against each event and their number{most}.", most=most),
        columns,
        shown,
        name="clinical-tests",
        searched="Search the tests",
    )
    notes = _notes(found.tests.facts, len(found.tests.left_out), "not in the clinical table")
    blocks: tuple[Block, ...] = (made, *(table,) * bool(rows), *notes)
    return (Section("clinical", "The clinical table", blocks),)


def _survival(found: Patients) -> tuple[Section, ...]:
    """Return the survival of groups of samples."""
    if found.curves is None:
        return ()
    curves = found.curves
    titles = ("group", "samples", "deaths", "median", f"{percent(LEVEL)} interval")
    rows = tuple(
        (
            (visible(curve.group, SHORT),),
            Number(str(curve.samples), curve.samples),
            Number(str(curve.deaths), curve.deaths),
            Number(time_text(curve.median), curve.median),
            (f"{time_text(curve.median_low)} to {time_text(curve.median_high)}",),
        )
        for curve in curves.curves
    )
    by = visible(curves.by, SHORT)
    caption = phrase("Median survival by {by}, in units of {time}.", by=by, time=curves.time)
    words = phrase("Kaplan-Meier curves, with the numbers at risk below; marks are censored times.")
    description = f"Survival curves of samples by {by}."
    blocks: tuple[Block, ...] = (
        Paragraph((f"{log_rank_text(curves)[:1].upper()}{log_rank_text(curves)[1:]}.",)),
        picture("survival", description, words, lambda: survival_figure(curves)),
        Table(caption, tuple(map(Column, titles)), rows, name="survival"),
        *_notes(curves.facts, len(curves.left_out), "without time or status"),
    )
    return (Section("survival", f"Survival by {by}", blocks),)


def _notes(facts: Sequence[Fact], left_out: int, why: str) -> tuple[Paragraph, ...]:
    """Return what limits a comparison; samples are counted and not named."""
    told = [*in_words(facts)]
    if left_out:
        told.append(f"{number_of(left_out, 'sample')} left out, {why}")
    return tuple(Paragraph((f"{note[:1].upper()}{note[1:]}.",)) for note in told)


def _reading(found: Patients) -> Sentence:
    number = len(found.placement.samples)
    few = (
        f"Of {number} samples the {_MOST_ROWS} least typical ones are listed; "
        "the command caprese patients writes all. "
        if number > _MOST_ROWS
        else ""
    )
    return phrase(
        "{few}What comes next holds if the model is right and the disease goes on as it did in "
        "these samples; it is not a prognosis of a single patient.",
        few=few,
    )


def _table(found: Patients, opened: Sequence[int]) -> Table:
    placed = found.placement
    missed = placed.missed & placed.known
    optional: list[tuple[Column, Any, bool]] = [
        (Column(found.title), found.category, found.annotation is not None),
        (
            Column("subtype", "subtype"),
            lambda row: _subtype(placed, row),
            bool(placed.subtypes.size),
        ),
        (Column("seen"), lambda row: found.named(placed.data.values[row]), True),
        (
            Column("unknown"),
            lambda row: found.named(~placed.known[row]),
            not found.placement.known.all(),
        ),
        (Column("probably missed"), lambda row: found.named(missed[row]), bool(missed.any())),
        (
            Column("probably seen wrongly"),
            lambda row: found.named(placed.wrongly_seen[row]),
            bool(placed.wrongly_seen.any()),
        ),
        (Column("events", "number of events"), lambda row: _count(placed, row), True),
        (Column("typicality", "typicality"), lambda row: _typicality(placed, row), True),
        (Column("next event", "next event"), lambda row: _following(found, row), True),
        (Column("probability"), lambda row: _chance(found, row), True),
        (Column("median time", "median time"), lambda row: _time(found, row), True),
    ]
    used = [(column, content) for column, content, wanted in optional if wanted]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        ((found.samples[placed.samples[row]],), *(content(row) for _, content in used))
        for row in found.rows
    )
    caption = phrase(
        "The [sample|samples]: what was seen, what is probably wrong, how far each has come, and "
        "what probably comes next.{cards}",
        cards=" Choose a sample to see all about it." if opened else "",
    )
    chosen = set(opened)
    keys = tuple(_key(row) if row in chosen else "" for row in found.rows) if opened else ()
    columns = (Column("sample", "sample"), *(column for column, _ in used))
    return Table(caption, columns, rows, searched="Search the samples", opens=keys)


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
    odd = value < UNUSUAL
    return Number(percent(value, 1), value, "does not fit" if odd else "")


def _following(found: Patients, row: int) -> Sentence:
    k = int(found.placement.following[row])
    return ("",) if k < 0 else (found.events[found.placement.events[k]],)


def _chance(found: Patients, row: int) -> Number:
    k = int(found.placement.following[row])
    return NOTHING if k < 0 else share(float(found.placement.next_probabilities[row, k]))


def _time(found: Patients, row: int) -> Number:
    k = int(found.placement.following[row])
    time = float(found.placement.waiting_medians[row, k])
    return NOTHING if k < 0 else Number(f"{time:.2g}", time)
