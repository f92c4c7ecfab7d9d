import json

import pytest

from caprese import Caprese, FormatError, datasets, read_fit, write_fit
from caprese.io.json.fits import fit_text


@pytest.fixture
def content():
    return json.loads(fit_text(Caprese().fit(datasets.ovarian())))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.json"


def refusal(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(FormatError) as caught:
        read_fit(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


def test_a_fit_comes_back_equal(path):
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


def test_a_missing_file(tmp_path):
    with pytest.raises(FormatError, match=r"nowhere\.json: no such file"):
        read_fit(tmp_path / "nowhere.json")


def test_what_is_not_json(path):
    assert refusal(path, '{"format": ') == "line 1, column 12: not JSON: Expecting value"


def test_what_is_not_text(path):
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="this is UTF-16 text; expected plain text in UTF-8"):
        read_fit(path)


@pytest.mark.parametrize("other", [[], {}, {"format": "something"}, 3])
def test_json_of_another_kind(path, other):
    assert refusal(path, other) == 'not a caprese fit: expected JSON with "format": "caprese fit"'


def test_json_nested_without_end(path):
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
        (("method", "parameters", "magic"), 7, "method.parameters: 'magic' is not known here"),
        (("model", "parents"), [0] * 7, "model: the parents form a cycle"),
        (("model", "parents"), [0.5] * 7, "model.parents: expected int64, got float64"),
        (("model", "parents"), ["x"] * 7, "model.parents: expected numbers, got ['x']"),
        (("model", "parents"), 7, "model.parents: expected list, got 7"),
        (("model", "events"), ["a"] * 7, "model: event name 'a' appears 7 times"),
        (("model", "events", 0), 1, "model.events[0]: expected str, got 1"),
        (("model", "extra"), 1, "model: 'extra' is not known here"),
        (
            ("evidence", "reasons", 0),
            "why",
            "evidence.reasons[0]: expected one of edge, no admissible parent",
        ),
        (("evidence", "reasons"), ["edge"], "evidence: probability_raising must be 1 x 1"),
        (("evidence", "score", 0), [1.0], "evidence.score: the rows differ in length"),
        (("evidence", "score"), [[1.0]], "evidence: score must be 7 x 7 for 7 events, got (1, 1)"),
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
