"""Fits and models as text."""

from dataclasses import replace

import numpy as np
import pytest

from caprese import CBN, MHN, Caprese, ConjunctiveDag, Dataset, Forest, Oncotree, datasets
from caprese._core.words import visible
from caprese.data.curation import Step
from caprese.data.seen_orders import SeenOrders
from caprese.text.fits import fit_lines, model_lines, unused_orders
from small_methods import Frequencies, TwoParents

pytestmark = pytest.mark.slow


def test_the_lines_of_the_ovarian_tree():
    assert (
        "\n".join(fit_lines(Caprese().fit(datasets.ovarian())))
        == """\
caprese (shrinkage 0.5) on 87 samples x 7 events

event         frequency  probability  score  reason
root
├─ 8q+             70 %        0.701         no admissible parent
│  ├─ 3q+          55 %        0.689  0.304  the only admissible parent
│  └─ 8p-          47 %        0.607  0.360  best of 4 admissible parents
│     └─ Xp-       43 %        0.659  0.359  best of 6 admissible parents
├─ 5q-             53 %        0.529         filtered: an independent root fits better than 3q+
│  └─ 4q-          51 %        0.739  0.346  best of 3 admissible parents
└─ 1q+             44 %        0.437         filtered: an independent root fits better than 3q+"""
    )


def test_events_that_could_not_be_placed_are_listed_below_the_tree():
    data = Dataset.from_rows([[1, 0, 1], [1, 0, 0]], events=["up", "gone", "c"])
    assert fit_lines(Caprese().fit(data))[-1] == (
        "Could not be placed: up (always seen), gone (never seen)"
    )


def test_equally_frequent_events_are_named():
    data = Dataset.from_rows([[1, 1], [0, 0], [1, 1]], events=["a", "b"])
    assert "no admissible parent; as frequent as b" in "\n".join(fit_lines(Caprese().fit(data)))


def test_tied_parents_are_named():
    rows = [[1, 1, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1], [0, 0, 0]]
    lines = "\n".join(fit_lines(Caprese().fit(Dataset.from_rows(rows, events="abc"))))
    assert "tied: a and b score the same" in lines
    assert lines.endswith("Could not be placed: c (tied)")


def test_an_event_with_several_parents_is_below_each_and_its_children_are_shown_once():
    rows = [[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
    rows += [[0, 1, 0, 0], [0, 0, 0, 0]]
    lines = fit_lines(CBN().fit(Dataset.from_rows(rows, events="abcd")))
    assert [line[: lines[2].index("  frequency")].rstrip() for line in lines[3:-2]] == [
        "root",
        "├─ a",
        "│  └─ c (and b)",
        "│     └─ d",
        "└─ b",
        "   └─ c (and a)",
    ]
    assert lines[-3].endswith("shown above")


def test_the_lines_of_a_model_alone():
    dag = ConjunctiveDag(("a", "b", "c"), ((), (), (0, 1)), (0.5, 0.8, 0.5))
    assert model_lines(dag) == [
        "dag of 3 events",
        "",
        "event            probability",
        "root",
        "├─ b                   0.800",
        "│  └─ c (and a)        0.500",
        "└─ a                   0.500",
        "   └─ c (and b)",
    ]


def test_a_deep_chain_is_drawn_without_recursion():
    events = [f"e{k:04d}" for k in range(1500)]
    rows = [[column <= row for column in range(1500)] for row in range(-1, 1500)]
    lines = fit_lines(Caprese(shrinkage=0.01).fit(Dataset.from_rows(rows, events)))
    assert lines[-1].split()[1:5] == ["level", "1500", "└─", "e1499"]


def test_the_text_of_a_deep_chain_grows_with_its_length_and_not_with_its_square():
    events = tuple(f"e{k}" for k in range(2000))
    forest = Forest(events, np.arange(-1, 1999), np.full(2000, 0.99))
    lines = model_lines(forest)
    assert max(map(len, lines)) < 250
    assert lines[63].startswith(" " * 59 * 3 + "└─ e59 ")
    assert lines[64].startswith("… level 61 └─ e60 ")


def test_hostile_names_stay_on_their_line():
    names = ["a\nb", "\x1b[31mred", "x" * 10_000]
    rows = [[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]]
    lines = fit_lines(Caprese(shrinkage=0.01).fit(Dataset.from_rows(rows, names)))
    assert len(lines) == 7
    assert all(line.isprintable() for line in lines)
    assert max(map(len, lines)) < 300


def test_columns_with_wide_characters_are_aligned():
    names = ["変異", "b", "c"]
    rows = [[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]]
    _, _, header, _, first, second, _ = fit_lines(
        Caprese(shrinkage=0.01).fit(Dataset.from_rows(rows, names))
    )
    assert header.index("frequency") + len("frequency") == first.index("%") + 1 + 2
    assert second.index("%") + 1 == header.index("frequency") + len("frequency")


def test_a_long_text_is_shortened():
    assert visible("x" * 40 + "y" * 30) == "x" * 30 + "…" + "y" * 29


class TestAModelWithoutEdges:
    def test_its_events_are_listed_by_frequency_with_notes_and_log_below(self):
        step = Step("read", "read from a file")
        fit = replace(Frequencies().fit(datasets.acml()), log=(step,))
        assert fit_lines(fit) == [
            "Frequencies on 64 samples x 3 events",
            "",
            "event            frequency  probability",
            "SETBP1 missense       22 %        0.227",
            "ASXL1 indel           14 %        0.152",
            "ASXL1 nonsense         8 %        0.091",
            "",
            "sum of frequencies: sum 2.5",
            "",
            "read from a file",
        ]

    def test_the_model_alone_has_the_same_numbers(self):
        fit = Frequencies().fit(datasets.acml())
        assert model_lines(fit.model)[:3] == [
            "independence of 3 events",
            "",
            "event            probability",
        ]
        assert "SETBP1 missense        0.227" in model_lines(fit.model)


def test_a_method_that_is_not_registered_is_shown_by_its_class():
    lines = fit_lines(TwoParents().fit(datasets.acml()))
    assert lines[0] == "TwoParents on 64 samples x 3 events"
    assert lines[2].split() == ["event", "frequency", "probability", "depth", "reason"]
    assert lines[5].startswith("│  └─ ASXL1 nonsense (and ASXL1 indel)")
    assert lines[5].endswith("by frequency: ASXL1 nonsense and reason edge")


def test_a_method_that_cannot_use_seen_orders_says_so():
    data = Dataset.from_rows([[1, 1], [1, 0]], "ab", "pq")
    ordered = data.with_orders(SeenOrders.from_rows([("p", "a", "b")]))
    said = "oncotree does not use the seen orders: the fit is that of the samples alone"
    assert unused_orders(Oncotree(), ordered) == said
    assert unused_orders(Oncotree(), data) == unused_orders(MHN(), ordered) == ""
