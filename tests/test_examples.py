import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from caprese import Caprese, curate, parent_distance
from caprese.io.data.cbioportal import read_study

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[1] / "examples"
STORED = EXAMPLES / "panel_study"


@pytest.fixture(scope="module")
def generator():
    return runpy.run_path(str(EXAMPLES / "make_panel_study.py"))


@pytest.mark.parametrize(
    "script", sorted(EXAMPLES.glob("plot_*.py")), ids=lambda script: script.stem
)
def test_every_script_of_the_gallery_draws_one_figure(script, monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    figure = runpy.run_path(str(script))["figure"]
    drawn = [axes for axes in figure.axes if axes.has_data() or axes.texts]
    assert drawn
    assert plt.get_fignums() == []  # pyplot keeps no figure open


def contents(folder):
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_the_generator_writes_the_stored_study_byte_for_byte(generator, tmp_path):
    generator["write"](tmp_path)
    assert contents(tmp_path) == contents(STORED)


def test_the_generator_runs_as_a_program(tmp_path, monkeypatch):
    program = EXAMPLES / "make_panel_study.py"
    monkeypatch.setattr("sys.argv", [str(program), str(tmp_path / "new")])
    runpy.run_path(str(program), run_name="__main__")
    assert contents(tmp_path / "new") == contents(STORED)


def test_cohorts_and_the_study_of_the_tutorial_are_the_same_every_time(tmp_path):
    for name in ("make_cohorts", "make_tutorial_study"):
        write = runpy.run_path(str(EXAMPLES / f"{name}.py"))["write"]
        for place in ("one", "two"):
            (tmp_path / place).mkdir(exist_ok=True)
            write(tmp_path / place / name)
        if (tmp_path / "one" / name).is_file():
            assert len({(tmp_path / each / name).read_bytes() for each in ("one", "two")}) == 1
    assert contents(tmp_path / "one" / "make_cohorts") == contents(tmp_path / "two/make_cohorts")
    assert sorted(contents(tmp_path / "one" / "make_cohorts")) == [
        *("acml.csv", "early.csv", "late.csv", "ovarian.csv")
    ]


def test_another_seed_gives_another_study(generator, tmp_path):
    generator["write"](tmp_path, seed=1)
    assert contents(tmp_path).keys() == contents(STORED).keys()
    assert contents(tmp_path) != contents(STORED)


def test_all_events_are_read_and_only_those_outside_the_panel_are_unknown(generator):
    data = curate(read_study(STORED).data).data
    assert set(data.events) == set(generator["TRUTH"].events)
    unknown = dict(zip(data.events, (~data.known).sum(axis=0).tolist(), strict=True))
    not_covered = {"PIK3CA": 30, "FBXW7": 30, "MYC gain": 30}
    assert unknown == dict.fromkeys(data.events, 0) | not_covered


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_the_true_order_is_inferred_from_other_seeds(generator, tmp_path, seed):
    generator["write"](tmp_path, seed=seed)
    found = Caprese(shrinkage=0.01).fit(curate(read_study(tmp_path).data).data)
    assert parent_distance(found.model, generator["TRUTH"]) == 0
