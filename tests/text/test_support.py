"""Bootstraps and edge tests as text."""

import re
from dataclasses import replace

import pytest

from caprese import CBN, Caprese, Dataset, bootstrap, datasets
from caprese._core.significance import CONTRADICTED, SURE
from caprese.assessment.edge_tests import edge_tests
from caprese.text.fits import support_emphasis
from caprese.text.style import coloured
from caprese.text.support import (
    bootstrap_lines,
    confidence_lines,
    edge_test_lines,
    exact_line,
    table_lines,
)


@pytest.fixture(scope="module")
def confidence():
    return bootstrap(Caprese(), datasets.ovarian(), replicates=200, seed=1)


def test_the_last_line_has_the_share_of_the_same_model_and_its_interval(confidence):
    assert exact_line(replace(confidence, exact=15)) == (
        "200 replicates; the same model was inferred in 7.5 % (4.6 to 12.0)"
    )
    once = bootstrap(Caprese(), datasets.ovarian(), replicates=1)
    assert exact_line(once).startswith("1 replicate; ")


def test_a_fit_and_a_bootstrap_alone_show_the_same_support(confidence):
    fit = Caprese().fit(datasets.ovarian())
    with_fit, alone = confidence_lines(fit, confidence), bootstrap_lines(confidence)
    assert with_fit[-1] == alone[-1] == exact_line(confidence)
    support = next(line for line in alone if "─ 3q+" in line).split()[-2:]
    assert " ".join(support) in next(line for line in with_fit if "─ 3q+" in line)


def test_the_columns_of_small_data():
    fit = Caprese().fit(datasets.acml())
    found = bootstrap(fit, datasets.acml(), replicates=50, seed=1, jobs=1)
    assert confidence_lines(fit, found)[:4] == [
        "caprese (shrinkage 0.5) on 64 samples x 3 events",
        "",
        "event                 frequency  probability  score  support  reason",
        "root",
    ]
    assert bootstrap_lines(found)[:4] == [
        "bootstrap of a model of 3 events",
        "",
        "event                 support",
        "root",
    ]
    children = "SETBP1 missense  ASXL1 indel  ASXL1 nonsense"
    assert table_lines(found)[0] == f"parent           {children}"


def test_an_asterisk_marks_the_edges_of_the_model(confidence):
    lines = {line.split()[0]: line.split() for line in table_lines(confidence)}
    children = lines["parent"][1:]
    marked = {
        (parent, child)
        for parent, cells in lines.items()
        for child, cell in zip(children, cells[-len(children) :], strict=True)
        if cell.endswith("*")
    }
    roots = {("root", child) for child in ("8q+", "5q-", "1q+")}
    assert marked == {*Caprese().fit(datasets.ovarian()).edges, *roots}


def test_several_parents_have_their_own_support():
    rows = [[1, 1, 1]] * 9 + [[1, 1, 0]] * 5 + [[1, 0, 0], [0, 1, 0], [0, 0, 0]] * 6 + [[1, 0, 0]]
    data = Dataset.from_rows(rows, "abc")
    lines = bootstrap_lines(bootstrap(CBN(), data, replicates=5, jobs=1))
    assert any("c (and b)" in line for line in lines)
    assert any("c (and a)" in line for line in lines)


def test_each_edge_has_its_adjusted_p_values():
    fit = Caprese().fit(datasets.ovarian())
    tests = edge_tests(fit, datasets.ovarian(), permutations=99)
    title, header, *rows = edge_test_lines(tests)
    assert title == "p-values of the edges, adjusted for multiple testing"
    columns = ["edge", "temporal priority", "probability raising", "co-occurrence", "score"]
    assert [name.strip() for name in header.split("  ") if name] == columns
    assert [row.split("  ")[0] for row in rows] == [f"{i} -> {j}" for i, j in fit.edges]


def test_the_emphasis_follows_the_thresholds():
    assert support_emphasis(SURE) == "sure"
    assert support_emphasis(SURE - 0.01) is None
    assert support_emphasis(CONTRADICTED) is None
    assert support_emphasis(CONTRADICTED - 0.01) == "unsure"


def test_emphasis_does_not_change_the_text(confidence):
    lines = bootstrap_lines(confidence, coloured)
    assert [re.sub(r"\x1b\[[\d;]*m", "", line) for line in lines] == bootstrap_lines(confidence)
    assert any("\x1b[" in line for line in lines)
    assert coloured("8q+", "title") == "\x1b[1m8q+\x1b[0m"
