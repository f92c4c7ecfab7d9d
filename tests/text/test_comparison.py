"""Several fits as text."""

import numpy as np
import pytest

from caprese import CBN, Caprese, Dataset, Noise, Oncotree, compare, datasets, judge
from caprese.text.comparison import comparison_lines
from small_methods import Frequencies

METHODS = [Caprese(), Caprese(shrinkage=0.01), Oncotree(), Oncotree(search="branching")]


def lines(methods, data):
    return comparison_lines(compare(methods, data))


def test_the_lines_of_the_ovarian_trees():
    assert (
        "\n".join(lines(METHODS, datasets.ovarian()))
        == """\
A  caprese (shrinkage 0.5)
B  caprese (shrinkage 0.01)
C  oncotree (search szabo)
D  oncotree (search branching)

event           A        B        C        D
8q+             root     root     root     root
3q+             8q+      8q+      8q+      8q+
5q-             root     root     root     8p- *
4q-             5q-      5q-      5q-      5q-
8p-             8q+      8q+      5q- *    8q+
1q+             root     root     root     root
Xp-             8p-      8p-      8p-      8p-

log-likelihood  -377.61  -377.61  -371.09  -368.27
false positive  0.224    0.224    0.077    0.091
false negative  0.000    0.000    0.164    0.186

* differs from A"""
    )


def test_where_all_methods_agree_nothing_is_marked():
    text = "\n".join(lines(METHODS[:2], datasets.ovarian()))
    assert "*" not in text
    assert text.endswith("false negative  0.000    0.000")


def test_a_root_in_place_of_a_parent_is_marked_too():
    shown = lines([METHODS[3], METHODS[2]], datasets.ovarian())
    assert next(line for line in shown if line.startswith("5q-")).split() == [
        "5q-",
        "8p-",
        "root",
        "*",
    ]


def test_a_tie_and_an_event_never_seen_are_not_shown_as_a_root():
    rows = [[1, 1, 1, 0]] * 6 + [[1, 0, 0, 0]] * 3 + [[0, 1, 0, 0]] * 3 + [[0, 0, 0, 0]] * 6
    shown = lines([Caprese(), CBN()], Dataset.from_rows(rows, "abcd"))
    assert [line.split() for line in shown if line[:1] in ("c", "d")] == [
        ["c", "(tied)", "a", "&", "b", "*"],
        ["d", "(never", "seen)", "(never", "seen)"],
    ]


def test_one_method_alone_is_shown():
    shown = lines([Caprese()], datasets.acml())
    assert shown[:4] == ["A  caprese (shrinkage 0.5)", "", "event            A", shown[3]]
    assert len(shown) == 10


def test_error_rates_that_were_given_are_shown():
    shown = lines([Caprese(noise=Noise(0.2, 0.02)), Oncotree(noise="estimate")], datasets.ovarian())
    assert shown[0] == "A  caprese (shrinkage 0.5, noise 0.2,0.02)"
    assert shown[1] == "B  oncotree (search szabo, noise estimate)"


def test_a_model_without_edges_has_neither_parents_nor_error_rates():
    data = datasets.acml()
    shown = [line.split() for line in lines([Frequencies().fit(data).on(data), Caprese()], data)]
    assert shown[0] == ["A", "Frequencies"]
    assert shown[4] == ["SETBP1", "missense", "no", "edges", "root", "*"]
    assert next(line for line in shown if line[:2] == ["false", "positive"])[2] == "none"


def test_hostile_names_stay_on_their_line():
    names = ["a\nb", "\x1b[31mred", "x" * 10_000]
    rows = [[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]]
    shown = lines(METHODS[1:3], Dataset.from_rows(rows, names))
    assert len(shown) == len(lines(METHODS[1:3], Dataset.from_rows(rows, ["a", "b", "c"])))
    assert all(line.isprintable() for line in shown)
    assert max(map(len, shown)) < 300


def test_columns_with_wide_characters_are_aligned():
    from caprese.text.columns import cells

    rows = [[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]]
    shown = lines(METHODS[1:3], Dataset.from_rows(rows, ["変異", "b", "c"]))
    table = shown[shown.index("") + 1 :]
    edge = cells(table[0][: table[0].index("A")])
    for line in table[1:4]:
        assert cells(line[: line.index("root" if "root" in line else line.split()[1])]) == edge


@pytest.mark.parametrize("number", [2, 26])
def test_each_method_has_its_letter(number):
    methods = [Caprese(shrinkage=round(k, 2)) for k in np.linspace(0, 1, number)]
    shown = lines(methods, datasets.acml())
    letters = [chr(ord("A") + k) for k in range(number)]
    assert [line[0] for line in shown[:number]] == letters
    assert shown[number + 1].split() == ["event", *letters]


def test_a_judgement_adds_how_well_each_method_predicts():
    data = datasets.ovarian()
    judged = judge({"A": Caprese(), "B": Oncotree()}, data, folds=5)
    shown = comparison_lines(compare([Caprese(), Oncotree()], data), judged)
    score = next(line for line in shown if line.startswith("held-out score"))
    assert score.split()[2:] == [f"{each:.3f}" for each in judged.scores[:2]]
    assert shown[-1].startswith("Held-out prediction: ")


def test_a_model_without_error_rates_says_so():
    shown = lines([Caprese(), Frequencies()], datasets.acml())
    (rates,) = (line for line in shown if line.startswith("false positive"))
    assert rates.split()[-1] == "none"
    assert shown[-1] == "none: the model has no errors, and explains the data as they are"
