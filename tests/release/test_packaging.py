"""What is said of the package in several files, which must agree."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import requires, version

import jinja2
import pytest
import yaml

import caprese


@pytest.fixture(scope="module")
def project(repository):
    return tomllib.loads((repository / "pyproject.toml").read_text())["project"]


@pytest.fixture(scope="module")
def citation(repository):
    return yaml.safe_load((repository / "CITATION.cff").read_text())


@pytest.fixture(scope="module")
def recipe(repository):
    """The recipe of conda, as conda-build fills it in."""
    text = (repository / "recipes" / "caprese" / "meta.yaml").read_text()
    functions = {
        "PYTHON": "python",
        "compiler": lambda language: f"compiler_{language}",
        "stdlib": lambda language: f"stdlib_{language}",
        "pin_subpackage": lambda name, **_: name,
    }
    return yaml.safe_load(jinja2.Template(text).render(functions))


def python_versions(project):
    return re.findall(r" (3\.\d+)$", "\n".join(project["classifiers"]), re.MULTILINE)


# ---------------------------------------------------------------- versions


@pytest.mark.parametrize(
    ("described", "expected"),
    [
        ("v0.1.0-0-g1234abc", "0.1.0"),
        ("v0.1.0-7-g1234abc", "0.1.1.dev7"),
        ("v1.9.12-1-g1234abc", "1.9.13.dev1"),
        ("", "0.1.0.dev0"),
        ("v1.0rc1-0-g1234abc", "0.1.0.dev0"),
    ],
)
def test_the_version_is_that_of_the_tag(program, described, expected):
    assert program("version")["version_in"](described) == expected


def test_the_version_of_a_source_distribution_is_its_own(program, tmp_path):
    (tmp_path / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: caprese\nVersion: 2.3.4\n\n")
    assert program("version")["version"](tmp_path) == "2.3.4"


def test_a_folder_without_git_has_a_version_before_the_first(program, tmp_path):
    assert program("version")["version"](tmp_path) == "0.1.0.dev0"


def test_tags_of_a_repository_are_found(program, tmp_path):
    def git(*words):
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        command = ["git", "-C", str(tmp_path), *who, *words]
        subprocess.run(command, check=True, capture_output=True)

    git("init")
    git("commit", "--allow-empty", "-m", "one")
    assert program("version")["version"](tmp_path) == "0.1.0.dev0"
    git("tag", "v3.1.4")
    git("tag", "trial")
    assert program("version")["version"](tmp_path) == "3.1.4"
    git("commit", "--allow-empty", "-m", "two")
    assert program("version")["version"](tmp_path) == "3.1.5.dev1"


def test_the_command_says_the_version(run):
    assert caprese.__version__ == version("caprese")
    assert run("--version") == (0, f"caprese {version('caprese')}\n", "")


def test_changelog_citation_and_recipe_name_the_release(repository, citation, recipe, program):
    first = program("version")["FIRST"]
    latest = re.search(r"^## (\S+)", (repository / "CHANGELOG.md").read_text(), re.MULTILINE)[1]
    assert citation["version"] == recipe["package"]["version"] == latest
    assert latest == first


# ---------------------------------------------------------------- metadata


def test_every_classifier_of_python_is_within_the_bounds(project):
    assert project["requires-python"] == f">={python_versions(project)[0]}"
    assert python_versions(project) == [f"3.{minor}" for minor in range(11, 15)]


def test_the_citation_has_what_its_format_requires(citation, project):
    assert {"cff-version", "message", "title", "authors", "version", "license"} <= set(citation)
    assert citation["license"] == project["license"] == "MIT"
    (author,) = project["authors"]
    assert author == citation["authors"][0]
    paper = citation["preferred-citation"]
    assert {"type", "title", "authors", "journal", "year", "doi"} <= set(paper)
    assert all({"family-names", "given-names"} <= set(person) for person in paper["authors"])


def test_the_lowest_versions_are_one_for_each_package(program, project):
    floors = program("oldest")["floors"](project)
    declared = [each for each in requires("caprese") if "extra" not in each]
    assert {re.match(r"[\w.-]+", each)[0] for each in declared} <= set(floors)
    assert floors["numpy"] == "2.0"
    assert floors["pandas"] == "2.2.2", "the first one that was built for numpy 2"


def test_two_lowest_versions_of_a_package_are_refused(program):
    extras = {"a": ["numpy>=1.0"], "dev": ["numpy>=3.0"]}
    both = {"dependencies": ["numpy>=2.0"], "optional-dependencies": extras}
    with pytest.raises(ValueError, match=r"numpy has two lowest versions: 2\.0 and 1\.0"):
        program("oldest")["floors"](both)


def test_constraints_are_lines_that_pip_reads(repository):
    command = [sys.executable, str(repository / "release" / "oldest.py")]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert lines == sorted(lines)
    assert all(re.fullmatch(r"[\w-]+==[\d.]+", line) for line in lines)


# ---------------------------------------------------------------- conda


def test_the_recipe_of_conda_needs_what_the_package_needs(recipe, project):
    run = {each.replace(" ", "").replace("-base", "") for each in recipe["requirements"]["run"]}
    assert run == {"python", *project["dependencies"]}
    assert recipe["about"]["license"] == project["license"]
    assert recipe["about"]["summary"] == project["description"]


def test_the_recipe_of_conda_builds_with_what_the_build_needs(recipe, repository, project):
    build = tomllib.loads((repository / "pyproject.toml").read_text())["build-system"]["requires"]
    host = {each.replace(" ", "") for each in recipe["requirements"]["host"]}
    assert host == {"python", "pip", *build}
    (script,) = project["scripts"].items()
    assert recipe["build"]["entry_points"] == [" = ".join(script)]


def test_the_tests_of_the_recipe_of_conda_pass(recipe, run):
    for command in recipe["test"]["commands"]:
        program, *words = command.split()
        assert program == "caprese" or command == "pip check"
        if program == "caprese":
            assert run(*words)[0] == 0


# ---------------------------------------------------------------- what persons read


def test_what_persons_fill_in_is_marked(repository):
    for name in ("SECURITY.md", "CODE_OF_CONDUCT.md"):
        assert "to be filled in before the first release" in (repository / name).read_text()
    assert "To be filled in" in (repository / "recipes" / "caprese" / "meta.yaml").read_text()


@pytest.mark.parametrize("name", ["mistake.yml", "idea.yml"])
def test_forms_of_issues_have_what_the_host_requires(repository, name):
    form = yaml.safe_load((repository / ".github" / "ISSUE_TEMPLATE" / name).read_text())
    assert {"name", "description", "body"} <= set(form)
    inputs = [part for part in form["body"] if part["type"] != "markdown"]
    identities = [part["id"] for part in inputs]
    assert len(set(identities)) == len(identities) > 0
    assert all(part["attributes"]["label"] for part in inputs)
