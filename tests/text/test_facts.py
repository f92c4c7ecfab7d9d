"""Facts in words."""

import ast
from pathlib import Path

import pytest

import caprese
from caprese import datasets
from caprese._core.facts import Fact
from caprese.data.inspection import inspect
from caprese.methods import METHODS
from caprese.methods.evidence import Reason
from caprese.methods.fit import OrderedFit
from caprese.text.facts import in_words, sentence
from caprese.text.sentences import Event, plain
from caprese.text.words import WORDS
from fitted_once import shared as shared
from fitted_once import slow_methods_are_fitted_once as slow_methods_are_fitted_once
from hostile_names import HOSTILE
from poor import POOR

pytestmark = pytest.mark.slow

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
            Fact("searches", values={"best": 2, "searches": 6, "best again": 1, "again": 4}),
            "2 of 6 searches, and 1 of 4 that went on from their best, ended at this likelihood",
        ),
        (
            Fact("other ends", values={"posets": 3, "gap": 1.234}),
            "all ended at 3 different posets; the next likeliest is lower by 1.23",
        ),
        (
            Fact("starts below", values={"empty": 1, "caprese": 1}),
            "all searches from the empty poset, the CAPRESE forest ended lower",
        ),
        (
            Fact("found once"),
            "only one search found it: a likelier poset may remain, which more searches may find",
        ),
        (
            Fact("likeliest poset", values={"log-likelihood": -371.234, "error": 0.0612}),
            "log-likelihood -371.23 with an error rate of 0.061",
        ),
        (
            Fact("next best parent", ("a",), {"gain": 2.04, "root": 0.0}),
            "next best a: log-likelihood lower by 2.0",
        ),
        (
            Fact("next best parent", (), {"gain": -0.3, "root": 0.0}),
            "next best the root: log-likelihood higher by 0.3",
        ),
        (Fact("next best parent", ("a",), {"gain": 0.01, "root": 1.0}), "a is as likely"),
        (
            Fact(
                "likeliest forest",
                values={"log-likelihood": -367.687, "false positive": 0.09, "false negative": 0.18},
            ),
            "log-likelihood -367.69 with error rates of 0.090 (false positive) and 0.180 (false "
            "negative)",
        ),
        (
            Fact("starts", values={"best": 3, "starts": 8}),
            "3 of 8 starts of the search ended at this likelihood",
        ),
        (Fact("another parent", ("a",), {"probability": 0.321}), "otherwise a (32 %)"),
        (Fact("another parent", (), {"probability": 0.1}), "otherwise the root (10 %)"),
        (Fact("no other parent", (), {"bound": 0.05}), "every other parent is below 5 %"),
        (
            Fact(
                "posterior rates",
                values={
                    "false positive": 0.1,
                    "false positive low": 0.05,
                    "false positive high": 0.2,
                    "false negative": 0.3,
                    "false negative low": 0.25,
                    "false negative high": 0.4,
                },
            ),
            "error rates, posterior mean and 90 % interval: false positive 0.100 (0.050 to 0.200), "
            "false negative 0.300 (0.250 to 0.400)",
        ),
        (
            Fact("posterior rates", values={"false positive": 0.1, "false negative": 0.3}),
            "error rates, given: false positive 0.100, false negative 0.300",
        ),
        (
            Fact("chains agree", values={"R-hat": 1.004, "effective": 459.4, "draws": 1000}),
            "the chains agree: R-hat 1.00, 1000 draws are worth 459 independent draws",
        ),
        (
            Fact("chains do not agree", ("a", "b"), {"R-hat": 4.6e15, "effective": 7, "draws": 9}),
            "the chains found different parents of a and b, and moved too rarely from one "
            "answer to the other: which is right is not known; each chain counts by how well it "
            "predicts samples that it leaves out, and its probabilities by as much",
        ),
        (
            Fact("chains do not agree", values={"R-hat": 1.6, "effective": 7.4, "draws": 1000}),
            "the chains found different likelihoods or error rates, and moved too rarely "
            "from one answer to the other: which is right is not known; each chain counts by how "
            "well it predicts samples that it leaves out, and its probabilities by as much",
        ),
        (
            Fact("chains too short", values={"R-hat": 1.01, "effective": 20.0, "draws": 40}),
            "the chains are too short, so the probabilities are not reliable: R-hat 1.01, 40 "
            "draws are worth 20 independent draws; fit again with more draws",
        ),
        (
            Fact("other seeds"),
            "another seed may find other subtypes, although the chains of this fit agree: they "
            "start from one search for subtypes; fit with another seed before relying on them",
        ),
        (Fact("one subtype"), "one subtype: a single forest is enough for all samples"),
        (
            Fact(
                "subtype",
                ("a",),
                {"place": 2, "weight": 0.25, "frequency": 0.9, "elsewhere": 0.1},
            ),
            "subtype 2, 25 % of samples: a is in 90 % of its samples and in 10 % of the others",
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
