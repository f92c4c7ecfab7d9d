"""What a large computation costs is said before it starts, on standard error."""

import numpy as np
import pytest

from caprese import Caprese
from caprese.cli.computing import cost_of_bootstrap, cost_of_fit, cost_of_picture
from caprese.data.dataset import Dataset
from caprese.errors import DatasetError
from caprese.io.data.tables import write_dataset
from caprese.methods import METHODS

pytestmark = pytest.mark.slow


def test_few_events_cost_nothing_worth_a_word():
    assert (
        cost_of_fit(999) == cost_of_bootstrap(Caprese(), 999, 10**6) == cost_of_picture(999) == ""
    )


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("fit acml -m bayes --chains 100000000", "100,000,000 chains of 250 draws"),
        ("fit acml -m bayes --draws 100000000", "4 chains of 100,000,000 draws"),
        ("simulate --samples 10000000 --events 100 -o d.csv", "10,000,000 samples of 100 events"),
    ],
)
def test_what_cannot_be_held_is_refused_first(refused, words, what):
    line = f"{what}: this would take more than 4 GiB of memory, the limit that CAPRESE_MEMORY sets"
    assert refused(*words.split()) == line


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (cost_of_fit(5000), "5,000 events: a fit takes about 1.4 GiB of memory"),
        (
            cost_of_bootstrap(Caprese(), 5000, 1000),
            "5,000 events: 1,000 replicates take about 2.33 GiB of memory and "
            "83 minutes on one core",
        ),
        (
            cost_of_bootstrap(METHODS["likelihood"](), 2000, 10),
            "2,000 events: 10 replicates take about 381 MiB of memory",
        ),
    ],
)
def test_many_events(said, expected):
    assert said == expected


def test_the_command_says_it_and_prints_the_answer_as_usual(run, tmp_path):
    rng = np.random.default_rng(1)
    data = Dataset(rng.random((30, 1200)) < rng.random(1200), tuple(f"e{k}" for k in range(1200)))
    write_dataset(data, tmp_path / "many.csv")
    code, out, err = run("fit", "many.csv", "--keep-identical", "--keep-constant")
    assert code == 0
    assert err == "caprese: 1,200 events: a fit takes about 82 MiB of memory\n"
    assert out.startswith("caprese (shrinkage 0.5) on 30 samples x 1200 events")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bootstrap", "--replicates", "2", "--no-tests"], ["1,200 events: 2 replicates take"]),
        (
            ["plot", "progression", "-o", "tree.svg", "--only", "few.txt"],
            ["1,100 events: a picture takes minutes", "1,100 events: a fit takes about"],
        ),
    ],
)
def test_other_commands_say_it_before_they_start(run, tmp_path, monkeypatch, arguments, said):
    def stopped(_method, _data):
        raise DatasetError("stopped")

    monkeypatch.setattr(Caprese, "fit", stopped)
    events = tuple(f"e{k}" for k in range(1200))
    (tmp_path / "few.txt").write_text("\n".join(events[:1100]))
    write_dataset(Dataset(np.zeros((3, 1200), dtype=bool), events), tmp_path / "many.csv")
    first, *others = arguments
    where = [first] if first != "plot" else [first, others.pop(0)]
    code, _, err = run(*where, "many.csv", "--keep-identical", "--keep-constant", *others)
    assert code == 2
    *lines, last = err.splitlines()
    for line, text in zip(lines, said, strict=True):
        assert line.startswith(f"caprese: {text}")
    assert last == "caprese: stopped"
