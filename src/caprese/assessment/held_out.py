"""Held out: predict samples that were not learnt from, so that methods are compared fairly."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Sized
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray, sealed
from caprese._core.checks import SEEDS, instance, listed, whole
from caprese._core.environment import worker_count
from caprese._core.progress import silent, tell
from caprese._core.significance import mean_ranks
from caprese._core.workers import in_order
from caprese.assessment.difference import Difference, difference_of
from caprese.assessment.judgement import Doubt, Judgement
from caprese.assessment.mixtures import Entry, Mixture, arranged, of_method
from caprese.assessment.order_judgement import BASELINES, OrderJudgement
from caprese.assessment.order_scores import baselines, scored_orders
from caprese.assessment.prediction import Given, Learnt, Prediction, Predictor
from caprese.assessment.referee import BUDGET, Choice, choose
from caprese.assessment.series_judgement import BASELINES as SERIES_BASELINES
from caprese.assessment.series_judgement import SeriesJudgement
from caprese.assessment.series_scores import (
    Pairs,
    frequencies_say,
    nothing_changes,
    said_by,
    unknown,
)
from caprese.assessment.yardstick import yardstick
from caprese.data.curation import Rule, checked_rules, curate
from caprese.data.dataset import Dataset
from caprese.data.seen_orders import SeenOrders
from caprese.errors import ModelError, ParameterError
from caprese.methods import describe, name_of
from caprese.methods.fit import Fit, Method
from caprese.methods.independence import IndependentEvents
from caprese.methods.protocols import CountingMethod, cost_of, learns_from_orders
from caprese.models.base import Model, Order

GroupLabels = Sequence[str] | Mapping[str, str]
"""A group for each sample, or for some samples by name; the others are on their own."""

Candidate = Method | Fit[Any, Any] | Model | Order
"""A method; or a fit or a model, of which the structure is kept and the numbers are estimated."""

Candidates = Sequence[Candidate] | Mapping[str, Candidate]

_MOST_REPEATS = 10_000
_MOST_ENTRIES, _FEW_ENTRIES = 100_000, 1_000  # that quick and slow methods fit in seconds
_LONG = 10.0  # seconds of fits from which progress is told by time


def _not_announced(_choice: Choice) -> None:
    pass


def judge(
    methods: Candidates | None,
    data: Dataset | None = None,
    *,
    budget: float | str = BUDGET,
    folds: int = 5,
    repeats: int = 1,
    seed: int = 1,
    groups: GroupLabels | None = None,
    rules: Sequence[Rule] = (),
    held_out: int | None = None,
    jobs: int | None = None,
    orders: SeenOrders | None = None,
    series: Dataset | None = None,
    announce: Callable[[Choice], object] = _not_announced,
    also: Sequence[Method] = (),
) -> Judgement:
    """Judge methods by how well they predict samples that they have not seen.

    The samples are divided into folds. Each fold is held out once: every method is fitted to the
    others, and its predictive model gives the probability of the samples of the fold. Independent
    events are always among the methods. A mixture of methods is made of what these say, if all
    folds are held out: its weights for a fold come from the scores of the other folds. The same
    seed gives the same answer, whatever the number of jobs and the order of rows and columns.

    Where the order of events was seen in samples, methods are also judged by how probable they find
    it in held-out samples. A method that can learn from seen orders is fitted twice: to the 0/1
    table alone, and with the orders of the training part.

    The samples of a patient are in the same fold. Where several of known order are there, models
    with a clock are also judged by how probable they find the later sample of a held-out patient,
    given the earlier one.

    Parameters
    ----------
    methods
        Methods to fit to each training part. Also fits and models: of these the structure is kept,
        and the numbers and error rates are estimated from each training part. A mapping names
        them. None: all registered methods that are feasible within the budget; one that refuses a
        training part is left out.
    data
        The samples.
    budget
        If methods is None: seconds of one core that all fits may take, or a text such as ``2m``; by
        formulas of the size of the data, never by the clock.
    folds
        How many folds.
    repeats
        How often the samples are divided into folds anew.
    seed
        A whole number, not negative.
    groups
        A label for each sample, or labels by sample name: samples with the same label are in the
        same fold, each group counts once, and standard errors are over groups. By default the
        patients of the data.
    rules
        Rules of curation that depend on the data, applied to each training part. An event that is
        dropped there is predicted by its frequency.
    held_out
        How many of the folds are held out; by default all. 1 is a single split.
    jobs
        How many workers; by default as many as there are cores.
    orders
        Orders of events that were seen; by default those of the data.
    series
        Samples of the same patients and events, of which the later ones are predicted; by default
        the data.
    announce
        If methods is None: called with the choice, before anything is fitted.
    also
        If methods is None: methods that are judged beside those that are chosen, each if it fits
        into a budget of its own.

    Examples
    --------
    >>> from caprese import Caprese, LikelihoodForest, datasets
    >>> found = judge([Caprese(), LikelihoodForest()], datasets.ovarian(), folds=5)
    >>> found.methods
    ('caprese', 'likelihood', 'independence')
    >>> found.scores.round(2)
    array([-4.53, -4.47, -4.86])

    All methods that take a second together:

    >>> found = judge(None, datasets.ovarian(), budget=1)
    >>> found.methods[found.best], found.supports_order
    ('hcbn', True)
    >>> found.left_out
    ('bayes', 'bayes:subtypes=auto', 'mhn', 'mhn:observation=yes', 'stack')
    """
    if data is None:
        rule = "the second argument, after the methods, or after None for all methods"
        raise ParameterError("data", rule, data)
    whole("folds", folds, 2)
    whole("repeats", repeats, 1, _MOST_REPEATS)
    whole("seed", seed, *SEEDS)
    parts = folds if held_out is None else whole("held_out", held_out, 1, folds)
    workers, rules = worker_count(jobs), checked_rules(rules)
    data = Dataset.of(data) if orders is None else Dataset.of(data).with_orders(orders)
    fixed, order = in_fixed_order(data)
    curated = curate(fixed, rules).data  # refuses rules that do not suit it
    digests = {data.digest, curated.digest}
    choice = (
        choose(curated, fits=parts * repeats, budget=budget, shared=parts == folds)
        if methods is None
        else None
    )
    candidates = _with_independence(choice.methods() if choice is not None else methods or ())
    if choice is not None:
        beside, choice = choice.beside(also, curated, parts * repeats)
        candidates |= beside
    learners = _learners_of_orders(candidates) if data.orders is not None else {}
    entries = [
        Given.of(each, fixed) if isinstance(each, Fit | Model | Order) else Learnt(each, rules)
        for each in candidates.values()
    ]
    entries += [Learnt(each, rules, orders=True) for each in learners.values()]
    candidates |= learners
    numbers = renumbered(group_numbers(data, groups)[order])
    followed = _followed(fixed, numbers, fixed if series is None else series)
    places = fold_numbers(fixed, numbers, folds=folds, repeats=repeats, seed=seed)
    splits = [np.flatnonzero(each == fold) for each, fold in product(places, range(parts))]
    together = parts if parts == folds else 1
    if choice is not None:
        announce(choice)
    work = _Work(fixed, numbers, followed, splits)
    tally = _tallied(entries, work, workers, together, required=choice is None)
    names = tuple(candidates)
    kept = [place for place in range(len(names)) if place not in tally.refused]
    reference = list(candidates.values()).index(IndependentEvents())
    scored = tally.times > 0
    rows = [row for row in np.argsort(order).tolist() if scored[row]]  # as in the data
    columns = [fixed.events.index(event) for event in data.events]
    log_scores, briers, aucs = (
        _ratio(tally.log_scores, tally.entries),
        _ratio(tally.squares, tally.entries),
        _ratio(tally.concordant, tally.pairs),
    )
    return Judgement(
        methods=tuple(names[place] for place in kept),
        reference=kept.index(reference),
        events=data.events,
        samples=tuple(fixed.samples[row] for row in rows),
        groups=numbers[rows],
        log_probabilities=tally.log_probabilities[np.ix_(kept, rows)] / tally.times[rows],
        entry_log_scores=log_scores[np.ix_(kept, columns)],
        entry_briers=briers[np.ix_(kept, columns)],
        entry_aucs=aucs[np.ix_(kept, columns)],
        entries=tally.entries[columns],
        pairs=tally.pairs[columns],
        unmodelled=tally.unmodelled[np.ix_(kept, columns)],
        given=tuple(isinstance(entries[place], Given) for place in kept),
        seen=tuple(_has_seen(candidates[names[place]], digests) for place in kept),
        folds=folds,
        held_out=parts,
        repeats=repeats,
        seed=seed,
        digest=data.digest,
        orders=_order_judgement(tally, names, reference, numbers),
        yardstick=yardstick(fixed, splits, rows),
        part_scores=np.array([tally.part_scores[place] for place in kept]),
        doubts=tuple(
            Doubt(names[place], what, parts)
            for (place, what), parts in sorted(tally.doubts.items())
            if place in kept
        ),
        choice=choice and choice.without({names[k]: why for k, why in tally.refused.items()}),
        series=_series_judgement(tally, names, work),
    )


def gain_of(method: Method, data: Dataset, *, folds: int, held_out: int, seed: int) -> Difference:
    """Return the gain over independent events that `judge` would find, and nothing else of it."""
    fixed, order = in_fixed_order(data)
    numbers = renumbered(group_numbers(data, None)[order])
    (places,) = fold_numbers(fixed, numbers, folds=folds, repeats=1, seed=seed)
    scores, parts = np.zeros((2, len(places))), np.zeros((2, held_out))
    for fold in range(held_out):
        inside = places == fold
        training = fixed.take_samples(np.flatnonzero(~inside))
        rest = fixed.take_samples(np.flatnonzero(inside))
        for k, each in enumerate((method, IndependentEvents())):
            learnt = Learnt(each, ()).learn(training)
            scores[k, inside] = learnt.log_probabilities(rest)
            total = scores[k, inside].sum() + learnt.log_probabilities(training).sum()
            parts[k, fold] = total / len(places)
    rows = [row for row in np.argsort(order).tolist() if places[row] < held_out]  # as in the data
    pair, means = (scores[0, rows], scores[1, rows]), (parts[0], parts[1])
    return difference_of(pair, means, numbers[rows], folds, held_out)


def _ratio(sums: FloatArray, numbers: IntArray) -> FloatArray:
    """Return means; NaN where there is nothing to average, the same NaN everywhere."""
    return np.where(numbers > 0, sums / np.maximum(numbers, 1), np.nan)


def _has_seen(candidate: Candidate, digests: Collection[str]) -> bool:
    return isinstance(candidate, Fit) and candidate.digest in digests


def is_quick_to_judge(method: Method, data: Dataset) -> bool:
    """Whether a few fits of a method take seconds; decided by size, so always the same way."""
    light = isinstance(method, CountingMethod) and method.counts_suffice
    return data.values.size <= (_MOST_ENTRIES if light else _FEW_ENTRIES)


def _with_independence(methods: Candidates) -> dict[str, Candidate]:
    """Return the candidates by name, independent events among them."""
    if isinstance(methods, Mapping):
        named = {name: each for name, each in methods.items() if _name(each)}
    else:
        given = listed("methods", methods)
        short = [_name(each) for each in given]
        full = [
            name if short.count(name) == 1 else _name(each, describe)
            for name, each in zip(short, given, strict=True)
        ]
        named = dict(zip(full, given, strict=True))
        if len(named) < len(full):
            name = next(name for name in full if full.count(name) > 1)
            raise ParameterError("methods", "different, or named in a mapping", f"{name} twice")
    if IndependentEvents() not in named.values():
        if "independence" in named:
            rule = "named otherwise: independence is the name of independent events"
            raise ParameterError("methods", rule, "independence")
        named["independence"] = IndependentEvents()
    return named


def _learners_of_orders(candidates: Mapping[str, Candidate]) -> dict[str, Any]:
    """Return the methods that can learn from seen orders, to be fitted with these too."""
    learners = {
        f"{name} + orders": each for name, each in candidates.items() if learns_from_orders(each)
    }
    if taken := learners.keys() & candidates.keys():
        raise ParameterError("methods", "named otherwise: with orders one is named", min(taken))
    return learners


def _name(candidate: Candidate, of_method: Any = name_of) -> str:
    instance("methods", candidate, Method | Fit | Model | Order, "methods, fits or models")
    if isinstance(candidate, Fit):
        return f"fit of {of_method(candidate.method)}"
    if isinstance(candidate, Model | Order):
        return type(candidate).__name__
    return str(of_method(candidate))


@dataclass(frozen=True, eq=False)
class _Work:
    """What is to be predicted: samples, the later ones of patients, and which are held out when."""

    data: Dataset
    groups: IntArray
    followed: Pairs | None
    splits: Sequence[IntArray]

    def pairs(self, held_out: IntArray) -> tuple[Pairs | None, Pairs | None]:
        """Return the pairs of patients to learn from, and those of patients that are held out."""
        if self.followed is None:
            return None, None
        inside = self.inside(held_out)
        parts = (self.followed.taken(which) if which.any() else None for which in (~inside, inside))
        learnt, asked = parts
        return learnt, asked

    def inside(self, held_out: IntArray) -> BoolArray:
        """Return which pairs are of held-out patients."""
        own = np.zeros(0, dtype=np.int64) if self.followed is None else self.followed.groups
        return np.isin(own, self.groups[held_out])


def _followed(fixed: Dataset, groups: IntArray, series: Dataset) -> Pairs | None:
    """Return the later samples of patients of the data, and those before them; None without."""
    if fixed.patients is None or series.patients is None:
        return None
    told = zip(fixed.patients.names, groups.tolist(), strict=True)
    number_of = {name: number for name, number in told if name}
    data, _ = in_fixed_order(series.without_orders().take_events(fixed.events))
    assert data.patients is not None
    own = np.array([number_of.get(name, -1) for name in data.patients.names], dtype=np.int64)
    return Pairs.of(data, own)


def _predicted(
    entry: Entry, work: _Work, held_out: IntArray, required: bool = True
) -> Prediction | str:
    """Learn from the training part, then look at the held-out part.

    If the method is not required, and refuses the data: why.
    """
    data = work.data
    with silent():
        training = np.delete(np.arange(len(data.samples)), held_out)
        rest = data.take_samples(held_out)
        learnt, asked = work.pairs(held_out)
        try:
            learnt_from = data.take_samples(training)
            predictor = entry.learn(learnt_from)
            found = predictor.log_probabilities(rest)
            present = predictor.entry_probabilities(rest, found)
            orders = predictor.order_probabilities(rest, scored_orders(rest))
            seen = predictor.log_probabilities(learnt_from)
            later = None if asked is None else said_by(predictor, learnt, asked)
        except ModelError as error:
            if required:
                raise
            return str(error)
    doubts = predictor.doubts
    return Prediction(found, present, predictor.unmodelled, orders, seen, doubts, later)


def _tallied(
    entries: Sequence[Entry],
    work: _Work,
    jobs: int,
    together: int,
    *,
    required: bool,
) -> "_Tally":
    """Learn from every training part by every method, and sum what is said of held-out samples.

    Mixtures learn their weights from so many splits together; from one alone they are fitted.
    Methods that are not required may refuse the data.
    """
    learnt, sources = arranged(entries) if together > 1 else ([*entries], [*range(len(entries))])
    data, splits = work.data, work.splits
    tasks = [
        (entry, work, split, required and place in sources)
        for split, (place, entry) in product(splits, enumerate(learnt))
    ]
    unit, progress = _progress(learnt, data, len(splits))
    tally = _Tally(work, len(entries))
    said: list[list[Prediction | str]] = [[]]
    for done, part in enumerate(in_order(_predicted, tasks, jobs), start=1):
        said[-1].append(part)
        tell(unit, progress[done], progress[-1])
        if done % len(learnt):
            continue
        if len(said) == together:
            first = done // len(learnt) - together
            tally.add_all(splits[first : first + together], sources, said)
            said = []
        said.append([])
    return tally


def _progress(learnt: Sequence[Entry], data: Dataset, splits: int) -> tuple[str, list[int]]:
    """Return the unit of progress, and how much is done after each number of fits.

    Fits of one method take a thousand times as long as those of another: if all take long, the
    unit is what a fit is expected to take, not the fit.
    """
    costs = np.tile([_cost(each, data) for each in learnt], splits)
    if costs.sum() < _LONG:
        return "fits", list(range(len(costs) + 1))
    return "seconds of fits", np.ceil(np.append(0.0, costs.cumsum())).astype(int).tolist()


def _cost(entry: Entry, data: Dataset) -> float:
    with suppress(ModelError):
        return cost_of(entry.method, data) if isinstance(entry, Learnt) else 0.0
    return 0.0  # a refusal comes later, if the method is required


class _Tally:
    """Sums over all splits so far; samples and events in the fixed order."""

    def __init__(self, work: _Work, methods: int) -> None:
        data = work.data
        samples, events = data.values.shape
        self.data, self.work = data, work
        self.times = np.zeros(samples, np.int64)
        self.log_probabilities = np.zeros((methods, samples))
        self.log_scores, self.squares, self.concordant = np.zeros((3, methods, events))
        self.entries, self.pairs = np.zeros((2, events), np.int64)
        self.unmodelled = np.zeros((methods, events), np.int64)
        self.pairs_of_orders = scored_orders(data)
        self.orders = np.zeros((methods + len(BASELINES), len(self.pairs_of_orders)))
        pairs, entries = (0, 0)
        if work.followed is not None:
            pairs, entries = len(work.followed.groups), len(work.followed.entries())
        self.later = np.zeros((methods + len(SERIES_BASELINES), pairs))
        self.came = np.zeros((methods + len(SERIES_BASELINES), entries))
        self.part_scores: list[list[float]] = [[] for _ in range(methods)]
        self.refused: dict[int, str] = {}  # why a method did not take a training part
        self.doubts: Counter[tuple[int, str]] = Counter()  # in how many training parts

    def add_all(
        self,
        splits: Sequence[IntArray],
        sources: Sequence[int | Mixture],
        said: Sequence[Sequence[Prediction | str]],
    ) -> None:
        held_out = [self.data.take_samples(rows) for rows in splits]
        for method, source in enumerate(sources):
            own = (
                source.predictions(said, held_out)
                if isinstance(source, Mixture)
                else of_method(said, source)
            )
            if isinstance(own, str):
                self.refused[method] = own
                continue
            for rows, part in zip(splits, own, strict=True):
                self.add(method, rows, part)

    def add(self, method: int, rows: IntArray, part: Prediction) -> None:
        self.log_probabilities[method, rows] += part.log_probabilities
        truth, known = self.data.values[rows], ~np.isnan(part.present)
        observed = np.where(truth, part.present, 1 - part.present)
        with np.errstate(divide="ignore"):
            self.log_scores[method] += np.where(known, np.log(observed), 0.0).sum(axis=0)
        self.squares[method] += np.where(known, (1 - observed) ** 2, 0.0).sum(axis=0)
        for event, own in enumerate(known.T):
            present = part.present[own, event]
            self.concordant[method, event] += concordant(present, truth[own, event])
        self.unmodelled[method, [self.data.events.index(each) for each in part.unmodelled]] += 1
        total = part.log_probabilities.sum() + part.training.sum()
        self.part_scores[method].append(float(total) / len(self.data.samples))
        self.doubts.update((method, doubt) for doubt in part.doubts)
        self.add_series(method, rows, part)
        own = np.isin(self.pairs_of_orders[:, 0], rows)
        self.orders[method, own] += part.orders
        if method == 0:  # the same for all methods
            self.orders[-len(BASELINES) :, own] += baselines(self.data, rows)
            with_event = (known & truth).sum(axis=0)
            self.times[rows] += 1
            self.entries += known.sum(axis=0)
            self.pairs += with_event * (known & ~truth).sum(axis=0)

    def add_series(self, method: int, rows: IntArray, part: Prediction) -> None:
        """Add what is said of later samples of held-out patients, by the comparisons once."""
        inside = self.work.inside(rows)
        learnt, asked = self.work.pairs(rows)
        if asked is None or self.work.followed is None:
            return
        said = [(method, part.later or unknown(asked))]
        if method == 0:
            training = np.delete(np.arange(len(self.data.samples)), rows)
            plain = Predictor.of(None, {}, self.data.take_samples(training))
            others = (nothing_changes(learnt, asked), frequencies_say(plain, learnt, asked))
            said += zip(range(-len(others), 0), others, strict=True)
        entries = inside[self.work.followed.entries()[:, 0]]
        for place, own in said:
            self.later[place, inside] += own.log_probabilities
            self.came[place, entries] += own.present


def _series_judgement(
    tally: _Tally, methods: tuple[str, ...], work: _Work
) -> SeriesJudgement | None:
    """Return how probable the methods with a clock find later samples of held-out patients."""
    pairs = work.followed
    if pairs is None:
        return None
    often = np.sum([work.inside(rows) for rows in work.splits], axis=0)
    if not often.any():
        return None
    scored = often > 0
    chosen = pairs.taken(scored)
    kept = [k for k in range(len(methods)) if not np.isnan(tally.later[k]).any()]
    kept = [k for k in kept if k not in tally.refused]
    rows = [*kept, *range(len(methods), len(methods) + len(SERIES_BASELINES))]
    asked = scored[pairs.entries()[:, 0]]
    times = often[pairs.entries()[asked, 0]]
    return SeriesJudgement(
        methods=(*(methods[k] for k in kept), *SERIES_BASELINES),
        events=pairs.later.events,
        earlier=tuple(pairs.names[row][0] for row in np.flatnonzero(scored)),
        later=tuple(pairs.names[row][1] for row in np.flatnonzero(scored)),
        groups=chosen.groups,
        log_probabilities=tally.later[np.ix_(rows, scored)] / often[scored],
        entries=chosen.entries(),
        came=chosen.later.values[tuple(chosen.entries().T)],
        probabilities=np.clip(tally.came[np.ix_(rows, asked)] / times, 0, 1),
        lost=int(pairs.lost[scored].sum()),
    )


def _order_judgement(
    tally: _Tally, methods: tuple[str, ...], reference: int, patients: IntArray
) -> OrderJudgement | None:
    """Return how probable the methods find the orders of held-out samples, if any were seen."""
    pairs, data = tally.pairs_of_orders, tally.data
    times = tally.times[pairs[:, 0]]
    scored = times > 0
    if data.orders is None or not scored.any() or len(methods) == 1:
        return None
    totals = tally.log_probabilities.sum(axis=1)
    totals[list(tally.refused)] = -np.inf
    left_out = [reference, *tally.refused]
    names = np.delete(np.array([*methods, *BASELINES], dtype=object), left_out)
    return OrderJudgement(
        methods=tuple(names),
        predicts_best=methods[int(totals.argmax())],
        samples=data.samples,
        events=data.events,
        pairs=pairs[scored],
        nested=data.orders.nested[data.orders.firm()][scored],
        groups=patients[pairs[scored, 0]],
        probabilities=np.clip(
            np.delete(tally.orders, left_out, axis=0)[:, scored] / times[scored], 0, 1
        ),
    )


def concordant(predicted: FloatArray, present: Any) -> float:
    """Return in how many pairs the sample with the event has the higher prediction; ties half."""
    number = int(present.sum())
    ranks = mean_ranks(np.round(predicted, 9))[present] if number else np.zeros(0)  # rounding: ties
    return float(ranks.sum() - number * (number + 1) / 2)


def in_fixed_order(data: Dataset) -> tuple[Dataset, IntArray]:
    """Return the data in an order that does not depend on the given one, and the old positions.

    Events are ordered by name; samples by genotype, and by name where genotypes are equal.
    """
    order = data.sample_order
    return data.take_events(sorted(data.events)).take_samples(order), order


def group_numbers(data: Dataset, groups: GroupLabels | None) -> IntArray:
    """Return the number of the group of each sample, in the order in which they appear."""
    if groups is None:
        own = data.patients
        return np.arange(len(data.samples)) if own is None else own.numbers
    if isinstance(groups, Mapping):
        if not set(groups) & set(data.samples):
            raise ParameterError("groups", "labels of samples of the data", groups)
        labels: list[tuple[str, str]] = [
            ("group", groups[name]) if name in groups else ("sample", name) for name in data.samples
        ]
    elif isinstance(groups, Sequence | np.ndarray) and len(groups) == len(data.samples):
        labels = [("group", str(label)) for label in groups]
    else:
        rule = f"one label for each of the {len(data.samples)} samples"
        raise ParameterError("groups", rule, len(groups) if isinstance(groups, Sized) else groups)
    return renumbered(labels)


def renumbered(labels: Iterable[Any]) -> IntArray:
    """Return a number for each label: equal ones have the same, in the order of appearance."""
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in labels], dtype=np.int64)


def fold_numbers(
    data: Dataset, groups: IntArray, *, folds: int, repeats: int, seed: int
) -> IntArray:
    """Return the fold of each sample in each repetition, repetitions x samples.

    The data is in the order of `in_fixed_order`; samples of a group are in the same fold.
    """
    codes = data.codes()
    members: dict[int, list[bytes]] = {}
    for row, group in enumerate(groups.tolist()):
        members.setdefault(group, []).append(codes[row].tobytes())
    distinct = sorted(members, key=lambda group: (sorted(members[group]), group))
    if not 2 <= folds <= len(distinct):
        what = "samples" if len(distinct) == len(groups) else "groups"
        raise ParameterError("folds", f"from 2 to {len(distinct)}, the number of {what}", folds)
    found = np.empty((repeats, len(groups)), dtype=np.int64)
    for repeat in range(repeats):
        shuffled = np.random.default_rng([seed, repeat]).permutation(np.array(distinct))
        fold_of = np.empty(len(distinct), dtype=np.int64)
        fold_of[shuffled] = np.arange(len(distinct)) % folds
        found[repeat] = fold_of[groups]
    return sealed(found)
