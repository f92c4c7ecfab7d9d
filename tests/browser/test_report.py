"""The report in a browser; needs Chromium, chromedriver and selenium."""

import csv
import re
from importlib.resources import files
from xml.etree import ElementTree

import numpy as np
import pytest

from browsing import CONTRASTS, PHONE, WIDE, WebDriverWait, opened, webdriver
from caprese import HCBN, Caprese, Dataset, analyse, datasets, read_fit, write_report
from caprese.text.answer import answer_sentences, headline
from caprese.text.sentences import plain
from hostile_names import HOSTILE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default::ResourceWarning"),
]  # sockets of selenium

COLUMN = """
const [table, column] = arguments;
const rows = document.querySelectorAll("table")[table].tBodies[0].rows;
return [...rows].map((row) => row.cells[column].textContent.trim());
"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    write_report(
        analyse(Caprese(), datasets.ovarian(), replicates=200, budget=0.001),
        folder / "ovarian.html",
    )
    write_report(
        analyse(HCBN(), datasets.ovarian(), replicates=3, budget=0.001), folder / "hcbn.html"
    )
    write_report(
        analyse(Caprese(), _hostile(), replicates=20, budget=0.001), folder / "hostile.html"
    )
    write_report(
        analyse(Caprese(), _long_names(), replicates=20, budget=0.001), folder / "long names.html"
    )
    return folder


def _long_names():
    kinds = ("mutation", "homozygous deletion", "amplification")
    old = datasets.ovarian()
    names = [f"CHROMOSOME {event} {kinds[k % 3]}" for k, event in enumerate(old.events)]
    return Dataset(old.values, names)


def _hostile():
    rng = np.random.default_rng(5)
    nested = rng.random((60, 1)) < np.linspace(0.95, 0.05, len(HOSTILE))
    return Dataset(nested ^ (rng.random(nested.shape) < 0.05), HOSTILE)


NAMES = ("ovarian", "hcbn", "hostile")
every_report = pytest.mark.parametrize("name", NAMES)


@every_report
def test_the_page_opens_without_console_messages_and_requests_nothing(browser, reports, name):
    opened(browser, reports / f"{name}.html")
    assert browser.get_log("browser") == []
    requests = [
        entry["message"]
        for entry in browser.get_log("performance")
        if '"Network.requestWillBeSent"' in entry["message"]
    ]
    outside = [message for message in requests if '"url":"http' in message]
    assert len(requests) >= 1  # the page itself
    assert outside == []


def _story(path):
    """The sentences of the answer of an embedded data set, and a file with its report."""
    name = path.stem
    data = datasets.acml() if name == "acml" else datasets.ovarian()
    found = analyse(None, data, replicates=20, budget=BUDGETS[name], jobs=1)
    write_report(found, path, title="Ovarian cancer")
    return [headline(found.answer), *map(plain, answer_sentences(found.answer))]


BUDGETS = {"ovarian": 1.0, "acml": 0.2}

VISIBLE = """
return [...document.querySelectorAll("#answer p, #answer dd, #answer svg")].map((each) => {
  const box = each.getBoundingClientRect();
  return [each.textContent, box.left, box.top, box.right, box.bottom, each.tagName];
});
"""


def one_line(text):
    return " ".join(text.split())


@pytest.mark.parametrize("name", BUDGETS)
def test_the_first_screen_has_the_verdict_the_picture_and_the_next_step(browser, tmp_path, name):
    said = _story(tmp_path / f"{name}.html")
    opened(browser, tmp_path / f"{name}.html", WIDE)
    shown = browser.execute_script(VISIBLE)
    words = [one_line(text) for text, *_, tag in shown if tag != "svg"]
    assert words == [one_line(each.removeprefix("Next: ")) for each in said]
    assert name == "acml" or "%)" in " ".join(said)
    drawn = [box for *box, tag in shown if tag == "svg"]
    assert len(drawn) == (name == "ovarian")  # of acml nothing is known that could be drawn
    for _, left, top, right, bottom, _ in shown:
        assert 0 <= left < right <= 1280
        assert 0 <= top < bottom <= 900
    for _, left, *_ in drawn:
        assert left > max(right for *_, right, _, tag in shown if tag != "svg")  # beside the words
    opened(browser, tmp_path / f"{name}.html", PHONE)
    (_, _, top, _, bottom, _), (_, _, _, right, *_), *_ = browser.execute_script(VISIBLE)
    assert 0 <= top < bottom < PHONE[1]
    assert right <= PHONE[0]


def folds(browser):
    """Whether each section that can be folded is open, by the id of the section."""
    return browser.execute_script(
        "return Object.fromEntries([...document.querySelectorAll('main section > details')]"
        ".map((each) => [each.parentElement.id, each.open]))"
    )


def test_sections_fold_and_a_link_opens_them(browser, reports):
    opened(browser, reports / "ovarian.html")
    first = folds(browser)
    assert first["edges"]
    assert not first["question"]
    assert not first["glossary"]
    summary = browser.find_element("css selector", "#edges summary")
    assert "uncertain" in summary.text  # what is inside
    summary.click()
    assert folds(browser) == first | {"edges": False}
    browser.find_element("css selector", "nav a[href='#question']").click()
    WebDriverWait(browser, 5).until(lambda _: folds(browser)["question"], "it stayed folded")
    every = browser.find_element("css selector", ".folding button")
    every.click()
    assert all(folds(browser).values())
    WebDriverWait(browser, 5).until(lambda _: every.text == "Fold all sections")
    every.click()
    assert not any(folds(browser).values())


def test_the_navigation_says_how_sure_each_section_is(browser, reports):
    opened(browser, reports / "ovarian.html")
    signs = browser.execute_script(
        "return Object.fromEntries([...document.querySelectorAll('nav ol .sign')]"
        ".map((each) => [each.closest('a').hash, each.getAttribute('aria-label')]))"
    )
    assert {"#answer", "#progression", "#judgement"} <= set(signs)
    assert set(signs.values()) <= {"sure", "partly sure", "not sure"}
    assert "#question" not in signs


LIT = "return [...document.querySelectorAll('.lit')].map((each) => each.closest('section').id)"


def test_an_event_that_is_pointed_at_or_tapped_is_shown_everywhere(browser, reports):
    opened(browser, reports / "ovarian.html")
    name = browser.find_element("css selector", "#edges td bdi")
    webdriver.ActionChains(browser).move_to_element(name).perform()
    assert {"edges", "progression", "data", "patients"} <= set(browser.execute_script(LIT))
    about = browser.execute_script(
        "return new Set([...document.querySelectorAll('.lit')].map(nameOf)).size"
    )
    assert about == 1
    name.click()
    heading = browser.find_element("css selector", "h1")
    webdriver.ActionChains(browser).move_to_element(heading).perform()
    assert browser.execute_script(LIT)  # it stays after a tap
    webdriver.ActionChains(browser).send_keys(webdriver.Keys.ESCAPE).perform()
    assert browser.execute_script(LIT) == []
    node = browser.find_element("css selector", "#progression .region path")
    webdriver.ActionChains(browser).move_to_element(node).perform()
    assert {"edges", "progression", "data"} <= set(browser.execute_script(LIT))


def test_events_are_found_by_typing_and_enter_leads_to_their_places(browser, reports):
    opened(browser, reports / "ovarian.html")
    field = browser.find_element("id", "find")
    field.send_keys("8Q")
    shown = [each.text for each in browser.find_elements("css selector", ".finder li") if each.text]
    assert shown == ["8q+"]
    said = browser.find_element("css selector", ".finder output")
    assert said.text == "1 of 7 events"
    field.send_keys(webdriver.Keys.ENTER)
    assert re.fullmatch(r"place 1 of \d+", said.text)
    field.send_keys(webdriver.Keys.ENTER)
    assert said.text.startswith("place 2 of ")
    field.send_keys("no such event")
    assert said.text == "0 of 7 events"
    assert browser.execute_script(LIT) == []


def test_a_picture_is_enlarged_by_buttons_and_keys_and_dragged(browser, reports):
    opened(browser, reports / "ovarian.html")
    frame = browser.find_element("css selector", "#progression figure .scroll")
    width = "return arguments[0].querySelector('svg').getBoundingClientRect().width"
    first = browser.execute_script(width, frame)
    more, _, fit = browser.find_elements("css selector", "#progression .zoom button")
    for _ in range(3):
        more.click()
    enlarged = browser.execute_script(width, frame)
    assert enlarged > 2.5 * first
    assert frame.get_property("scrollWidth") > frame.get_property("clientWidth")
    before = frame.get_property("scrollLeft")
    drag = webdriver.ActionChains(browser).move_to_element(frame).click_and_hold()
    drag.move_by_offset(60, 0).release().perform()
    assert frame.get_property("scrollLeft") < before
    fit.click()
    assert browser.execute_script(width, frame) == first
    browser.execute_script("arguments[0].focus()", frame)
    webdriver.ActionChains(browser).send_keys("+").perform()
    assert browser.execute_script(width, frame) > first
    webdriver.ActionChains(browser).send_keys("0").perform()
    assert browser.execute_script(width, frame) == first


def test_on_a_phone_a_wide_tree_is_a_list_first(browser, reports):
    opened(browser, reports / "ovarian.html", PHONE)
    steps = browser.find_element("css selector", "#progression .steps")
    assert steps.get_property("open")
    lines = steps.find_elements("css selector", "li")
    assert len(lines) == 7
    box = "return arguments[0].getBoundingClientRect()"
    assert all(browser.execute_script(box, line)["right"] <= PHONE[0] for line in lines)
    opened(browser, reports / "ovarian.html", WIDE)
    assert not browser.find_element("css selector", "#progression .steps").get_property("open")


UNFOLDED = """
document.querySelectorAll("details").forEach((each) => { each.open = true; });
document.querySelectorAll("figure svg").forEach((each) => each.replaceChildren());
"""


@pytest.mark.parametrize("name", ["ovarian", "hostile"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(browser, reports, name, scheme):
    folder = files(pytest.importorskip("axe_core_python"))
    opened(browser, reports / f"{name}.html", scheme=scheme)
    browser.execute_script(
        UNFOLDED
    )  # without the lines of pictures, which are described as a whole
    browser.execute_script((folder / "axe.min.js").read_text(encoding="utf-8"))
    browser.set_script_timeout(110)
    found = browser.execute_async_script(
        "const done = arguments[0]; axe.run().then((result) => done(result.violations));"
    )
    assert [(each["id"], each["nodes"][0]["html"][:200]) for each in found] == []


def test_a_click_on_a_heading_sorts_ascending_descending_and_back(browser, reports):
    opened(browser, reports / "ovarian.html")

    def column(place):
        return browser.execute_script(COLUMN, 0, place)

    headings = browser.find_elements("css selector", "#edges th button")
    place = [heading.text for heading in headings].index("score")
    first_order = column(1)
    ascending = sorted(float(text) for text in column(place) if text)
    headings[place].click()
    assert [float(text) for text in column(place)[:4]] == ascending
    assert column(place)[4:] == ["", "", ""]
    assert headings[place].find_element("xpath", "..").get_attribute("aria-sort") == "ascending"
    headings[place].click()
    assert [float(text) for text in column(place)[:4]] == ascending[::-1]
    assert column(place)[4:] == ["", "", ""]
    headings[place].click()
    assert column(1) == first_order


def test_numbers_are_sorted_by_value_and_text_alphabetically(browser, reports):
    opened(browser, reports / "hcbn.html")
    headings = browser.find_elements("css selector", "#edges th button")
    rate = [heading.text.startswith("rate") for heading in headings].index(True)
    headings[rate].click()
    shown = browser.execute_script(COLUMN, 0, rate)
    rates = [np.inf if text == "unbounded" else float(text) for text in shown]
    assert rates == sorted(rates)
    assert max(rates) > 10 > min(rates)  # alphabetically, 10 would come before 2
    headings[1].click()
    children = browser.execute_script(COLUMN, 0, 1)
    assert children == sorted(children)


def a_term(browser):
    """The first term of a section that was opened."""
    browser.execute_script("document.querySelector('#question details').open = true")
    return browser.find_element("css selector", "#question .term")


def test_a_term_shows_its_definition_on_focus_and_on_hover(browser, reports):
    opened(browser, reports / "ovarian.html")
    shown = "return getComputedStyle(arguments[0], '::after').visibility"
    term = a_term(browser)
    assert browser.execute_script(shown, term) == "hidden"
    browser.execute_script("arguments[0].focus()", term)
    assert browser.execute_script(shown, term) == "visible"
    browser.execute_script("arguments[0].blur()", term)
    webdriver.ActionChains(browser).move_to_element(term).perform()
    assert browser.execute_script(shown, term) == "visible"


def test_a_tap_shows_the_definition_in_place_and_escape_hides_it(browser, reports):
    opened(browser, reports / "ovarian.html", PHONE)
    shown = "return getComputedStyle(arguments[0], '::after').visibility"
    term = a_term(browser)
    webdriver.ActionChains(browser).move_to_element(term).click().perform()
    webdriver.ActionChains(browser).move_by_offset(0, -40).perform()
    assert browser.execute_script(shown, term) == "visible"
    assert "#" not in browser.current_url
    webdriver.ActionChains(browser).send_keys(webdriver.Keys.ESCAPE).perform()
    assert browser.execute_script(shown, term) == "hidden"


def test_the_keyboard_leads_to_the_glossary(browser, reports):
    opened(browser, reports / "ovarian.html")
    term = a_term(browser)
    browser.execute_script("arguments[0].focus()", term)
    webdriver.ActionChains(browser).send_keys(webdriver.Keys.ENTER).perform()
    assert browser.current_url.endswith("#term-event")


@every_report
@pytest.mark.parametrize("size", [PHONE, (768, 1024), WIDE], ids=["phone", "tablet", "desktop"])
def test_the_page_never_scrolls_sideways(browser, reports, name, size):
    opened(browser, reports / f"{name}.html", size)
    width = browser.execute_script(
        "return Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
    )
    assert width <= size[0]


@pytest.mark.parametrize("name", ["ovarian", "hcbn", "long names"])
@pytest.mark.parametrize("width", [1200, 1366, 1920])
def test_all_columns_of_the_edges_are_in_view(browser, reports, name, width):
    opened(browser, reports / f"{name}.html", (width, 900))
    frame = browser.find_element("css selector", "#edges .scroll")
    assert frame.get_property("scrollWidth") <= frame.get_property("clientWidth")
    assert "more" not in frame.get_attribute("class").split()


def test_a_picture_that_scrolls_says_so_until_its_end(browser, reports):
    opened(browser, reports / "ovarian.html", PHONE)
    figure = browser.find_element("css selector", "#data figure")
    frame = figure.find_element("css selector", ".scroll")
    waiting = WebDriverWait(browser, 5)
    assert "Scroll it sideways" in figure.text
    waiting.until(lambda _: "more" in frame.get_attribute("class"))
    browser.execute_script("arguments[0].scrollLeft = 10000", frame)
    waiting.until(lambda _: "more" not in frame.get_attribute("class"))
    opened(browser, reports / "ovarian.html", WIDE)
    assert "Scroll it sideways" not in browser.find_element("css selector", "main").text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tables_the_fit_and_pictures_can_be_downloaded(browser, reports, tmp_path, scheme):
    opened(browser, reports / "ovarian.html", scheme=scheme)
    behaviour = {"behavior": "allow", "downloadPath": str(tmp_path)}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", behaviour)
    for place in ("#edges a[download]", "#reproducibility a[download]", "#progression button"):
        browser.execute_script("document.querySelector(arguments[0]).click()", place)
    names = {"edges.csv", "fit.json", "progression.svg"}
    WebDriverWait(browser, 10).until(
        lambda _: {path.name for path in tmp_path.iterdir()} >= names, "files are missing"
    )
    fit = Caprese().fit(datasets.ovarian())
    assert read_fit(tmp_path / "fit.json") == fit
    with open(tmp_path / "edges.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {(row["parent"], row["child"]) for row in rows} > set(fit.model.edges)
    picture = ElementTree.parse(tmp_path / "progression.svg").getroot()
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert picture.get("fill") == "#2e3440"  # the ink of the light scheme
    assert "var(" not in (tmp_path / "progression.svg").read_text()
    assert browser.get_log("browser") == []


@every_report
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_has_enough_contrast(browser, reports, name, scheme):
    opened(browser, reports / f"{name}.html", scheme=scheme)
    found = browser.execute_script(CONTRASTS)
    assert len(found) > 100
    assert [each for each in found if each[0] < 4.5] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_in_pictures_has_enough_contrast(browser, reports, scheme):
    opened(browser, reports / "ovarian.html", scheme=scheme)
    colours = """
      const paper = getComputedStyle(document.querySelector("figure .scroll")).backgroundColor;
      const letters = [...document.querySelectorAll("svg [id*='-text_'] > g")];
      return [paper, ...letters.map((each) => getComputedStyle(each).fill)];
    """
    paper, *letters = browser.execute_script(colours)
    used = set(letters) - {paper}  # text of its colour is on the root and on dark cells
    assert len(used) == 2
    assert all(contrast(colour, paper) >= 4.5 for colour in used)


def contrast(front, back):
    low, high = sorted(luminance(colour) for colour in (front, back))
    return (high + 0.05) / (low + 0.05)


def luminance(colour):
    parts = np.array([int(part) for part in re.findall(r"\d+", colour)[:3]]) / 255
    linear = np.where(parts <= 0.03928, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def test_there_is_a_light_and_a_dark_scheme_and_print_is_always_light(browser, reports):
    background = "return getComputedStyle(document.body).backgroundColor"
    colours = []
    for scheme, media in (("light", "screen"), ("dark", "screen"), ("dark", "print")):
        opened(browser, reports / "ovarian.html", scheme=scheme, media=media)
        colours.append(browser.execute_script(background))
    assert colours == ["rgb(246, 247, 248)", "rgb(20, 23, 28)", "rgb(255, 255, 255)"]


def test_in_print_nothing_is_cut_off_at_the_side(browser, reports):
    opened(browser, reports / "ovarian.html", size=(720, 1000), media="print")
    widest = browser.execute_script(
        "return Math.max(...[...document.querySelectorAll('table, svg')]"
        ".map((each) => each.getBoundingClientRect().right))"
    )
    assert widest <= 720


def test_hostile_names_run_no_script(browser, reports):
    opened(browser, reports / "hostile.html")
    with pytest.raises(Exception, match="no such alert"):
        browser.switch_to.alert.accept()
    assert len(browser.find_elements("css selector", "script")) == 1
    assert browser.find_elements("css selector", "main script, main iframe, main img") == []
    shown = browser.find_element("css selector", "#edges table").get_property("textContent")
    assert "<script>alert(1)</script>" in shown


def test_without_scripts_the_content_is_complete(browser, reports):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        opened(browser, reports / "ovarian.html")
        assert browser.find_elements("css selector", "th button") == []
        headings = browser.find_elements("css selector", "#edges th")
        assert [heading.text for heading in headings][:3] == ["parent", "child", "frequency"]
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
