"""Documents: the JSON that commands print, and the reader of all files that caprese writes."""

import json

import pytest

from caprese import Dataset, FormatError, inspect
from caprese.data.curation import curate
from caprese.io.documents import curation_text, inspection_text, read_document


def test_the_warnings_of_an_inspection_are_facts():
    found = inspect(Dataset.from_rows([[1, 0], [1, 1], [0, None]] * 4, events="ab"))
    content = json.loads(inspection_text(found, ["read by hand"]))
    assert content["format"] == "caprese inspection"
    assert content["notes"] == ["read by hand"]
    assert len(content["warnings"]) == len(found.warnings) > 0
    for written, fact in zip(content["warnings"], found.warnings, strict=True):
        assert written == {
            "kind": fact.kind,
            "events": list(fact.events),
            "values": dict(fact.values),
        }


def test_a_table_that_may_be_transposed_has_its_evidence_as_a_fact():
    data = Dataset.from_rows([[1, 0]] * 3, ["patient1", "patient2"], ["TP53", "KRAS", "EGFR"])
    content = json.loads(inspection_text(inspect(data)))
    assert set(content["transposed"]) == {"kind", "events", "values"}
    assert content["transposed"] in content["warnings"]


def test_a_curation_names_its_file_and_its_steps():
    curated = curate(Dataset.from_rows([[1, 1, 0], [0, 0, 0]], events="abc"))
    content = json.loads(curation_text(curated, "table.csv"))
    assert content["output"] == "table.csv"
    assert content["events"] == list(curated.data.events)
    assert len(content["log"]) == len(curated.log) > 0


@pytest.mark.parametrize("text", ["{}", "[]", '{"format": "caprese study"}'])
def test_other_json_is_not_a_document(tmp_path, text):
    path = tmp_path / "other.json"
    path.write_text(text)
    message = (
        'other.json: not a file of caprese: expected JSON with "format": '
        '"caprese fit" or "caprese confidence" or "caprese effects" or '
        '"caprese judgement" or "caprese known" or "caprese model"$'
    )
    with pytest.raises(FormatError, match=message):
        read_document(path)
