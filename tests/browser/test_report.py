"""The report in a browser. Skipped where there is no Chromium with its driver, and selenium."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from caprese import HCBN, Caprese, Dataset, analyse, datasets, write_report
from hostile_names import HOSTILE

webdriver = pytest.importorskip("selenium.webdriver", exc_type=ImportError)
WebDriverWait = pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs chromium and chromedriver"),
    pytest.mark.filterwarnings("default::ResourceWarning"),  # sockets selenium leaves to the end
]

FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--no-first-run", "--disable-component-update", "--disable-sync", "--hide-scrollbars"),
)
WIDE, PHONE = (1280, 900), (360, 740)

# For every element with text of its own: the ratio of WCAG 2 between its colour and what is behind.
CONTRASTS = """
const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
const luminance = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map((part) => part / 255)
    .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const behind = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const [r, g, b, opacity = 1] = channels(getComputedStyle(at).backgroundColor);
    if (opacity === 1) return [r, g, b];
    if (opacity !== 0) throw new Error("a background that is neither there nor not");
  }
  return [255, 255, 255];
};
const ratio = (front, back) => {
  const [low, high] = [luminance(front), luminance(back)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
const found = [];
for (const element of document.body.querySelectorAll("*:not(script):not(svg):not(svg *)")) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!own) continue;
  const style = getComputedStyle(element);
  found.push([ratio(channels(style.color), behind(element)), element.tagName, element.className]);
  if (element.matches(".term")) {
    const tip = getComputedStyle(element, "::after");
    found.push([ratio(channels(tip.color), channels(tip.backgroundColor)), "tip", ""]);
  }
}
return found;
"""
COLUMN = """
const [table, column] = arguments;
const rows = document.querySelectorAll("table")[table].tBodies[0].rows;
return [...rows].map((row) => row.cells[column].textContent.trim());
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    write_report(analyse(Caprese(), datasets.ovarian(), replicates=200), folder / "ovarian.html")
    write_report(analyse(HCBN(), datasets.ovarian(), replicates=3), folder / "hcbn.html")
    write_report(analyse(Caprese(), _hostile(), replicates=20), folder / "hostile.html")
    return folder


def _hostile():
    rng = np.random.default_rng(5)
    nested = rng.random((60, 1)) < np.linspace(0.95, 0.05, len(HOSTILE))
    return Dataset(nested ^ (rng.random(nested.shape) < 0.05), HOSTILE)


NAMES = ("ovarian", "hcbn", "hostile")
every_report = pytest.mark.parametrize("name", NAMES)


def opened(browser, path, size=WIDE, scheme="light", media="screen"):
    width, height = size
    view = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    scheme = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", view)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [scheme]})
    browser.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
    for kind in ("browser", "performance"):
        browser.get_log(kind)  # what is read is forgotten
    browser.get(Path(path).as_uri())
    # The driver may come back a moment before the new page is the one it looks at.
    WebDriverWait(browser, 10).until(
        lambda _: browser.find_elements("css selector", "main #repeat"), "the page did not open"
    )


@every_report
def test_opens_without_a_word_on_the_console_and_asks_for_nothing(browser, reports, name):
    opened(browser, reports / f"{name}.html")
    assert browser.get_log("browser") == []
    asked = [
        entry["message"]
        for entry in browser.get_log("performance")
        if '"Network.requestWillBeSent"' in entry["message"]
    ]
    outside = [message for message in asked if '"url":"http' in message]
    assert len(asked) >= 1  # the page itself
    assert outside == []


def test_a_click_on_a_head_sorts_up_down_and_back(browser, reports):
    opened(browser, reports / "ovarian.html")

    def column(place):
        return browser.execute_script(COLUMN, 0, place)

    heads = browser.find_elements("css selector", "#edges th button")
    place = [head.text for head in heads].index("score")
    as_written = column(1)
    sorted_up = sorted(float(text) for text in column(place) if text)
    heads[place].click()
    assert [float(text) for text in column(place)[:4]] == sorted_up
    assert column(place)[4:] == ["", "", ""]
    assert heads[place].find_element("xpath", "..").get_attribute("aria-sort") == "ascending"
    heads[place].click()
    assert [float(text) for text in column(place)[:4]] == sorted_up[::-1]
    assert column(place)[4:] == ["", "", ""]
    heads[place].click()
    assert column(1) == as_written


def test_numbers_are_sorted_as_numbers_and_words_as_words(browser, reports):
    opened(browser, reports / "hcbn.html")
    heads = browser.find_elements("css selector", "#edges th button")
    rate = [head.text.startswith("rate") for head in heads].index(True)
    heads[rate].click()
    rates = [float(text) for text in browser.execute_script(COLUMN, 0, rate)]
    assert rates == sorted(rates)
    assert max(rates) > 10 > min(rates)  # as words, 10 would stand before 2
    heads[1].click()
    children = browser.execute_script(COLUMN, 0, 1)
    assert children == sorted(children)


def test_a_term_is_explained_to_the_keyboard_and_to_the_mouse(browser, reports):
    opened(browser, reports / "ovarian.html")
    shown = "return getComputedStyle(arguments[0], '::after').visibility"
    term = browser.find_element("css selector", "#question .term")
    assert browser.execute_script(shown, term) == "hidden"
    browser.execute_script("arguments[0].focus()", term)
    assert browser.execute_script(shown, term) == "visible"
    browser.execute_script("arguments[0].blur()", term)
    webdriver.ActionChains(browser).move_to_element(term).perform()
    assert browser.execute_script(shown, term) == "visible"


def test_a_tap_explains_a_term_where_it_stands_and_escape_ends_it(browser, reports):
    opened(browser, reports / "ovarian.html", PHONE)
    shown = "return getComputedStyle(arguments[0], '::after').visibility"
    term = browser.find_element("css selector", "#question .term")
    webdriver.ActionChains(browser).move_to_element(term).click().perform()
    webdriver.ActionChains(browser).move_by_offset(0, -40).perform()
    assert browser.execute_script(shown, term) == "visible"
    assert "#" not in browser.current_url
    webdriver.ActionChains(browser).send_keys(webdriver.Keys.ESCAPE).perform()
    assert browser.execute_script(shown, term) == "hidden"


def test_the_keyboard_leads_to_the_list_of_words(browser, reports):
    opened(browser, reports / "ovarian.html")
    term = browser.find_element("css selector", "#question .term")
    browser.execute_script("arguments[0].focus()", term)
    webdriver.ActionChains(browser).send_keys(webdriver.Keys.ENTER).perform()
    assert browser.current_url.endswith("#term-event")


@every_report
@pytest.mark.parametrize("size", [PHONE, (768, 1024), WIDE], ids=["phone", "tablet", "context"])
def test_the_page_never_scrolls_sideways(browser, reports, name, size):
    opened(browser, reports / f"{name}.html", size)
    width = browser.execute_script(
        "return Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
    )
    assert width <= size[0]


@every_report
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_has_enough_contrast(browser, reports, name, scheme):
    opened(browser, reports / f"{name}.html", scheme=scheme)
    found = browser.execute_script(CONTRASTS)
    assert len(found) > 100
    assert [each for each in found if each[0] < 4.5] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_of_pictures_have_enough_contrast(browser, reports, scheme):
    opened(browser, reports / "ovarian.html", scheme=scheme)
    colours = """
      const paper = getComputedStyle(document.querySelector("figure .scroll")).backgroundColor;
      const letters = [...document.querySelectorAll("svg [id*='-text_'] > g")];
      return [paper, ...letters.map((each) => getComputedStyle(each).fill)];
    """
    paper, *letters = browser.execute_script(colours)
    used = set(letters) - {paper}  # letters of its colour stand on the root and on deep cells
    assert len(used) == 2
    assert all(contrast(colour, paper) >= 4.5 for colour in used)


def contrast(front, back):
    low, high = sorted(luminance(colour) for colour in (front, back))
    return (high + 0.05) / (low + 0.05)


def luminance(colour):
    parts = np.array([int(part) for part in re.findall(r"\d+", colour)[:3]]) / 255
    linear = np.where(parts <= 0.03928, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def test_dark_and_light_are_two_schemes_and_paper_is_always_light(browser, reports):
    background = "return getComputedStyle(document.body).backgroundColor"
    colours = []
    for scheme, media in (("light", "screen"), ("dark", "screen"), ("dark", "print")):
        opened(browser, reports / "ovarian.html", scheme=scheme, media=media)
        colours.append(browser.execute_script(background))
    assert colours == ["rgb(246, 247, 248)", "rgb(20, 23, 28)", "rgb(255, 255, 255)"]


def test_on_paper_nothing_is_cut_off_at_the_side(browser, reports):
    opened(browser, reports / "ovarian.html", size=(720, 1000), media="print")
    widest = browser.execute_script(
        "return Math.max(...[...document.querySelectorAll('table, svg')]"
        ".map((each) => each.getBoundingClientRect().right))"
    )
    assert widest <= 720


def test_hostile_names_run_nothing(browser, reports):
    opened(browser, reports / "hostile.html")
    with pytest.raises(Exception, match="no such alert"):
        browser.switch_to.alert.accept()
    assert len(browser.find_elements("css selector", "script")) == 1
    assert browser.find_elements("css selector", "main script, main iframe, main img") == []
    told = browser.find_element("css selector", "#edges table").text
    assert "<script>alert(1)</script>" in told


def test_without_scripts_everything_is_there(browser, reports):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        opened(browser, reports / "ovarian.html")
        assert browser.find_elements("css selector", "th button") == []
        heads = browser.find_elements("css selector", "#edges th")
        assert [head.text for head in heads][:3] == ["parent", "child", "frequency"]
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
