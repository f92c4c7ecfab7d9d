import inspect
import os
import threading

import pandas
import pytest
import rdata

from caprese.data.datasets import EMBEDDED
from caprese.errors import FormatError, ParameterError
from caprese.io.data.reading import Reading
from caprese.io.data.sources import READERS, format_of, read, read_dataset
from example_files import BY_GENES, DATA_CNA, LESIONS, STUDY, maf, packed, stored_study

TEXTS = {
    "data.csv": ("sample,a\np,1\n", "table"),
    "data.tsv": ("sample\ta\np\t1\n", "table"),
    "cohort.maf": (maf(("TP53",)), "maf"),
    "data_mutations.txt": (STUDY["data_mutations.txt"], "maf"),
    "data_mutations_extended.txt": (maf(("TP53",)), "maf"),
    "all_thresholded.by_genes.txt": (BY_GENES, "copy-number"),
    "all_lesions.conf_90.txt": (LESIONS, "copy-number"),
    "data_CNA.txt": (DATA_CNA, "copy-number"),
    "counts.txt": ("0110  12\n1?00  1\n", "genotypes"),
    "named.txt": ("# events: a b\n01  12\n", "genotypes"),
}


@pytest.mark.parametrize(("name", "content"), TEXTS.items(), ids=TEXTS)
@pytest.mark.parametrize("gzip", [False, True], ids=["plain", "gzip"])
def test_text_is_recognised_by_its_content(tmp_path, name, content, gzip):
    text, expected = content
    path = tmp_path / (f"{name}.gz" if gzip else name)
    path.write_bytes(packed(text) if gzip else text.encode())
    assert format_of(path) == expected
    assert read(path) == read(path, format=expected)
    assert read_dataset(path) == read(path).data


@pytest.mark.parametrize(
    ("source", "expected"),
    [("cohort.somatic.maf.gz", "maf"), ("DATA.RData", "r"), ("data.xlsx", "excel"), ("-", "table")],
)
def test_a_suffix_or_standard_input_decides_before_the_file_is_opened(source, expected):
    assert format_of(source) == expected


def test_a_study_folder(tmp_path):
    study = stored_study(tmp_path)
    assert format_of(study) == "study"
    assert read(study).data.samples == ("s1", "s3", "s4", "s5")


def test_files_that_are_not_text_are_recognised_by_their_suffix(tmp_path):
    frame = pandas.DataFrame(
        {"a": [1, 0], "b": [0, 1]}, index=pandas.Index(["p", "q"], dtype=object)
    )
    frame.to_parquet(tmp_path / "data.parquet")
    frame.to_excel(tmp_path / "data.xlsx")
    rdata.write_rds(tmp_path / "data.rds", frame)
    (tmp_path / "data.csv").write_text("sample,a,b\np,1,0\nq,0,1\n")
    expected = read_dataset(tmp_path / "data.csv")
    for name in ("data.parquet", "data.xlsx", "data.rds"):
        assert read(tmp_path / name).data == expected


@pytest.mark.parametrize("name", EMBEDDED)
def test_embedded_data_by_name(name):
    assert read(name) == Reading(EMBEDDED[name]())
    assert read_dataset(name, delimiter=";") == EMBEDDED[name]()


def test_the_format_can_be_given(tmp_path):
    path = tmp_path / "ab.txt"
    path.write_text("a b\n01 2\n")
    assert read(path, format="genotypes").data.events == ("a", "b")


def test_a_given_delimiter_means_a_table(tmp_path):
    path = tmp_path / "data.txt"
    path.write_text("Hugo_Symbol|x\np|1\n")
    assert read_dataset(path, delimiter="|", sample_names=True).samples == ("p",)


def test_a_stream_is_read_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writing = threading.Thread(target=pipe.write_text, args=("sample,a\np,1\n",))
    writing.start()
    assert read_dataset(pipe).events == ("a",)
    writing.join()


def test_an_unknown_format():
    with pytest.raises(ParameterError, match=r"format must be one of table, maf, .*, got 'vcf'"):
        read("data.vcf", format="vcf")


@pytest.mark.parametrize(
    ("format_name", "message"),
    [
        (
            "table",
            "of format 'table' must be one of delimiter, sample_names, transpose, got 'gain'",
        ),
        ("genotypes", "of format 'genotypes' must be omitted: there is none, got 'gain'"),
    ],
)
def test_an_option_of_another_format(format_name, message):
    with pytest.raises(ParameterError, match=message):
        read("data.txt", format=format_name, gain=1)


def test_a_misspelt_name_of_embedded_data():
    for options in ({}, {"delimiter": ","}):
        with pytest.raises(FormatError, match="ovarain: no such file; did you mean the embedded"):
            read_dataset("ovarain", **options)


def test_every_reader_takes_a_path_and_keywords():
    for reader in READERS.values():
        first, *options = inspect.signature(reader).parameters.values()
        assert first.kind is first.POSITIONAL_OR_KEYWORD
        assert all(option.kind is option.KEYWORD_ONLY for option in options)


def test_an_option_that_is_on_or_off():
    with pytest.raises(ParameterError, match="silent must be yes or no"):
        read("data.maf", silent="maybe")


@pytest.mark.parametrize("suffix", [".xls", ".xlsb", ".ods"])
def test_workbooks_of_other_formats_are_refused_by_name(tmp_path, suffix):
    path = tmp_path / f"data{suffix}"
    path.write_bytes(b"PK")
    with pytest.raises(FormatError, match=f"{suffix} cannot be read; save it as .xlsx or .csv"):
        read(path)
