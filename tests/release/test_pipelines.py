"""Snakemake and Nextflow: what they call is run; the engines are, where they are installed."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from caprese import datasets, write_dataset

pytestmark = pytest.mark.slow

PIPELINES = Path(__file__).parents[2] / "pipelines"
SNAKEMAKE, NEXTFLOW = PIPELINES / "snakemake", PIPELINES / "nextflow" / "modules" / "caprese"
KINDS = pytest.mark.parametrize("kind", ["run", "report"])
QUICK = "--budget 1s --replicates 10"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a table and a recipe, in which `caprese` is found."""
    shutil.copy(SNAKEMAKE / "run" / "test" / "analysis.toml", tmp_path)
    write_dataset(datasets.acml(), tmp_path / "tumours.csv")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


class Log(list):
    def __str__(self):
        return " ".join(self)


def by_wrapper(kind, output, **given):
    """Run a wrapper as Snakemake does."""
    job = SimpleNamespace(
        input=SimpleNamespace(data="tumours.csv", recipe="analysis.toml"),
        output=output,
        log=Log(["job.log"]),
        params={"extra": QUICK},
        threads=1,
    )
    wrapper = SNAKEMAKE / kind / "wrapper.py"
    runpy.run_path(str(wrapper), init_globals={"snakemake": job}, **given)


def test_the_wrapper_of_reports_writes_all_its_outputs(folder):
    by_wrapper("report", ["r.html", "tumours_mqc.json"])
    assert (folder / "r.html").read_text().startswith("<!doctype html>")
    assert '"tumours"' in (folder / "tumours_mqc.json").read_text()
    assert "Is there an order?" in (folder / "job.log").read_text()


def test_the_wrapper_of_recipes_writes_what_the_recipe_names(folder):
    by_wrapper("run", ["model.json", "tumours_mqc.json"])
    assert {"model.json", "tumours_mqc.json"} <= {path.name for path in folder.iterdir()}


def test_a_wrapper_fails_with_the_command_and_keeps_its_reason(folder):
    (folder / "tumours.csv").write_text("a,b\n1,2\n")
    with pytest.raises(subprocess.CalledProcessError):
        by_wrapper("run", ["model.json"])
    assert (folder / "job.log").read_text().startswith("caprese: tumours.csv, line 2")


@KINDS
def test_a_wrapper_has_its_environment_its_description_and_a_test(kind):
    about = yaml.safe_load((SNAKEMAKE / kind / "meta.yaml").read_text())
    assert {"name", "description", "authors", "input", "output"} <= set(about)
    environment = yaml.safe_load((SNAKEMAKE / kind / "environment.yaml").read_text())
    assert environment["channels"] == ["conda-forge", "bioconda", "nodefaults"]
    assert any(each.startswith("caprese ") for each in environment["dependencies"])
    assert f"rule {kind}:" in (SNAKEMAKE / kind / "test" / "Snakefile").read_text()


@pytest.mark.skipif(shutil.which("snakemake") is None, reason="Snakemake is not installed")
@KINDS
def test_snakemake_runs_the_wrapper(kind, folder):
    target = {"run": "model.json", "report": "reports/tumours.html"}[kind]
    file = str(SNAKEMAKE / kind / "test" / "Snakefile")
    command = ["snakemake", "--snakefile", file, "--cores", "1", target]
    environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache")}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    assert (folder / target).is_file()


# ---------------------------------------------------------------- Nextflow


def shell(kind, part, **given):
    """The shell script of a module, or of its stub, with the names of Groovy filled in."""
    text = (NEXTFLOW / kind / "main.nf").read_text()
    script = re.search(rf'^    {part}:.*?"""\n(.*?)"""', text, re.MULTILINE | re.DOTALL)[1]
    lines = [line.removeprefix("    ") for line in script.splitlines()]
    filled = re.sub(r"(?<!\\)\$\{([\w.]+)\}", lambda name: given[name[1]], "\n".join(lines))
    assert not re.search(r"(?<!\\)\$", filled)
    return filled.replace("\\$", "$").replace("\\\\", "\\")


VALUES = {
    "data": "tumours.csv",
    "recipe": "analysis.toml",
    "args": "",
    "prefix": "cohort",
    "task.cpus": "1",
    "task.process": "A:CAPRESE",
}


def written_by(kind, part, folder, **given):
    before = set(folder.iterdir())
    command = ["bash", "-ue", "-c", shell(kind, part, **(VALUES | given))]
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    versions = yaml.safe_load((folder / "versions.yml").read_text())
    (version,) = versions["A:CAPRESE"].items()
    assert version[0] == "caprese"
    assert re.match(r"\d+\.\d+\.\d+", str(version[1]))
    return {path.name for path in set(folder.iterdir()) - before} - {"versions.yml"}


def test_the_report_of_nextflow_writes_what_it_declares(folder):
    named = {"cohort.html", "cohort_mqc.json"}
    assert written_by("report", "stub", folder) == named
    assert all((folder / name).stat().st_size == 0 for name in named)
    for name in named:
        (folder / name).unlink()
    assert written_by("report", "script", folder, args=QUICK) == named
    assert all((folder / name).stat().st_size for name in named)


def test_the_recipe_of_nextflow_writes_what_it_declares(folder):
    assert written_by("run", "stub", folder) == {"cohort.json"}
    assert written_by("run", "script", folder) == {"model.json", "tumours_mqc.json"}


@KINDS
def test_a_module_of_nextflow_is_described_as_it_is(kind):
    about = yaml.safe_load((NEXTFLOW / kind / "meta.yml").read_text())
    text = (NEXTFLOW / kind / "main.nf").read_text()
    assert about["name"] == f"caprese_{kind}"
    assert f"process CAPRESE_{kind.upper()} {{" in text
    taken = re.search(r"input:\n    tuple (.*)\n", text)[1]
    (described,) = about["input"]
    assert re.findall(r"\((\w+)\)", taken) == [name for each in described for name in each]
    given = re.findall(r'path[( ]"(.+?)"\)? *, emit: (\w+)', text)
    assert [name for _, name in given] == list(about["output"])
    for pattern, name in given:
        (channel,) = about["output"][name]
        parts = channel if isinstance(channel, list) else [channel]
        assert pattern in parts[-1]


@KINDS
def test_a_module_of_nextflow_has_a_stub_test_and_an_environment(kind, repository):
    test = (NEXTFLOW / kind / "tests" / "main.nf.test").read_text()
    assert f'process "CAPRESE_{kind.upper()}"' in test
    assert 'options "-stub"' in test
    environment = yaml.safe_load((NEXTFLOW / kind / "environment.yml").read_text())
    (pinned,) = environment["dependencies"]
    text = (repository / "CITATION.cff").read_text()
    assert pinned == f"bioconda::caprese={yaml.safe_load(text)['version']}"


@pytest.mark.parametrize("path", sorted(PIPELINES.rglob("*.nf*")), ids=lambda path: path.name)
def test_brackets_of_files_of_nextflow_are_balanced(path):
    text = re.sub(r'"""(.*?)"""|\'.*?\'|".*?"|//.*', "", path.read_text(), flags=re.DOTALL)
    open_ones = []
    for character in text:
        if character in "([{":
            open_ones.append(")]}"["([{".index(character)])
        elif character in ")]}":
            assert character == open_ones.pop()
    assert open_ones == []
