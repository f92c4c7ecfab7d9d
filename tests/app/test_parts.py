"""Parts of the live page that need no server."""

import asyncio
import inspect
import socket
import sys
from dataclasses import replace

import pytest

from caprese import Dataset
from caprese._core.environment import install_command
from caprese.app.chosen import curation_in, method_in, source_in
from caprese.app.views.data import overview
from caprese.app.views.start import form_views, method_forms
from caprese.data.inspection import inspect as inspect_data
from caprese.errors import CapreseError
from caprese.io.data.reading import Reading
from caprese.io.data.sources import READERS
from caprese.methods import METHODS, method_text

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from starlette.exceptions import HTTPException
from starlette.requests import Request

from caprese.app import server


@pytest.fixture
def saving(monkeypatch, tmp_path):
    """Save parts of a body in a file, with a limit of 10 bytes."""
    monkeypatch.setattr(server, "upload_limit", lambda: 10)

    def save(*parts):
        messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
        messages.append({"type": "http.request", "body": b"", "more_body": False})
        received = iter(messages)

        async def receive():
            return next(received)

        path = tmp_path / "x.csv"
        asyncio.run(server._save(Request({"type": "http"}, receive), path))
        return path

    return save


def test_a_file_within_the_limit_is_kept(saving):
    assert saving(b"12345", b"67890").read_bytes() == b"1234567890"


def test_a_file_beyond_the_limit_is_refused(saving):
    with pytest.raises(HTTPException) as refused:
        saving(b"12345", b"678901")
    assert refused.value.status_code == 413


def test_a_method_that_is_added_appears_by_itself(monkeypatch):
    monkeypatch.setitem(METHODS, "mine", METHODS["oncotree"])
    form = next(each for each in method_forms() if each["name"] == "mine")
    assert [each["name"] for each in form["parameters"]] == ["search", "noise"]
    assert form["parameters"][0]["words"] == ("szabo", "branching")
    assert '<option value="mine">' in form_views()["method"]


def test_a_parameter_that_cannot_be_is_refused():
    given = {"name": "caprese", "parameters": {"shrinkage": "0.3", "noise": "0:1"}}
    with pytest.raises(ValueError, match="noise must be two rates"):
        method_in(given)


def test_options_of_formats_that_name_paths_are_refused():
    named = [
        (form, option)
        for form, reader in READERS.items()
        for option, about in list(inspect.signature(reader).parameters.items())[1:]
        if "Path" in str(about.annotation)
    ]
    assert ("study", "panels") in named
    for form, option in named:
        given = {"source": "x", "format": form, "options": f"{option}=/etc/passwd"}
        with pytest.raises(CapreseError, match=f"the page cannot use the option '{option}'"):
            source_in(given)
    with pytest.raises(ValueError, match="must be NAME=VALUE, got 'gain'"):
        source_in({"source": "x", "options": "gain"})
    with pytest.raises(ValueError, match="option must be one of a format, got 'source'"):
        source_in({"source": "x", "options": "source=/etc/passwd"})


@pytest.mark.parametrize("name", METHODS)
def test_every_default_can_be_chosen_on_the_page(name):
    form = next(each for each in method_forms() if each["name"] == name)
    given = {each["name"]: each["default"] for each in form["parameters"]}
    assert method_text(method_in({"name": name, "parameters": given})) == name


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"merge": [["new", [0]]]}, r"members must be a list of 2 or more names, got \['x'\]"),
        ({"top": 1.5}, "top must be a whole number of at least 1, got 1.5"),
        ({"at_least": True}, r"at_least must be in \[0, 1\], got True"),
        ({"at_least": 1.5}, r"at_least must be in \[0, 1\], got 1.5"),
        ({"merge": 1}, "merge must be a list, got 1"),
        ({"merge": [["a"]]}, r"merge must be a list of pairs, got \[\['a'\]\]"),
        ({"exclude": "a"}, "events must be a list, got 'a'"),
        ({"exclude": [2]}, "event must be a whole number from 0 to 1, got 2"),
        ({"keep_constant": 1}, "keep_constant must be true or false, got 1"),
    ],
)
def test_choices_that_cannot_be_are_refused(given, why):
    with pytest.raises(ValueError, match=f"^{why}$"):
        curation_in(given, ("x", "y"))


def test_the_server_listens_to_this_machine_only(monkeypatch):
    hosts = []

    def run(_server, sockets):
        hosts.extend(each.getsockname()[0] for each in sockets)

    monkeypatch.setattr(server.uvicorn.Server, "run", run)
    monkeypatch.setattr(server.signal, "signal", lambda *_: None)
    server.serve("", 0, lambda _address, _page: None)
    assert hosts == ["127.0.0.1"]


def test_a_port_that_is_taken_is_named(refused):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert refused("app", "--port", str(port)) == f"--port {port}: Address already in use"


def test_data_that_is_not_there_is_named(refused):
    message = refused("app", "none.csv")
    assert message.startswith("none.csv: no such file; there is embedded acml")


def test_without_the_extra_one_line_says_what_to_install(refused, monkeypatch):
    monkeypatch.delitem(sys.modules, "caprese.app.server")
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert refused("app") == f"the live page needs uvicorn: {install_command('app')}"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, "method must be fields with names, got None"),
        (["caprese"], r"method must be fields with names, got \['caprese'\]"),
        ({"name": 1}, "method must be text, got 1"),
        ({"name": "caprese", "parameters": 1}, "parameters must be fields with names, got 1"),
    ],
)
def test_a_method_of_a_wrong_kind_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        method_in(given)


def test_a_table_that_may_be_transposed_comes_with_the_box_to_tick():
    data = Dataset.from_rows([[0, 1], [1, 0], [1, 1]], "ab", ["TP53", "KRAS", "APC"])
    advice = "tick “rows are events, columns are samples” above"
    assert advice in overview(Reading(data), inspect_data(data))
    data = replace(data, samples=("p", "q", "r"))
    assert advice not in overview(Reading(data), inspect_data(data))
