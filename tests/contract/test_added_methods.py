"""A package that is installed adds its method to every command, and its method keeps the contract.

The package is that of docs/methods/adding.md; it is installed without network, in a folder apart.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from caprese.errors import CapreseError, ParameterError
from caprese.extend import register_method
from caprese.methods import METHODS, Caprese, Oncotree, make_method
from caprese.methods.registry import Methods

pytestmark = pytest.mark.slow

HOUSE = Path(__file__).parents[2]
EXAMPLE = HOUSE / "examples" / "caprese-nesting"
CONTRACT = HOUSE / "tests" / "contract" / "test_methods.py"


def run(*words, paths=(), **settings):
    """Run Python with these folders among its packages, and the programs beside it."""
    search = os.pathsep.join([*map(str, paths), *sys.path])
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        [sys.executable, "-m", *map(str, words)],
        env=os.environ | {"PYTHONPATH": search, "PATH": programs},
        capture_output=True,
        text=True,
        check=False,
        **settings,
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    source = shutil.copytree(EXAMPLE, folder / "source")  # nothing is built in our own folder
    offline = ("--no-index", "--no-build-isolation", "--no-deps")
    done = run("pip", "install", "-q", *offline, "--target", folder / "packages", source)
    assert done.returncode == 0, done.stderr
    return folder / "packages"


def offer(folder, package, *lines):
    """Write what pip leaves of a package that offers methods."""
    info = folder / f"{package}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
    (info / "entry_points.txt").write_text("\n".join(["[caprese.methods]", *lines]) + "\n")
    return folder


def test_the_contract_holds_for_the_method_of_the_example(installed):
    plugins = ["-p", "no:cacheprovider"]
    words = ["pytest", "-q", *plugins, "-k", "Nesting", CONTRACT]
    done = run(*words, paths=[installed], cwd=HOUSE)
    assert done.returncode == 0, done.stdout
    kept = CONTRACT.read_text().count("\n@every_method\n")
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    assert int(passed[1]) > kept


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["methods"], "nesting"),
        (["methods", "nesting"], "Parameters of nesting"),
        (["fit", "--help"], "nesting"),
        (["fit", "ovarian", "-m", "nesting", "--share", "0.8"], "nesting (share 0.8) on 87"),
        (["compare", "ovarian", "-m", "caprese", "-m", "nesting:share=0.8"], "B  nesting"),
        (["judge", "acml", "-m", "nesting", "--jobs", "1"], "nesting"),
        (["bootstrap", "ovarian", "-m", "nesting", "--replicates", "20"], "nesting"),
        (["report", "acml", "--replicates=2", "--budget=0.1", "--jobs=1", "-o", "out.html"], ""),
        (["patients", "ovarian", "-m", "nesting"], ""),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_every_command_knows_the_method_of_an_installed_package(installed, words, shown, tmp_path):
    done = run("caprese", *words, paths=[installed], cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert shown in done.stdout


def test_its_fit_comes_back_from_a_file(installed, tmp_path):
    for words in (["fit", "ovarian", "-m", "nesting", "-o", "fit.json"], ["show", "fit.json"]):
        done = run("caprese", *words, paths=[installed], cwd=tmp_path)
        assert done.stdout.startswith("nesting (share 1.0) on 87 samples")


def test_the_shell_completes_its_name(installed):
    shell = {"_CAPRESE_COMPLETE": "bash_complete", "COMP_WORDS": "caprese fit -m ne"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (shell | {"COMP_CWORD": "3"}).items():
            patch.setenv(name, value)
        assert run("caprese", paths=[installed]).stdout == "plain,nesting\n"


def test_a_broken_package_gives_one_line_and_breaks_nothing(installed, tmp_path):
    broken = offer(tmp_path, "breaking", "breaking = no_such_module:Method", "odd = json:dumps")
    done = run("caprese", "fit", "acml", "-m", "nesting", paths=[broken, installed])
    assert done.returncode == 0
    assert done.stdout.startswith("nesting")
    assert done.stderr.splitlines() == [
        "caprese: method 'breaking' of breaking cannot be loaded: ModuleNotFoundError: "
        "No module named 'no_such_module'",
        "caprese: method 'odd' of breaking must be a dataclass with a method fit",
    ]
    assert run("caprese", "methods", paths=[broken, installed]).stderr == done.stderr
    for words in (["fit", "acml", "-m", "odd"], ["methods", "odd"], ["fit", "-m", "odd", "--help"]):
        asked = run("caprese", *words, paths=[broken, installed])
        assert (asked.returncode, asked.stdout) == (2, "")
        assert asked.stderr == f"{done.stderr.splitlines()[1]}\n"


BAD = """
from dataclasses import dataclass
from caprese.extend import YES_OR_NO, option

@dataclass(frozen=True)
class Plain:
    size: int = 3
    def fit(self, data): return None

@dataclass(frozen=True)
class Required(Plain):
    size: int

@dataclass(frozen=True)
class Empty:
    kept: bool = option(True, "Whether.", YES_OR_NO)
    def fit(self, data): return None

class Failing(Empty):
    def fit(self, data): raise KeyError("repeat")
"""


def test_a_method_that_is_declared_badly_gives_one_line_and_breaks_nothing(tmp_path):
    (tmp_path / "bad.py").write_text(BAD)
    names = ("Plain", "Required", "Empty", "Failing")
    offer(tmp_path, "bad-methods", *(f"{name.lower()} = bad:{name}" for name in names))
    done = run("caprese", "fit", "acml", paths=[tmp_path])
    assert done.returncode == 0
    rule = "must be a dataclass that declares size by option(...)"
    assert done.stderr.splitlines() == [
        f"caprese: method 'plain' of bad-methods {rule}",
        f"caprese: method 'required' of bad-methods {rule}",
    ]
    shown = run("caprese", "fit", "--help", paths=[tmp_path])
    assert shown.returncode == 0
    assert "failing" in shown.stdout
    for name, why in (
        ("empty", "the method Empty of bad must return a Fit, got None"),
        ("failing", "the method Failing of bad failed: KeyError: 'repeat'"),
    ):
        for command in ("fit", "judge"):
            failed = run("caprese", command, "acml", "-m", name, paths=[tmp_path])
            assert failed.returncode == 2
            assert failed.stderr.splitlines()[2:] == [f"caprese: {why}"]


def test_a_name_in_two_packages_is_an_error_that_names_both(installed, tmp_path):
    second = offer(tmp_path, "other-nesting", "nesting = caprese:Oncotree")
    done = run("caprese", "judge", "acml", "-m", "nesting", paths=[second, installed])
    assert done.returncode == 2
    problem = "method 'nesting' is in two packages, caprese-nesting and other-nesting: "
    assert done.stderr.splitlines()[-1] == f"caprese: {problem}uninstall one of them"
    assert run("caprese", "fit", "acml", paths=[second, installed]).returncode == 0


def test_a_package_cannot_take_the_name_of_a_method_that_is_there(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(offer(tmp_path, "taking", "caprese = caprese:Oncotree")))
    methods = Methods({"caprese": Caprese})
    kept = "method 'caprese' of taking is not used: caprese has a method of this name"
    assert methods.problems == {"caprese": kept}
    assert dict(methods) == {"caprese": Caprese}


def test_asking_for_a_method_that_cannot_be_used_says_why(monkeypatch):
    monkeypatch.setitem(METHODS.problems, "breaking", "method 'breaking' cannot be loaded")
    with pytest.raises(CapreseError, match=r"^method 'breaking' cannot be loaded$"):
        make_method("breaking", {})


def test_a_method_is_added_and_taken_away_by_name():
    methods = Methods({"caprese": Caprese})
    methods["own"] = Oncotree
    assert list(methods) == ["caprese", "own"]
    assert (len(methods), methods["own"]) == (2, Oncotree)
    del methods["own"]
    assert dict(methods) == {"caprese": Caprese}


def test_a_name_that_is_taken_is_refused():
    with pytest.raises(ParameterError, match=r"^name must be another than that of Caprese, got"):
        register_method("caprese", Oncotree)
    register_method("caprese", Caprese)  # again is no harm


class Nonsense:
    def fit(self, data):
        return data


@dataclass(frozen=True)
class Undeclared(Nonsense):
    size: int = 3


@pytest.mark.parametrize(
    ("name", "method", "why"),
    [
        ("own", 3, "method must be a dataclass with a method fit, got 3"),
        ("own", Nonsense, "method must be a dataclass with a method fit, got <class"),
        ("own", Caprese(), "method must be a dataclass with a method fit, got Caprese"),
        ("own", Undeclared, r"method must be a dataclass that declares size by option\(...\), got"),
        ("", Oncotree, "name must be a word without : and =, got ''"),
        ("a:b", Oncotree, "name must be a word without : and =, got 'a:b'"),
        (None, Oncotree, "name must be a word without : and =, got None"),
    ],
)
def test_what_is_no_method_is_not_registered(name, method, why):
    with pytest.raises(ParameterError, match=f"^{why}"):
        register_method(name, method)
