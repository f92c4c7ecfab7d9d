"""The page of patients in a browser: the search, the cards, and hostile names of samples."""

import numpy as np
import pytest

from browsing import CONTRASTS, PHONE, WIDE, opened, webdriver
from caprese import Caprese, Dataset, datasets, place
from caprese.report.page import patients_page
from hostile_names import HOSTILE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default::ResourceWarning"),
]  # sockets of selenium
NAMES = ("ovarian", "hostile")
SHOWN = """
return [...document.querySelectorAll("table[data-search] tbody tr")]
  .filter((row) => row.offsetParent !== null)
  .map((row) => row.cells[0].textContent.trim());
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    values = np.random.default_rng(3).random((len(HOSTILE), 6)) < 0.4
    for name, data in (
        ("ovarian", datasets.ovarian()),
        ("hostile", Dataset(values, HOSTILE[:6], HOSTILE)),
    ):
        fit = Caprese().fit(data)
        page = patients_page(place(fit, data, simulated=500), fit)
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


def keys(browser, *pressed):
    webdriver.ActionChains(browser).send_keys(*pressed).perform()


def typed(browser, text):
    field = browser.find_element("css selector", "input[type=search]")
    field.clear()
    field.send_keys(text)
    return browser.execute_script(SHOWN)


def visible_cards(browser):
    cards = browser.find_elements("css selector", ".card")
    return [card.get_attribute("id") for card in cards if card.is_displayed()]


@pytest.mark.parametrize("name", NAMES)
def test_the_page_opens_without_console_messages(browser, pages, name):
    opened(browser, pages / f"{name}.html")
    assert browser.get_log("browser") == []
    assert len(browser.find_elements("css selector", "script")) == 1
    assert browser.find_elements("css selector", "main script, main iframe, main img") == []


def test_the_search_hides_rows_that_lack_a_word_and_counts_the_others(browser, pages):
    opened(browser, pages / "ovarian.html")
    assert len(browser.execute_script(SHOWN)) == 87
    data = datasets.ovarian()
    found = typed(browser, "8P- xP-")
    both = data.values[:, [data.events.index("8p-"), data.events.index("Xp-")]].all(axis=1)
    assert set(np.array(data.samples)[both]) <= set(found)
    assert 0 < len(found) < 87
    output = browser.find_element("css selector", ".search output")
    assert output.text == f"{len(found)} of 87"
    assert typed(browser, "nothing has these words") == []
    assert output.text == "0 of 87"


def test_the_search_finds_hostile_names_and_sorting_keeps_them_hidden(browser, pages):
    opened(browser, pages / "hostile.html")
    assert "<script>alert(1)</script>" in typed(browser, "<script>alert(1)")
    shown = typed(browser, "digraph {")
    assert shown == ["digraph {"]
    browser.find_element("css selector", "table[data-search] th button").click()
    assert browser.execute_script(SHOWN) == shown


def test_the_keyboard_opens_a_card_and_escape_goes_back_to_its_row(browser, pages):
    opened(browser, pages / "ovarian.html")
    assert visible_cards(browser) == []
    link = browser.find_element("css selector", "a.opens[href='#sample-3']")
    browser.execute_script("arguments[0].focus()", link)
    keys(browser, webdriver.Keys.ENTER)
    assert visible_cards(browser) == ["sample-3"]
    assert browser.switch_to.active_element.get_attribute("id") == "sample-3"
    keys(browser, webdriver.Keys.ESCAPE)
    assert visible_cards(browser) == []
    assert browser.switch_to.active_element.get_attribute("id") == "sample-3-row"


def test_a_click_in_a_row_opens_its_card_and_close_closes_it(browser, pages):
    opened(browser, pages / "ovarian.html")
    row = browser.find_element("css selector", "table[data-search] tbody tr:nth-child(2)")
    row.find_elements("css selector", "td")[2].click()
    assert visible_cards(browser) == ["sample-2"]
    browser.find_element("css selector", "#sample-2 .close a").click()
    assert visible_cards(browser) == []


def test_cards_open_without_scripts(browser, pages):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        opened(browser, pages / "ovarian.html")
        assert browser.find_elements("css selector", ".search") == []
        browser.find_element("css selector", "a.opens[href='#sample-1']").click()
        assert visible_cards(browser) == ["sample-1"]
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [PHONE, WIDE, (1920, 1080)], ids=["phone", "desktop", "wide"])
def test_an_open_card_never_makes_the_page_scroll_sideways(browser, pages, name, size):
    opened(browser, pages / f"{name}.html", size)
    browser.execute_script("location.hash = 'sample-2'")
    width = browser.execute_script("return document.documentElement.scrollWidth")
    assert width <= size[0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_of_an_open_card_has_enough_contrast(browser, pages, scheme):
    opened(browser, pages / "ovarian.html", scheme=scheme)
    browser.execute_script("location.hash = 'sample-2'")
    found = browser.execute_script(CONTRASTS)
    assert len(found) > 100
    assert [each for each in found if each[0] < 4.5] == []


def test_in_print_the_whole_table_and_only_the_open_card_are_shown(browser, pages):
    opened(browser, pages / "ovarian.html", size=(720, 1000), media="print")
    browser.execute_script("location.hash = 'sample-2'")
    assert visible_cards(browser) == ["sample-2"]
    box = browser.find_element("css selector", ".tall")
    hidden = "return arguments[0].scrollHeight > arguments[0].clientHeight + 1"
    assert not browser.execute_script(hidden, box)
    assert not browser.find_element("css selector", ".search").is_displayed()
