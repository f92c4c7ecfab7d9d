"""Facts in words."""

import ast
from pathlib import Path

import pytest

import caprese
from caprese import datasets
from caprese._core.facts import Fact
from caprese.data.inspection import inspect
from caprese.methods import METHODS
from caprese.methods.base import OrderedFit, Reason
from caprese.text.facts import WORDS, in_words, sentence
from caprese.text.sentences import Event, plain
from hostile_names import HOSTILE
from poor import POOR

PACKAGE = Path(caprese.__file__).parent


def sources():
    """All modules that may state facts, as syntax trees; `text` puts them into words."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return [
        ast.parse(path.read_text(encoding="utf-8"))
        for path in paths
        if path.relative_to(PACKAGE).parts[0] != "text"
    ]


def kinds_stated():
    """The kinds that are written out where a fact is made; not those of examples."""
    calls = (node for tree in sources() for node in ast.walk(tree) if isinstance(node, ast.Call))
    facts = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Fact")
    return {call.args[0].value for call in facts if isinstance(call.args[0], ast.Constant)}


def test_every_kind_that_is_stated_has_words():
    assert len(kinds_stated()) > 15
    assert kinds_stated() <= set(WORDS)


def test_every_reason_has_words():
    assert {str(reason) for reason in Reason} <= set(WORDS)


def test_all_words_are_of_a_kind_that_is_stated():
    texts = {
        node.value
        for tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert set(WORDS) <= texts


@pytest.mark.parametrize("name", [*POOR, "ovarian", "acml"])
@pytest.mark.parametrize("method", METHODS)
def test_whatever_a_method_or_an_inspection_states_has_words(method, name):
    data = POOR.get(name) or getattr(datasets, name)()
    fit = METHODS[method]().fit(data)
    remarks = fit.remarks() if isinstance(fit, OrderedFit) else ()
    facts = [*remarks, *fit.evidence.notes(), *inspect(data).warnings]
    assert {fact.kind for fact in facts} <= set(WORDS)
    assert all(line and "{" not in line for line in in_words(facts))


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (Fact("best score", values={"candidates": 1}), "the only admissible parent"),
        (Fact("best score", values={"candidates": 4}), "best of 4 admissible parents"),
        (Fact("equal scores", ("a", "b", "c")), "tied: a, b and c score the same"),
        (
            Fact("independent root", ("a", "b")),
            "filtered: an independent root fits better than a or b",
        ),
        (Fact("equally frequent", ("a",)), "no admissible parent; as frequent as a"),
        (Fact("heaviest parent", values={"candidates": 1}), "heaviest of 1 admissible parent"),
        (Fact("heaviest tree", ("a",)), "in the heaviest tree, though a alone would weigh more"),
        (Fact("heavier root", ("a",)), "the root outweighs a"),
        (Fact("heavier root"), "the root outweighs all others"),
        (Fact("equal weights", ("a", "b")), "tied: a and b weigh the same"),
        (Fact("equal weights", ("a",)), "tied: a weighs as much as another parent"),
        (Fact("rarely alone", values={"parents": 1}), "rarely seen without its parent"),
        (Fact("rarely alone", values={"parents": 2}), "rarely seen without its 2 parents"),
        (Fact("seen alone"), "seen without each of the more frequent events"),
        (Fact("same samples", ("a",)), "tied: seen in the same samples as a"),
        (
            Fact("likelihood gain", values={"parents": 1, "gain": 3.21}),
            "its parent adds 3.2 to the log-likelihood",
        ),
        (
            Fact("little gain", values={"parents": 2, "gain": 0.01}),
            "its 2 parents add little to the log-likelihood",
        ),
        (Fact("no gain"), "no parent adds to the likelihood"),
        (
            Fact("searches", values={"best": 2, "searches": 6}),
            "2 of 6 searches ended at this likelihood",
        ),
        (
            Fact("likeliest poset", values={"log-likelihood": -371.234, "error": 0.0612}),
            "log-likelihood -371.23 with an error rate of 0.061",
        ),
        (Fact("never seen"), "never seen"),
        (Fact("always seen"), "always seen"),
        (Fact("no more than errors would show"), "no more than errors alone would show"),
        (
            Fact("transposed", ("TCGA-1", "TCGA-2", "TCGA-3"), {"sign": "sample names"}),
            "The table may be transposed: columns are named like samples (TCGA-1, TCGA-2 and 1 "
            "more). Rows must be samples and columns events; transpose it if they are not. "
            "Otherwise select the most frequent events.",
        ),
        (
            Fact("transposed", values={"sign": "shape", "rows": 3, "columns": 90}),
            "The table may be transposed: there are 3 rows and 90 columns. Rows must be samples "
            "and columns events; transpose it if they are not. Otherwise select the most frequent "
            "events.",
        ),
        (
            Fact("few samples", values={"samples": 3, "events": 5}),
            "There are fewer samples (3) than events (5), so many events will be related by "
            "chance alone. Select the most frequent events, or add samples.",
        ),
        (
            Fact("nearly always", ("a",), {"share": 0.95, "share 0": 0.98}),
            "In more than 95 % of samples: a (98 %). Too few samples lack such an event to show "
            "what it precedes; drop it, or split it into finer events in the source data.",
        ),
        (
            Fact("never together", ("a", "b", "a", "c")),
            "Never known in the same sample: a with b and a with c. Such a pair cannot be "
            "ordered; drop one of the two events, or analyse the panels separately.",
        ),
    ],
    ids=lambda value: value.kind if isinstance(value, Fact) else "",
)
def test_the_words_of_a_fact(fact, words):
    assert in_words([fact]) == [words]


def test_names_stay_apart_from_words():
    assert sentence(Fact("same samples", ("8q+",))) == (
        "tied: seen in the same samples as ",
        Event("8q+"),
    )


def test_a_fact_of_an_unknown_kind_is_shown_as_it_is():
    fact = Fact("my own", ("8q+",), {"depth": 3, "share": 0.25})
    assert in_words([fact, Fact("my own")]) == ["my own: 8q+, depth 3 and share 0.25", "my own"]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_and_values_are_printable(name):
    for kind in ("equal scores", "my own", name):
        assert plain(sentence(Fact(kind, (name, "b"), {name: name}))).isprintable()
