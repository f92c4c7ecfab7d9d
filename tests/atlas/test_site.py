"""The files of an atlas: their content, and that they are written whole or not at all."""

import os
import pickle
import re

import pytest

from caprese import CapreseError, FormatError, Recipe, write_atlas
from caprese._core.progress import listening
from caprese.atlas import site as sites
from caprese.atlas.page import _by_event
from caprese.recipe.files import write_kind
from caprese.recipe.loading import Source
from caprese.recipe.parts import Judging, Outputs
from caprese.recipe.results import begun, results
from hostile_names import HOSTILE
from pages import parsed


def bytes_of(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_each_cohort_has_its_report_and_the_index_leads_there(made):
    site, atlas = made
    index = parsed((site / "index.html").read_text())
    links = [each.attributes["href"] for each in index.all("a") if each.parent.tag == "h3"]
    assert links == [each.report for each in atlas.cohorts]
    assert links == [f"reports/{name}.html" for name in ("b-odd-name", "acml", "chain", "few")]
    assert sorted(bytes_of(site)) == ["index.html", *sorted(links)]
    assert all("Progression report" in (site / link).read_text() for link in links)


def test_a_report_is_the_one_that_its_recipe_writes(made, cohorts):
    site, _ = made
    path = site / "reports" / "chain.html"
    recipe = Recipe(
        source=Source(str(cohorts / "chain.csv")),
        judge=Judging(budget="0.2s"),
        outputs=Outputs(report=(str(path),)),
    )
    written = path.read_bytes()
    path.unlink()
    write_kind(results(begun(recipe)), "report", [str(path)])
    assert path.read_bytes() == written


def test_the_index_loads_nothing_and_runs_only_its_own_script(made):
    site, _ = made
    page = parsed((site / "index.html").read_text())
    policy = next(
        each.attributes["content"]
        for each in page.all("meta")
        if each.attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none'; ")
    assert len(page.all("script")) == 1
    assert page.all("img") == page.all("link") == []
    addresses = [each.attributes["href"] for each in page.all("a")]
    assert all(re.match(r"#|reports/[\w.-]+$|data:text/csv", each) for each in addresses)


def test_names_with_special_characters_are_shown_as_they_are(made):
    site, _ = made
    page = parsed((site / "index.html").read_text())
    tile = next(each for each in page.all("li") if "odd" in each.words and each.all("h3"))
    assert tile.all("h3")[0].words.strip() == "<b>odd & 'name"
    cells = [each.words for each in page.all("td")]
    assert HOSTILE[0] in cells
    assert HOSTILE[1] in cells


def test_all_events_are_in_the_table_with_places_to_sort_by(made):
    site, atlas = made
    page = parsed((site / "index.html").read_text())
    (table,) = page.all("table")
    rows = table.all("tbody")[0].all("tr")
    assert len(rows) == sum(len(each.events) for each in atlas.cohorts)
    values = [row.all("td")[2].attributes["data-value"] for row in rows]
    places = [at.place for _, at in _by_event(atlas.cohorts)]
    assert values == ["" if place is None else str(place) for place in places]


def test_a_cohort_goes_to_a_worker_and_comes_back(made, cohorts, monkeypatch):
    _, atlas = made
    monkeypatch.chdir(cohorts)
    recipe = Recipe(
        source=Source("few.csv"),
        judge=Judging(budget="0.2s"),
        outputs=Outputs(report=("reports/few.html",)),
    )
    task = pickle.loads(pickle.dumps((recipe, "few", "reports/few.html")))
    found = pickle.loads(pickle.dumps(sites._made(*task)))
    assert found.cohort == next(each for each in atlas.cohorts if each.name == "few")
    assert found == sites._made(*task)


@pytest.fixture
def quick(monkeypatch):
    """Let reports be quick: what is written, and when, is of interest."""

    def made(recipe, name, file):
        if recipe.source.name == "absent.csv":
            return sites.LeftOut(name, "no such file")
        return sites.Made(sites.Cohort(name, file, 3, "Yes", (), ()), f"<p>made by caprese {name}")

    monkeypatch.setattr(sites, "_made", made)


@pytest.mark.usefixtures("quick")
def test_an_atlas_is_replaced_and_reports_of_earlier_cohorts_are_removed(tmp_path):
    write_atlas(["acml", "ovarian"], tmp_path / "site")
    (tmp_path / "site" / "reports" / "own.html").write_text("written by hand")
    write_atlas(["acml"], tmp_path / "site")
    names = ["index.html", "reports/acml.html", "reports/own.html"]
    assert sorted(bytes_of(tmp_path / "site")) == names


@pytest.mark.usefixtures("quick")
def test_a_folder_with_something_else_is_refused_unless_forced(tmp_path):
    (tmp_path / "index.html").write_text("written by hand")
    before = bytes_of(tmp_path)
    with pytest.raises(CapreseError, match=r"exists and is not an atlas that caprese wrote; force"):
        write_atlas(["acml"], tmp_path)
    assert bytes_of(tmp_path) == before
    write_atlas(["acml"], tmp_path, force=True)
    assert b"made by caprese" in (tmp_path / "index.html").read_bytes()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("older", [False, True], ids=["new", "older"])
def test_if_writing_fails_the_folder_is_as_it_was(tmp_path, monkeypatch, older):
    site = tmp_path / "site"
    if older:
        write_atlas(["acml"], site)
    before = bytes_of(tmp_path)

    def full(path, content):
        if str(path).endswith("index.html"):
            raise OSError("no space left")
        return replace(path, content)

    replace = sites.replace_file
    monkeypatch.setattr(sites, "replace_file", full)
    with pytest.raises(OSError, match="no space left"):
        write_atlas(["ovarian", "acml"], site)
    assert bytes_of(tmp_path) == before
    assert site.exists() == older


@pytest.mark.usefixtures("quick")
def test_an_interrupted_atlas_writes_nothing(tmp_path):
    def interrupt(what, done, _total):
        if (what, done) == ("cohorts", 1):
            raise KeyboardInterrupt

    with listening(interrupt), pytest.raises(KeyboardInterrupt):
        write_atlas(["acml", "ovarian"], tmp_path / "site")
    assert os.listdir(tmp_path) == []


@pytest.mark.usefixtures("quick")
def test_if_nothing_can_be_read_the_first_reason_is_said(tmp_path):
    with pytest.raises(CapreseError, match=r"^no cohort could be read; of absent: no such file$"):
        write_atlas(["absent.csv"], tmp_path / "site")
    assert os.listdir(tmp_path) == []
    with pytest.raises(CapreseError, match="cohorts must be one or more"):
        write_atlas([], tmp_path / "site")


def test_a_folder_that_is_none_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    for name, why in (("none", "no such folder"), ("file", "this is a file"), ("empty", "empty")):
        with pytest.raises(FormatError, match=why):
            write_atlas(tmp_path / name, tmp_path / "site")


@pytest.mark.usefixtures("quick")
def test_names_are_those_of_files_and_differ(tmp_path):
    given = ["a/brca.csv", "b/luad_tcga.tar.gz", "luad.v2.maf.gz", "acml"]
    found = write_atlas(given, tmp_path / "one")
    assert [each.name for each in found.cohorts] == ["brca", "luad_tcga", "luad.v2", "acml"]
    twice = write_atlas(["a/brca.csv", "a/brca.maf", "b/BRCA.maf", "b/brca.maf"], tmp_path / "two")
    names = [each.name for each in twice.cohorts]
    assert names == ["brca.csv", "brca.maf", "BRCA.maf", "brca.maf.2"]
    addresses = [each.report.lower() for each in twice.cohorts]
    assert len(set(addresses)) == 4


def test_the_time_is_that_of_the_budget_shared_by_workers():
    assert sites.expected_seconds(16, "20s", jobs=2) == pytest.approx(16 * 29 / 2)
    assert sites.expected_seconds(1, "20s", jobs=8) == pytest.approx(29)
