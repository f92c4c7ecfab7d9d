"""Files of every format that cannot be read: each is refused in one line with place and reason.

All of them are invented; their columns are those of the real formats.
"""

import gzip
import io
import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import openpyxl
import pandas
import pytest
import rdata
from hypothesis import given
from hypothesis import strategies as st

from caprese._core import files
from caprese.errors import FormatError
from caprese.io.data.maf import read_mapping
from caprese.io.data.sources import read
from example_files import (
    BY_GENES,
    DATA_CNA,
    LESION_COLUMNS,
    LESIONS,
    MAF_HEADER,
    PANEL,
    STUDY,
    lesion,
    maf,
    maf_line,
    packed,
    stored_study,
)

EMPTY = ": the file is empty; expected a header and rows below it"
NO_LEVEL = "is not a copy number level; expected -2, -1, 0, 1, 2, or NA where unknown"
MAF = maf(("TP53", "Missense_Mutation", "p1"), ("KRAS", "Silent", "p2"))


def excel(*rows):
    book, content = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(content)
    return content.getvalue()


def parquet(**columns):
    content = io.BytesIO()
    pandas.DataFrame(columns).to_parquet(content)
    return content.getvalue()


def rds(value):
    content = io.BytesIO()
    r_data = rdata.conversion.convert_python_to_r_data(value, file_type="rds")
    rdata.unparser.unparse_fileobj(content, r_data, file_type="rds")
    return content.getvalue()


# The name of a file, its content, and the message after its path.
BAD = {
    # mutations
    "maf: nothing": ("data.maf", "", EMPTY),
    "maf: only comments": ("data.maf", "#version 2.4\n#\n", EMPTY),
    "maf: only a header": (
        "data.maf",
        "#version 2.4\n" + MAF_HEADER + "\n",
        ", line 2: there is only a header; expected one row per variant",
    ),
    "maf: no gene": (
        "data.maf",
        MAF.replace("Hugo_Symbol", "Gene"),
        ", line 3: no column Hugo_Symbol; is this file tab-separated and of this format?",
    ),
    "maf: no classification": (
        "data.maf",
        MAF.replace("Variant_Classification", "Class"),
        ", line 3: no column Variant_Classification; "
        "is this file tab-separated and of this format?",
    ),
    "maf: no sample": (
        "data.maf",
        MAF.replace("Tumor_Sample_Barcode", "Sample"),
        ", line 3: no column Tumor_Sample_Barcode; is this file tab-separated and of this format?",
    ),
    "maf: commas for tabs": (
        "data.maf",
        MAF.replace("\t", ","),
        ", line 3: no column Hugo_Symbol; is this file tab-separated and of this format?",
    ),
    "maf: a short row": (
        "data.maf",
        MAF + "TP53\t1\tours\n",
        ", line 6: 3 fields, expected 10, as in the header",
    ),
    "maf: a long row": (
        "data.maf",
        MAF + maf_line("TP53") + "\tx\n",
        ", line 6: 11 fields, expected 10, as in the header",
    ),
    "maf: truncated in the last row": (
        "data.maf",
        MAF[:-12],
        ", line 5: 9 fields, expected 10, as in the header",
    ),
    "maf: a variant of no sample": (
        "data.maf",
        maf(("TP53", "Fusion", " ")),
        ", line 4, column 8: the sample name is empty; expected some text",
    ),
    "maf: all silent": (
        "data.maf",
        maf(("TP53", "Silent"), ("KRAS", "IGR")),
        ": none of its 2 variants gives an event; expected at least one",
    ),
    "maf: half a gzip file": (
        "data.maf.gz",
        packed(MAF)[:-9],
        ": this gzip file is truncated; was a download interrupted?",
    ),
    "maf: a gzip bomb": (
        "data.maf.gz",
        gzip.compress(bytes(20 * 2**20)),
        ", line 1: NUL byte: this is a binary file; expected plain text in UTF-8",
    ),
    "maf: another encoding": (
        "data.maf",
        MAF.replace("ours", "Ünï").encode("latin-1"),
        ", line 4: byte 0xdc is not UTF-8; expected plain text in UTF-8",
    ),
    "maf: UTF-16": (
        "data.maf",
        MAF.encode("utf-16"),
        ": this is UTF-16 text; expected plain text in UTF-8",
    ),
    "maf: a zip file": (
        "data.maf",
        b"PK\x03\x04\x14\x00\x06\x00",
        ": this is a zip or Excel file; expected plain text in UTF-8",
    ),
    "maf: binary": (
        "data.maf",
        MAF.encode() + b"\x00\n",
        ", line 6: NUL byte: this is a binary file; expected plain text in UTF-8",
    ),
    # copy number
    "copy number: only a header": (
        "data_cna.txt",
        "Hugo_Symbol\tp1\n",
        ", line 1: there is only a header, or no row of the requested genes; expected some rows",
    ),
    "copy number: a word": (
        "data_cna.txt",
        DATA_CNA.replace("\t0\n", "\tamplified\n"),
        f", line 2, column 4 ('p2'): 'amplified' {NO_LEVEL}",
    ),
    "copy number: out of range": (
        "data_cna.txt",
        DATA_CNA.replace("-2\t", "3\t"),
        f", line 3, column 3 ('p1'): '3' {NO_LEVEL}",
    ),
    "copy number: a ratio": (
        "all_data_by_genes.txt",
        BY_GENES.replace("\t1\t", "\t0.734\t"),
        f", line 2, column 5 ('p2'): '0.734' {NO_LEVEL}",
    ),
    "copy number: a sample twice": (
        "all_thresholded.by_genes.txt",
        BY_GENES.replace("p3", "p1"),
        ", line 1, column 6: sample 'p1' is also in column 4; names must differ",
    ),
    "copy number: a sample without a name": (
        "all_thresholded.by_genes.txt",
        BY_GENES.replace("p2", ""),
        ", line 1, column 5: the sample name is empty; expected some text",
    ),
    "copy number: no samples": (
        "all_thresholded.by_genes.txt",
        "Gene Symbol\tLocus ID\tCytoband\nMYC\t1\t8q24\n",
        ", line 1: the header names no sample",
    ),
    "copy number: a gene without a name": (
        "data_cna.txt",
        DATA_CNA.replace("CDKN2A", ""),
        ", line 3, column 1: the gene name is empty; expected some text",
    ),
    "copy number: a short row": (
        "data_cna.txt",
        DATA_CNA + "MYC\t1\t2\n",
        ", line 4: 3 fields, expected 4, as in the header",
    ),
    "copy number: the long form": (
        "data_cna.txt",
        "Hugo_Symbol\tEntrez_Gene_Id\tSample_Id\tValue\nMYC\t1\tp1\t7\n",
        f", line 2, column 4 ('Value'): '7' {NO_LEVEL}",
    ),
    "lesions: no thresholds": (
        "all_lesions.conf_99.txt",
        LESIONS.replace("Amplitude Threshold", "Amplitude"),
        ", line 1: no column Amplitude Threshold; is this file tab-separated and of this format?",
    ),
    "lesions: not a peak": (
        "all_lesions.conf_99.txt",
        LESIONS + lesion("Broad Gain", "8q", "1", "1", "1"),
        ", line 6, column 1: 'Broad Gain' is not a peak; "
        "expected Amplification Peak or Deletion Peak",
    ),
    "lesions: a ratio for a level": (
        "all_lesions.conf_99.txt",
        f"{LESION_COLUMNS}\tp1\t\n" + lesion("Deletion Peak 1", "8q", "-0.31"),
        f", line 2, column 10 ('p1'): '-0.31' {NO_LEVEL}",
    ),
    "lesions: ratios alone": (
        "all_lesions.conf_99.txt",
        f"{LESION_COLUMNS}\tp1\t\n" + lesion("Deletion Peak 1 - CN values", "8q", "-0.31"),
        ", line 1: there is only a header, or no row of the requested genes; expected some rows",
    ),
    # genotype counts
    "genotypes: another length": (
        "counts.txt",
        "011 3\n01 2\n",
        ", line 2, column 1: genotype '01' has 2 entries, "
        "expected 3: as many as the first genotype",
    ),
    "genotypes: more names than entries": (
        "counts.txt",
        "# events: a b c\n01 2\n",
        ", line 2, column 1: genotype '01' has 2 entries, expected 3: the number of event names",
    ),
    "genotypes: no count": (
        "counts.txt",
        "01 2\n11\n",
        ", line 2: 1 field, expected 2: a genotype and a count",
    ),
    "genotypes: a negative count": (
        "counts.txt",
        "01 2\n11 -1\n",
        ", line 2, column 2: '-1' is not a count; expected a whole number, 0 or more",
    ),
    "genotypes: half a sample": (
        "counts.txt",
        "01 2\n11 0.5\n",
        ", line 2, column 2: '0.5' is not a count; expected a whole number, 0 or more",
    ),
    "genotypes: a strange entry": (
        "counts.txt",
        "01 2\n1x 1\n",
        ", line 2, column 1: '1x' is not a genotype; expected 0, 1 or ? for each event",
    ),
    "genotypes: far too many": (
        "counts.txt",
        "01 2\n11 99999999999999999999999999\n",
        ", line 2, column 2: the counts add up to more than 10,000,000 samples; "
        "this one is the largest",
    ),
    "genotypes: no sample": (
        "counts.txt",
        "01 0\n",
        ": every count is 0; expected at least one sample",
    ),
    "genotypes: none": (
        "counts.txt",
        "# events: a b\n",
        ": no genotype; expected lines such as '0110 12'",
    ),
    "genotypes: an event twice": (
        "counts.txt",
        "# events: a a\n01 2\n",
        ": event name 'a' appears 2 times; names must differ",
    ),
    # frames
    "parquet: text": ("data.parquet", "a,b\n1,0\n", ": not a Parquet file: .*"),
    "parquet: numbers that are no entries": (
        "data.parquet",
        parquet(a=[1, 2]),
        ": column 'a', row 2: entries must be 0, 1, true, false or missing, got 2",
    ),
    "parquet: words": (
        "data.parquet",
        parquet(name=["p", "q"], a=["x", "y"]),
        ": column 'a' holds .*string'; expected booleans, or 0 and 1",
    ),
    "excel: text": ("data.xlsx", "a,b\n1,0\n", ": not an .xlsx file: .*"),
    "excel: another zip file": (
        "data.xlsx",
        b"PK\x05\x06" + bytes(18),
        ": not an .xlsx file: .*",
    ),
    "excel: an empty sheet": (
        "data.xlsx",
        excel(),
        ": the sheet is empty; expected a header and rows below it",
    ),
    "excel: a strange entry": (
        "data.xlsx",
        excel(["sample", "a"], ["p", 1], ["q", "maybe"]),
        ", line 3, column 2 ('a'): 'maybe' is not an entry; "
        "expected 0/1, true/false, yes/no, present/absent, or empty/NA where unknown",
    ),
    # R files
    "r: text": (
        "data.rda",
        "a,b\n1,0\n",
        ": not an R file; expected .rda, .RData or .rds",
    ),
    "r: nothing": (
        "data.rds",
        "",
        ": not an R file; expected .rda, .RData or .rds",
    ),
    "r: truncated": ("data.rds", rds([1, 2, 3])[:-9], ": this R file cannot be read: .*"),
    "r: half a gzip file": (
        "data.rds",
        gzip.compress(rds([1, 2, 3]))[:-9],
        ": this gzip file is truncated; was a download interrupted?",
    ),
    "r: a list of numbers": (
        "data.rds",
        rds([1, 2, 3]),
        ": no matrix, data frame or TRONCO object to read; the file holds object (list)",
    ),
    "r: a data frame of other numbers": (
        "data.rds",
        rds(pandas.DataFrame({"a": [1, 7]})),
        ": 'object': column 'a', row 2: '7' is not an entry; expected .*; the file holds .*",
    ),
}


def pattern(message):
    """The pattern of a message; it is literal unless it holds a wildcard."""
    return message if ".*" in message else re.escape(message)


@pytest.mark.parametrize(("name", "content", "message"), BAD.values(), ids=BAD)
class TestEachBadFile:
    @pytest.fixture
    def path(self, tmp_path, name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def test_it_is_refused_with_place_and_reason(self, path, message):
        with pytest.raises(FormatError, match=f"^{re.escape(str(path))}{pattern(message)}$"):
            read(path)

    def test_the_command_line_prints_it_in_one_line(self, refused, path, message):
        assert re.fullmatch(re.escape(str(path)) + pattern(message), refused("fit", str(path)))


# The changes to a valid study, and the message after the path of the folder.
BAD_STUDIES = {
    "no mutations": (
        {
            "meta_mutations_txt": None,
            "data_mutations_txt": None,
            "meta_cna_txt": None,
            "data_cna_txt": None,
        },
        ": no mutations and no copy number; expected data_mutations.txt, data_cna.txt, "
        "or a meta file with MUTATION_EXTENDED or COPY_NUMBER_ALTERATION",
    ),
    "mutations that the meta file promises": (
        {"data_mutations_txt": None},
        "/meta_mutations.txt: there is no data_mutations.txt in the same folder",
    ),
    "a meta file without a data file": (
        {"meta_mutations_txt": STUDY["meta_mutations.txt"].replace("data_filename", "file")},
        "/meta_mutations.txt: data_filename is ''; expected a file in the same folder",
    ),
    "a meta file that points elsewhere": (
        {"meta_mutations_txt": STUDY["meta_mutations.txt"].replace("data_m", "../data_m")},
        "/meta_mutations.txt: data_filename is '../data_mutations.txt'; "
        "expected a file in the same folder",
    ),
    "a meta file without a colon": (
        {"meta_study_txt": "type_of_cancer brca\n"},
        "/meta_study.txt, line 1: 'type_of_cancer brca' has no colon; "
        "expected a name, a colon, a value",
    ),
    "a panel that is not defined": (
        {"data_gene_panel_small_txt": None},
        "/data_gene_panel_matrix.txt, line 2 ('mutations'): gene panel 'SMALL' is not defined; "
        "expected data_gene_panel_SMALL.txt in the folder; panels names another folder, "
        "unknown_panels=exclude leaves out what was seen with it",
    ),
    "a panel in the meta file that is not defined": (
        {
            "data_gene_panel_matrix_txt": None,
            "meta_mutations_txt": STUDY["meta_mutations.txt"] + "gene_panel: LARGE\n",
        },
        "/meta_mutations.txt: gene panel 'LARGE' is not defined; "
        "expected data_gene_panel_LARGE.txt in the folder; panels names another folder, "
        "unknown_panels=exclude leaves out what was seen with it",
    ),
    "a panel without genes": (
        {"data_gene_panel_small_txt": "stable_id: SMALL\n"},
        "/data_gene_panel_small.txt: gene_list is missing; expected a line 'gene_list: ...'",
    ),
    "a panel of numbers": (
        {"data_gene_panel_small_txt": PANEL.replace("TP53\tKRAS", "7157\t3845")},
        "/data_gene_panel_small.txt: gene_list holds Entrez numbers; expected gene symbols",
    ),
    "a matrix without samples": (
        {"data_gene_panel_matrix_txt": "SAMPLE\tmutations\ns1\tSMALL\n"},
        "/data_gene_panel_matrix.txt, line 1: no column SAMPLE_ID; "
        "is this file tab-separated and of this format?",
    ),
    "a sample twice in the matrix": (
        {"data_gene_panel_matrix_txt": "SAMPLE_ID\tmutations\ns1\tSMALL\ns1\tWES\n"},
        "/data_gene_panel_matrix.txt, line 3, column 1: "
        "sample 's1' is also in line 2; names must differ",
    ),
    "a case list without samples": (
        {"case_lists_cases_sequenced_txt": "stable_id: ours_2026_sequenced\n"},
        "/case_lists/cases_sequenced.txt: case_list_ids is missing; "
        "expected a line 'case_list_ids: ...'",
    ),
    "a clinical table without patients": (
        {"data_clinical_sample_txt": "SAMPLE_ID\ns1\n"},
        "/data_clinical_sample.txt, line 1: no column PATIENT_ID; "
        "is this file tab-separated and of this format?",
    ),
    "copy number in the long form, without a sample": (
        {
            "meta_cna_txt": STUDY["meta_cna.txt"].replace("DISCRETE", "DISCRETE_LONG"),
            "data_cna_txt": "Hugo_Symbol\tSample_Id\tValue\nMYC\t\t2\n",
        },
        "/data_cna.txt, line 2, column 2: the sample name is empty; expected some text",
    ),
}


@pytest.mark.parametrize(("changes", "message"), BAD_STUDIES.values(), ids=BAD_STUDIES)
class TestEachBadStudy:
    def test_it_is_refused_with_place_and_reason(self, tmp_path, changes, message):
        study = stored_study(tmp_path / "study", **changes)
        with pytest.raises(FormatError, match=f"^{re.escape(str(study) + message)}$"):
            read(study, format="study")


def test_a_study_that_is_a_file_or_missing(tmp_path):
    path = tmp_path / "study"
    expected = "; expected the folder of a cBioPortal study, or a zip or tar archive with one$"
    with pytest.raises(FormatError, match=f"study: no such folder{expected}"):
        read(path, format="study")
    path.write_text("x")
    with pytest.raises(FormatError, match=f"study: this is a file{expected}"):
        read(path, format="study")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("TP53\n", ", line 1: 1 field, expected 2: a pattern and an event"),
        ("a,b,c\n", ", line 1: 3 fields, expected 2: a pattern and an event"),
        ("TP53,p53\nKRAS,\n", ", line 2: the pattern or the event is empty; expected some text"),
        ("", EMPTY),
    ],
)
def test_a_mapping_that_cannot_be_read(tmp_path, text, message):
    path = tmp_path / "events.csv"
    path.write_text(text)
    with pytest.raises(FormatError, match=f"^{re.escape(str(path) + message)}$"):
        read_mapping(path)


def test_names_without_a_barcode_to_shorten(tmp_path):
    path = tmp_path / "data.maf"
    path.write_text(MAF)
    message = (
        "sample 'p1' is not a TCGA barcode, so it cannot be shortened; "
        "expected names such as TCGA-02-0001-01A"
    )
    with pytest.raises(FormatError, match=re.escape(message)):
        read(path, barcode="patient")


def test_a_sheet_that_is_not_there(tmp_path):
    path = tmp_path / "data.xlsx"
    path.write_bytes(excel(["a"], [1]))
    with pytest.raises(FormatError, match="no sheet 'calls'; expected one of 'Sheet'"):
        read(path, sheet="calls")


FORMATS_OF_FILES = ["table", "maf", "copy-number", "genotypes", "r", "parquet", "excel"]


@pytest.mark.parametrize("name", FORMATS_OF_FILES)
class TestEachFormat:
    def test_a_directory(self, tmp_path, name):
        with pytest.raises(FormatError, match=r": this is a directory; expected a file$"):
            read(tmp_path, format=name)

    def test_a_missing_file(self, tmp_path, name):
        with pytest.raises(FormatError, match=r"nowhere: no such file$"):
            read(tmp_path / "nowhere", format=name)

    def test_a_file_without_permission(self, tmp_path, name, monkeypatch):
        path = tmp_path / "data"
        path.write_text("x")

        def refusing(*_):  # root may read everything, so the error is simulated
            raise PermissionError(13, os.strerror(13))

        monkeypatch.setattr(files, "open", refusing, raising=False)
        monkeypatch.setattr("zipfile.ZipFile.__init__", refusing)
        with pytest.raises(FormatError, match=r": no permission to read this file$"):
            read(path, format=name)


SNIPPETS = [
    *("Hugo_Symbol", "Tumor_Sample_Barcode", "Variant_Classification", "Gene Symbol", "Cytoband"),
    *("Unique Name", "Descriptor", "Amplitude Threshold", "Amplification Peak 1", "TP53", "p1"),
    *(
        "\t",
        "\n",
        "\r",
        "#",
        "# events:",
        "2",
        "-1",
        "NA",
        "01",
        " ",
        '"',
        ",",
        "\x00",
        "\x85",
        "é",
    ),
]
BYTES = st.binary() | st.lists(st.sampled_from(SNIPPETS)).map("".join).map(str.encode)


def refusal(path, name):
    """The message of a refused file; nothing if it is read."""
    try:
        read(path, format=name)
    except FormatError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", FORMATS_OF_FILES)
@given(content=BYTES, start=st.sampled_from([b"", b"PAR1", b"PK\x03\x04", b"RDX3\nX\n", b"X\n"]))
def test_any_file_is_read_or_refused_in_one_line(name, content, start):
    with TemporaryDirectory() as folder:
        path = Path(folder, "data")
        path.write_bytes(start + content)
        message = refusal(path, name)
    assert not message or message.startswith(str(path))
    assert message.isprintable()


def test_at_least_forty_bad_files_are_tested():
    assert len(BAD) + len(BAD_STUDIES) >= 40
