"""What a whole analysis needs of the live page: questions, groups, orders, what if, saving."""

import time
import zipfile

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from browsing import WIDE
from caprese import ROOT, Dataset, Forest, write_dataset
from live_page import app as app
from live_page import browser as browser
from live_page import page as page

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default::ResourceWarning"),
]  # sockets of selenium

NARROW = (500, 844)  # the least width of a window


@pytest.fixture(scope="module")
def chains(tmp_path_factory):
    """Samples of a -> b -> c, and as many of c -> b -> a."""
    rng = np.random.default_rng(1)
    kinds = [Forest(tuple("abc"), parents, (0.8,) * 3) for parents in ((ROOT, 0, 1), (1, 2, ROOT))]
    values = np.concatenate([kind.sample(60, rng).values for kind in kinds])
    path = tmp_path_factory.mktemp("data") / "chains.csv"
    write_dataset(Dataset(values, tuple("abc"), tuple(f"s{k}" for k in range(120))), path)
    return path.read_text()


def opened(page, name, events):
    page.set("embedded", name)
    page.until(lambda: page.number("#tree .node") == events)
    page.idle()


def test_the_best_method_is_marked_and_used(page):
    opened(page, "ovarian", 7)
    page.set("budget", "1s")
    page.click("#judging button")
    page.until(lambda: page.number("[data-use]") == 1)
    page.idle()
    best = page.js("return document.querySelector('[data-use]').dataset.use")
    assert page.text("[data-use]") == f"Use {best}"
    marked = "return [...document.querySelectorAll('#method-name option')]"
    found = page.js(f"{marked}.map((each) => each.textContent).filter((each) => /best/.test(each))")
    assert found == [f"{best} (predicts best here)"]
    wanted = "return document.querySelector('[name=wanted]:checked')?.value"
    assert page.js(wanted) == "tree"
    page.click("[data-use]")
    page.until(lambda: page.text("#fit").strip().startswith(best))
    page.idle()
    assert page.js(wanted) == "prediction"
    page.click("[name=wanted][value=tree]")
    assert page.js("return document.getElementById('method-name').value") == "caprese"


def test_two_groups_stand_side_by_side_and_differ_beyond_chance(page, chains):
    page.drop("chains.csv", chains)
    page.until(lambda: page.number("#tree .node") == 3)
    page.idle()
    rows = "".join(f"s{k},{'first' if k < 60 else 'second'},{k}\n" for k in range(120))
    page.drop("kinds.csv", f"sample,kind,age\n{rows}", onto="beside-groups")
    page.until(lambda: page.js("return !document.getElementById('groups-form').hidden"))
    page.idle()
    columns = "return [...document.getElementById('groups-column').options].map((one) => one.value)"
    assert page.js(columns) == ["kind"]
    page.click("#groups-form button")
    page.until(lambda: page.number("#groups svg") == 1)
    page.idle()
    said = page.text("#groups")
    assert "differs between first (60 samples) and second (60 samples) by more than chance" in said
    assert "caprese compare chains.csv -m caprese --by kinds.csv:kind" in said
    page.drop(
        "ages.csv", "sample,age\n" + "".join(f"s{k},{k}\n" for k in range(120)), "beside-groups"
    )
    page.until(lambda: "no column with two to six groups" in page.text("#groups-said"))


def test_seen_orders_and_patients_are_dropped_beside_the_data(page, chains):
    page.drop("chains.csv", chains)
    page.until(lambda: page.number("#tree .node") == 3)
    page.idle()
    both = [row.split(",") for row in chains.splitlines()[1:] if row.endswith("1,1,1")]
    rows = "".join(f"{name},a,b\n" for name, *_ in both)
    page.drop("orders.csv", f"sample,earlier,later\n{rows}", onto="beside-data")
    page.until(lambda: f"seen orders of {len(both)} samples" in page.text("#beside-said"))
    page.until(lambda: "orders.csv" in page.text("#files"))
    page.idle()
    assert "--orders orders.csv" in page.text("#files")
    rows = "".join(f"s{k},p{k // 2},{k}\n" for k in range(120))
    page.drop("visits.csv", f"sample,patient,day\n{rows}", onto="beside-data")
    page.until(lambda: "--patients visits.csv:patient" in page.text("#files"))
    page.idle()
    assert "--sampled-at visits.csv:day" in page.text("#files")
    assert "--orders orders.csv" in page.text("#files")
    page.drop("none.csv", "x\n", onto="beside-data")
    page.until(lambda: page.js("return document.getElementById('status').dataset.state") == "error")
    page.click("#dismiss")


def test_a_click_says_what_follows_if_an_event_is_blocked(page):
    opened(page, "ovarian", 7)
    page.js("document.querySelector('#tree .node').dispatchEvent(new MouseEvent('click'))")
    page.until(lambda: page.number("[data-block]") == 1)
    page.idle()
    page.click("[data-block]")
    page.until(lambda: page.number("#what-if table") == 1)
    page.idle()
    assert page.text("#what-if caption").strip() == "If 8q+ is blocked."
    assert page.number("#what-if tbody tr") == 6
    assert "no advice for treatment" in page.text("#what-if")
    page.click("[data-close]")
    assert page.number("#event .panel") == 0


def test_an_analysis_is_saved_and_opened_again(page, chains, tmp_path):
    page.drop("chains.csv", chains)
    page.until(lambda: page.number("#tree .node") == 3)
    page.idle()
    page.js("document.querySelectorAll('#events .use')[2].click()")
    page.until(lambda: page.number("#tree .node") == 2)
    page.idle()
    page.set("method-caprese-shrinkage", "0.2")
    page.click("#methods button")
    page.idle()
    page.set("replicates", "50")
    page.click("#resample button")
    page.until(lambda: page.number("#support table") > 0)
    page.idle()
    content = page.download("analysis.zip")
    saved = tmp_path / "mine.zip"
    saved.write_bytes(content)
    names = zipfile.ZipFile(saved).namelist()
    assert names == ["analysis.toml", "chains.csv"]
    tree = page.text("#support")

    page.driver.refresh()
    page.until(lambda: page.js("return document.body.dataset.ready === 'yes'"))
    page.drag(saved, "drop")
    page.until(lambda: page.number("#support table") > 0)
    page.idle()
    assert page.text("#title") == "chains.csv"
    assert page.number("#tree .node") == 2
    assert page.js("return document.getElementById('method-caprese-shrinkage').value") == "0.2"
    assert page.js("return document.querySelectorAll('#events .use:checked').length") == 2
    assert page.text("#support") == tree
    foreign = tmp_path / "foreign.zip"
    with zipfile.ZipFile(foreign, "w") as archive:
        archive.writestr("analysis.toml", "[source]\nname = '/etc/passwd'\n")
    page.drag(foreign, "drop")
    state = "return document.getElementById('status').dataset.state"
    page.until(lambda: page.js(state) == "error")
    assert "foreign.zip: its recipe names '/etc/passwd', which is not in the archive" in page.text(
        "#said"
    )


def test_a_study_is_dropped_as_an_archive(page, tmp_path):
    rows = ["Hugo_Symbol\t" + "\t".join(f"s{k}" for k in range(12))]
    rows += [f"{name}\t" + "\t".join(values) for name, values in
             (("A", "222222220000"), ("B", "222200000000"), ("C", "000000002222"))]  # fmt: skip
    path = tmp_path / "study.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mine/meta_study.txt", "cancer_study_identifier: mine\n")
        archive.writestr("mine/data_cna.txt", "\n".join(rows) + "\n")
    page.drag(path, "drop")
    page.until(lambda: page.number("#tree .node") == 3)
    page.idle()
    assert page.text("#title") == "study.zip"
    page.drop("study.rar", "x")
    page.until(lambda: "archives of this kind are not read" in page.text("#said"))
    page.click("#dismiss")


def test_a_tree_is_enlarged_moved_and_stays_so_when_it_is_drawn_anew(page):
    opened(page, "ovarian", 7)
    zoom = (
        "return Number(document.querySelector('#tree figure svg').style.getPropertyValue('--zoom'))"
    )
    width = "return document.querySelector('#tree figure svg').getBoundingClientRect().width"
    before = page.js(width)
    for _ in range(3):
        page.click("#tree .zoom button")
    enlarged = page.js(zoom)
    assert enlarged > 2.5
    assert page.js(width) > 2 * before
    frame = "document.querySelector('#tree figure .scroll')"
    page.js(f"{frame}.scrollTo(120, 30)")
    page.set("replicates", "20")
    page.click("#resample button")
    page.until(lambda: page.number("#support table") > 0)
    page.idle()
    assert page.js(zoom) == enlarged
    assert page.js(f"return {frame}.scrollLeft") == 120
    page.js(f"{frame}.dispatchEvent(new KeyboardEvent('keydown', {{ key: '0', bubbles: true }}))")
    assert page.js(zoom) == 1


def test_four_files_come_first_and_the_others_behind_more(page):
    opened(page, "acml", 3)
    first = "return [...document.querySelectorAll('#files > .files [data-file]')]"
    assert sorted(page.js(f"{first}.map((each) => each.dataset.file)")) == [
        "analysis.zip",
        "model.json",
        "report.html",
        "table.csv",
        "tree.svg",
    ]
    assert page.js("return !document.querySelector('#files details.more').open")
    assert page.number("#files details.more [data-file]") > 10


def test_on_a_narrow_screen_the_tree_is_a_list_too(page):
    opened(page, "ovarian", 7)
    shown = "return document.querySelector('.outline').checkVisibility()"
    assert not page.js(shown)
    page.driver.set_window_size(*NARROW)
    page.until(lambda: page.js(shown))
    items = page.js(
        "return [...document.querySelectorAll('.outline li')].map((each) => each.innerText)"
    )
    assert [item.split()[-1] for item in items] == ["8q+", "3q+", "8p-", "Xp-", "5q-", "4q-", "1q+"]
    page.click(".outline button")
    page.until(lambda: page.number("#event .panel") == 1)
    page.idle()
    page.driver.set_window_size(*WIDE)
    time.sleep(0.1)


def test_nothing_on_the_page_keeps_anybody_out(page, chains):
    assert page.violations() == []
    page.drop("chains.csv", chains)
    page.until(lambda: page.number("#tree .node") == 3)
    page.idle()
    page.js("document.querySelector('#tree .node').dispatchEvent(new MouseEvent('click'))")
    page.until(lambda: page.number("[data-block]") == 1)
    page.idle()
    page.click("[data-block]")
    page.until(lambda: page.number("#what-if table") == 1)
    page.idle()
    rows = "".join(f"s{k},{'xy'[k % 2]}\n" for k in range(120))
    page.drop("groups.csv", f"sample,group\n{rows}", onto="beside-groups")
    page.until(lambda: page.js("return !document.getElementById('groups-form').hidden"))
    page.idle()
    page.js("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.violations() == []
