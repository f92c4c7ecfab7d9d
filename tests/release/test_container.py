"""The Dockerfile, which no engine has built here: what can be checked by reading it."""

import re
import shlex
import tomllib

import pytest

from caprese import cli


@pytest.fixture(scope="module")
def stages(repository):
    """The instructions of each stage, without comments: pairs of a word and the rest."""
    text = (repository / "Dockerfile").read_text()
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line.strip()]
    starts = [k for k, (word, _) in enumerate(lines) if word == "FROM"]
    return [lines[k:end] for k, end in zip(starts, [*starts[1:], len(lines)], strict=True)]


def of(stage, word):
    return [rest for each, rest in stage if each == word]


def words(instruction):
    return re.findall(r'"([^"]*)"', instruction)


def test_the_compiler_stays_in_the_first_stage(stages):
    build, final = stages
    assert of(build, "FROM") == ["python:3.13-slim-bookworm AS build"]
    assert of(final, "FROM") == ["python:3.13-slim-bookworm"]
    assert any("gcc" in line for line in of(build, "RUN"))
    assert not any("gcc" in line or "apt-get" in line for line in of(final, "RUN"))
    assert "COPY" not in dict(final)


def test_what_is_installed_was_built_before_and_needs_no_network(stages, repository):
    *_, final = stages
    (installed,) = of(final, "RUN")
    assert "--mount=type=bind,from=build,source=/wheels,target=/wheels" in installed
    assert "--no-index --find-links /wheels" in installed
    extras = [re.search(r"\[([\w,]+)\]", "".join(of(stage, "RUN")))[1] for stage in stages]
    assert extras[0] == extras[1]
    project = tomllib.loads((repository / "pyproject.toml").read_text())["project"]
    assert "app" in extras[0].split(",")
    assert set(extras[0].split(",")) <= set(project["optional-dependencies"])


def test_it_runs_as_a_normal_user(stages):
    *_, final = stages
    order = [word for word, _ in final]
    assert of(final, "USER") == ["1000"]
    assert "useradd --uid 1000" in of(final, "RUN")[0]
    assert max(k for k, word in enumerate(order) if word == "RUN") < order.index("USER")


def test_by_default_the_page_listens_at_the_port_that_is_exposed(stages, monkeypatch):
    *_, final = stages
    given = []
    monkeypatch.setattr("caprese.app.server.serve", lambda *those: given.extend(those[:3]))
    assert words(of(final, "ENTRYPOINT")[0]) == ["caprese"]
    cli.main(words(of(final, "CMD")[0]))
    assert given == ["", "0.0.0.0", int(of(final, "EXPOSE")[0])]


def test_every_published_port_is_of_this_machine_only(repository):
    pages = ["Dockerfile", "docs/install.md", "docs/guide/app.md"]
    commands = [
        line.lstrip("# ")
        for name in pages
        for line in (repository / name).read_text().splitlines()
        if "docker run" in line and " -p " in line
    ]
    assert len(commands) == 3
    for command in commands:
        given = shlex.split(command)
        assert given[given.index("-p") + 1] == "127.0.0.1:8000:8000"


def test_the_folder_of_git_is_part_of_the_build(repository):
    lines = (repository / ".dockerignore").read_text().splitlines()
    ignored = {line for line in lines if not line.startswith("#")}
    assert ".git" not in ignored
    assert {".venv", "build", "dist"} <= ignored
