"""A recipe that is run gives the bytes that the commands write."""

from pathlib import Path

import numpy as np
import pytest

from caprese import Caprese, Dataset, datasets, read_recipe, write_dataset
from caprese.recipe.toml import recipe_text
from example_files import orders_of

ROWS = [f"s{k},{'II' if k % 3 else 'III'},{1 + k % 17},{k % 2}" for k in range(60)]
CLINICAL = "\n".join(["sample,stage,months,dead", *ROWS])


@pytest.fixture
def tumours(tmp_path):
    values = np.random.default_rng(5).random((60, 5)) < np.linspace(0.7, 0.3, 5)
    values[:, 3:] &= values[:, :2]
    data = Dataset(
        values, ("TP53, missense", "it's", "-7q", "8q+", "a=b"), [f"s{k}" for k in range(60)]
    )
    write_dataset(data, tmp_path / "tumours.csv")
    (tmp_path / "clinical.csv").write_text(CLINICAL)
    rows = [f"s{k},-7q,8q+,0.8,0.5\n" for k in range(70)]
    (tmp_path / "orders.csv").write_text(
        "".join(["sample,earlier,later,confidence,nested\n", *rows])
    )
    return "tumours.csv"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "curate --top 3 -o table.tsv",
        "fit --shrinkage 0.3 -o model.json -o tree.svg -o tree.graphml",
        "fit -m mhn --at-least 0.05 -o model.json",
        "bootstrap --replicates 20 --seed 3 -o c.json -o c.nwk",
        "bootstrap --kind parametric --errors 0.1,0.1 --replicates 9 -o c.json",
        "bootstrap -m mhn --replicates 3 -o e.json -o e.csv",
        "judge -m caprese -m oncotree --quick --seed 2 -o j.json",
        "patients --budget 1 --annotation clinical.csv -o p.csv -o p.html --tests t.csv",
        "patients --budget 1 --no-names -o p.json --guard-formulas",
        "report --budget 1 --replicates 9 --annotation clinical.csv:stage -o r.html",
        "report --budget 1 --folds 4 -m hcbn:restarts=1 --seed 4 --replicates 3 -o r.html",
        "report --budget 0.1 --replicates 9 --no-names --title Ours -o r.html",
        "report --budget 0.1 --replicates 9 --no-names --clinical clinical.csv --time months "
        "--status dead --by it's -o r.html",
        "fit --orders orders.csv --orders-extra --read-orders mixed=yes -o model.json",
    ],
)
def test_a_saved_recipe_writes_the_files_of_its_command(run, tumours, tmp_path, words):
    command, *options = words.split()
    code, _, error = run(command, tumours, *options, "--save-recipe", "analysis.toml")
    unused = " does not use the seen orders: the fit is that of the samples alone\n"
    asked = "caprese: dead: to compare survival, give --time COLUMN --status COLUMN\n"
    said = error.replace(f"caprese: caprese{unused}", "").replace(asked, "")
    assert (code, said) == (0, "")
    given = {"tumours.csv", "clinical.csv", "orders.csv", "analysis.toml"}
    written = sorted({path.name for path in tmp_path.iterdir()} - given)
    before = {name: (tmp_path / name).read_bytes() for name in written}
    assert before
    for name in written:
        (tmp_path / name).unlink()
    code, out, error = run("run", "analysis.toml")
    assert (code, sorted(out.split()), error) == (0, written, "")
    for name, content in before.items():
        assert (tmp_path / name).read_bytes() == content, name


@pytest.mark.slow
def test_the_recipe_of_the_documentation_writes_all_its_files(run, tmp_path):
    pytest.importorskip("lifelines")
    page = (Path(__file__).parents[2] / "docs" / "guide" / "recipes.md").read_text()
    text = page.partition("```toml\n")[2].partition("```")[0]
    (tmp_path / "analysis.toml").write_text(text)
    write_dataset(datasets.ovarian(), tmp_path / "tumours.csv")
    samples = datasets.ovarian().samples
    (tmp_path / "orders.csv").write_text(orders_of(datasets.ovarian(), "8q+", "5q-"))
    rows = [f"{name},{'I' * (1 + k % 3)},{1 + k},{k % 2}" for k, name in enumerate(samples)]
    (tmp_path / "clinical.csv").write_text("\n".join(["sample,stage,MONTHS,STATUS", *rows]))
    code, out, error = run("run", "analysis.toml")
    assert (code, error) == (0, "")
    recipe = read_recipe(tmp_path / "analysis.toml")
    assert out.split() == [path for _, path in recipe.outputs.files()]
    assert all((tmp_path / name).stat().st_size for name in out.split())
    assert recipe_text(recipe).count("\n[") == text.count("\n[") + 1  # every table is used


def test_without_files_the_fit_is_printed(run, tmp_path):
    (tmp_path / "a.toml").write_text('[source]\nname = "ovarian"\n[method]\nname = "oncotree"\n')
    assert run("run", "a.toml") == run("fit", "ovarian", "-m", "oncotree")


def test_paths_begin_where_the_recipe_is(run, tumours, tmp_path, monkeypatch):
    (tmp_path / "recipes").mkdir()
    assert run("fit", tumours, "-o", "m.json", "--save-recipe", "recipes/a.toml")[0] == 0
    assert 'folder = ".."' in (tmp_path / "recipes" / "a.toml").read_text()
    first = (tmp_path / "m.json").read_bytes()
    (tmp_path / "m.json").unlink()
    monkeypatch.chdir("/")
    code, _, _ = run("run", str(tmp_path / "recipes" / "a.toml"))
    assert code == 0
    assert (tmp_path / "m.json").read_bytes() == first


@pytest.mark.parametrize(
    ("outputs", "why"),
    [
        ('table = "orders.csv"', "a.toml, [outputs] table: orders.csv would overwrite the input"),
        ('table = "tumours.csv"', "a.toml, [outputs] table: tumours.csv would overwrite the input"),
        (
            'table = "notes.csv"',
            "[outputs] table: notes.csv exists and is not a file of this kind that caprese wrote",
        ),
        ('fit = "m.docx"', "a.toml, [outputs] fit: must be a file that ends in one of .json, "),
        ('fit = "m.jsn"', 'got "m.jsn"; did you mean ".json"?'),
        ('fit = ["m.json", "./m.json"]', 'a.toml, [outputs] fit: must be given once, got "./m.j'),
        (
            'table = "m.csv"\nfit = "m.csv"',
            'a.toml, [outputs] fit: must be another file than table, got "m.csv"',
        ),
        (
            'fit = "nowhere/m.json"',
            "a.toml, [outputs] fit: nowhere/m.json: there is no folder nowhere",
        ),
        (
            'patients = "p.svg"',
            'a.toml, [outputs] patients: must be no picture without time and status, got "p.svg"',
        ),
        (
            'judgement = "j.json"\n[judge]\nmethods = ["nope"]',
            "a.toml, [judge] methods: must be a file or one of caprese, ",
        ),
        (
            'fit = "m.json"\n[second_method]\nname = "oncotree"',
            "a.toml, [outputs] comparison: must be given if there is a second_method",
        ),
    ],
)
def test_files_that_cannot_be_written_are_refused_first(
    refused, monkeypatch, tumours, tmp_path, outputs, why
):
    monkeypatch.setattr(Caprese, "fit", None)
    (tmp_path / "notes.csv").write_text("my notes")
    (tmp_path / "a.toml").write_text(
        f'[source]\nname = "{tumours}"\norders = "orders.csv"\n[outputs]\n{outputs}\n'
    )
    before = sorted(path.name for path in tmp_path.iterdir())
    assert why in refused("run", "a.toml")
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[source]\nname="acml"\nformat="foo"', "a.toml, [source] format: must be one of table, "),
        (
            'folder="nodir"\n[source]\nname="acml"',
            "a.toml, folder: there is no folder nodir",
        ),
    ],
)
def test_what_is_found_when_it_runs_is_placed_too(refused, tmp_path, text, why):
    (tmp_path / "a.toml").write_text(text)
    assert refused("run", "a.toml").startswith(why)


def test_standard_input_cannot_be_in_a_saved_recipe(refused, tmp_path):
    line = refused("fit", "-", "--save-recipe", "a.toml")
    assert line == "--save-recipe needs files: standard input is read only once"
    assert not (tmp_path / "a.toml").exists()


def test_a_recipe_is_not_overwritten_by_another_file(refused, tumours, tmp_path):
    (tmp_path / "analysis.toml").write_text("mine")
    words = ("fit", tumours, "--save-recipe", "analysis.toml")
    assert "is not a file of this kind that caprese wrote" in refused(*words)
    words = ("patients", tumours, "--fit", "m.json", "--save-recipe", "other.toml")
    assert refused(*words) == "--save-recipe is for a method; --fit is fitted already"
