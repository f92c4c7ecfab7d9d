"""A tab with the live page in a browser, and what a user does in it."""

from importlib.resources import files
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from browsing import WIDE, WebDriverWait, started
from live_app import serving

ActionChains = pytest.importorskip("selenium.webdriver.common.action_chains").ActionChains
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys

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
VIOLATIONS = """
const done = arguments[arguments.length - 1];
const said = ({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`;
axe.run(document).then(({ violations }) => done(violations.map(said)));
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
        place = "const at = document.getElementById(arguments[0]);"
        place += "at.scrollIntoView({ block: 'center' }); const box = at.getBoundingClientRect();"
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

    def violations(self):
        """Return what axe-core finds that keeps somebody from using the page."""
        folder = files(pytest.importorskip("axe_core_python"))
        script = (folder / "axe.min.js").read_text(encoding="utf-8")
        self.driver.set_script_timeout(120)
        return self.driver.execute_async_script(f"{script};{VIOLATIONS}")

    def problems(self):
        return [each for each in self.driver.get_log("browser") if each["level"] == "SEVERE"]


@pytest.fixture
def page(browser, app, tmp_path):
    folder = tmp_path / "downloads"
    folder.mkdir()
    found = Page(browser, app.address, folder)
    yield found
    assert found.problems() == []
