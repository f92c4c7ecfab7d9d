"""The workflows of a public host, which have not run there: what can be checked by reading them."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest
import yaml

WORKFLOWS = Path(__file__).parents[2] / ".github" / "workflows"
TRUSTED = {
    "actions/checkout",
    "actions/setup-python",
    "actions/upload-artifact",
    "actions/download-artifact",
    "actions/upload-pages-artifact",
    "actions/deploy-pages",
    "pypa/gh-action-pypi-publish",
}


def read(name):
    """A workflow; its key `on` is a truth value to YAML 1.1."""
    found = yaml.safe_load((WORKFLOWS / name).read_text())
    return {"on" if key is True else key: value for key, value in found.items()}


every = pytest.mark.parametrize("name", sorted(path.name for path in WORKFLOWS.glob("*.yml")))


def steps(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.fixture
def targets(repository):
    """The targets of the Makefile."""
    text = (repository / "Makefile").read_text()
    return set(re.findall(r"^([a-z-]+):", text, re.MULTILINE))


@every
def test_every_job_has_a_machine_and_steps_that_do_one_thing(name):
    workflow = read(name)
    assert {"name", "on", "permissions", "jobs"} <= set(workflow)
    for job in workflow["jobs"].values():
        assert job["runs-on"]
        assert set(job.get("needs", ())) <= set(workflow["jobs"]) | set(job.get("needs", ""))
    for step in steps(workflow):
        assert ("uses" in step) != ("run" in step)


@every
def test_jobs_wait_for_jobs_that_are_there(name):
    jobs = read(name)["jobs"]
    for job in jobs.values():
        needed = job.get("needs", [])
        assert {needed} <= set(jobs) if isinstance(needed, str) else set(needed) <= set(jobs)


@every
def test_actions_are_known_ones_with_a_version(name):
    for step in steps(read(name)):
        if "uses" in step:
            action, _, version = step["uses"].partition("@")
            assert action in TRUSTED
            assert re.fullmatch(r"v\d+|release/v\d+", version)


@every
def test_what_steps_run_is_there(name, repository, targets):
    for step in steps(read(name)):
        if "run" not in step:
            continue
        program, *words = shlex.split(step["run"].replace('"v$(release/version.py)"', "release"))
        if program == "make":
            assert words[0] in targets
        elif program == "python":
            assert words[0] == "-m" or (repository / words[0]).is_file()
        elif program == "test":
            assert (repository / "release" / "version.py").stat().st_mode & 0o100
        else:
            assert (repository / program).stat().st_mode & 0o100


@every
def test_every_clone_has_the_tags_that_give_the_version(name):
    for step in steps(read(name)):
        if step.get("uses", "").startswith("actions/checkout"):
            assert step["with"]["fetch-depth"] == 0


def test_every_declared_version_of_python_is_tested_on_three_systems(repository):
    matrix = read("tests.yml")["jobs"]["quick"]["strategy"]["matrix"]
    project = tomllib.loads((repository / "pyproject.toml").read_text())["project"]
    text = "\n".join(project["classifiers"])
    assert matrix["python"] == re.findall(r" (3\.\d+)$", text, re.MULTILINE)
    assert {system.partition("-")[0] for system in matrix["system"]} == {
        "ubuntu",
        "macos",
        "windows",
    }


def test_extras_that_are_installed_are_declared(repository):
    project = tomllib.loads((repository / "pyproject.toml").read_text())["project"]
    named = {
        extra
        for step in steps(read("tests.yml"))
        for extras in re.findall(r"\.\[([\w,]+)\]", step.get("run", ""))
        for extra in extras.split(",")
    }
    assert {"dev", "app", "r"} <= named <= set(project["optional-dependencies"])


def test_only_the_last_job_of_a_tag_may_publish():
    workflow = read("release.yml")
    assert workflow["on"]["push"] == {"tags": ["v*"]}
    assert workflow["permissions"] == {"contents": "read"}
    *others, publish = workflow["jobs"].values()
    assert all("permissions" not in job for job in others)
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["needs"] == ["source", "wheels"]
    assert "ref_type == 'tag'" in publish["if"]
    assert not any("password" in step.get("with", {}) for step in publish["steps"])


@every
def test_no_step_puts_text_of_others_into_a_shell(name):
    for step in steps(read(name)):
        assert "${{" not in step.get("run", "")


@every
def test_it_says_that_it_has_not_run(name):
    comment = (WORKFLOWS / name).read_text().partition("\nname:")[0].replace("\n#", "")
    assert "has not run yet" in comment
