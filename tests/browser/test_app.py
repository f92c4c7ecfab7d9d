"""The live page in a browser, from a dropped file to the files that are taken away."""

import re
import shlex
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

pytestmark = pytest.mark.filterwarnings("default::ResourceWarning")  # sockets of selenium

DROP = """
const [name, content] = arguments;
const transfer = new DataTransfer();
transfer.items.add(new File([content], name));
document.getElementById("drop").dispatchEvent(
  new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
"""
SET = """
const [id, value] = arguments;
const field = document.getElementById(id);
field.value = value;
field.dispatchEvent(new Event("input", { bubbles: true }));
field.dispatchEvent(new Event("change", { bubbles: true }));
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("app")) as app:
        app.desk().run("start")
        yield app.address


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

    def drop(self, name, content):
        self.js(DROP, name, content)

    def download(self, name):
        self.click(f'[data-file="{name}"]')
        path = Path(self.folder, name)
        self.until(path.exists)
        self.until(lambda: not list(Path(self.folder).glob("*.crdownload")))
        return path.read_bytes()

    def problems(self):
        return [each for each in self.driver.get_log("browser") if each["level"] == "SEVERE"]


@pytest.fixture
def page(browser, address, tmp_path):
    folder = tmp_path / "downloads"
    folder.mkdir()
    found = Page(browser, address, folder)
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
    assert 0 < done < 10_000_000
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
    for name in ("model.json", "confidence.json", "tree.svg", "table.csv", "patients.csv"):
        content = page.download(name)
        shown = page.text(f'li:has([data-file="{name}"]) code')
        assert run(*shlex.split(shown)[1:])[0] == 0
        assert (tmp_path / name).read_bytes() == content


def test_judging_and_the_report(page):
    page.set("embedded", "acml")
    page.until(lambda: page.number("#tree .node") == 3)
    page.idle()
    page.click("#judging button")
    page.until(lambda: page.number("#judgement svg") == 1)
    page.idle()
    assert page.download("report.html").startswith(b"<!doctype html>")


def test_hostile_names_run_nothing(page):
    names = [*HOSTILE][:12]
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    rows = (",".join(str((row >> k) & 1) for k in range(12)) for row in range(1, 4000, 97))
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
    assert page.js("return document.getElementById('top').value") == "20"
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
