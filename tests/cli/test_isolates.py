"""caprese --isolates: trees of isolates beside a table, in commands and recipes."""

import pytest

from caprese import read_recipe
from caprese.recipe.words import command
from example_files import isolate_files


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in isolate_files(12).items():
        (tmp_path / name).write_text(text)
    return tmp_path


TREE = ("isolates.csv", "--isolates", "isolates.nwk")


def test_branches_are_fitted_as_series(run):
    mhn = ["-m", "mhn", "--times", "gaps", "--penalty-strength", "0.1", "--per-patient", "series"]
    code, out, err = run("fit", *TREE, *mhn)
    assert (code, err) == (0, "")
    assert "44 visits of 22 patients, 22 of them with several" in out
    assert "isolates: 12 tips, 22 branches" in out


def test_without_series_only_the_isolates_count(run):
    code, out, _ = run("fit", *TREE)
    assert code == 0
    assert "on 12 samples x" in out


@pytest.mark.parametrize(
    ("tree", "more", "problem"),
    [
        ("(i01,i02", [], "expected a tree of two isolates or more"),
        ("(i01,who);", [], "no sample of the data is who"),
        ("(i01,i02);", ["--patients", "names"], "patients must be omitted where isolates"),
    ],
)
def test_bad_trees_are_one_line(run, folder, tree, more, problem):
    (folder / "isolates.nwk").write_text(tree)
    code, out, err = run("fit", *TREE, *more)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert problem in err


def test_a_recipe_holds_the_tree(run, folder):
    assert run("fit", *TREE, "-o", "fit.json", "--save-recipe", "recipe.toml")[0] == 0
    assert 'isolates = "isolates.nwk"' in (folder / "recipe.toml").read_text()
    assert "--isolates isolates.nwk" in command(read_recipe("recipe.toml"))
    assert run("run", "recipe.toml")[0] == 0


def test_a_missing_tree_is_one_line(run):
    code, _, err = run("fit", "isolates.csv", "--isolates", "none.nwk")
    assert (code, err.count("\n")) == (2, 1)
