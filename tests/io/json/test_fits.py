"""Fits as JSON files."""

import json
import re
from dataclasses import dataclass

import pytest

from caprese import (
    METHODS,
    Caprese,
    Counts,
    Dataset,
    Fit,
    Forest,
    FormatError,
    Independence,
    ModelError,
    OrderedFit,
    datasets,
    read_fit,
    read_graph,
    write_fit,
    write_graph,
)
from caprese.extend import number, option
from caprese.io.documents import document_text
from caprese.io.json import codec
from caprese.io.json.codec import json_content
from caprese.methods.caprese import CapreseEvidence


@pytest.fixture
def content():
    return json.loads(document_text(Caprese().fit(datasets.ovarian())))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.json"


def refusal(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(FormatError) as caught:
        read_fit(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message.removeprefix(str(path)).removeprefix(": ")


def test_a_fit_is_read_back_equal(path):
    fit = Caprese(shrinkage=0.01).fit(datasets.acml())
    write_fit(fit, path)
    assert read_fit(path) == fit


def test_the_file_names_its_format_program_method_and_data(content):
    assert content["format"] == "caprese fit"
    assert content["version"] == 1
    assert content["program"].startswith("caprese ")
    assert content["method"] == {"name": "caprese", "parameters": {"shrinkage": 0.5, "noise": None}}
    assert content["digest"] == datasets.ovarian().digest
    assert content["samples"] == 87


def test_the_file_is_text_with_a_field_on_each_line():
    lines = document_text(Caprese().fit(datasets.acml())).splitlines()
    assert lines[:2] == ["{", '  "format": "caprese fit",']
    assert '    "events": ["SETBP1 missense", "ASXL1 indel", "ASXL1 nonsense"],' in lines
    assert '    "parents": [-1, -1, 0],' in lines


def test_a_missing_file(tmp_path):
    with pytest.raises(FormatError, match=r"nowhere\.json: no such file"):
        read_fit(tmp_path / "nowhere.json")


def test_what_is_not_json(path):
    assert refusal(path, '{"format": ') == ", line 1, column 12: not JSON: Expecting value"


def test_what_is_not_text(path):
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="this is UTF-16 text; expected plain text in UTF-8"):
        read_fit(path)


@pytest.mark.parametrize("other", [[], {}, {"format": "something"}, 3])
def test_json_of_another_kind(path, other):
    assert refusal(path, other) == 'not a caprese fit: expected JSON with "format": "caprese fit"'


def test_json_nested_too_deeply(path):
    assert "not" in refusal(path, "[" * 100_000)


def test_a_newer_file(path, content):
    message = refusal(path, content | {"version": 2, "program": "caprese 9.0"})
    assert message.startswith("format version 2, written by 'caprese 9.0'; this program, caprese")
    assert message.endswith("reads version 1")


@pytest.mark.parametrize("part", ["method", "model", "evidence", "counts", "samples", "digest"])
def test_a_missing_part(path, content, part):
    del content[part]
    assert refusal(path, content) == f"{part!r} is missing"


def change(content, *keys, to):
    for key in keys[:-1]:
        content = content[key]
    content[keys[-1]] = to


@pytest.mark.parametrize(
    ("keys", "to", "expected"),
    [
        (("method",), "caprese", "method: expected dict, got 'caprese'"),
        (("method", "name"), "magic", "method: 'magic' is not one of caprese"),
        (("method", "parameters"), {}, "method.parameters: 'shrinkage' is missing"),
        (
            ("method", "parameters", "shrinkage"),
            7,
            "method: shrinkage must be in [0, 1] or auto, got 7.0",
        ),
        (
            ("method", "parameters", "shrinkage"),
            "x",
            "method.parameters.shrinkage: expected int or float, got 'x'",
        ),
        (("method", "parameters", "magic"), 7, "method.parameters: 'magic' is unknown"),
        (("model", "parents"), [0] * 7, "model: the parents form a cycle"),
        (("model", "parents"), [0.5] * 7, "model.parents: expected int64, got float64"),
        (("model", "parents"), ["x"] * 7, "model.parents: expected numbers, got ['x']"),
        (("model", "parents"), 7, "model.parents: expected list, got 7"),
        (("model", "events"), ["a"] * 7, "model: event name 'a' appears 7 times"),
        (("model", "events", 0), 1, "model.events[0]: expected str, got 1"),
        (("model", "extra"), 1, "model: 'extra' is unknown"),
        (
            ("evidence", "reasons", 0),
            "why",
            "evidence.reasons[0]: expected one of edge, no admissible parent",
        ),
        (("evidence", "reasons"), ["edge"], "evidence: probability_raising must have shape (1, 1)"),
        (("evidence", "score", 0), [1.0], "evidence.score: the rows differ in length"),
        (("evidence", "score"), [[1.0]], "evidence: score must have shape (7, 7), got (1, 1)"),
        (("counts", "joint"), [[1]], "counts: joint must be 7 x 7 for 7 events, got (1, 1)"),
        (("counts", "events"), list("abcdefg"), "model and counts must have the same events"),
        (("samples",), -5, "counts: expected 0 <= joint <= first <= total <= samples"),
        (("counts", "joint", 0, 1), -1, "counts: expected 0 <= joint <= first <= total <= samples"),
        (("method", "name"), [], "method: [] is not one of caprese"),
        (
            ("method", "parameters", "shrinkage"),
            [],
            "method.parameters.shrinkage: expected int or float, got []",
        ),
        (("samples",), "87", "samples: expected int, got '87'"),
        (("digest",), 87, "digest: expected str, got 87"),
    ],
)
def test_a_damaged_part(path, content, keys, to, expected):
    change(content, *keys, to=to)
    assert refusal(path, content).startswith(expected)


@dataclass(frozen=True, kw_only=True)
class Own:
    """CAPRESE under another name, which is not in METHODS."""

    depth: float = option(2.0, "Has no effect.", number())

    def fit(self, data: Dataset) -> OrderedFit[Forest, CapreseEvidence]:
        fit = Caprese().fit(data)
        return OrderedFit.of(self, fit.model, fit.evidence, data)


@dataclass(frozen=True)
class NoEvidence:
    def notes(self):
        return ()


@dataclass(frozen=True, kw_only=True)
class Frequencies:
    """A method whose model has no edges."""

    def fit(self, data: Dataset) -> Fit[Independence, NoEvidence]:
        model = Independence(data.events, Counts.of(data).frequency)
        return Fit.of(self, model, NoEvidence(), data)


@dataclass(frozen=True, kw_only=True)
class Undeclared:
    def fit(self, data):
        return Own().fit(data)


class TestMethodsOfOnesOwn:
    @pytest.mark.parametrize("method", [Own(depth=3.0), Frequencies()], ids=repr)
    def test_are_written_by_the_name_of_their_class_and_read_once_they_are_known(
        self, path, monkeypatch, method
    ):
        fit, name = method.fit(datasets.acml()), type(method).__name__
        write_fit(fit, path)
        assert json.loads(path.read_text())["method"]["name"] == name
        known = f"{', '.join(METHODS)}; register your own: caprese.METHODS['{name}'] = ..."
        message = f"{path}: method: '{name}' is not one of {known}"
        with pytest.raises(FormatError, match=f"^{re.escape(message)}$"):
            read_fit(path)
        monkeypatch.setitem(METHODS, name, type(method))
        assert read_fit(path) == fit

    def test_are_named_in_graphs(self, tmp_path):
        fit = Own().fit(datasets.acml())
        write_graph(fit, tmp_path / "own.graphml")
        assert "Own (depth 2.0)" in (tmp_path / "own.graphml").read_text()
        assert read_graph(tmp_path / "own.graphml") == fit.model

    def test_without_edges_give_no_graph(self, tmp_path):
        message = "^this model has no edges: there is no order to draw or to write$"
        with pytest.raises(ModelError, match=message):
            write_graph(Frequencies().fit(datasets.acml()), tmp_path / "own.graphml")
        assert not list(tmp_path.iterdir())

    def test_must_declare_what_they_return_to_be_read(self, path, content, monkeypatch):
        monkeypatch.setitem(METHODS, "undeclared", Undeclared)
        content["method"] = {"name": "undeclared", "parameters": {}}
        assert refusal(path, content) == (
            "method: Undeclared.fit must declare what it returns, "
            "such as OrderedFit[Forest, Evidence]"
        )


def test_a_fit_of_many_events_is_written_in_a_small_file(tmp_path, monkeypatch):
    monkeypatch.setattr(codec, "_MOST_WRITTEN", 100)
    fit = Caprese().fit(datasets.acml_selected17())
    write_fit(fit, tmp_path / "packed.json")
    assert read_fit(tmp_path / "packed.json") == fit
    monkeypatch.setattr(codec, "_MOST_WRITTEN", 10**6)
    write_fit(fit, tmp_path / "written.json")
    assert (
        2 * (tmp_path / "packed.json").stat().st_size < (tmp_path / "written.json").stat().st_size
    )


def test_packed_numbers_take_less_of_the_budget_than_objects(tmp_path, monkeypatch):
    path = tmp_path / "long.json"
    monkeypatch.setenv("CAPRESE_MEMORY", "1M")
    packed = '{\n"packed": "' + "A" * 30_000 + '"\n}'
    path.write_text("[" + ",\n".join([packed] * 5) + "]")
    assert sum(len(each["packed"]) for each in json_content(path)) == 150_000
    others = '{\n"packed": "A", "b": [' + "0," * 10_000 + "0]\n}"
    path.write_text("[" + ",\n".join([others] * 5) + "]")
    with pytest.raises(FormatError, match="of JSON: this would take more than 1 MiB"):
        json_content(path)
