"""A study folder; it is invented, and has the files and columns of those on cBioPortal."""

import numpy as np
import pytest

from caprese.errors import FormatError
from caprese.io.data.cbioportal import properties, read_study
from example_files import STUDY, maf, packed, stored_study


def entries(data):
    """The entries of each sample: + present, - absent, ? unknown."""
    known = np.ones_like(data.values) if data.known is None else data.known
    marks = np.where(known, np.where(data.values, "+", "-"), "?")
    return {sample: "".join(row) for sample, row in zip(data.samples, marks, strict=True)}


def test_the_value_of_a_property_may_hold_colons(tmp_path):
    path = tmp_path / "meta_study.txt"
    path.write_text("type_of_cancer: brca\nname: Ours: the second\n")
    assert properties(path) == {"type_of_cancer": "brca", "name": "Ours: the second"}


class TestWhatIsKnown:
    def test_every_sample_and_every_event(self, tmp_path):
        data = read_study(stored_study(tmp_path), per="sample").data
        assert data.events == ("EGFR", "TP53", "MYC gain", "MYC loss")
        assert entries(data) == {
            "s1": "?++-",  # on the panel without EGFR
            "s2": "+-??",  # whole exome, no copy number
            "s3": "?-??",  # on the panel, no mutation
            "s4": "--??",  # in the case list, on no panel: all genes profiled
            "s5": "??--",  # copy number only
        }

    def test_all_decisions_are_noted(self, tmp_path):
        assert tuple(map(str, read_study(stored_study(tmp_path), per="sample").notes)) == (
            "excluded 1 silent variant of 3 (Silent 1)",
            "2 sequenced samples without variants: profiled events are absent",
            "mutations: panel SMALL (2 samples) covers 1 of 2 events; the others are unknown there",
            "gains counted: 1 high; not counted: 0 low-level; gain=1 counts them",
            "losses counted: 0 deep; not counted: 0 shallow; loss=-1 counts them",
            "excluded 1 sample only in data_clinical_sample.txt: s6",
            "5 samples of 4 patients; per=patient keeps one of each",
        )

    def test_a_study_without_mutations_has_its_copy_number(self, tmp_path):
        missing = {"meta_mutations_txt": None, "data_mutations_txt": None}
        folder = stored_study(tmp_path, **missing)
        reading = read_study(folder, per="sample")
        assert reading.data.events == ("MYC gain", "MYC loss")
        assert "this study has no mutations, only copy number" in [*map(str, reading.notes)]
        with pytest.raises(FormatError, match="no mutations; copy_number=True reads"):
            read_study(folder, copy_number=False)

    def test_without_a_matrix_the_case_list_names_the_sequenced_samples(self, tmp_path):
        data = read_study(
            stored_study(tmp_path, data_gene_panel_matrix_txt=None), per="sample"
        ).data
        assert entries(data) == {
            "s1": "-++-",
            "s2": "+-??",
            "s3": "--??",
            "s4": "--??",
            "s5": "??--",
        }

    def test_without_case_list_and_matrix_only_the_mutated_are_known(self, tmp_path):
        changes = {"data_gene_panel_matrix_txt": None, "case_lists_cases_sequenced_txt": None}
        assert entries(read_study(stored_study(tmp_path, **changes), per="sample").data) == {
            "s1": "-++-",
            "s2": "+-??",
            "s5": "??--",
        }

    def test_na_in_the_matrix_and_in_no_case_list_is_not_profiled(self, tmp_path):
        matrix = "SAMPLE_ID\tmutations\tgistic\ns1\tWES\tNA\ns5\tNA\tWES\n"
        reading = read_study(
            stored_study(tmp_path, data_gene_panel_matrix_txt=matrix), per="sample"
        )
        assert entries(reading.data)["s1"] == "-+??"
        assert entries(reading.data)["s5"] == "??--"
        assert "copy number: 1 sample not profiled: s1" in [*map(str, reading.notes)]
        outside = "copy number: 1 call not profiled, set to unknown: MYC gain in s1"
        assert outside in [*map(str, reading.notes)]

    def test_a_mutation_outside_the_panel_of_its_sample_is_unknown_and_noted(self, tmp_path):
        mutations = maf(("TP53", "Fusion", "s1"), ("EGFR", "Fusion", "s1"), version="")
        reading = read_study(stored_study(tmp_path, data_mutations_txt=mutations), per="sample")
        assert entries(reading.data)["s1"] == "?++-"
        expected = "mutations: 1 call not profiled, set to unknown: EGFR in s1"
        assert expected in [*map(str, reading.notes)]

    def test_a_panel_named_in_the_meta_file_is_that_of_all_samples(self, tmp_path):
        meta = STUDY["meta_mutations.txt"] + "gene_panel: SMALL\n"
        changes = {"meta_mutations_txt": meta, "data_gene_panel_matrix_txt": None}
        data = read_study(stored_study(tmp_path, **changes), per="sample").data
        assert [row[:2] for row in entries(data).values()] == ["?+", "?-", "?-", "?-", "??"]

    def test_panels_may_be_in_a_separate_folder(self, tmp_path):
        expected = read_study(stored_study(tmp_path / "a"), per="sample").data
        study = stored_study(tmp_path / "b", data_gene_panel_small_txt=None)
        for place in (study / "gene_panels", tmp_path / "elsewhere"):
            place.mkdir()
            (place / "small.txt").write_text(STUDY["data_gene_panel_small.txt"])
        assert read_study(study, per="sample").data == expected
        (study / "gene_panels" / "small.txt").unlink()
        elsewhere = read_study(study, per="sample", panels=tmp_path / "elsewhere")
        assert elsewhere.data == expected

    @pytest.mark.parametrize("name", ["WES", "wxs", "WGS", "whole_exome", "Whole Genome v2"])
    def test_names_that_mean_all_genes(self, tmp_path, name):
        matrix = f"SAMPLE_ID\tmutations\ns1\t{name}\n"
        data = read_study(
            stored_study(tmp_path, data_gene_panel_matrix_txt=matrix), per="sample"
        ).data
        assert entries(data)["s1"] == "-++-"


class TestOptions:
    def test_without_copy_number(self, tmp_path):
        data = read_study(stored_study(tmp_path), copy_number=False).data
        assert data.events == ("EGFR", "TP53")
        assert "s5" not in data.samples

    def test_a_study_without_copy_number(self, tmp_path):
        data = read_study(stored_study(tmp_path, meta_cna_txt=None, data_cna_txt=None)).data
        assert data.events == ("EGFR", "TP53")

    def test_chosen_genes(self, tmp_path):
        reading = read_study(stored_study(tmp_path), genes=["TP53", "MYC", "ABC"])
        assert reading.data.events == ("TP53", "MYC gain", "MYC loss")
        assert "no event of 1 requested gene: ABC" in [*map(str, reading.notes)]

    def test_genes_with_mutations_alone_or_copy_number_alone(self, tmp_path):
        study = stored_study(tmp_path)
        assert read_study(study, genes=["EGFR"]).data.events == ("EGFR",)
        assert read_study(study, genes=["MYC"]).data.events == ("MYC gain", "MYC loss")

    def test_kinds(self, tmp_path):
        data = read_study(stored_study(tmp_path), events="gene and kind").data
        assert data.events[:2] == ("EGFR frameshift", "TP53 missense")
        assert entries(data)["s3"] == "?-??"

    def test_one_row_per_patient_with_the_primary_tumour(self, tmp_path):
        reading = read_study(stored_study(tmp_path), per="patient")
        assert entries(reading.data) == {"s1": "?++-", "s3": "?-??", "s4": "--??", "s5": "??--"}
        assert tuple(map(str, reading.notes))[-2:] == (
            "1 patient with several samples (a: s1, s2); kept: a primary tumour, else the one with "
            "most entries known, else first by name",
            "5 samples of 4 patients: 4 samples kept, one of each",
        )
        assert reading == read_study(stored_study(tmp_path))  # the default
        assert reading.patients == {
            "s1": "a",
            "s2": "a",
            "s3": "b",
            "s4": "c",
            "s5": "d",
            "s6": "e",
        }

    def test_one_row_per_patient_with_all_samples_combined(self, tmp_path):
        data = read_study(stored_study(tmp_path), per="patient", several="union").data
        assert entries(data)["a"] == "+++?"

    def test_files_of_usual_names_need_no_meta_files_and_may_be_gzip(self, tmp_path):
        expected = read_study(stored_study(tmp_path / "a")).data
        changes = {"meta_mutations_txt": None, "meta_cna_txt": None, "data_mutations_txt": None}
        study = stored_study(tmp_path / "b", **changes)
        (study / "data_mutations.txt.gz").write_bytes(packed(STUDY["data_mutations.txt"]))
        assert read_study(study).data == expected

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"events": "genes"}, "events must be one of gene, gene and kind, got 'genes'"),
            ({"per": "tumour"}, "per must be one of sample, patient, got 'tumour'"),
        ],
    )
    def test_unknown_choices(self, tmp_path, options, message):
        with pytest.raises(ValueError, match=message):
            read_study(stored_study(tmp_path), **options)

    def test_genes_of_no_sample(self, tmp_path):
        with pytest.raises(FormatError, match=r"no event of the requested genes \(ABC\)"):
            read_study(stored_study(tmp_path), genes=["ABC"])

    def test_a_missing_folder_of_panels(self, tmp_path):
        message = "nowhere: no such folder; expected one with definitions of gene panels"
        with pytest.raises(FormatError, match=message):
            read_study(stored_study(tmp_path), panels=tmp_path / "nowhere")
