import json
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from caprese import FormatError, Noise
from caprese._core.progress import listening
from caprese.simulation.random_models import ForestRecipe
from caprese.studies import STUDIES
from caprese.studies.base import summary, wins
from caprese.studies.runner import run_study

pytestmark = pytest.mark.slow

QUICK = {"trees": 3, "replicates": 2}
QUICKEST = {"example": {}, "h-cbn": {"trees": 1}, "dag-methods": {"trees": 1}}


def quick(name):
    return STUDIES[name](**QUICKEST.get(name, QUICK))


@pytest.mark.parametrize("name", STUDIES)
def test_running_a_condition_again_gives_the_same_rows(name):
    study = quick(name)
    condition = next(iter(study.conditions()))
    rows = study.run(condition)
    assert rows == study.run(condition)
    assert all(condition.items() <= row.items() for row in rows)


@pytest.mark.parametrize("name", ["noise-free", "example"])
def test_a_study_writes_table_settings_and_figure(name, tmp_path):
    study = quick(name)
    table = run_study(study, tmp_path, jobs=1)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "cells",
        "figure.png",
        "figure.svg",
        "settings.json",
        "table.csv",
    ]
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "table.csv"), table, check_dtype=False)
    settings = json.loads((tmp_path / "settings.json").read_text())
    assert settings["settings"]["seed"] == 1
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


def test_workers_write_to_the_current_folder_not_to_that_of_an_earlier_study(tmp_path, monkeypatch):
    for name in ("earlier", "current"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        run_study(quick("example"), "results", jobs=2)
    assert (tmp_path / "current" / "results" / "table.csv").exists()


def test_an_interrupted_study_is_resumed_without_repeating_finished_conditions(
    tmp_path, monkeypatch
):
    study = quick("noise-free")
    calls = []

    def interrupted(_what, done, _total):
        calls.append(done)
        if len(calls) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), listening(interrupted):
        run_study(study, tmp_path, jobs=1)
    finished = {path.name for path in (tmp_path / "cells").iterdir()}
    assert 2 <= len(finished) < 10
    ran = []
    original = type(study).run
    monkeypatch.setattr(
        type(study),
        "run",
        lambda self, condition: ran.append(condition) or original(self, condition),
    )
    table = run_study(study, tmp_path, jobs=1)
    assert len(ran) == 10 - len(finished)
    whole = [row for condition in study.conditions() for row in original(study, condition)]
    assert table.to_dict("records") == whole


def test_a_folder_of_other_settings_is_refused(tmp_path):
    run_study(quick("example"), tmp_path, jobs=1)
    with pytest.raises(FormatError, match="this folder contains a study with other settings"):
        run_study(replace(quick("example"), seed=2), tmp_path, jobs=1)


@pytest.mark.parametrize("content", ["[]", "{", "[1]", '[{"kind": "tree"}]', "null", "[" * 10**5])
def test_a_damaged_cell_is_named_and_run_again(tmp_path, content):
    study = quick("example")
    table = run_study(study, tmp_path, jobs=1)
    (cell,) = (tmp_path / "cells").iterdir()
    cell.write_text(content)
    told = []
    again = run_study(study, tmp_path, jobs=1, told=told.append)
    pd.testing.assert_frame_equal(again, table)
    assert told == [f"{cell} is damaged; its condition is run again"]


def test_damaged_settings_are_refused(tmp_path):
    (tmp_path / "settings.json").write_text("{")
    with pytest.raises(FormatError, match=r"settings\.json: these settings of a study are damaged"):
        run_study(quick("example"), tmp_path, jobs=1)


def children(process):
    listed = subprocess.run(
        ["ps", "-o", "pid=,stat=", "--ppid", str(process)],
        capture_output=True,
        text=True,
        check=False,
    )
    running = [line.split() for line in listed.stdout.splitlines()]
    return [int(pid) for pid, state in running if not state.startswith("Z")]


@pytest.mark.skipif(shutil.which("ps") is None, reason="lists processes with ps")
def test_a_request_to_terminate_ends_the_workers(tmp_path):
    program = "from caprese.cli import main; main()"
    arguments = ["study", "noisy", "--trees", "5000", "--jobs", "2", "-o", str(tmp_path / "out")]
    with subprocess.Popen([sys.executable, "-c", program, *arguments]) as process:
        workers = []
        for _ in range(600):
            workers = children(process.pid)
            if len(workers) >= 3:  # two workers, and a process that watches them
                break
            time.sleep(0.1)
        process.terminate()
        assert process.wait(60) == 143
    assert len(workers) >= 3
    for _ in range(100):
        left = [pid for pid in workers if Path(f"/proc/{pid}/cmdline").exists()]
        left = [pid for pid in left if Path(f"/proc/{pid}/cmdline").read_bytes()]
        if not left:
            return
        time.sleep(0.1)
    raise AssertionError(f"still running: {left}")


def test_the_number_of_jobs_does_not_matter(tmp_path):
    one = run_study(quick("noise-free"), tmp_path / "one", jobs=1)
    two = run_study(quick("noise-free"), tmp_path / "two", jobs=2)
    pd.testing.assert_frame_equal(one, two)


def test_the_numbers_of_the_paper_at_fifty_samples():
    found = STUDIES["noisy"](trees=60, replicates=2).distances(ForestRecipe(), Noise(), 50)
    assert found["CAPRESE 0.01"].mean() == pytest.approx(6.7, abs=0.9)
    assert found["oncotree"].mean() == pytest.approx(12.8, abs=0.9)


def test_false_positives_on_a_dag_fall_with_samples_and_false_negatives_do_not():
    study = STUDIES["dag"](trees=15, replicates=2)
    few_samples, many = (study.run({"nu": 0.0, "samples": samples}) for samples in (50, 2000))
    by_name = [{row["edges"]: row["mean"] for row in rows} for rows in (few_samples, many)]
    assert by_name[1]["false positives"] < by_name[0]["false positives"] / 2
    assert by_name[1]["false negatives"] > 0.5 * by_name[0]["false negatives"]


def test_the_standard_error_is_between_trees():
    distances = np.array([[0, 2], [4, 6]])
    assert summary(distances) == {"mean": 3.0, "error": 2.0}


def test_tied_methods_share_the_win():
    table = {"a": np.array([[0, 1]]), "b": np.array([[0, 2]])}
    assert wins(table) == {"a": 0.75, "b": 0.25}
