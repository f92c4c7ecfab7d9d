"""Compilation before the first use: complete, shared among processes, and never in the way."""

import os
import subprocess
import sys
from unittest.mock import Mock

import pytest

from caprese import compilation
from caprese._core.progress import COMPILING, listening
from caprese.compilation import compile_ahead
from caprese.methods import METHODS

GONE = Mock(spec=subprocess.Popen, wait=lambda _seconds=None: 0)  # a process that has ended
AFTERWARDS = """
from caprese import METHODS, datasets, judge, place
from caprese.kernels.compiling import seconds_of_compiling
data = datasets.ovarian()
fit = METHODS["mhn"]().fit(data)
judge([fit.method], data, folds=3, jobs=1)
place(fit, data)
METHODS["oncotree"](search="branching").fit(data)
print(seconds_of_compiling())
"""


def test_nothing_is_left_to_compile(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}

    def run(program):
        command = [sys.executable, "-c", program]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    methods = ["mhn", "oncotree:search=branching"]
    run(f"from caprese import compile_ahead; compile_ahead({methods}, jobs=2)")
    assert float(run(AFTERWARDS).stdout) == 0.0
    assert (
        run(f"from caprese.compilation import _not_compiled as f; print(f({methods}))").stdout
        == "[]\n"
    )


@pytest.fixture
def rehearsed(monkeypatch):
    """What is rehearsed here and elsewhere, if nothing is compiled yet."""
    calls = []
    monkeypatch.setattr(compilation, "_not_compiled", lambda methods: list(dict.fromkeys(methods)))
    monkeypatch.setattr(
        compilation, "rehearse", lambda methods, assess: calls.append(("here", methods, assess))
    )
    monkeypatch.setattr(compilation, "_started", lambda call: calls.append(("there", call)) or GONE)
    return calls


def test_methods_are_divided_so_that_all_processes_end_together(rehearsed):
    compile_ahead(jobs=2)
    (_, elsewhere), (_, own, assess) = rehearsed
    assert (
        elsewhere == "rehearse(['caprese', 'hcbn', 'mhn', 'oncotree', 'likelihood'], assess=True)"
    )
    assert own == ["bayes", "capri", "oncotree:search=branching", "cbn"]
    assert assess


def test_one_process_does_all_by_itself(rehearsed):
    compile_ahead(["cbn", "mhn"], assess=False, jobs=1)
    assert rehearsed == [("here", ["mhn", "cbn"], False)]


def test_parameters_that_do_not_matter_are_ignored(rehearsed):
    compile_ahead(["caprese:shrinkage=0.1", "caprese", "oncotree:search=branching"], jobs=1)
    assert rehearsed == [("here", ["caprese", "oncotree:search=branching"], True)]


@pytest.mark.parametrize(("methods", "jobs"), [(["mhn"], 8), (["mhn", "cbn"], 1), ([], 8)])
def test_nothing_is_done_that_cannot_be_done_together(rehearsed, methods, jobs):
    compile_ahead(methods, least=2, jobs=jobs)
    assert rehearsed == []


def test_what_is_compiled_is_left_alone(monkeypatch, rehearsed):
    monkeypatch.setattr(compilation, "_not_compiled", lambda _methods: [])
    compile_ahead()
    assert rehearsed == []


def test_the_methods_that_are_listed_exist():
    assert {name.partition(":")[0] for name in compilation._SECONDS} <= set(METHODS)


@pytest.mark.parametrize("executable", ["/nowhere/python", ""])
def test_a_process_that_cannot_be_started_is_no_loss(monkeypatch, executable):
    monkeypatch.setattr(sys, "executable", executable)
    with compilation._running(["rehearse([], assess=True)"]) as started:
        assert started == []


@pytest.fixture
def sleeping():
    """A process that sleeps for a second."""
    program = "import time; time.sleep(1)"
    with subprocess.Popen([sys.executable, "-c", program]) as process:
        yield process


def test_a_process_beside_ends_with_its_context(sleeping, monkeypatch):
    monkeypatch.setattr(compilation, "_started", lambda _call: sleeping)
    with compilation._running(["compile_ahead(jobs=1)"]):
        assert sleeping.poll() is None
    assert sleeping.poll() not in (None, 0)


def test_waiting_is_reported(sleeping):
    told = []
    with listening(lambda *report: told.append(report)):
        compilation._wait([sleeping])
    assert sleeping.poll() == 0
    assert set(told) == {(COMPILING, 0, 0)}


def test_a_method_that_is_not_listed_is_left_alone():
    assert compilation._not_compiled(["independence"]) == []
