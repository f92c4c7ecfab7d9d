"""What a command leaves behind, and what its environment may hold."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from live_app import START

pytestmark = pytest.mark.slow

# Waits while a file is being written, until a signal comes.
WRITING = """
import signal, sys, time
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which the tests themselves may have to ignore
from caprese._core import files
whole = files.shutil.copymode
def slow(*paths):
    print("writing", flush=True)
    time.sleep(60)
files.shutil.copymode = slow
from caprese.cli import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM"])
def test_a_signal_leaves_no_file_behind_and_the_one_before_as_it_was(run, tmp_path, name):
    assert run("fit", "acml", "-o", "model.json")[0] == 0
    before = (tmp_path / "model.json").read_bytes()
    with subprocess.Popen(
        [sys.executable, "-c", WRITING, "fit", "acml", "-o", "model.json", "-o", "tree.svg"],
        stdout=subprocess.PIPE,
        cwd=tmp_path,
    ) as process:
        assert process.stdout.readline() == b"writing\n"
        process.send_signal(getattr(signal, name))
        process.wait(120)
    assert process.returncode == 128 + getattr(signal, name)
    assert [each.name for each in tmp_path.iterdir()] == ["model.json"]
    assert (tmp_path / "model.json").read_bytes() == before


def test_a_command_that_ignores_hangups_goes_on(tmp_path):
    ignoring = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
    wait = "import os; from caprese.cli import main; main(['fit', 'acml', '-o', 'model.json']); "
    hangup = "os.kill(os.getpid(), signal.SIGHUP); print('alive')"
    done = subprocess.run(
        [sys.executable, "-c", ignoring + wait + hangup],
        capture_output=True,
        cwd=tmp_path,
        check=True,
    )
    assert done.stdout.endswith(b"alive\n")


@pytest.mark.parametrize(
    "words",
    ["plot progression acml -o tree.svg", "report acml -o r.html --replicates 2 --budget 0.01"],
)
def test_the_windows_that_matplotlib_would_open_do_not_matter(tmp_path, words):
    done = subprocess.run(
        [sys.executable, "-c", START, *words.split()],
        env=os.environ | {"MPLBACKEND": "nope"},
        capture_output=True,
        cwd=tmp_path,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_closed_standard_input_is_one_line(tmp_path):
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m caprese fit - <&-"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "caprese: <stdin>: standard input is closed\n")


def test_a_command_without_the_option_that_would_help_names_one_that_has_it(refused, tmp_path):
    (tmp_path / "text.csv").write_text("sample,a,b\np,1,hello\nq,0,1\n")
    line = refused("inspect", "text.csv")
    assert line.endswith("; --exclude b of caprese fit leaves it out")


@pytest.mark.parametrize(
    ("package", "words"),
    [
        ("distributed", "bootstrap acml --dask tcp://127.0.0.1:1"),
        ("lifelines", "patients acml --annotation t.csv --time t --status s"),
        ("openpyxl", "curate acml -o table.xlsx"),
        ("pyarrow", "curate acml -o table.parquet"),
    ],
)
def test_a_package_that_is_missing_is_named_before_anything_is_read(
    refused, monkeypatch, package, words
):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr("caprese.recipe.loading.load", None)
    line = refused(*words.split())
    assert f" needs {package}: pip install '{package}>=" in line


def test_a_closed_port_of_a_cluster_is_one_line(refused, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("caprese.cli.computing._PATIENCE", 1)
    line = refused("bootstrap", "acml", "--dask", "tcp://127.0.0.1:1")
    assert line.startswith("--dask tcp://127.0.0.1:1: ")


# Runs a command, and says how much the cluster did for it.
ON_CLUSTER = """
import sys
from distributed import Client
from caprese._core import workers
from caprese.cli import main
workers._ALONE = 0.0  # seconds of a judgement before workers are used
address, *words = sys.argv[1:]
def steps():
    with Client(address) as client:
        client.wait_for_workers(2)
        return client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.transition_counter)
before = steps()
main([*words, "--dask", address])
print("steps", steps() - before)
"""


PYTHON = [sys.executable, "-W", "ignore"]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A scheduler and two workers, each a process of its own."""
    pytest.importorskip("distributed")
    folder = tmp_path_factory.mktemp("cluster")
    contact = folder / "scheduler.json"
    kept = {"env": os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}, "cwd": folder}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    where = ["--scheduler-file", str(contact)]
    shown = ["--port", "0", "--no-dashboard"]
    processes = [
        subprocess.Popen(
            [*PYTHON, "-m", "distributed.cli.dask_scheduler", *where, *shown], **quiet, **kept
        )
    ]
    try:
        ended = time.monotonic() + 60
        while not contact.exists():
            assert time.monotonic() < ended
            time.sleep(0.1)
        processes += [
            subprocess.Popen(
                [*PYTHON, "-m", "distributed.cli.dask_worker", *where, "--nthreads", "1"],
                **quiet,
                **kept,
            )
            for _ in range(2)
        ]
        yield json.loads(contact.read_text())["address"]
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait(120)


@pytest.mark.parametrize(
    ("words", "output"),
    [
        ("bootstrap ovarian -m likelihood --replicates 40 --no-tests", "bootstrap.json"),
        (
            "bootstrap acml -m bayes --draws 20 --kind statistical --replicates 4 --no-tests",
            "chains.json",
        ),
        ("judge ovarian -m bayes:draws=20 -m oncotree --folds 3", "judged.json"),
        ("study noise-free --quick --trees 2", "study"),
    ],
)
def test_a_cluster_gives_the_same_bytes(run, tmp_path, address, words, output):
    done = subprocess.run(
        [*PYTHON, "-c", ON_CLUSTER, address, *words.split(), "-o", f"there-{output}"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[-1]) > 10, done.stdout + done.stderr
    assert run(*words.split(), "--jobs", "1", "-o", f"here-{output}")[0] == 0
    there, here = (tmp_path / f"{where}-{output}" for where in ("there", "here"))
    if output == "study":
        there, here = there / "table.csv", here / "table.csv"
    assert there.read_bytes() == here.read_bytes()


def test_a_cluster_without_workers_is_one_line(refused, monkeypatch):
    distributed = pytest.importorskip("distributed")

    class Empty:
        def __init__(self, *_address, **_how):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_error):
            pass

        def wait_for_workers(self, _number, timeout):
            raise TimeoutError(f"none in {timeout}")

    monkeypatch.setattr(distributed, "Client", Empty)
    line = refused("bootstrap", "acml", "--dask", "tcp://127.0.0.1:1")
    assert line == (
        "--dask tcp://127.0.0.1:1: the cluster has no worker; start one with: dask worker "
        "tcp://127.0.0.1:1"
    )
