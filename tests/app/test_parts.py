"""Parts of the live page that need no server."""

import asyncio
import inspect
import socket
import sys
from dataclasses import replace

import numpy as np
import pytest

from caprese import CBN, ROOT, Caprese, Clinical, Dataset, Forest, datasets
from caprese._core.environment import install_command
from caprese._core.facts import Fact
from caprese.app.chosen import curation_in, method_in, source_in
from caprese.app.pictures import outline_of
from caprese.app.views.data import overview
from caprese.app.views.fits import fit_view, tree_view
from caprese.app.views.groups import told_of_table
from caprese.app.views.start import form_views, method_forms, questions
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
from caprese.app.security import Guard


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


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_the_server_listens_at_the_address_given_and_is_opened_on_this_machine(host, monkeypatch):
    hosts, addresses = [], []

    def run(_server, sockets):
        hosts.extend(each.getsockname()[0] for each in sockets)

    monkeypatch.setattr(server.uvicorn.Server, "run", run)
    monkeypatch.setattr(server.signal, "signal", lambda *_: None)
    server.serve("", host, 0, lambda address, _page: addresses.append(address))
    assert hosts == [host]
    assert addresses[0].startswith("http://127.0.0.1:")


def test_the_server_listens_to_this_machine_only_unless_told(run, monkeypatch):
    hosts = []
    monkeypatch.setattr(server, "serve", lambda _data, host, *_others: hosts.append(host))
    run("app")
    run("app", "--host", "0.0.0.0")
    assert hosts == ["127.0.0.1", "0.0.0.0"]


@pytest.mark.parametrize("host", ["everywhere", "", "1.2.3", "::"])
def test_a_host_that_is_no_address_is_named(refused, host):
    message = refused("app", "--host", host)
    assert message == f"--host must be an IPv4 address such as 0.0.0.0, got {host!r}"


def test_an_address_that_is_not_of_this_machine_is_named(refused):
    message = "--host 192.0.2.1: Cannot assign requested address"
    assert refused("app", "--host", "192.0.2.1") == message


def status_of(guard, host, path="/token/", method="GET", origin=None):
    """The status with which a guard answers a request."""
    headers = {"host": host} | ({} if origin is None else {"origin": origin})
    sent = []

    async def ask():
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": method, "path": path, "headers": pairs}

        async def send(message):
            sent.append(message)

        await guard(scope, None, send)

    asyncio.run(ask())
    return sent[0]["status"]


async def allowed(_scope, _receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:9000", "localhost"])
def test_within_a_container_the_page_is_reached_by_any_port_of_this_machine(host):
    guard = Guard(allowed, "token", None)
    assert status_of(guard, host) == 200
    assert status_of(guard, host, method="POST", origin=f"http://{host}") == 200
    assert status_of(guard, host, method="POST", origin="http://127.0.0.1:1") == 403
    assert status_of(guard, host, path="/other/") == 404


@pytest.mark.parametrize("host", ["0.0.0.0:8000", "evil.example", "127.0.0.1.evil.example:8000"])
def test_within_a_container_other_names_are_refused_too(host):
    assert status_of(Guard(allowed, "token", None), host) == 421


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


def items(method, data):
    return [(each.name, each.depth, each.also) for each in outline_of(method.fit(data), None)]


def test_the_list_of_a_forest_has_each_event_below_its_parent_the_most_frequent_first():
    assert items(Caprese(), datasets.ovarian()) == [
        ("8q+", 0, []),
        ("3q+", 1, []),
        ("8p-", 1, []),
        ("Xp-", 2, []),
        ("5q-", 0, []),
        ("4q-", 1, []),
        ("1q+", 0, []),
    ]


def test_the_list_of_a_poset_names_the_other_parents():
    rows = [[1, 1, 1], [1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1], [0, 0, 0]]
    found = items(CBN(), Dataset.from_rows(rows, "abc"))
    assert ("c", 1, ["b"]) in found
    assert [depth for _, depth, _ in found].count(0) == 2


def test_a_list_of_many_events_in_a_chain_is_not_recursive():
    values = np.tri(1200, 1199, -1, dtype=bool)
    chain = Forest(tuple(f"e{k}" for k in range(1199)), (ROOT, *range(1198)), (0.5,) * 1199)
    fit = Caprese().fit(Dataset(values, chain.events))
    fit = replace(fit, model=chain)
    assert max(each.depth for each in outline_of(fit, None)) == 1198


def test_a_patient_and_a_time_are_found_by_their_titles_and_groups_by_their_number():
    columns = {
        "Patient ID": ("p", "p", "q"),
        "DATE": ("1", "2", "3"),
        "stage": ("I", "II", ""),
        "one": ("x", "x", "x"),
        "a:b": ("x", "y", "x"),
    }
    found = told_of_table(Clinical(("s1", "s2", "s3"), columns))
    assert (found["patient"], found["time"]) == ("Patient ID", "DATE")
    assert found["titles"] == ["Patient ID", "DATE", "stage", "one"]
    assert found["groups"] == ["Patient ID", "DATE", "stage"]


def test_tables_beside_the_data_are_part_of_the_source():
    given = {"beside": {"orders": "o.csv", "patients": "p.csv"}, "orders_extra": True}
    columns = {"patient": "PATIENT", "time": "DAY"}
    source = source_in({"source": "x.csv", **given, "columns": columns})
    assert (source.orders, source.orders_extra) == ("o.csv", True)
    assert (source.patients, source.sampled_at) == ("p.csv:PATIENT", ("p.csv:DAY",))
    with pytest.raises(CapreseError, match="choose the column that names the patient"):
        source_in({"source": "x.csv", **given})
    with pytest.raises(CapreseError, match="beside must be fields with names"):
        source_in({"source": "x.csv", "beside": "o.csv"})


def test_the_questions_have_methods_that_there_are():
    found = {each["key"]: each["method"] for each in questions()}
    assert list(found) == ["tree", "prediction", "patients"]
    assert found["tree"] == next(iter(METHODS))
    assert set(found.values()) <= set(METHODS)


def test_what_speaks_against_a_fit_stands_beside_its_picture(monkeypatch):
    fit = Caprese().fit(datasets.acml())
    notes = (Fact("chains ended apart", doubt="chains do not agree"), Fact("a remark"))
    monkeypatch.setattr(type(fit.evidence), "notes", lambda _evidence: notes)
    assert '<p class="notice" role="note">Chains ended apart.</p>' in tree_view(fit)
    assert "A remark." not in tree_view(fit)
    assert "A remark." in fit_view(fit)
    assert "Chains" not in fit_view(fit)
