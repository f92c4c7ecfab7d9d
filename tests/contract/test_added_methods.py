"""A package that is installed adds its method to every command, and its method keeps the contract.

The package is that of docs/methods/adding.md; it is installed without network, in a folder apart.
"""

import os
import re
import shutil
import subprocess
import sys
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
        (["report", "acml", "--replicates", "2", "--jobs", "1", "-o", "out.html"], ""),
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
    both = "method 'caprese' is in two packages, taking and caprese: uninstall one of them"
    assert methods.problems == {"caprese": both}
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
