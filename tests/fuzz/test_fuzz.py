"""Damaged files: some thousands with a fixed seed, and what was found in millions, by name."""

import gzip
import json
import math
import struct

import pytest

from caprese.errors import FormatError, ParameterError
from caprese.io.data.annotations import read_annotation
from caprese.io.data.sources import read
from caprese.io.documents import read_document
from example_files import stored_study
from fuzz import seeds
from fuzz.bombs import BOMBS, R_NAMED, peak, stored
from fuzz.fuzzing import cases, check
from fuzz.readers import READERS

pytestmark = pytest.mark.slow

CASES = 150  # for each reader; `make fuzz` tries as many as one likes
FEW = {"archives": 40, "fit": 100}  # of readers that take long


@pytest.mark.parametrize("name", READERS)
class TestEachReader:
    def test_damaged_files_are_refused_in_one_line_or_give_a_usable_answer(self, tmp_path, name):
        reader = READERS[name]
        path = tmp_path / reader.name
        for _case, content in cases(name, FEW.get(name, CASES), seed=1):
            path.write_bytes(content)
            check(reader, path)

    def test_what_it_starts_from_can_be_read(self, tmp_path, name):
        reader = READERS[name]
        path = tmp_path / reader.name
        contents = reader.seeds()
        answers = []
        for content in contents:
            path.write_bytes(content)
            answers.append(check(reader, path))
        assert sum(answers) >= len(contents) / 2


def changed(content, change):
    """A JSON document after a change of its content."""
    document = json.loads(content)
    change(document)
    return json.dumps(document)


def fit_of(method):
    (content,) = [each for each in seeds.fits() if f'"name": "{method}"'.encode() in each]
    return content


def unequal_log(document):
    step = {"what": "drop", "why": "x", "events": ["a"], "samples": [], "composite": ""}
    document["log"] = [step | {"counts": [[1, 2], [3, 4]]}]


# The content of a file, and the message after its path.
FOUND = {
    "a fit without peaks of its search": (
        lambda: changed(fit_of("hcbn"), lambda fit: fit["evidence"].update(peaks=[])),
        "evidence: peaks must be one log-likelihood per search",
    ),
    "a fit whose searches all ended at a probability of zero": (
        lambda: changed(fit_of("hcbn"), lambda fit: fit["evidence"].update(peaks=[-math.inf])),
        "evidence: the highest of the peaks must be finite",
    ),
    "a fit of capri without the next best parents": (
        lambda: changed(fit_of("capri"), lambda fit: fit["evidence"].update(next_parents=[])),
        "evidence: next_parents must be 4 sets of columns below 4",
    ),
    "a fit of capri whose next best parents are no events": (
        lambda: changed(
            fit_of("capri"), lambda fit: fit["evidence"].update(next_parents=[[9], [], [], []])
        ),
        "evidence: next_parents must be 4 sets of columns below 4",
    ),
    "a fit of capri with an outcome that is none": (
        lambda: changed(fit_of("capri"), lambda fit: fit["evidence"].update(outcome=[[6] * 4] * 4)),
        "evidence: outcome must be 0 to 5",
    ),
    "a fit of mhn that chose among no strengths": (
        lambda: changed(fit_of("mhn"), lambda fit: fit["evidence"]["choice"].update(strengths=[])),
        "evidence.choice: strengths must be one number per strength",
    ),
    "a fit of mhn without scores of its strengths": (
        lambda: changed(fit_of("mhn"), lambda fit: fit["evidence"]["choice"].update(scores=[1.0])),
        "evidence.choice: scores must be one number per strength",
    ),
    "a stack that does not say of each part whether it was left out": (
        lambda: changed(fit_of("stack"), lambda fit: fit["evidence"].update(refused=[""])),
        "evidence: refused must be one reason per part",
    ),
    "a confidence of a model with a cycle": (
        lambda: changed(
            seeds.confidences()[0],
            lambda c: c["confidence"].update(parent_sets=[[1], [2], [0], []]),
        ),
        "confidence: the parents form a cycle among or above 'e1', 'e2', 'e3'",
    ),
    "a confidence whose parents are the root by number": (
        lambda: changed(
            seeds.confidences()[0],
            lambda c: c["confidence"].update(parent_sets=[[-1], [-1], [-1], [-1]]),
        ),
        "confidence: parent_sets must be positions of events",
    ),
    "a log with more counts than names": (
        lambda: changed(seeds.fits()[0], unequal_log),
        r"log\[0\]: counts must be one pair per name, 1, got 2",
    ),
    "a model whose kind is a list": (
        lambda: changed(seeds.models()[0], lambda model: model.update(kind=["forest"])),
        r"kind: expected str, got \['forest'\]",
    ),
    "a model whose kind is a dictionary": (
        lambda: changed(seeds.models()[0], lambda model: model.update(kind={})),
        "kind: expected str, got {}",
    ),
    "a confidence of no replicates": (
        lambda: changed(seeds.confidences()[0], lambda c: c["confidence"].update(replicates=0)),
        "confidence: replicates must be 1 or more, got 0",
    ),
    "a confidence of negative replicates": (
        lambda: changed(seeds.confidences()[0], lambda c: c["confidence"].update(replicates=-9)),
        "confidence: replicates must be 1 or more, got -9",
    ),
    "more votes than replicates": (
        lambda: changed(seeds.confidences()[0], lambda c: c["confidence"].update(replicates=1)),
        "confidence: .* must be from 0 to 1",
    ),
    "a model found more often than there are replicates": (
        lambda: changed(
            seeds.confidences()[0],
            lambda c: c["confidence"]["distinct_models"][0].__setitem__(1, 10**9),
        ),
        "confidence: a model must be found 1 to 20 times",
    ),
    "a group of a judgement below 0": (
        lambda: changed(
            seeds.judgements()[0], lambda j: j["judgement"]["groups"].__setitem__(0, -1)
        ),
        "judgement: groups must not be negative",
    ),
    "a yardstick of other samples": (
        lambda: changed(
            seeds.judgements()[0], lambda j: j["judgement"]["yardstick"]["log_probabilities"].pop()
        ),
        "judgement: log_probabilities must",
    ),
    "a yardstick of other training parts": (
        lambda: changed(
            seeds.judgements()[0], lambda j: j["judgement"]["yardstick"]["part_scores"].pop()
        ),
        "judgement: part_scores must",
    ),
    "a number of 5,000 digits": (
        lambda: seeds.models()[0].decode().replace("0.5", "9" * 5000),
        "a number has too many digits",
    ),
    "a number of 400 digits": (
        lambda: changed(seeds.fits()[0], lambda fit: fit["counts"].update(total=[[10**400]])),
        "counts.total: expected numbers, got",
    ),
    "a number beyond all floats": (
        lambda: changed(
            seeds.models()[0], lambda model: model["model"].update(probabilities=[10**400] * 3)
        ),
        r"model.*: (the number is too large|expected numbers)",
    ),
}


@pytest.mark.parametrize(("content", "message"), FOUND.values(), ids=FOUND)
def test_a_document_that_once_ended_in_a_traceback(tmp_path, content, message):
    path = tmp_path / "found.json"
    path.write_text(content())
    with pytest.raises(FormatError, match=message) as caught:
        read_document(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_a_long_title_of_a_column_is_cut_in_the_advice_to_choose_it(tmp_path):
    path = tmp_path / "stages.csv"
    path.write_text(f"sample,{'1' * 5000},stage\np,I,II\n")
    with pytest.raises(FormatError, match="3 columns") as caught:
        read_annotation(path)
    assert str(caught.value).endswith(f"column='{'1' * 300}…' reads the first of them")


def test_a_file_in_an_archive_with_another_name_of_thousands_of_bytes(tmp_path):
    path = tmp_path / "study.zip"
    content = bytearray(seeds.archives(".zip")[0])
    content[26:28] = struct.pack("<H", 5000)  # the length of the name, before the file itself
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"in a zip archive cannot be read .*…") as caught:
        read(path)
    assert len(str(caught.value)) < 1000


def test_a_group_with_a_large_number_takes_no_memory(tmp_path):
    path = tmp_path / "judgement.json"
    path.write_text(
        changed(seeds.judgements()[0], lambda j: j["judgement"]["groups"].__setitem__(0, 2**62))
    )
    assert check(READERS["judgement"], path)


def test_a_frame_of_r_that_is_a_list_without_names(tmp_path):
    path = tmp_path / "frame.rda"
    name = b"data.frame"
    kind = struct.pack(">iii", 16, 1, 0x40009) + struct.pack(">i", len(name)) + name
    label = struct.pack(">iiii", 0x402, 1, 0x40009, 5) + b"class"
    frame = struct.pack(">iii", 0x213, 1, 254) + label + kind + struct.pack(">i", 254)
    path.write_bytes(gzip.compress(R_NAMED + frame + struct.pack(">i", 254)))
    with pytest.raises(FormatError, match="the data frame has no column names"):
        read(path)


def test_text_of_r_that_holds_no_text(tmp_path):
    path = tmp_path / "text.rda"
    dim = struct.pack(">iiii", 0x402, 1, 0x40009, 3) + b"dim" + struct.pack(">iiii", 13, 2, 1, 1)
    names = struct.pack(">iiii", 0x402, 1, 0x40009, 8) + b"dimnames"
    text = struct.pack(">iiii", 16, 1, 0x40009, 1) + b"a"
    names += struct.pack(">iii", 19, 2, 254) + text
    cell = struct.pack(">ii", 16, 0)  # text where a single character string should be
    matrix = struct.pack(">ii", 0x210, 1) + cell + dim + names + struct.pack(">i", 254)
    path.write_bytes(R_NAMED + matrix + struct.pack(">i", 254))
    with pytest.raises(FormatError, match="a vector of text holds something else"):
        read(path)


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_a_study_that_names_a_file_that_cannot_be(tmp_path, name):
    meta = seeds.STUDY["meta_cna.txt"].replace("data_cna.txt", name)
    folder = stored_study(tmp_path, meta_cna_txt=meta)
    with pytest.raises(FormatError, match=r"there is no .* in the same folder|NUL byte"):
        read(folder)


@pytest.mark.parametrize(
    ("form", "options", "message"),
    [
        ("maf", {"events": None}, "events must be text, or a mapping .*, got None"),
        ("table", {"transpose": None}, r"transpose must be yes or no \(True or False\), got None"),
        ("study", {"panels": "1" * 5000}, r"panels must be a path, got '1{299}\.\.\."),
        ("maf", {"events": "a\0b"}, r"events must be a path, got 'a\\x00b'"),
        ("excel", {"1" * 5000: 1}, r"must be one of .*, got '1{299}\.\.\."),
    ],
)
def test_an_option_that_once_ended_in_a_traceback_or_a_long_message(form, options, message):
    with pytest.raises(ParameterError, match=f"{message}$") as caught:
        read("none", format=form, **options)
    assert len(str(caught.value)) < 500


SLOW_TO_BUILD = {"xz in an R file", "xz, a line without end", "text in Excel"}


@pytest.mark.parametrize("title", [title for title in BOMBS if title not in SLOW_TO_BUILD])
def test_a_bomb_is_refused_within_the_budget(tmp_path, title):
    name, content, kind = BOMBS[title]
    memory, message = peak(stored(name, content, tmp_path), kind, "150M")
    assert "\n" not in message
    reasons = ("more than 150 MiB of memory", "NUL byte", "a row does not end")
    assert any(reason in message for reason in reasons)
    assert memory < 150 + BASE


BASE = 130  # MiB of the program itself, with the packages that it imports
