"""The index of an atlas in a browser: searched, sorted, readable, and asking for no network."""

import re
from itertools import pairwise

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browsing import CONTRASTS, PHONE, opened
from caprese.atlas.cohort import Cohort, EventPlace
from caprese.atlas.page import Atlas, LeftOut, atlas_page
from hostile_names import HOSTILE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default::ResourceWarning"),
]  # sockets of selenium


def cohort(name, samples, known, gain, *events):
    said = (("Verdict", ("Held-out samples say so.",)), ("Not known", ("All else.",)))
    places = tuple(
        EventPlace(event, 0.5, place, before=("KRAS",) if event == "TP53" else ())
        for event, place in events
    )
    address = f"reports/{samples}.html"
    return Cohort(name, address, samples, "Yes.", said, places, known, gain)


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    cohorts = (
        cohort("lung", 300, 2, 0.25, ("TP53", 0.1), ("KRAS", 0.9)),
        cohort("breast", 1000, 0, None, ("TP53", None), ("PIK3CA", None)),
        cohort("colon & rectum", 80, 4, 1.5, ("APC", 0.0), ("TP53", 0.75), ("KRAS", 0.5)),
        cohort(HOSTILE[0], 20, 1, 0.1, *((name, 0.5) for name in HOSTILE[:6])),
        *(cohort(f"{'long name ' * 12}{k}", k, k, 0.01 * k, ("MYC", 0.5)) for k in range(2, 14)),
    )
    path = tmp_path_factory.mktemp("atlas") / "index.html"
    path.write_text(atlas_page(Atlas(cohorts, (LeftOut("notes.md", "no table"),))))
    return path


def shown(browser):
    tiles = browser.find_elements(By.CSS_SELECTOR, ".tile")
    return [tile.find_element(By.TAG_NAME, "h3").text for tile in tiles if tile.is_displayed()]


def test_it_opens_without_messages_and_requests_nothing(browser, index):
    opened(browser, index)
    assert browser.get_log("browser") == []
    messages = [entry["message"] for entry in browser.get_log("performance")]
    assert not [each for each in messages if re.search(r'requestWillBeSent.*"url":"http', each)]


def test_tiles_are_found_by_name_and_by_event(browser, index):
    opened(browser, index)
    field = browser.find_element(By.ID, "find-tile")
    field.send_keys("kras")
    assert shown(browser) == ["colon & rectum", "lung"]
    assert browser.find_element(By.CSS_SELECTOR, "#cohorts output").text == "2 of 16"
    field.send_keys(" lung")
    assert shown(browser) == ["lung"]
    field.clear()
    field.send_keys("script")
    assert shown(browser) == [HOSTILE[0]]


def test_tiles_are_sorted_by_their_numbers_with_the_keyboard(browser, index):
    opened(browser, index)
    assert shown(browser)[:2] == [HOSTILE[0], "breast"]
    Select(browser.find_element(By.ID, "sort-tiles")).select_by_visible_text("samples, most first")
    assert shown(browser)[:3] == ["breast", "lung", "colon & rectum"]
    choice = browser.find_element(By.ID, "sort-tiles")
    choice.send_keys(Keys.END)
    assert shown(browser)[:2] == ["colon & rectum", "lung"]
    assert shown(browser)[-1] == "breast"  # without a gain


def test_where_an_event_comes_is_found_the_earliest_first(browser, index):
    opened(browser, index)
    (field,) = browser.find_elements(By.CSS_SELECTOR, "#events input")
    field.send_keys("kras")  # not the rows of what it comes after
    assert browser.find_element(By.CSS_SELECTOR, "#events output").text.startswith("2 of ")
    field.clear()
    field.send_keys("TP53")
    rows = [row.text for row in browser.find_elements(By.CSS_SELECTOR, "#events tbody tr")]
    rows = [row for row in rows if row]
    assert [row.split("\n")[0].split()[:2] for row in rows] == [
        ["TP53", "lung"],
        ["TP53", "colon"],
        ["TP53", "breast"],
    ]
    assert "KRAS" in rows[0]


def test_a_tile_leads_to_its_report(browser, index):
    opened(browser, index)
    link = browser.find_element(By.LINK_TEXT, "lung")
    assert link.get_attribute("href").endswith("/reports/300.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_has_enough_contrast(browser, index, scheme):
    opened(browser, index, scheme=scheme)
    found = browser.execute_script(CONTRASTS)
    assert len(found) > 100
    assert [each for each in found if each[0] < 4.5] == []


@pytest.mark.parametrize("width", [390, PHONE[0]])
def test_it_fits_a_phone(browser, index, width):
    opened(browser, index, (width, 844))
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    wide = "return [...document.querySelectorAll('.tile')].map((each) => each.scrollWidth)"
    assert max(browser.execute_script(wide)) <= width


def test_fields_have_labels_and_headings_their_order(browser, index):
    opened(browser, index)
    fields = browser.find_elements(By.CSS_SELECTOR, "input, select")
    assert len(fields) == 3
    for field in fields:
        name = f"label[for='{field.get_attribute('id')}']"
        assert browser.find_element(By.CSS_SELECTOR, name).text
    headings = browser.execute_script(
        "return [...document.querySelectorAll('h1, h2, h3')].map((each) => +each.tagName[1])"
    )
    assert headings[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(headings))
