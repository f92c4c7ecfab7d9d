"""Recipes are written to TOML and read back as they were."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese import BayesForest, Caprese, Capri, Noise, Oncotree, Recipe, read_recipe, write_recipe
from caprese.data.curation import MergeEvents
from caprese.errors import FormatError, ParameterError
from caprese.recipe.loading import Curation, Source
from caprese.recipe.parts import Bootstrap, Judging, Outputs, Placing, Reporting
from caprese.recipe.toml import recipe_text
from hostile_names import HOSTILE

TEXT = st.sampled_from([name for name in HOSTILE if "\ud800" not in name]) | st.text(
    st.characters(blacklist_categories=["Cs"]), min_size=1
)
NAMES = st.lists(TEXT, min_size=1, unique=True).map(tuple)
SEED = st.integers(0, 2**63 - 1)

curations = st.builds(
    Curation,
    merge=st.lists(
        st.builds(
            MergeEvents,
            st.lists(TEXT, min_size=2, max_size=3, unique=True),
            into=TEXT,
            keep_members=st.booleans(),
        ),
        max_size=2,
    ).map(tuple),
    only=NAMES,
    exclude=NAMES,
    at_least=st.none() | st.floats(0, 1),
    top=st.none() | st.integers(1, 10**6),
    hypermutated=st.none() | st.integers(0, 10**6),
    keep_constant=st.booleans(),
)
methods = st.sampled_from(
    [
        Caprese(shrinkage=0.1 + 0.2, noise=Noise(1e-5, 1 / 3)),
        Caprese(shrinkage="auto"),
        Oncotree(search="branching", noise="estimate"),
        BayesForest(subtypes="auto", seed=7),
        Capri(patterns=("p = OR(chr1:5, b)", "q = AND(a, b)"), cause=("a", "b=c")),
    ]
)
options = st.dictionaries(
    TEXT.filter(lambda name: name not in ("source", "format", "only", "exclude", "options")),
    st.booleans() | st.integers(-9, 9) | TEXT | st.lists(TEXT),
    max_size=3,
)
recipes = st.builds(
    Recipe,
    source=st.builds(Source, TEXT, st.none() | TEXT, options),
    curation=curations,
    method=methods,
    second_method=st.none() | methods,
    bootstrap=st.builds(Bootstrap, replicates=st.none() | st.integers(1, 10**9), seed=SEED),
    judge=st.builds(Judging, methods=NAMES, folds=st.integers(2, 99), quick=st.booleans()),
    patients=st.builds(Placing, annotation=TEXT, time=TEXT, status=TEXT, by=st.none() | TEXT),
    report=st.builds(Reporting, title=TEXT, annotation=TEXT, column=TEXT, names=st.booleans())
    | st.builds(Reporting, clinical=TEXT, time=TEXT, status=TEXT, by=st.none() | TEXT),
    outputs=st.builds(Outputs, fit=NAMES, report=NAMES, guard_formulas=st.booleans()),
    folder=st.just("") | TEXT,
)


@given(recipe=recipes)
def test_a_recipe_is_read_as_it_was_written(tmp_path_factory, recipe):
    path = tmp_path_factory.mktemp("recipe") / "analysis.toml"
    write_recipe(recipe, path)
    assert read_recipe(path) == recipe
    assert recipe_text(read_recipe(path)) == path.read_bytes().decode()


def test_letters_of_an_unknown_encoding_are_refused():
    with pytest.raises(FormatError, match="a name has letters of an unknown encoding"):
        recipe_text(Recipe(source=Source("lone \ud800 surrogate")))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[source]\nname = 3", "[source] name: must be text, got 3"),
        ("[source]\nname = ''", "[source] name: must be a file, a folder or the name of embedded"),
        ("[source]", "[source] name: must be text, and is missing"),
        ("[source]\nname = 'x'\norders = 1", "[source] orders: must be text, got 1"),
        (
            "[source]\nname = 'x'\norders_extra = true",
            "[source] orders_extra: must be given together with orders, got",
        ),
        ("[sources]", "table: must be one of source, curation, method, "),
        ("source = 1", "source: must be a table, got 1"),
        ("folder = 1", "folder: must be text, got 1"),
        ("[curation]\ntop = 0", "[curation] top: must be a whole number of at least 1, got 0"),
        ("[curation]\nat_least = 2", "[curation] at_least: must be in [0, 1], got 2"),
        ("[curation]\nkeep_constant = 1", "[curation] keep_constant: must be true or false, got 1"),
        ("[curation]\nexclude = 'a'", "[curation] exclude: must be a list of names, got"),
        ("[curation]\nmerge = ['a']", "[curation] merge: must be a list of tables with into "),
        (
            "[curation]\nmerge = [{into = 'c', members = ['a']}]",
            "[curation] members",
        ),
        ("[curation]\nmerge = [{members = ['a', 'b']}]", "[curation] into: must be text, and is"),
        (
            "[curation]\nmerge = [{into = 'c'}]",
            "[curation] members: must be a list of two or more events, and is missing",
        ),
        ("[curation]\ntpo = 3", "[curation] key: must be one of merge, only, "),
        ("[method]\nname = 'capresse'", "[method] method: must be one of caprese, oncotree, "),
        ("[method]\nname = 'caprese'\nshrinkage = 3", "[method] shrinkage: must be in [0, 1]"),
        (
            "[method]\nnoise = 'none'",
            '[method] noise: must be two rates such as 0.1,0.05, or estimate, got "none"',
        ),
        ("[method]\nnoise = [0.1]", "[method] noise: must be two rates such as 0.1,0.05, or"),
        ("[bootstrap]\nkind = 'other'", "[bootstrap] kind: must be one of nonparametric, "),
        ("[bootstrap]\nerrors = '0,0'", "[bootstrap] errors: must be omitted unless kind is param"),
        (
            "[bootstrap]\nkind = 'parametric'\nerrors = 'x'",
            '[bootstrap] errors: must be two rates such as 0.1,0.05, or estimate, got "x"',
        ),
        (
            "[judge]\nbudget = 'x'",
            "[judge] budget: must be a time such as 90, 60s, 2m or 1h, got",
        ),
        (
            "[judge]\nbudget = '2m'\nmethods = ['caprese']",
            '[judge] budget: must be omitted where methods are given, got "2m"',
        ),
        ("[patients]\ntime = 'x'", "[patients] time: must be given together with status"),
        ("[outputs]\nreport = 1", "[outputs] report: must be a list of names, got 1"),
        (
            "[outputs]\ncomparison = 'c.svg'",
            '[outputs] comparison: must be given together with second_method, got ["c.svg"]',
        ),
        (
            "[outputs]\ntests = 't.csv'",
            "[outputs] tests: must be given together with patients.annotation",
        ),
        (
            "[outputs]\nreport = 'r.html'\n[bootstrap]\nkind = 'parametric'",
            "[outputs] report: must be omitted unless bootstrap.kind is nonparametric",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(tmp_path, text, why):
    source = "" if "source" in text or not text else "\n[source]\nname = 'ovarian'"
    (tmp_path / "analysis.toml").write_text(text + source)
    with pytest.raises(FormatError) as refused:
        read_recipe(tmp_path / "analysis.toml")
    assert str(refused.value).startswith(f"{tmp_path / 'analysis.toml'}, {why}")
    assert "\n" not in str(refused.value)


def test_a_key_that_is_spelt_wrong_comes_with_the_right_one(tmp_path):
    (tmp_path / "a.toml").write_text("[source]\nname = 'x'\nformt = 'maf'")
    with pytest.raises(FormatError, match='did you mean "format"'):
        read_recipe(tmp_path / "a.toml")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"[source", "a.toml: this is not TOML: "),
        (b"a = " + b"[" * 100_000, "a.toml: this is not TOML: "),
        (b"name = '\xff'", "a.toml, line 1: byte 0xff is not UTF-8"),
        (b"\x7fELF\0", "a.toml, line 1: NUL byte: this is a binary file"),
    ],
)
def test_what_is_not_toml_is_refused(tmp_path, content, why):
    (tmp_path / "a.toml").write_bytes(content)
    with pytest.raises(FormatError, match=why):
        read_recipe(tmp_path / "a.toml")


def test_what_is_left_out_has_its_default(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text("[source]\nname = 'ovarian'\n[method]\nshrinkage = 0.3\nnoise = [0.1, 0.2]")
    assert read_recipe(path).method == Caprese(shrinkage=0.3, noise=Noise(0.1, 0.2))
    path.write_text("[source]\nname = 'ovarian'\n[judge]\nfolds = 3")
    assert read_recipe(path).judge == Judging(folds=3)
    path.write_text("[source]\nname = 'ovarian'\n[outputs]\njudgement = 'j.json'")
    assert read_recipe(path).judge is None


@pytest.mark.parametrize(
    ("part", "value", "why"),
    [
        ("source", "ovarian", "source must be of type Source, got 'ovarian'"),
        ("method", "caprese", "method must be of type Method, got 'caprese'"),
        ("judge", {}, "judge must be of type Judging, got {}"),
        ("outputs", None, "outputs must be of type Outputs, got None"),
    ],
)
def test_a_part_of_another_type_is_refused_at_construction(part, value, why):
    with pytest.raises(ParameterError, match=why):
        Recipe(**{"source": Source("ovarian"), part: value})


def test_a_file_without_a_source_is_refused(tmp_path):
    path = tmp_path / "analysis.toml"
    path.write_text("")
    with pytest.raises(
        FormatError, match=r"toml: there is no table \[source\], which names the data"
    ):
        read_recipe(path)
