"""caprese compare --by: groups of samples side by side."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from caprese import ROOT, Caprese, Dataset, Forest, compare_groups, read_dataset, write_dataset
from caprese.io.data.annotations import read_groups
from caprese.text.groups import group_lines
from example_files import pair_files

pytestmark = pytest.mark.slow


@pytest.fixture
def cohort(tmp_path):
    """Sixty samples of a -> b -> c, and sixty of c -> b -> a."""
    rng = np.random.default_rng(1)
    kinds = [Forest(tuple("abc"), parents, (0.8,) * 3) for parents in ((ROOT, 0, 1), (1, 2, ROOT))]
    values = np.concatenate([kind.sample(60, rng).values for kind in kinds])
    names = tuple(f"s{k}" for k in range(120))
    write_dataset(Dataset(values, tuple("abc"), names), tmp_path / "two.csv")
    rows = [f"{name},{'first' if k < 60 else 'second'},{k}" for k, name in enumerate(names[:-1])]
    (tmp_path / "kinds.csv").write_text("\n".join(["sample,kind,age", *rows]))
    return tmp_path


def test_groups_are_compared_and_written(run, cohort):
    asked = ("compare", "two.csv", "--by", "kinds.csv:kind", "--permutations", "99")
    code, out, err = run(*asked, "-o", "groups.csv", "-o", "groups.json")
    assert (code, err) == (0, "")
    groups = read_groups(cohort / "kinds.csv", "kind").categories
    found = compare_groups(Caprese(), read_dataset(cohort / "two.csv"), groups, permutations=99)
    assert out == "\n".join(group_lines(found, "kind")) + "\n"
    assert "differs between first (60 samples) and second (59 samples) by more than chance" in out
    assert "a before b, a before c and c before b" in out
    assert "1 sample without a group is left out." in out
    rows = list(csv.DictReader(Path("groups.csv").read_text().splitlines()))
    assert [row["p_value"] for row in rows] == ["0.01"] * 3
    content = json.loads(Path("groups.json").read_text())
    assert list(content)[:3] == ["format", "version", "program"]
    assert list(content)[3:] == ["by", "method", "overall", "orders", "groups", "log"]
    assert content["overall"] == [{"group": "first", "other_group": "second", "p_value": 0.01}]
    assert content["groups"]["reached"] == found.reached.tolist()
    assert run(*asked, "--json")[1] == Path("groups.json").read_text()


def test_three_groups_and_none_that_differ(run, cohort):
    rows = [f"s{k},{'xyz'[k % 3]}" for k in range(120)]
    (cohort / "third.csv").write_text("\n".join(["sample,third", *rows]))
    _, out, _ = run("compare", "two.csv", "--by", "third.csv", "--permutations", "9")
    assert out.count("does not differ between") == 3
    assert "order       groups  probability" in out


@pytest.mark.usefixtures("cohort")
def test_a_method_without_an_order_says_so_of_all_groups(run):
    _, out, _ = run("compare", "two.csv", "--by", "kinds.csv:kind", "-m", "independence")
    assert "The groups have the same order of all events." in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--by", "kinds.csv:age"),
            "two to 6 groups of samples are compared, there are 119 groups",
        ),
        (("--by", "kinds.csv"), "kinds.csv, line 1: 3 columns: 'kind', 'age'; FILE:kind reads"),
        (("--by", "kinds.csv:x"), "kinds.csv, line 1: no column 'x', expected one of"),
        (("--by", "none.csv"), "none.csv: no such file"),
        (("--by", "two.csv:a", "-m", "caprese", "-m", "hcbn"), "give --method once"),
        (("--by", "two.csv:a", "--judge"), "--judge compares methods, --by compares groups"),
        (("-o", "x.csv"), "--output needs --by or --seeding, what is compared"),
        (("--permutations", "9"), "--permutations needs --by"),
        (("--by", "other.csv:kind"), "--by other.csv:kind names none of the samples"),
        (("--by", "both.csv"), "both.csv, line 3: 's1' is in two groups, 'x' and 'y'"),
    ],
)
def test_what_cannot_be_compared_is_one_line(run, cohort, arguments, message):
    (cohort / "other.csv").write_text("sample,kind\nother,x\nanother,y\n")
    (cohort / "both.csv").write_text("sample,kind\ns1,x\ns1,y\n")
    code, out, err = run("compare", "two.csv", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert not Path("x.csv").exists()


@pytest.mark.usefixtures("cohort")
def test_a_report_compares_groups_and_its_recipe_does_it_again(run):
    asked = ("--groups", "kinds.csv:kind", "--budget", "1s", "--replicates", "10")
    code, _, _ = run("report", "two.csv", *asked, "-o", "r.html", "--save-recipe", "r.toml")
    assert code == 0
    content = Path("r.html").read_text()
    assert "Groups of samples" in content
    assert "differs between first (60 samples) and second (59 samples)" in content
    assert 'groups = "kinds.csv:kind"' in Path("r.toml").read_text()
    Path("r.html").rename("first.html")
    assert run("run", "r.toml")[0] == 0
    assert Path("r.html").read_text() == content
    assert run("report", "two.csv", "--groups", "kinds.csv:age", "-o", "r.html")[2].startswith(
        "caprese: kinds.csv:age: two to 6 groups of samples are compared, there are 119"
    )


def test_seeding_compares_primary_tumours_and_metastases(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in pair_files().items():
        (tmp_path / name).write_text(text)
    told = ["--patients", "sites.csv:patient", "--sites", "sites.csv:site"]
    code, out, _ = run("compare", "pairs.csv", "--seeding", *told, "-o", "seeding.csv")
    assert (code, out.splitlines()[0]) == (0, "Faster after the metastasis is seeded: SMAD4.")
    assert (tmp_path / "seeding.csv").read_text().startswith("event,patients,both,metastasis,")
    code, _, err = run("compare", "pairs.csv", "--seeding", *told[:2])
    assert (code, err.count("\n")) == (2, 1)
    assert "no patient has samples of a primary tumour and of a metastasis" in err
    code, _, err = run("compare", "pairs.csv", "--seeding", *told, "--permutations", "9")
    assert code == 2
    assert "--seeding compares without --permutations; omit one" in err
