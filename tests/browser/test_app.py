"""The live page in a browser, from a dropped file to the files that are taken away."""

import os
import re
import shlex
import signal
import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from browsing import CONTRASTS, PHONE, WIDE
from caprese import datasets, write_dataset
from hostile_names import HOSTILE
from live_page import Keys
from live_page import app as app
from live_page import browser as browser
from live_page import page as page

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default::ResourceWarning"),
]  # sockets of selenium


@pytest.fixture(scope="module")
def ovarian(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "ovarian.csv"
    write_dataset(datasets.ovarian(), path)
    return path.read_text()


def test_the_whole_way_from_a_file_to_what_is_taken_away(page, ovarian, run, tmp_path):
    page.drop("cohort.csv", ovarian)
    page.until(lambda: page.number("#tree .node") == 7)
    page.idle()
    assert page.text("#title") == "cohort.csv"

    page.click("#events .use")  # the most frequent event
    page.until(lambda: page.number("#tree .node") == 6)
    assert "dropped" in page.text("#events .state")
    page.idle()

    page.set("method-caprese-shrinkage", "0.1")
    page.set("other-name", "oncotree")
    page.click("#methods button")
    page.until(lambda: page.number("#comparison svg") == 1)
    page.idle()

    page.set("replicates", "10000000")
    page.click("#resample button")
    support = "return /support/.test(document.querySelector('#tree .node').dataset.tip)"
    page.until(lambda: page.js(support))  # it appears while the bootstrap runs
    assert page.js("return document.getElementById('status').dataset.state") == "busy"
    page.until(lambda: page.js("return !document.getElementById('stop').hidden"))
    assert page.js("return document.getElementById('bar').value") > 0
    page.click("#stop")
    page.idle()
    done = int(re.search(r"[\d,]+", page.text("#said"))[0].replace(",", ""))
    assert 0 < done <= 10_000_000  # all, where the machine is faster than the click
    assert "interrupted after" in page.text("#support")

    page.js("document.querySelector('#tree .node').focus()")
    assert "frequency" in page.text("#tip")
    page.js(
        "document.activeElement.dispatchEvent("
        "new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))"
    )
    page.until(lambda: page.number("#event .panel") == 1)
    assert "samples of 87 with this event" in page.text("#event")
    page.idle()

    page.click("#place")
    page.until(lambda: page.number("#patients a.opens") == 87)
    page.click("#patients a.opens")
    page.until(lambda: page.number("#patient .card") == 1)
    page.idle()
    page.js(
        "const field = document.querySelector('#patients input[type=search]');"
        "field.value = 'does not fit'; field.dispatchEvent(new Event('input'));"
    )
    assert page.number("#patients tbody tr:not([hidden])") < 87

    (tmp_path / "cohort.csv").write_text(ovarian)
    names = page.js(
        "return [...document.querySelectorAll('[data-file]')].map((e) => e.dataset.file)"
    )
    assert {"report.html", "tree.pdf", "tree.graphml", "patients.json", "oncoprint.svg"} < set(
        names
    )
    quick = {"model.json", "confidence.json", "tree.svg", "comparison.svg", "table.csv"}
    for name in [name for name in names if name != "report.html"]:
        content = page.download(name)
        assert content
        if name not in quick:  # as it is tested for all of them without a browser
            continue
        shown = page.text(f'li:has([data-file="{name}"]) code')
        assert run(*shlex.split(shown)[1:])[0] == 0
        assert (tmp_path / name).read_bytes() == content


def test_a_posterior_that_is_stopped_is_repeated_by_its_command(page, run, tmp_path):
    page.set("embedded", "acml")
    page.until(lambda: page.number("#tree .node") == 3)
    page.idle()
    page.set("method-name", "bayes")
    page.set("method-bayes-draws", "1000000")
    page.click("#methods button")
    posterior = "return /posterior/.test(document.querySelector('#tree .node').dataset.tip)"
    page.until(lambda: page.js(posterior))  # it appears while the chains run
    page.until(lambda: page.js("return !document.getElementById('stop').hidden"))
    page.click("#stop")
    page.idle()
    draws = re.search(r"bayes:draws=(\d+)", page.text("#said"))[1]
    assert 0 < int(draws) < 1_000_000
    assert "posterior" in page.text("#support")
    content = page.download("model.json")
    shown = page.text('li:has([data-file="model.json"]) code')
    assert shown == f"caprese fit acml -m bayes:draws={draws} -o model.json"
    assert run(*shlex.split(shown)[1:])[0] == 0
    assert (tmp_path / "model.json").read_bytes() == content


def test_a_study_folder_and_a_clinical_table(page, tmp_path):
    study = tmp_path / "my study"
    (study / "case_lists").mkdir(parents=True)
    samples = [f"s{k}" for k in range(12)]
    rows = [["A", *"222222220000"], ["B", *"222200000000"], ["C", *"000000002222"]]
    lines = [["Hugo_Symbol", *samples], *rows]
    (study / "data_cna.txt").write_text("".join("\t".join(line) + "\n" for line in lines))
    (study / "meta_study.txt").write_text("cancer_study_identifier: mine\n")
    (study / "data_expression.txt").write_text("not read\n")
    (study / "case_lists" / "cases_all.txt").write_text("case_list_ids: s0\n")
    page.drag(study, "drop")
    page.until(lambda: page.number("#tree .node") == 3)
    page.idle()
    assert page.text("#title") == "my study"
    page.js("document.getElementById('title').textContent = ''")
    page.driver.find_element("id", "folder").send_keys(str(study))  # as the other button does
    page.until(lambda: page.text("#title") == "my study")
    page.until(lambda: page.number("#tree .node") == 3)
    page.idle()
    page.click("#place")
    page.until(lambda: page.number("#patients a.opens") == 12)
    page.idle()
    table = "sample,stage\n" + "".join(f"s{k},{'II' if k < 8 else 'III'}\n" for k in range(12))
    page.drop("clinical.csv", table, onto="beside")
    page.until(lambda: "The clinical table" in page.text("#patients"))
    page.idle()
    page.set("table-groups", "stage")
    page.until(lambda: "By stage" in page.text("#patients"))
    page.idle()
    assert "--annotation clinical.csv:stage" in page.text("#files")


def test_everything_can_be_done_with_the_keyboard(page):
    page.tab_to("#embedded")
    page.press("acml", Keys.TAB)
    page.until(lambda: page.number("#tree .node") == 3)
    page.idle()
    page.tab_to("#tree .node")
    page.press(Keys.ENTER)
    page.until(lambda: page.number("#event .panel") == 1)
    page.idle()
    page.press(Keys.ESCAPE)
    assert page.number("#event .panel") == 0
    assert page.js("return document.activeElement.matches('#tree .node')")
    page.tab_to("#resample button")
    page.press(Keys.ENTER)
    page.until(lambda: page.number("#support table") > 0)
    page.idle()


def _busiest(app):
    def ticks(process):
        numbers = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return int(numbers[11]) + int(numbers[12])

    before = {child: ticks(child) for child in app.children()}
    time.sleep(0.5)
    return max(before, key=lambda child: ticks(child) - before[child])


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_killed_worker_leaves_the_page_as_it_was(page, app):
    page.set("embedded", "ovarian")
    page.until(lambda: page.number("#tree .node") == 7)
    page.idle()
    page.set("replicates", "10000000")
    page.click("#resample button")
    page.until(lambda: page.js("return !document.getElementById('stop').hidden"))
    os.kill(_busiest(app), signal.SIGKILL)
    page.idle()
    assert page.text("#said").startswith("the computation ended unexpectedly")
    page.click("#methods button")
    page.idle()
    assert page.text("#said") == "Step 3 shows the progression."


ASK = """
const [address, done] = arguments;
fetch(address, { method: "POST" }).then((answer) => done(answer.status), () => done("refused"));
"""


def test_other_sites_and_other_tokens_find_nothing(browser, app):
    other = app.address.replace("127.0.0.1", "evil.example")  # a name that leads to this machine
    browser.get(other)
    assert "served to this machine only" in browser.page_source
    assert (
        browser.execute_async_script(ASK, f"{app.address}sessions") == "refused"
    )  # foreign origin
    browser.get(app.address.replace(app.token, "wrong"))
    assert "use the whole address" in browser.page_source
    assert browser.execute_async_script(ASK, "sessions") == 404
    browser.get_log("browser")


def test_judging_and_the_report(page):
    page.set("embedded", "acml")
    page.until(lambda: page.number("#tree .node") == 3)
    page.idle()
    page.set("budget", "1s")
    page.click("#judging button")
    page.until(lambda: page.number("#judgement svg") == 1)
    page.idle()
    said = page.js("return document.getElementById('answer').innerText")
    assert said.startswith("None is supported")
    assert "No order is supported by these 64" in said
    assert page.download("report.html").startswith(b"<!doctype html>")


def test_hostile_names_run_nothing(page):
    names = [*HOSTILE][:12]
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    # Samples of a chain: a tree that predicts no better than independent events is not drawn.
    rows = (",".join(str(int(k < row % 13)) for k in range(12)) for row in range(80))
    page.drop("hostile.csv", "\n".join([quoted, *rows]))
    page.until(lambda: page.number("#tree .node") == 12)
    page.idle()
    page.click("#place")
    page.until(lambda: page.number("#patients svg") == 1)
    page.idle()
    assert page.number("main script") == 0


def test_a_damaged_file_is_refused_where_it_can_be_seen(page):
    page.drop("broken.csv", "a,b\n0,1\n0,7\n")
    page.until(lambda: page.js("return document.getElementById('status').dataset.state") == "error")
    assert page.text("#said").startswith("broken.csv, line 3")
    page.click("#dismiss")
    assert page.js("return document.getElementById('status').dataset.state") == "idle"


def test_a_large_file_is_opened(page):
    rng = np.random.default_rng(3)
    values = rng.random((20_000, 200)) < np.linspace(0.02, 0.5, 200)
    text = "\n".join(
        [
            ",".join(f"e{k}" for k in range(200)),
            *(",".join(row) for row in values.astype(int).astype(str)),
        ]
    )
    page.drop("large.csv", text)
    page.until(lambda: page.number("#tree .node") == 20)
    page.idle()
    assert page.js("return document.getElementById('top').value") == ""
    assert page.number("#events tr[data-place]") == 200


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_legible_and_fits_a_phone(page, scheme):
    page.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    page.set("embedded", "acml")
    page.until(lambda: page.number("#tree .node") == 3)
    page.idle()
    for size in (WIDE, PHONE):
        page.driver.set_window_size(*size)
        time.sleep(0.1)
        assert page.js("return document.documentElement.scrollWidth <= innerWidth")
    low = [each for each in page.js(CONTRASTS) if each[0] < 4.5]
    assert low == []


def test_every_control_has_a_name(page):
    page.set("embedded", "acml")
    page.until(lambda: page.number("#tree .node") == 3)
    page.idle()
    unnamed = page.js(
        "return [...document.querySelectorAll('input:not([type=file]), select, button')]"
        ".filter((each) => !each.labels?.length && !each.ariaLabel && !each.textContent.trim())"
        ".map((each) => each.outerHTML)"
    )
    assert unnamed == []
