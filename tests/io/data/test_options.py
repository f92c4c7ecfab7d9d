"""Options of formats have types: each is read from text and checked before a file is opened."""

import inspect

import pytest

from caprese.app.chosen import source_in
from caprese.errors import ParameterError
from caprese.io.data.options import OPTIONS, option_value
from caprese.io.data.seen_orders import ORDER_OPTIONS
from caprese.io.data.sources import READERS, read
from caprese.recipe.loading import Source

WRONG = {
    "transpose": ("maybe", "transpose must be yes or no (True or False), got 'maybe'"),
    "copy_number": ("2", "copy_number must be yes or no (True or False), got '2'"),
    "sample_names": ("maybe", "sample_names must be yes or no (True or False), got 'maybe'"),
    "delimiter": ("--", "delimiter must be one character, not a quote or line end, got '--'"),
    "gain": ("5", "gain must be one of 1, 2, got 5"),
    "loss": ("low", "loss must be one of -1, -2, got 'low'"),
    "several": ("first", "several must be one of primary first, union, refuse, got 'first'"),
    "genes": (",", "genes must be a list of names, got ['', '']"),
    "depth": ("deep", "depth must be a whole number of at least 1, got 'deep'"),
}


def test_every_option_of_a_reader_has_a_type():
    taken = {
        name
        for reader in READERS.values()
        for name in [*inspect.signature(reader).parameters][1:]
        if name not in ("only", "exclude")
    }
    assert taken | {*ORDER_OPTIONS} == OPTIONS.keys()


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("transpose", "off", False),
        ("copy_number", "off", False),
        ("silent", "YES", True),
        ("delimiter", "1", "1"),
        ("delimiter", "tab", "\t"),
        ("name", "5", "5"),
        ("sheet", "no", "no"),
        ("panels", "no", "no"),
        ("genes", "5", ["5"]),
        ("genes", "TP53, KRAS", ["TP53", "KRAS"]),
        ("loss", "-1", -1),
    ],
)
def test_text_is_read_by_the_type_of_the_option(name, text, value):
    found = option_value(name, text)
    assert (found, type(found)) == (value, type(value))
    given = {"source": "x", "format": "genotypes", "options": f"{name}={text}"}
    assert source_in(given).options == {name: value}  # whether the format has it, its reader says


@pytest.mark.parametrize(("name", "text", "message"), [(n, *each) for n, each in WRONG.items()])
def test_a_value_that_cannot_be_is_refused_before_anything_is_read(name, text, message):
    value = option_value(name, text)
    for call in (
        lambda: Source("data.csv", options={name: value}),
        lambda: source_in({"source": "data.csv", "options": f"{name}={text}"}),
    ):
        with pytest.raises(ParameterError) as caught:
            call()
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("form", "options"),
    [
        ("table", {"transpose": "off"}),
        ("table", {"delimiter": 1}),
        ("maf", {"events": 5}),
        ("study", {"copy_number": "off"}),
        ("study", {"panels": False}),
        ("study", {"genes": 5}),
        ("study", {"genes": "TP53"}),
        ("r", {"name": 5}),
        ("excel", {"sheet": 1}),
        ("parquet", {"samples": True}),
    ],
)
def test_a_value_of_another_type_in_python_is_refused_by_name(form, options):
    with pytest.raises(ParameterError, match=f"^{next(iter(options))} must be "):
        read("there is no such file", format=form, **options)


@pytest.mark.parametrize(
    "option", ["transpose=2", "sample_names=maybe", "delimiter=--", "copy_number=1.5"]
)
def test_a_typed_option_is_one_line_of_a_command(refused, tmp_path, option):
    (tmp_path / "data.csv").write_text("sample,a\np,1\nq,0\n")
    name = option.partition("=")[0]
    assert f"{name.replace('_', '-')} must be" in refused(
        "fit", "data.csv", "--read", option
    ).replace("_", "-")


def test_an_option_that_is_off_is_off(run, tmp_path):
    (tmp_path / "data.csv").write_text("sample,a,b\np,1,0\nq,0,1\nr,1,1\n")
    assert run("fit", "data.csv", "--read", "transpose=off")[1] == run("fit", "data.csv")[1]
