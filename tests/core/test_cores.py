"""How many cores a process may use."""

import os

import pytest
from joblib import Parallel, cpu_count, delayed

from caprese._core.environment import LIMIT, cores
from caprese.cli.main import main


@pytest.fixture(autouse=True)
def four_cores(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {0, 2, 4, 6}, raising=False)
    monkeypatch.delenv(LIMIT, raising=False)


def test_those_given_to_the_process_are_used():
    assert cores() == 4


@pytest.mark.parametrize(("limit", "used"), [("1", 1), ("3", 3), ("64", 4), ("", 4), ("2,1", 2)])
def test_the_environment_may_limit_them(limit, used, monkeypatch):
    monkeypatch.setenv(LIMIT, limit)
    assert cores() == used


@pytest.mark.parametrize("limit", ["0", "-1", "all", "1.5", "²"])
def test_another_limit_is_refused(limit, monkeypatch, capsys):
    monkeypatch.setenv(LIMIT, limit)
    with pytest.raises(ValueError, match="OMP_NUM_THREADS must be a positive whole number, got"):
        cores()
    with pytest.raises(SystemExit, match="2"):
        main(["fit", "ovarian"])
    written = capsys.readouterr()
    assert not written.out
    assert written.err.splitlines() == [
        "caprese: the environment variable OMP_NUM_THREADS must be a positive whole number, "
        f"got {limit!r}"
    ]


@pytest.mark.parametrize(("there", "used"), [(8, 8), (None, 1)])
def test_where_the_system_does_not_say_all_are_used(there, used, monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: there)
    assert cores() == used


def test_workers_share_them():
    """That joblib limits threads is what the number of threads of a worker rests on."""
    limits = Parallel(n_jobs=2)(delayed(os.getenv)(LIMIT) for _ in range(2))
    assert limits == [str(max(1, cpu_count() // 2))] * 2
