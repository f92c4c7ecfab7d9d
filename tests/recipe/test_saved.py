"""Analyses that were saved with their data, and opened again."""

import zipfile
from pathlib import Path

import pytest

from caprese import Oncotree, Recipe, datasets, write_dataset
from caprese.errors import CapreseError, FormatError
from caprese.recipe.loading import Curation, Source
from caprese.recipe.parts import Judging, Outputs, Placing, Reporting
from caprese.recipe.saved import is_saved, is_zip, unpack_analysis, write_analysis
from caprese.recipe.toml import recipe_text

pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_dataset(datasets.ovarian(), "tumours.csv")
    Path("tables").mkdir()
    Path("tables", "tumours.csv").write_text("sample,stage\np1,II\n")
    Path("orders.csv").write_text("sample,earlier,later\np1,8q+,3q+\n")


def packed(path, *files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files:
            archive.writestr(name, content)
    return path


def test_everything_that_a_recipe_reads_comes_back_elsewhere():
    recipe = Recipe(
        source=Source("tumours.csv", orders="orders.csv", patients="tables/tumours.csv:stage"),
        curation=Curation(top=5),
        method=Oncotree(),
        judge=Judging(methods=("caprese:shrinkage=0.1",)),
        patients=Placing(annotation="tables/tumours.csv"),
        report=Reporting(clinical="tables/tumours.csv", groups="tables/tumours.csv:stage"),
        outputs=Outputs(fit=("fit.json",)),
    )
    write_analysis(recipe, "analysis.zip")
    assert is_saved("analysis.zip")
    found = unpack_analysis("analysis.zip", "elsewhere")
    assert found.source.name == "tumours.csv"
    assert found.source.patients == "2-tumours.csv:stage"
    assert found.patients.annotation == found.report.clinical == "2-tumours.csv"
    assert found.report.groups == "2-tumours.csv:stage"
    assert found.curation == recipe.curation
    assert (found.method, found.judge, found.outputs) == (
        recipe.method,
        recipe.judge,
        recipe.outputs,
    )
    assert sorted(each.name for each in Path("elsewhere").iterdir()) == [
        "2-tumours.csv",
        "analysis.toml",
        "orders.csv",
        "tumours.csv",
    ]
    assert Path("elsewhere", "tumours.csv").read_bytes() == Path("tumours.csv").read_bytes()


def test_the_same_analysis_gives_the_same_bytes():
    for name in ("one.zip", "two.zip"):
        write_analysis(Recipe(source=Source("tumours.csv")), name)
    assert Path("one.zip").read_bytes() == Path("two.zip").read_bytes()


def test_a_folder_is_saved_with_its_files_but_for_hidden_ones():
    study = Path("study", "case_lists")
    study.mkdir(parents=True)
    (study / "cases_all.txt").write_text("x")
    Path("study", ".hidden").write_text("x")
    write_analysis(Recipe(source=Source("./study")), "analysis.zip")
    assert unpack_analysis("analysis.zip", "there").source.name == "./study"
    assert [each.name for each in Path("there").rglob("*.txt")] == ["cases_all.txt"]
    assert not list(Path("there").rglob(".hidden"))


def test_unpacking_again_changes_nothing_and_never_overwrites():
    write_analysis(Recipe(source=Source("tumours.csv")), "analysis.zip")
    unpack_analysis("analysis.zip", "there")
    unpack_analysis("analysis.zip", "there")
    Path("there", "tumours.csv").write_text("mine")
    with pytest.raises(FormatError, match=r"tumours.csv is there with other content; move it away"):
        unpack_analysis("analysis.zip", "there")
    assert Path("there", "tumours.csv").read_text() == "mine"


def test_what_is_missing_or_named_by_an_option_cannot_be_saved():
    with pytest.raises(FormatError, match=r"none.csv: no such file or folder; it cannot be saved"):
        write_analysis(Recipe(source=Source("none.csv")), "analysis.zip")
    options = {"panels": "panels.csv"}
    recipe = Recipe(source=Source("tumours.csv", format="study", options=options))
    with pytest.raises(CapreseError, match="panels: files that options name cannot be saved"):
        write_analysis(recipe, "analysis.zip")
    assert not Path("analysis.zip").exists()


@pytest.mark.parametrize("file", ["/etc/passwd", "../tumours.csv", "other.csv"])
def test_a_recipe_that_reads_other_files_is_refused(file):
    named = recipe_text(Recipe(source=Source("tumours.csv", orders=file)))
    path = packed("foreign.zip", ("analysis.toml", named), ("tumours.csv", "a,b\n0,1\n"))
    with pytest.raises(FormatError, match=r"foreign.zip: its recipe names '.*', which is not in"):
        unpack_analysis(path, "there")


@pytest.mark.parametrize("file", ["/tmp/fit.json", "../fit.json", "a/fit.json"])
def test_a_recipe_that_writes_outside_of_its_folder_is_refused(file):
    named = recipe_text(Recipe(source=Source("ovarian"), outputs=Outputs(fit=(file,))))
    with pytest.raises(FormatError, match=r"its recipe writes '.*', outside of its folder"):
        unpack_analysis(packed("foreign.zip", ("analysis.toml", named)), "there")


def test_a_recipe_of_another_folder_or_with_a_path_as_option_is_refused():
    named = recipe_text(Recipe(source=Source("ovarian"), folder="/etc"))
    with pytest.raises(FormatError, match="its recipe names the folder '/etc'"):
        unpack_analysis(packed("foreign.zip", ("analysis.toml", named)), "there")
    source = Source("x.csv", format="study", options={"panels": "/etc/passwd"})
    files = (("analysis.toml", recipe_text(Recipe(source=source))), ("x.csv", "x"))
    with pytest.raises(FormatError, match="its recipe has the option panels, which names a file"):
        unpack_analysis(packed("other.zip", *files), "elsewhere")


def test_files_outside_of_the_archive_are_refused_and_nothing_is_written():
    recipe = recipe_text(Recipe(source=Source("ovarian")))
    for name in ("../outside.csv", "/outside.csv", "c:/outside.csv"):
        path = packed("foreign.zip", ("analysis.toml", recipe), (name, "x"))
        with pytest.raises(FormatError, match=r"outside.csv' is outside of the archive"):
            unpack_analysis(path, "there")
    assert not Path("there").exists()


def test_archives_that_are_too_large_damaged_or_something_else_are_refused(monkeypatch):
    recipe = recipe_text(Recipe(source=Source("ovarian")))
    many = [(f"{k}.csv", "") for k in range(300)]
    with pytest.raises(FormatError, match=r"many.zip: more than 300 files"):
        unpack_analysis(packed("many.zip", ("analysis.toml", recipe), *many), "there")
    study = packed("study.zip", ("data_cna.txt", "x"))
    assert not is_saved(study)
    assert is_zip(study)
    assert not is_saved("tumours.csv")
    assert not is_saved("none.zip")
    with pytest.raises(FormatError, match=r"study.zip: no analysis.toml in it, expected a saved"):
        unpack_analysis(study, "there")
    large = packed("large.zip", ("analysis.toml", recipe), ("x.csv", "0" * 10_000))
    content = bytearray(Path(large).read_bytes())
    content[40:60] = bytes(20)
    Path("damaged.zip").write_bytes(content)
    with pytest.raises(FormatError, match=r"damaged.zip: this zip archive is damaged"):
        unpack_analysis("damaged.zip", "there")
    monkeypatch.setenv("CAPRESE_MEMORY", "100K")
    with pytest.raises(FormatError, match="the files of this analysis are too large"):
        unpack_analysis(large, "there")
    write_dataset(datasets.ovarian(), "tumours.csv")
    monkeypatch.setenv("CAPRESE_MEMORY", "10K")
    with pytest.raises(FormatError, match="too large to be saved with it"):
        write_analysis(Recipe(source=Source("tumours.csv")), "analysis.zip")


def test_run_unpacks_a_saved_analysis_and_writes_its_files_there(run):
    recipe = Recipe(source=Source("tumours.csv"), outputs=Outputs(fit=("fit.json",)))
    write_analysis(recipe, "analysis.zip")
    code, out, err = run("run", "analysis.zip")
    assert (code, out) == (0, "fit.json\n")
    assert err == "caprese: analysis.zip: unpacked into the folder analysis\n"
    assert run("fit", "tumours.csv", "-o", "own.json")[0] == 0
    assert Path("analysis", "fit.json").read_text() == Path("own.json").read_text()
    assert run("run", "analysis.zip")[0] == 0  # again, over the same files
