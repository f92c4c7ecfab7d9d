"""Mutation annotation files; every sample here is invented."""

import csv
import random

import pytest

from caprese.errors import FormatError
from caprese.io.data.maf import KINDS, SILENT, read_maf, read_mapping
from example_files import MAF_HEADER, maf, packed


@pytest.fixture
def stored(tmp_path):
    def store(content, name="data.maf"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return store


def carried(data):
    """The events of each sample."""
    return {
        sample: {event for event, present in zip(data.events, row, strict=True) if present}
        for sample, row in zip(data.samples, data.values, strict=True)
    }


THREE = maf(
    ("TP53", "Missense_Mutation", "p1"),
    ("TP53", "Nonsense_Mutation", "p1"),
    ("KRAS", "Missense_Mutation", "p2"),
    ("KRAS", "Silent", "p1"),
    ("TTN", "Intron", "p3"),
)


class TestWhatIsRead:
    def test_one_event_per_gene(self, stored):
        data = read_maf(stored(THREE)).data
        assert carried(data) == {"p1": {"TP53"}, "p2": {"KRAS"}, "p3": set()}
        assert data.events == ("KRAS", "TP53")
        assert data.known is None

    def test_one_event_per_gene_and_kind(self, stored):
        data = read_maf(stored(THREE), events="gene and kind").data
        assert data.events == ("KRAS missense", "TP53 missense", "TP53 nonsense")
        assert carried(data)["p1"] == {"TP53 missense", "TP53 nonsense"}

    def test_silent_variants_on_request(self, stored):
        data = read_maf(stored(THREE), silent=True, events="gene and kind").data
        assert carried(data)["p1"] == {"TP53 missense", "TP53 nonsense", "KRAS silent"}
        assert carried(data)["p3"] == {"TTN intron"}

    def test_all_that_was_excluded_is_noted(self, stored):
        assert tuple(map(str, read_maf(stored(THREE)).notes)) == (
            "excluded 2 silent variants of 5 (Intron 1, Silent 1)",
            "1 sample has no included variant, so no event is present: p3",
        )

    def test_the_most_frequent_classification_is_noted_first(self, stored):
        path = stored(maf(("TTN", "Intron"), ("KRAS", "Silent"), ("TTN", "Silent"), ("TP53",)))
        assert tuple(map(str, read_maf(path).notes)) == (
            "excluded 3 silent variants of 4 (Silent 2, Intron 1)",
        )

    def test_nothing_excluded_gives_no_note(self, stored):
        assert read_maf(stored(maf(("TP53",), ("KRAS",)))).notes == ()

    @pytest.mark.parametrize("classification", sorted(SILENT))
    def test_every_silent_classification_in_any_case(self, stored, classification):
        path = stored(maf(("TP53", classification.upper()), ("KRAS",)))
        assert read_maf(path).data.events == ("KRAS",)

    @pytest.mark.parametrize(("classification", "kind"), KINDS.items())
    def test_every_kind(self, stored, classification, kind):
        path = stored(maf(("TP53", classification.title())))
        assert read_maf(path, events="gene and kind").data.events == (f"TP53 {kind}",)

    def test_the_promoter_of_tert_is_not_silent(self, stored):
        path = stored(maf(("TERT", "5'Flank"), ("TP53", "5'Flank"), ("KRAS",)))
        data = read_maf(path, events="gene and kind").data
        assert data.events == ("KRAS missense", "TERT promoter")

    def test_an_unknown_classification_is_a_separate_kind_with_a_note(self, stored):
        reading = read_maf(stored(maf(("TP53", "Exotic_Change"))), events="gene and kind")
        assert reading.data.events == ("TP53 exotic change",)
        assert tuple(map(str, reading.notes)) == (
            "kept 1 variant of an unknown classification ('Exotic_Change' 1) as a separate kind",
        )

    def test_germline_and_other_non_somatic_variants(self, stored):
        path = stored(
            maf(
                ("TP53", "Missense_Mutation", "p1", "Germline"),
                ("KRAS", "Missense_Mutation", "p1", "LOH"),
                ("EGFR", "Missense_Mutation", "p1", "Wildtype"),
                ("MYC", "Missense_Mutation", "p1", "Unknown"),
            )
        )
        assert read_maf(path).data.events == ("MYC",)
        assert tuple(map(str, read_maf(path).notes)) == (
            "excluded 1 germline variant of 4 (Missense_Mutation 1)",
            "excluded 2 non-somatic variants of 4 (LOH 1, Wildtype 1)",
        )
        assert read_maf(path, germline=True).data.events == ("MYC", "TP53")

    @pytest.mark.parametrize("gene", ["", "Unknown", "."])
    def test_variants_without_a_gene(self, stored, gene):
        reading = read_maf(stored(maf((gene,), ("TP53",))))
        assert reading.data.events == ("TP53",)
        assert tuple(map(str, reading.notes)) == (
            "excluded 1 intergenic variant of 2 (Missense_Mutation 1)",
        )

    @pytest.mark.parametrize("spelled", [str.lower, str.upper, str.title])
    def test_column_names_in_any_case(self, stored, spelled):
        text = THREE.replace(MAF_HEADER, spelled(MAF_HEADER))
        assert read_maf(stored(text)).data == read_maf(stored(THREE, "other.maf")).data

    def test_three_columns_are_enough(self, stored):
        text = "Tumor_Sample_Barcode\tVariant_Classification\tHugo_Symbol\np\tFusion\tALK\n"
        assert carried(read_maf(stored(text)).data) == {"p": {"ALK"}}

    def test_gzip_byte_order_mark_and_windows_line_ends(self, stored):
        expected = read_maf(stored(THREE)).data
        assert read_maf(stored(packed(THREE), "data.maf.gz")).data == expected
        assert read_maf(stored(packed("\ufeff" + THREE.replace("\n", "\r\n")))).data == expected

    def test_a_quote_in_a_field_is_text(self, stored):
        text = maf(("TP53", "Missense_Mutation", "p1", '"'), ("KRAS",))
        assert read_maf(stored(text)).data.events == ("KRAS", "TP53")

    def test_the_definition_on_random_variants(self, stored):
        rng = random.Random(1)
        variants = [
            (
                f"G{rng.randrange(30)}",
                rng.choice(["Silent", "Splice_Site", "IGR", "In_Frame_Del"]),
                f"p{rng.randrange(40)}",
            )
            for _ in range(1000)
        ]
        path = stored(maf(*variants))
        with open(path, newline="") as file:
            rows = list(csv.DictReader(list(file)[2:], delimiter="\t"))
        expected = {row["Tumor_Sample_Barcode"]: set() for row in rows}
        for row in rows:
            if row["Variant_Classification"] not in ("Silent", "IGR"):
                expected[row["Tumor_Sample_Barcode"]].add(row["Hugo_Symbol"])
        assert carried(read_maf(path).data) == expected


class TestMapping:
    def test_genes_are_grouped_and_other_genes_are_excluded_and_counted(self, stored):
        path = stored(maf(("KRAS",), ("NRAS", "Missense_Mutation", "p2"), ("TTN",), ("TTN",)))
        reading = read_maf(path, events={"KRAS": "RAS", "NRAS": "RAS"})
        assert carried(reading.data) == {"p1": {"RAS"}, "p2": {"RAS"}}
        assert tuple(map(str, reading.notes)) == (
            "excluded 2 variants of 1 gene not in the mapping (TTN 2)",
        )

    def test_kinds_and_patterns(self, stored):
        path = stored(
            maf(("KMT2A",), ("KMT2D", "Silent"), ("ASXL1", "Frame_Shift_Ins"), ("ASXL1",))
        )
        mapping = {"KMT2*": "KMT2", "ASXL1 frameshift": "ASXL1 truncated", "* missense": "missense"}
        data = read_maf(path, events=mapping).data
        assert data.events == ("KMT2", "ASXL1 truncated", "missense")
        assert data.values.all()

    def test_a_variant_counts_for_each_event_it_matches(self, stored):
        data = read_maf(stored(maf(("TP53",))), events={"TP53": "TP53", "TP*": "TP family"}).data
        assert carried(data) == {"p1": {"TP53", "TP family"}}

    def test_an_event_of_the_mapping_is_kept_even_if_no_sample_has_it(self, stored):
        data = read_maf(stored(maf(("TP53",))), events={"TP53": "TP53", "KRAS": "KRAS"}).data
        assert data.events == ("TP53", "KRAS")
        assert carried(data) == {"p1": {"TP53"}}

    @pytest.mark.parametrize(
        "text", ["gene,event\nTP53,p53\n", "TP53\tp53\n", "# mine\nTP53,p53\n"]
    )
    def test_a_file_with_or_without_a_header(self, stored, text):
        mapping = stored(text, "events.txt")
        assert read_mapping(mapping) == (("TP53", "p53"),)
        assert read_maf(stored(maf(("TP53",))), events=mapping).data.events == ("p53",)
        assert read_maf(stored(maf(("TP53",))), events=str(mapping)).data.events == ("p53",)

    def test_an_unknown_choice_of_events(self, stored):
        with pytest.raises(
            ValueError,
            match=r"events must be 'gene', 'gene and kind' or an "
            r"existing mapping file, got 'genes'",
        ):
            read_maf(stored(THREE), events="genes")


TCGA = maf(
    ("TP53", "Missense_Mutation", "TCGA-02-0001-06A-11D-1492-08"),
    ("KRAS", "Missense_Mutation", "TCGA-02-0001-01B-01D-1492-08"),
    ("EGFR", "Missense_Mutation", "TCGA-02-0001-01C-01D-1492-08"),
    ("MYC", "Missense_Mutation", "TCGA-02-0002-01A-01D-1492-08"),
)


class TestBarcodes:
    def test_unchanged_by_default(self, stored):
        assert len(read_maf(stored(TCGA)).data.samples) == 4

    def test_shortened_to_the_patient_with_the_primary_tumour(self, stored):
        reading = read_maf(stored(TCGA), barcode="patient")
        assert carried(reading.data) == {"TCGA-02-0001": {"KRAS"}, "TCGA-02-0002": {"MYC"}}
        assert tuple(map(str, reading.notes)) == (
            "1 patient with several samples (TCGA-02-0001: TCGA-02-0001-06A-11D-1492-08, "
            "TCGA-02-0001-01B-01D-1492-08, TCGA-02-0001-01C-01D-1492-08); "
            "kept: a primary tumour, else the one with most entries known, else first by name",
        )

    def test_shortened_to_the_sample(self, stored):
        reading = read_maf(stored(TCGA), barcode="sample")
        assert carried(reading.data) == {
            "TCGA-02-0001-06": {"TP53"},
            "TCGA-02-0001-01": {"KRAS"},
            "TCGA-02-0002-01": {"MYC"},
        }
        assert str(reading.notes[0]).startswith("1 sample with several aliquots (TCGA-02-0001-01: ")

    def test_combined(self, stored):
        data = read_maf(stored(TCGA), barcode="patient", several="union").data
        assert carried(data)["TCGA-02-0001"] == {"TP53", "KRAS", "EGFR"}

    def test_refused(self, stored):
        with pytest.raises(FormatError, match=r"one patient with several samples \(TCGA-02-0001: "):
            read_maf(stored(TCGA), barcode="patient", several="refuse")

    def test_other_names_are_kept_and_noted(self, stored):
        text = TCGA.replace("TCGA-02-0002-01A-01D-1492-08", "cell line")
        reading = read_maf(stored(text), barcode="patient")
        assert reading.data.samples == ("TCGA-02-0001", "cell line")
        assert str(reading.notes[-1]) == "kept 1 name without a TCGA barcode: cell line"

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"barcode": "case"}, "barcode must be one of sample, patient, got 'case'"),
            (
                {"several": "any"},
                "several must be one of primary first, union, refuse, got 'any'",
            ),
        ],
    )
    def test_unknown_choices(self, stored, options, message):
        with pytest.raises(ValueError, match=message):
            read_maf(stored(TCGA), **options)
