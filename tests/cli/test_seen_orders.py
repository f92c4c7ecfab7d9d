"""--orders: seen orders come with the data of every command."""

import pytest

from caprese import datasets, write_dataset
from example_files import orders_of


@pytest.fixture
def tumours(tmp_path):
    data = datasets.ovarian()
    write_dataset(data, tmp_path / "tumours.csv")
    (tmp_path / "orders.csv").write_text(orders_of(data, "8q+", "3q+"))
    return "tumours.csv"


LOGGED = "orders: 42 pairs, whose events are both present, in 42 of 87 samples"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "inspect",
        "fit",
        "curate -o table.csv",
        "compare --no-judge",
        "judge -m caprese --quick",
        "patients -m caprese",
        "plot progression -o tree.svg",
        "plot comparison -o two.svg",
    ],
)
def test_every_command_that_reads_data_takes_orders(run, tumours, words):
    before = words.partition(" -")[0].split()
    options = words.split()[len(before) :]
    code, out, err = run(*before, tumours, "--orders", "orders.csv", *options)
    unused = " does not use the seen orders: the fit is that of the samples alone"
    assert code == 0
    assert all(line.endswith(unused) for line in err.splitlines())
    assert LOGGED in out


@pytest.mark.slow
def test_a_report_says_how_it_is_repeated_with_its_orders(run, tumours, tmp_path):
    words = (
        "--orders",
        "orders.csv",
        "--read-orders",
        "mixed=yes",
        "--replicates=3",
        "--budget=0.1",
    )
    assert run("report", tumours, *words, "-o", "report.html")[0] == 0
    page = (tmp_path / "report.html").read_text()
    assert LOGGED in page
    assert "--orders orders.csv --read-orders mixed=yes" in page
    assert "orders=&#39;orders.csv&#39;, orders_options={&#39;mixed&#39;: True}" in page


@pytest.mark.parametrize(
    ("table", "words", "line"),
    [
        (
            "p,8q+,3q+",
            (),
            "orders.csv, line 2: sample 'p' is not in the data; --orders-extra leaves out such o",
        ),
        ("3,8q+,3q", (), "line 2: event '3q' is not in the data; did you mean '3q+'?; --orders-ex"),
        (
            "3,8q+,8q+",
            (),
            "orders.csv, line 2, column 3 ('later'): '8q+' cannot come before itself",
        ),
        ("3,8q+,3q+", ("pairs=all",), "the options of pairs of events must be one of mixed, got"),
        ("3,8q+,3q+", ("pairs",), "--read-orders must be OPTION=VALUE, got 'pairs'"),
        ("3,8q+,3q+", ("mixed=3",), "--read-orders mixed must be yes or no (True or False), got"),
    ],
)
def test_bad_orders_are_one_line(refused, tumours, tmp_path, table, words, line):
    (tmp_path / "orders.csv").write_text(f"sample,earlier,later\n{table}\n")
    options = [word for each in words for word in ("--read-orders", each)]
    assert line in refused("fit", tumours, "--orders", "orders.csv", *options)


def test_what_a_row_of_counts_may_be_is_said_with_the_option(refused, tumours, tmp_path):
    (tmp_path / "v.csv").write_text("sample,event,vaf,depth\n3,8q+,0.4,100\n")
    words = ("fit", tumours, "--orders", "v.csv", "--read-orders", "pairs=some")
    assert "--read-orders pairs must be one of all, neighbours, got 'some'" in refused(*words)


def test_orders_are_not_overwritten(refused, tumours):
    words = ("curate", tumours, "--orders", "orders.csv", "-o", "orders.csv")
    assert "would overwrite the input" in refused(*words)


def test_options_of_orders_need_orders(refused, tumours):
    assert "--orders-extra must be given together with orders" in refused(
        "fit", tumours, "--orders-extra"
    )
