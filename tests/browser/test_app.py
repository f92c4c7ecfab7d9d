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

from browsing import CONTRASTS, PHONE, WIDE, WebDriverWait, started
from caprese import datasets, write_dataset
from hostile_names import HOSTILE
from live_app import serving

ActionChains = pytest.importorskip("selenium.webdriver.common.action_chains").ActionChains
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default::ResourceWarning"),
]  # sockets of selenium

DROP = """
const [name, content, onto] = arguments;
const transfer = new DataTransfer();
transfer.items.add(new File([content], name));
document.getElementById(onto).dispatchEvent(
  new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
"""
SET = """
const [id, value] = arguments;
const field = document.getElementById(id);
field.value = value;
field.dispatchEvent(new Event("input", { bubbles: true }));
field.dispatchEvent(new Event("change", { bubbles: true }));
"""
FOCUS = """
const at = document.activeElement, style = getComputedStyle(at);
if (at === document.body) return "nowhere";
const box = at.matches(".node") ? getComputedStyle(at.querySelector("rect")) : style;
const marked = style.outlineStyle !== "none" || parseFloat(box.strokeWidth) > 2;
return !marked ? "invisible" : at.matches(arguments[0]) ? "there" : "elsewhere";
"""


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("app")) as found:
        found.session().run("start")
        yield found


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    driver = started(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()


class Page:
    """A tab with the live page."""

    def __init__(self, driver, address, folder):
        self.driver, self.folder = driver, folder
        driver.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)}
        )
        driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
        driver.set_window_size(*WIDE)
        driver.get(address)
        self.until(lambda: self.js("return document.body.dataset.ready === 'yes'"))

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, condition, seconds=60):
        return WebDriverWait(self.driver, seconds, 0.05).until(lambda _driver: condition())

    def number(self, selector):
        return self.js("return document.querySelectorAll(arguments[0]).length", selector)

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0]).textContent", selector)

    def click(self, selector):
        self.js("document.querySelector(arguments[0]).click()", selector)

    def set(self, name, value):
        self.js(SET, name, value)

    def idle(self):
        state = "return document.getElementById('status').dataset.state"
        self.until(lambda: self.js(state) != "busy")

    def drop(self, name, content, onto="drop"):
        self.js(DROP, name, content, onto)

    def drag(self, path, onto):
        """Drop a file or a folder of the disk, as a user does."""
        place = "const box = document.getElementById(arguments[0]).getBoundingClientRect();"
        x, y = self.js(f"{place} return [box.left + 9, box.top + 9]", onto)
        data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            event = {"type": kind, "x": x, "y": y, "data": data}
            self.driver.execute_cdp_cmd("Input.dispatchDragEvent", event)

    def press(self, *keys):
        """Press keys as a user does, who has no pointer."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def tab_to(self, selector):
        """Move on with the Tab key until an element has the focus; all on the way must show it."""
        for _ in range(60):
            self.press(Keys.TAB)
            shown = self.js(FOCUS, selector)
            assert shown != "invisible"
            if shown == "there":
                return
        raise AssertionError(f"the Tab key does not lead to {selector}")

    def download(self, name):
        self.click(f'[data-file="{name}"]')
        path = Path(self.folder, name)
        self.until(path.exists)
        self.until(lambda: not list(Path(self.folder).glob("*.crdownload")))
        return path.read_bytes()

    def problems(self):
        return [each for each in self.driver.get_log("browser") if each["level"] == "SEVERE"]


@pytest.fixture
def page(browser, app, tmp_path):
    folder = tmp_path / "downloads"
    folder.mkdir()
    found = Page(browser, app.address, folder)
    yield found
    assert found.problems() == []


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
