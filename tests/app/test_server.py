"""The server of the live page: who may ask, what is refused, and what survives."""

import html
import json
import os
import re
import shlex
import signal
import socket
import stat
import threading
import time
import zipfile
from dataclasses import fields
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from caprese import Caprese, bootstrap, datasets
from caprese.io.documents import document_text
from caprese.io.json.fits import encode_method
from caprese.methods import METHODS
from hostile_names import HOSTILE
from live_app import serving

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc"),
]

LONG = 10_000_000  # replicates, which nobody waits for


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("app")) as found:
        found.session().run("start")  # until the first worker is ready
        yield found


@pytest.fixture
def session(app):
    found = app.session()
    yield found
    app.ask("POST", f"{found.path}/close")


def words(fragment):
    return html.unescape(re.sub(r"<[^>]*>", "", fragment))


# ---------------------------------------------------------------- who may ask


def test_the_page_comes_with_headers_that_forbid_everything_but_itself(app):
    status, headers, content = app.ask("GET", "/", origin=None)
    assert status == 200
    assert content.startswith(b"<!doctype html>")
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "frame-ancestors 'none'" in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers


def test_the_page_has_no_inline_script_and_names_no_other_site(app):
    names = re.findall(r'(?:src|href)="([^"#]+)"', app.ask("GET", "/")[2].decode())
    assert names
    for name in names:
        status, _, content = app.ask("GET", f"/{name}")
        assert status == 200
        assert b"http://" not in content
        assert b"https://" not in content
    assert not re.search(rb"<script[^>]*>[^<]", app.ask("GET", "/")[2])


@pytest.mark.parametrize("token", ["", "wrong", "%00", "%C3%A9"])
def test_without_the_token_nothing_is_there(app, token):
    for path in ("/", "/sessions", "/static/app.js"):
        status, _, content = app.ask("GET", path, root=token)
        assert status == 404
        assert app.token.encode() not in content


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", ""])
def test_another_name_for_this_machine_is_refused(app, host):
    status, _, _ = app.ask("GET", "/", host=host.format(port=app.port), origin=None)
    assert status == 421


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", None])
def test_what_changes_something_must_come_from_the_page(app, origin):
    assert app.ask("POST", "/sessions", origin=origin)[0] == 403


def test_another_site_may_not_even_look(app):
    assert app.ask("GET", "/", origin="https://evil.example")[0] == 403


def test_localhost_is_this_machine_too(app):
    host = f"localhost:{app.port}"
    assert app.ask("POST", "/sessions", host=host, origin=f"http://{host}")[0] == 200


@pytest.mark.parametrize(
    "path", ["/static/../server.py", "/static/..%2fserver.py", "/static/__init__.py", "/none"]
)
def test_only_the_files_of_the_page_are_served(app, path):
    assert app.ask("GET", path)[0] == 404


def test_a_session_that_is_gone_says_so(app):
    status, _, content = app.ask("POST", "/sessions/none/load", "{}")
    assert status == 410
    assert b"reload" in content


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../x.csv", "/etc/passwd", "a/b.csv", "a\\b.csv", "a\0b", "a\nb", "x" * 201],
)
def test_what_is_not_the_name_of_a_file_is_refused(session, name):
    status, _, content = session.upload(name, b"a,b\n0,1\n")
    assert status == 400
    assert b"not the name of a file" in content


@pytest.mark.parametrize("folder", ["..", "/", "/etc", "a/..", "a//b", "./a", "a\\b", "a/b/c/d"])
def test_what_is_not_a_folder_within_the_upload_is_refused(session, folder):
    assert session.upload("data_cna.txt", b"x", folder=folder)[0] == 400


def test_a_folder_is_read_as_a_study(session):
    study = {
        ("study", "meta_study.txt"): b"cancer_study_identifier: s\n",
        ("study", "data_cna.txt"): b"Hugo_Symbol\ts1\ts2\ts3\nA\t2\t2\t0\nB\t-2\t0\t0\n",
        ("study/case_lists", "cases_sequenced.txt"): b"case_list_ids: s1\ts2\ts3\n",
    }
    for number, ((folder, name), content) in enumerate(study.items()):
        adding = "folder" if number else ""
        assert session.upload(name, content, folder=folder, adding=adding)[0] == 200
    again = session.upload("data_cna.txt", b"x", folder="study", adding="folder")
    assert again[0] == 400
    assert b"two files of this name" in again[2]
    found = session.run("load", kind="file", name="study")
    assert found["title"] == "study"
    assert "caprese curate ./study -o table.csv" in found["fragments"]["files"]
    late = session.upload("data_cna.txt", b"x", folder="study", adding="folder")
    assert late[0] == 400
    assert b"the first file of this folder is missing" in late[2]


@pytest.mark.parametrize(("folder", "adding"), [("", ""), ("x", ""), ("", "beside")])
def test_an_upload_that_is_cut_off_changes_nothing(app, session, folder, adding):
    session.open("x.csv", "a,b\n1,0\n1,1\n0,0\n")
    for number in range(2):
        assert session.upload(f"beside{number}.csv", b"sample\n", adding="beside")[0] == 200
    query = f"name=new.csv&folder={folder}&adding={adding}"
    with socket.create_connection(("127.0.0.1", app.port)) as connection:
        host = f"127.0.0.1:{app.port}"
        head = f"POST /{app.token}{session.path}/upload?{query} HTTP/1.1\r\nHost: {host}\r\n"
        head += f"Origin: http://{host}\r\nContent-Length: 1000000\r\n\r\n"
        connection.sendall(head.encode() + b"a,b\n1,0\n")
        time.sleep(0.2)
    for name in ("new.csv", "x"):
        status, _, _ = app.ask(
            "POST", f"{session.path}/load", json.dumps({"kind": "file", "name": name})
        )
        assert status == 400
    assert session.run("clinical", name="beside1.csv")["why"] == "place the samples first"
    assert session.run("load", kind="file", name="x.csv")["title"] == "x.csv"


def test_a_folder_that_is_no_study_says_so(session):
    session.upload("readme.txt", b"x", folder="mine")
    refused = session.run("load", kind="file", name="mine")["why"]
    assert refused.startswith("./mine: this folder is not a cBioPortal study")


def test_a_clinical_table_comes_beside_the_data(session):
    session.open("x.csv", "a,b\n1,0\n1,1\n0,0\n")
    status, _, content = session.upload("x.csv", b"sample,stage\n1,II\n", adding="beside")
    assert status == 400
    assert b"the data has the same name" in content
    assert session.upload("clinical.csv", b"sample,stage\n1,II\n", adding="beside")[0] == 200
    assert session.run("clinical", name="clinical.csv")["why"] == "place the samples first"
    assert session.run("load", kind="file", name="x.csv")["title"] == "x.csv"
    session.run("fit", method={"name": "caprese"})
    session.run("patients")
    for name in ("none.csv", "../data/clinical.csv", "/etc/passwd"):
        assert "fragments" not in session.run("clinical", name=name)


def test_tables_beside_the_data_are_kept_together_and_nothing_else_is_read(session):
    session.open("x.csv", "sample,a,b\ns1,1,1\ns2,1,0\ns3,0,0\n")
    tables = {"o.csv": b"sample,earlier,later\ns1,a,b\n", "p.csv": b"sample,patient\ns1,p\ns2,p\n"}
    for name, content in tables.items():
        assert session.upload(name, content, adding="beside")[0] == 200
    assert session.run("table", name="o.csv") == {"holds": "orders", "samples": 1}
    assert session.run("table", name="p.csv")["patient"] == "patient"
    given = {"kind": "file", "name": "x.csv", "columns": {"patient": "patient"}}
    found = session.run("load", **given, beside={"orders": "o.csv", "patients": "p.csv"})
    assert "--orders o.csv --patients p.csv:patient" in words(found["fragments"]["files"])
    for name in ("/etc/passwd", "../files/x", "x.csv", "none.csv", 7):
        body = json.dumps({**given, "beside": {"orders": name}})
        assert session.app.ask("POST", f"{session.path}/load", body)[0] == 400
    for number in range(18):
        assert session.upload(f"{number}.csv", b"sample\n", adding="beside")[0] == 200
    assert session.upload("more.csv", b"sample\n", adding="beside")[0] == 413


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("file", "../x"),
        ("file", "/etc/passwd"),
        ("embedded", "/etc/passwd"),
        ("given", ""),
        ("", ""),
    ],
)
def test_only_what_was_uploaded_or_is_embedded_is_read(session, kind, name):
    status, _, _ = session.app.ask(
        "POST", f"{session.path}/load", json.dumps({"kind": kind, "name": name})
    )
    assert status == 400


@pytest.mark.parametrize("name", ["../data/x.csv", "..%2fdata%2fx.csv", "none.csv"])
def test_only_what_was_written_for_it_is_taken_away(session, name):
    session.upload("x.csv", b"a,b\n0,1\n")
    assert session.app.ask("GET", f"{session.path}/files/{name}")[0] == 404


@pytest.mark.parametrize("body", ["[]", "{", "null", "[" * 100_000])
def test_what_is_not_an_object_is_refused(session, body):
    assert session.app.ask("POST", f"{session.path}/fit", body)[0] == 400


@pytest.mark.parametrize(
    ("task", "given", "why"),
    [
        ("fit", {"method": {"name": "caprese"}}, "open a file first"),
        ("fit", {"method": {"name": "none"}}, "method must be one of"),
        (
            "fit",
            {"method": {"name": "caprese", "parameters": {"shrinkage": "2"}}},
            "shrinkage must",
        ),
        ("fit", {"method": {"name": 1}}, "method must be text"),
        ("download", {"name": "report.html"}, "open a file first"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(session, task, given, why):
    refused = session.run(task, **given)["why"]
    assert refused.startswith(why)
    assert "\n" not in refused


def test_bad_numbers_are_refused(session):
    session.run("load", kind="embedded", name="ovarian")
    session.run("fit", method={"name": "caprese"})
    assert "replicates must be" in session.run("bootstrap", replicates=-1, seed=1)["why"]
    assert "seed must be" in session.run("bootstrap", replicates=10, seed="x")["why"]
    rule = "“keep the most frequent events” in step 1 must be a whole number of at least 1"
    assert rule in session.run("curate", top="many")["why"]
    assert "events must be a list" in session.run("curate", exclude=3)["why"]
    assert "methods must be a list" in session.run("judge", methods=None)["why"]
    assert "method must be fields with names" in session.run("fit")["why"]
    assert "event must be" in session.run("event", event=7)["why"]
    assert "a list of 2 or more names" in session.run("curate", merge=[["new", [1]]])["why"]
    assert (
        "none of the 7 events would be left" in session.run("curate", exclude=list(range(7)))["why"]
    )


def test_a_refusal_names_the_fields_of_the_page(session):
    refused = session.open("aged.csv", "a,age,stage\n1,60,II\n0,50,I\n")["why"]
    advice = "age,stage under “columns to leave out” leaves such columns out"
    assert refused.endswith(f"where unknown; {advice}")
    turned = "gene,TCGA-AB-0001,TCGA-AB-0002,TCGA-AB-0003\nTP53,1,0,0\nKRAS,0,1,1\n"
    notes = words(session.open("turned.csv", turned)["fragments"]["overview"])
    assert "“rows are events, columns are samples” reads one column per sample" in notes
    session.run("load", kind="embedded", name="acml_full31")
    refused = session.run("fit", method={"name": "hcbn"})["why"]
    advice = "20 under “keep the most frequent events” in step 1 keeps the 20 most frequent ones"
    assert refused.endswith(f"the most is 20 events; {advice}")


def test_a_damaged_file_is_refused_by_its_name_alone(session):
    session.upload("broken.csv", b"a,b\n0,1\n0,2\n")
    refused = session.run("load", kind="file", name="broken.csv")["why"]
    assert refused.startswith("broken.csv, line 3, column 2")
    assert "No such" not in refused
    session.upload("broken.xlsx", b"PK\x03\x04 not really")
    assert session.run("load", kind="file", name="broken.xlsx")["why"].startswith("broken.xlsx")


class Tags(HTMLParser):
    """All tags and attributes of a part of the page."""

    def __init__(self, fragment):
        super().__init__()
        self.names, self.attributes, self.links = set(), set(), set()
        self.feed(fragment)

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links |= {value for name, value in attrs if name in ("href", "src")}


def test_hostile_names_stay_text(session):
    names = [*HOSTILE][:12]
    rows = [[str((row >> k) & 1) for k in range(len(names))] for row in range(1, 4000, 97)]
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    table = "\n".join([quoted, *(",".join(row) for row in rows)])
    answers = [
        session.open("'$(touch x)' onerror=alert(1).csv", table),
        session.run("fit", method={"name": "caprese"}, other={"name": "oncotree"}),
        session.run("event", event=0),
        session.run("patients"),
    ]
    for answer in answers:
        for fragment in answer["fragments"].values():
            found = Tags(fragment)
            assert not found.names & {"script", "img", "iframe", "object", "style", "base"}
            assert not any(name.startswith("on") for name in found.attributes)
            files = ("data:image/png;", "data:text/csv;charset=utf-8;base64,")
            assert all(link.startswith(("#", *files)) for link in found.links)
    commands = html.unescape(answers[1]["fragments"]["files"])
    line = next(line for line in commands.splitlines() if "-o model.json" in line)
    words = shlex.split(re.sub("<[^>]*>", "", line.rpartition("<code>")[2]))
    assert words[:3] == ["caprese", "fit", "'$(touch x)' onerror=alert(1).csv"]


# ---------------------------------------------------------------- work


def test_every_registered_method_has_a_form_with_its_parameters(session):
    form = session.run("start")["fragments"]["method"]
    for name, method in METHODS.items():
        assert f'<option value="{name}">' in form
        for parameter in (each.name for each in fields(method)):
            assert f'id="method-{name}-{parameter}"' in form


def test_from_a_file_to_a_tree(session):
    rows = ["a,b,c", *["1,1,0"] * 10, *["1,0,0"] * 10, *["0,0,1"] * 5, "0,0,0"]
    found = session.open("small.csv", "\n".join(rows))
    assert "26" in words(found["fragments"]["overview"])
    tree = session.run("fit", method={"name": "caprese"})["fragments"]["tree"]
    assert tree.count('class="node"') == 3
    assert "after a" in html.unescape(tree)


def test_events_are_listed_with_their_own_frequencies(session):
    found = session.open("rare.csv", "a,b,c\n0,1,1\n0,0,1\n0,1,0\n1,1,0\n")
    rows = re.findall(r"<bdi>(\w)</bdi>.*?([\d]+)\u00a0%", found["fragments"]["events"], re.DOTALL)
    assert rows == [("b", "75"), ("c", "50"), ("a", "25")]
    places = re.findall(r'data-place="(\d)"', found["fragments"]["events"])
    assert places == ["1", "2", "0"]


def test_curation_is_live_and_says_what_it_did(session):
    session.run("load", kind="embedded", name="ovarian")
    found = session.run("curate", exclude=[0], merge=[["both", [1, 2]]])
    events = datasets.ovarian().events
    assert found["states"][0].startswith("dropped")
    assert found["states"][1] == found["states"][2] == "merged into both: present where any is"
    assert f"dropped 1 event, in the list: {events[0]}" in words(found["fragments"]["curated"])
    assert session.run("fit", method={"name": "caprese"})["fragments"]["tree"].count('"node"') == 5


def test_a_second_method_is_compared(session):
    session.run("load", kind="embedded", name="ovarian")
    found = session.run("fit", method={"name": "caprese"}, other={"name": "oncotree"})
    assert "differ in the parents of" in words(found["fragments"]["comparison"])
    refused = session.run("fit", method={"name": "caprese"}, other={"name": "independence"})
    assert refused["why"] == "only models with edges can be drawn side by side"


def test_a_posterior_needs_no_bootstrap(session):
    session.run("load", kind="embedded", name="acml")
    quick = {"draws": "20", "warm_up": "20"}
    found = session.run("fit", method={"name": "bayes", "parameters": quick})
    assert found["bootstrap"] is False
    assert "posterior" in words(found["fragments"]["support"])


def test_a_posterior_appears_as_it_comes_and_keeps_what_is_done_when_it_is_stopped(session):
    session.run("load", kind="embedded", name="acml")
    messages = []
    method = {"name": "bayes", "parameters": {"draws": "1000000", "warm_up": "50", "keep": "50"}}
    thread = threading.Thread(
        target=lambda: messages.extend(session.messages("fit", method=method))
    )
    thread.start()
    time.sleep(1.5)
    session.app.ask("POST", f"{session.path}/stop")
    thread.join(20)
    answers = [each["answer"] for each in messages if "answer" in each]
    assert answers[0]["expected"].startswith("A fit of bayes")
    parts = [each for each in answers if "fragments" in each]
    assert parts[0]["partial"]
    assert "posterior" in html.unescape(parts[0]["fragments"]["tree"])
    draws = re.search(r"draws=(\d+)", parts[-1]["said"])[1]
    assert f"-m bayes:draws={draws}:" in parts[-1]["fragments"]["files"]
    assert session.file("model.json").count(f'"draws": {draws}'.encode()) == 1


def test_a_model_without_edges_has_no_tree(session):
    session.run("load", kind="embedded", name="acml")
    found = session.run("fit", method={"name": "independence"})
    assert "no edges" in words(found["fragments"]["tree"])
    assert session.run("bootstrap", replicates=5, seed=1)["why"].startswith(
        "a bootstrap counts edges"
    )


def test_judging_gives_a_verdict(session):
    session.run("load", kind="embedded", name="ovarian")
    found = session.run("judge", methods=[{"name": "caprese"}], seed=1)
    assert "gain" in words(found["fragments"]["judgement"])
    assert "single split" not in words(found["fragments"]["judgement"])


def _bootstrapping(session):
    """Start a bootstrap that nobody waits for; return its messages once it has ended."""
    session.run("load", kind="embedded", name="ovarian")
    session.run("fit", method={"name": "caprese"})
    found = []
    thread = threading.Thread(
        target=lambda: found.extend(session.messages("bootstrap", replicates=LONG, seed=3))
    )
    thread.start()
    time.sleep(1.0)
    return thread, found


def test_a_bootstrap_that_is_stopped_keeps_what_is_done(session):
    thread, messages = _bootstrapping(session)
    assert session.app.ask("POST", f"{session.path}/stop")[0] == 204
    thread.join(20)
    answer = messages[-1]["answer"]
    done = answer["replicates"]
    assert 0 < done < LONG
    assert f"--replicates {done}" in answer["fragments"]["files"]
    again = bootstrap(Caprese(), datasets.ovarian(), replicates=done, seed=3)
    about = {"method": encode_method(Caprese()), "kind": "nonparametric", "noise": None}
    assert session.file("confidence.json") == document_text(again, **about).encode()


def test_fifty_requests_at_once_are_answered_while_a_bootstrap_runs(app, session):
    thread, messages = _bootstrapping(session)
    other = app.session()
    other.run("load", kind="embedded", name="ovarian")
    other.run("fit", method={"name": "caprese"})
    answered = []

    def ask(number):
        if number % 2:
            answered.append(app.ask("GET", "/")[0] == 200)
        else:
            answered.append("fragments" in other.run("event", event=number % 7))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(50)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(30)
    assert answered == [True] * 50
    assert messages == []  # the bootstrap goes on
    session.app.ask("POST", f"{session.path}/stop")
    thread.join(20)
    assert "answer" in messages[-1]


def test_what_a_tab_does_next_stops_what_it_did_before(session):
    thread, messages = _bootstrapping(session)
    assert "fragments" in session.run("fit", method={"name": "oncotree"})
    thread.join(20)
    assert not thread.is_alive()
    assert messages[-1].keys() <= {"answer", "refusal"}


def test_two_tabs_do_not_disturb_each_other(app, session):
    other = app.session()
    session.run("load", kind="embedded", name="ovarian")
    other.run("load", kind="embedded", name="acml")
    one, two = (each.run("fit", method={"name": "caprese"}) for each in (session, other))
    assert one["fragments"]["tree"].count('class="node"') == 7
    assert two["fragments"]["tree"].count('class="node"') == 3
    assert "caprese fit acml" in two["fragments"]["files"]
    assert "acml" not in one["fragments"]["files"]


def _ticks(process):
    """Return the time that a process has worked."""
    numbers = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(numbers[11]) + int(numbers[12])


def test_a_worker_that_is_killed_is_replaced(app, session):
    thread, messages = _bootstrapping(session)
    before = {child: _ticks(child) for child in app.children()}
    time.sleep(1.0)
    busiest = max(before, key=lambda child: _ticks(child) - before[child])
    os.kill(busiest, signal.SIGKILL)
    thread.join(20)
    assert messages[-1]["refusal"]["why"].startswith("the computation ended unexpectedly")
    assert "fragments" in session.run("fit", method={"name": "caprese"})


def test_data_of_the_command_line_is_offered_first(tmp_path):
    (tmp_path / "mine.csv").write_text("a,b\n1,0\n1,1\n0,0\n")
    with serving(tmp_path, "mine.csv") as app:
        _, _, content = app.ask("POST", "/sessions")
        assert json.loads(content)["given"] == "mine.csv"
        found = app.session().run("load", kind="given")
        assert found["title"] == "mine.csv"
        assert "caprese curate mine.csv" in found["fragments"]["files"]


def test_a_saved_analysis_of_the_command_line_is_not_unpacked_where_it_is(tmp_path):
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
        archive.writestr("analysis.toml", "[source]\nname = 'x.csv'\n")
        archive.writestr("x.csv", "a,b\n1,0\n1,1\n0,0\n")
    before = sorted(each.name for each in tmp_path.glob("*.*"))
    with serving(tmp_path, "mine.zip") as app:
        assert app.session().run("load", kind="given")["title"] == "x.csv"
        assert sorted(each.name for each in tmp_path.glob("*.*")) == before


def test_no_argument_of_the_browser_holds_the_secret(tmp_path):
    browser = tmp_path / "xdg-open"
    browser.write_text('#!/bin/sh\nprintf "%s\\n" "$@" > given.part\nmv given.part given\n')
    browser.chmod(0o755)
    environment = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    with serving(tmp_path, browser=True, **environment) as app:
        given = tmp_path / "given"
        ended = time.monotonic() + 20
        while not given.exists():
            assert time.monotonic() < ended
            time.sleep(0.05)
        words = given.read_text()
        assert app.token not in words
        page = Path(urlsplit(words.strip()).path)
        assert f'content="0; url={app.address}"' in page.read_text()
        assert stat.S_IMODE(page.stat().st_mode) == 0o600
        assert stat.S_IMODE(page.parent.stat().st_mode) == 0o700
        assert app.ask("GET", "/")[0] == 200
        assert not page.exists()


@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_ending_the_server_ends_all_and_removes_what_was_uploaded(tmp_path, how):
    with serving(tmp_path) as app:
        session = app.session()
        session.upload("x.csv", b"a,b\n0,1\n")
        children = []
        while len(children) < 1:
            children = app.children()
        app.process.send_signal(getattr(signal, how))
        app.process.wait(20)
        ended = time.monotonic() + 10
        while any(Path(f"/proc/{child}/status").exists() for child in children):
            assert time.monotonic() < ended
            time.sleep(0.05)
    if how != "SIGKILL":
        assert list(tmp_path.glob("caprese-app-*")) == []
        number = getattr(signal, how)
        assert app.process.returncode in (0, -number, 128 + number)
    else:
        (left,) = tmp_path.glob("caprese-app-*")
        with serving(tmp_path) as next_one, serving(tmp_path) as another:
            assert not left.exists()
            assert another.ask("GET", "/")[0] == 200  # so that it has looked for what was left
            assert next_one.session().open("x.csv", "a,b\n1,0\n0,1\n")["title"] == "x.csv"
        assert list(tmp_path.glob("caprese-app-*")) == []
