"""What a report says never contradicts the referee, on twenty simulated data sets of five kinds."""

import numpy as np
import pytest

from caprese import Dataset, Hazards, analyse, judge
from caprese.report.content import Notice, Paragraph, Picture, Properties, Section, Sure, Table
from caprese.report.sections import report_content
from caprese.simulation.random_models import DagRecipe, ForestRecipe
from caprese.text.comparison import next_sentence, plan_sentence, verdict_sentence
from caprese.text.sentences import Number, plain
from pages import blocks_of

pytestmark = pytest.mark.slow

EVENTS, SAMPLES, BUDGET = 5, 100, 0.6
NAMES = tuple("abcde")


def forest(rng):
    return ForestRecipe(events=EVENTS, trees=2, top=0.7).draw(rng).sample(SAMPLES, rng)


def poset(rng):
    return DagRecipe(events=EVENTS, max_parents=2, top=0.8).draw(rng).sample(SAMPLES, rng)


def hazards(rng):
    effects = np.exp(rng.normal(0, 1, (EVENTS, EVENTS)))
    np.fill_diagonal(effects, 1)
    return Hazards(NAMES, np.exp(rng.normal(-0.7, 0.7, EVENTS)), effects).sample(SAMPLES, rng)


def growth(rng):
    """Tumours whose events speed up their growth; the larger one is, the likelier it is taken."""
    waits = rng.exponential(1, (20 * SAMPLES, EVENTS)) / rng.uniform(0.3, 1.5, EVENTS)
    grows, age = rng.uniform(0, 1.5, EVENTS), rng.exponential(1, (20 * SAMPLES, 1))
    size = np.exp((np.maximum(age - waits, 0) * grows).sum(axis=1))
    taken = rng.choice(len(size), SAMPLES, p=size / size.sum())
    return Dataset((waits < age)[taken], NAMES)


def independent(rng):
    return Dataset(rng.random((SAMPLES, EVENTS)) < rng.uniform(0.2, 0.7, EVENTS), NAMES)


KINDS = (forest, poset, hazards, growth, independent)


@pytest.fixture(
    scope="module",
    params=[(kind, number) for kind in KINDS for number in range(4)],
    ids=lambda each: f"{each[0].__name__} {each[1]}",
)
def case(request):
    """A data set, its report, and what the referee says of it."""
    kind, number = request.param
    data = kind(np.random.default_rng([KINDS.index(kind), number]))
    found = analyse(None, data, replicates=20, jobs=1, budget=BUDGET)
    return found, report_content(found), judge(None, data, budget=BUDGET, jobs=1)


def sentences(section):
    return [plain(block.text) for block in blocks_of(section) if isinstance(block, Paragraph)]


def answer_of(report):
    """Return what the answer says, by what it is about."""
    (answer,) = (b for b in report.section("answer").blocks if isinstance(b, Properties))
    return {plain(about): plain(words) for about, words in answer.items}


def own_table(section):
    table = next(block for block in section.blocks if isinstance(block, Table))
    return [[c.text if isinstance(c, Number) else plain(c) for c in row] for row in table.rows]


def test_the_verdict_and_the_next_step_are_those_of_the_referee(case):
    _, report, referee = case
    said = answer_of(report)
    assert plain(verdict_sentence(referee)) == said["Prediction"]
    assert plain(next_sentence(referee)) == f"Next: {said['Next']}"
    for words in (words for section in report.sections for words in sentences(section)):
        assert ("No order is supported" not in words) or not referee.supports_order
        assert ("predicts best" not in words) or referee.supports_order


def test_the_numbers_of_the_methods_are_those_of_the_referee(case):
    _, report, referee = case
    for name, score, gain, _ in own_table(report.section("judgement")):
        place = referee.methods.index(name)
        assert score == f"{referee.scores[place]:.3f}"
        mean = referee.gains[place].mean
        assert gain == ("" if place == referee.reference else f"{mean:.2f}")


def test_the_folded_verdict_counts_the_methods_without_independent_events(case):
    _, report, referee = case
    number = len(referee.methods) - 1
    best = referee.methods[referee.best]
    said = (
        f"{best} predicts best of {number} methods."
        if referee.supports_order
        else f"None of {number} methods predicts clearly better than independent events."
    )
    assert plain(report.section("judgement").inside.text) == said


def test_orders_are_known_only_where_an_order_is_supported(case):
    found, report, referee = case
    known = found.answer.known
    assert (known is not None) == referee.supports_order
    assert ("known" in report.keys) == referee.supports_order
    drawn = [b for b in blocks_of(report.section("answer")) if isinstance(b, Picture)]
    assert len(drawn) == (known is not None and bool(known.orders))
    headline, *_ = sentences(report.section("answer"))
    assert headline.startswith("None is supported") == (not referee.supports_order)
    if headline.startswith("Yes"):
        assert known.orders
        rows = own_table(report.section("known"))
        assert [row[0] for row in rows] == [f"{o.earlier} before {o.later}" for o in known.orders]


PRAISE = ("supported edge", "well supported", "as a whole", "every edge was", "implied", "known")


def test_the_tree_is_called_a_try_where_no_order_is_supported(case):
    _, report, referee = case
    tree = report.section("tree")
    summary, *parts = (b for b in tree.blocks if isinstance(b, Section))
    refuted = not referee.supports_order
    assert isinstance(summary.blocks[0], Notice) == refuted
    assert ("the judgement supports no order here" in sentences(tree)[0]) == refuted
    keys = {part.key for part in parts}
    assert ("directions" in keys or "uncertainty" in keys) != refuted
    if refuted:
        notice, *_ = sentences(summary)
        assert notice.startswith("No order is supported by these data. ")
        assert not [w for w in sentences(tree) if w != notice and any(p in w for p in PRAISE)]
        folded = [each.inside for each in (tree, *parts) if each.inside is not None]
        assert "uncertain" not in " ".join(plain(each.text) for each in folded)
        assert {each.sure for each in folded} <= {None, Sure.NO}
    if "caprese" in referee.methods:
        better = referee.better[referee.methods.index("caprese")]
        words = sentences(summary)[-1]
        assert words.startswith("caprese does not predict") == (not better)


def test_a_plan_is_made_only_where_something_is_undecided(case):
    found, report, referee = case
    needed = found.judgement.plan
    if needed is not None:
        assert found.answer.undecided
        assert (needed.order is not None) == (not referee.supports_order)
        assert plain(plan_sentence(needed)) == answer_of(report).get("Would decide", "")


def test_a_place_in_the_tree_is_no_stage_where_no_order_is_supported(case):
    _, report, referee = case
    said, *_ = sentences(report.section("patients"))
    assert ("a place in it is no stage" in said) == (not referee.supports_order)
    assert ("what comes next where one can tell" in said) == referee.supports_order


def test_events_are_said_to_start_only_if_others_follow_them(case):
    found, report, referee = case
    if not referee.supports_order:
        return
    summary, *_ = (b for b in report.section("tree").blocks if isinstance(b, Section))
    said = " ".join(sentences(summary))
    model = found.order.fit.model
    placed = np.array([event not in found.order.fit.undetermined for event in model.events])
    roots = placed & ~model.adjacency().any(axis=0)
    leading = int((roots & model.ancestors().any(axis=1)).sum())
    assert "occur first" not in said
    assert ("start independently" in said) == (leading > 1)
    assert (" stand" in said) == bool(leading and roots.sum() > leading)
