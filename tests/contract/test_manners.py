"""What a user of Python sees: one line where something was mistaken, and what a result says."""

import pandas as pd
import pytest

import caprese
from caprese import METHODS, BayesForest, Caprese, Dataset, datasets

DATA = datasets.ovarian()
FRAME = DATA.to_frame()
FIT = Caprese().fit(DATA)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: caprese.write_report(FIT, "x.html"), "analysis must be the result of analyse"),
        (
            lambda: caprese.place(FRAME, FIT),
            "must be a fit or a model, and data the second, got a",
        ),
        (lambda: caprese.judge(FRAME), "data must be the second argument, after the methods, or"),
        (lambda: Caprese(shrinkage="0.5"), r"must be in \[0, 1\] or auto, got '0.5'"),
        (lambda: Caprese().fit("x.csv"), r"got str; a file is read by read_dataset\('x.csv'\)"),
        (lambda: caprese.Bayes, "has no attribute 'Bayes'; did you mean 'BayesForest'"),
        (lambda: caprese.red_dataset, "has no attribute .*; did you mean 'read_dataset'"),
        (lambda: Caprese().fit(FRAME.T), "looks transposed: the columns are numbered like samples"),
    ],
)
def test_a_mistake_is_one_line_that_says_what_is_meant(call, message):
    with pytest.raises((ValueError, AttributeError), match=message) as caught:
        call()
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("index", "columns", "why"),
    [
        (["TP53", "KRAS"], ["TCGA-02-0001", "TCGA-02-0003"], "named like patients"),
        (pd.Index(["TP53", "KRAS"], name="Hugo_Symbol"), ["a", "b", "c"], "is 'Hugo_Symbol'"),
        (["TP53", "KRAS"], pd.Index(["a"], name="sample"), "its columns are titled 'sample'"),
    ],
)
def test_a_transposed_frame_is_refused(index, columns, why):
    frame = pd.DataFrame(1, index=index, columns=columns)
    with pytest.raises(caprese.DatasetError, match=why):
        Dataset.from_frame(frame)
    assert Dataset.from_frame(frame.T).events == ("TP53", "KRAS")


def test_a_judgement_and_a_placement_say_what_they_found():
    judged = caprese.judge([Caprese()], DATA, folds=3)
    assert repr(judged).endswith("on 87 samples x 7 events; caprese predicts best>")
    assert judged._repr_html_().startswith("<p>&lt;Judgement: caprese, independence on")
    placed = caprese.place(FIT, DATA.take_events(["8q+", "3q+", "5q-", "8p-", "Xp-"]))
    assert repr(placed).endswith("; they lack: 4q-, 1q+>")
    for found in (judged, placed):
        assert found._repr_html_().count("<table") == 1


@pytest.mark.parametrize("kind", METHODS.values(), ids=METHODS)
def test_a_method_is_cloned_as_scikit_learn_does(kind):
    method = kind()
    given = method.get_params(deep=False)
    clone = type(method)(**given)
    assert clone == method
    assert all(clone.get_params()[name] is value for name, value in given.items())


def test_changed_parameters_are_among_those_of_a_method():
    assert BayesForest(draws=7, seed=3).get_params()["draws"] == 7
