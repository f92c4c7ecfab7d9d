"""GISTIC2 and cBioPortal copy number; every file here is invented."""

import numpy as np
import pytest

from caprese.io.data.copy_number import read_copy_number
from caprese.io.data.sources import read
from example_files import BY_GENES, DATA_CNA, LESION_COLUMNS, LESIONS, lesion, packed


@pytest.fixture
def stored(tmp_path):
    def store(content, name="data_cna.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return store


def column(data, event):
    """The entries of an event: 1, 0 and None."""
    position = data.events.index(event)
    known = np.ones_like(data.values) if data.known is None else data.known
    return [
        int(value) if seen else None
        for value, seen in zip(data.values[:, position], known[:, position], strict=True)
    ]


class TestGenes:
    def test_gistic_by_genes(self, stored):
        data = read_copy_number(stored(BY_GENES, "all_thresholded.by_genes.txt")).data
        assert data.samples == ("p1", "p2", "p3")
        assert data.events == ("MYC gain", "MYC loss", "PTEN gain", "PTEN loss")
        assert column(data, "MYC gain") == [1, 0, 0]
        assert column(data, "MYC loss") == [0, 0, 0]
        assert column(data, "PTEN gain") == [0, 0, None]
        assert column(data, "PTEN loss") == [1, 0, None]

    def test_lower_thresholds(self, stored):
        data = read_copy_number(stored(BY_GENES), gain=1, loss=-1).data
        assert column(data, "MYC gain") == [1, 1, 0]
        assert column(data, "PTEN loss") == [1, 1, None]

    def test_cbioportal(self, stored):
        data = read_copy_number(stored(DATA_CNA)).data
        assert data.samples == ("p1", "p2")
        assert column(data, "ERBB2 gain") == [1, 0]

    @pytest.mark.parametrize(("loss", "expected"), [(-2, [1, 0]), (-1, [1, 1])])
    def test_one_and_a_half_is_between_one_and_two(self, stored, loss, expected):
        assert column(read_copy_number(stored(DATA_CNA), loss=loss).data, "CDKN2A loss") == expected

    def test_without_entrez_numbers_and_with_them_alone(self, stored):
        assert read_copy_number(stored("Hugo_Symbol\tp\nMYC\t2\n")).data.samples == ("p",)
        numbers = read_copy_number(stored("Entrez_Gene_Id\tp\n4609\t2\n")).data
        assert numbers.events == ("4609 gain", "4609 loss")

    @pytest.mark.parametrize("text", ["NA", "na", "NaN", "", " "])
    def test_ways_to_write_unknown(self, stored, text):
        data = read_copy_number(stored(f"Hugo_Symbol\tp\tq\nMYC\t{text}\t2\n")).data
        assert column(data, "MYC gain") == [None, 1]

    @pytest.mark.parametrize("text", ["2", "2.0", " 2 "])
    def test_ways_to_write_a_level(self, stored, text):
        data = read_copy_number(stored(f"Hugo_Symbol\tp\nMYC\t{text}\n")).data
        assert column(data, "MYC gain") == [1]

    def test_chosen_genes(self, stored):
        data = read_copy_number(stored(BY_GENES), genes=["PTEN", "TP53"]).data
        assert data.events == ("PTEN gain", "PTEN loss")

    def test_of_a_repeated_gene_the_first_row_is_kept_with_a_note(self, stored):
        reading = read_copy_number(stored("Hugo_Symbol\tp\nMYC\t2\nMYC\t0\n"))
        assert column(reading.data, "MYC gain") == [1]
        assert tuple(map(str, reading.notes))[2:] == (
            "kept the first row of 1 gene with several rows: MYC",
        )

    def test_gzip_and_windows_line_ends(self, stored):
        expected = read_copy_number(stored(BY_GENES)).data
        assert read_copy_number(stored(packed(BY_GENES.replace("\n", "\r\n")))).data == expected

    def test_barcodes_are_shortened(self, stored):
        path = stored("Hugo_Symbol\tTCGA-02-0001-01A-01D\tTCGA-02-0002-01A-01D\nMYC\t2\t0\n")
        data = read_copy_number(path, barcode="patient").data
        assert data.samples == ("TCGA-02-0001", "TCGA-02-0002")

    def test_the_definition_on_random_levels(self, stored):
        rng = np.random.default_rng(1)
        levels = rng.integers(-2, 3, size=(30, 20))
        lines = ["Hugo_Symbol\t" + "\t".join(f"p{k}" for k in range(20))]
        lines += [f"G{k}\t" + "\t".join(map(str, row)) for k, row in enumerate(levels)]
        data = read_copy_number(stored("\n".join(lines)), gain=1, loss=-2).data
        assert np.array_equal(data.values[:, 0::2].T, levels >= 1)
        assert np.array_equal(data.values[:, 1::2].T, levels <= -2)


class TestLesions:
    def test_peaks_are_named_after_their_bands_and_ratios_are_not_used(self, stored):
        data = read_copy_number(stored(LESIONS, "all_lesions.conf_99.txt")).data
        assert data.samples == ("p1", "p2", "p3")
        assert data.events == ("8q24.21+", "10q23.31-")
        assert column(data, "8q24.21+") == [1, 1, 0]
        assert column(data, "10q23.31-") == [1, 1, 0]

    def test_gains_and_losses_have_separate_thresholds(self, stored):
        data = read_copy_number(stored(LESIONS), gain=2).data
        assert column(data, "8q24.21+") == [1, 0, 0]
        assert column(data, "10q23.31-") == [1, 1, 0]
        assert column(read_copy_number(stored(LESIONS), loss=-2).data, "10q23.31-") == [0, 1, 0]

    def test_what_is_counted_is_noted(self, stored):
        assert tuple(map(str, read_copy_number(stored(LESIONS)).notes)) == (
            "gains counted: 1 high, 1 low-level",
            "losses counted: 1 deep, 1 shallow",
        )
        assert tuple(map(str, read_copy_number(stored(LESIONS), loss=-2).notes))[1] == (
            "losses counted: 1 deep; not counted: 1 shallow; loss=-1 counts them"
        )

    def test_without_the_tab_at_the_end(self, stored):
        text = LESIONS.replace("\t\n", "\n")
        assert read_copy_number(stored(text)).data == read_copy_number(stored(LESIONS, "b")).data

    def test_two_peaks_in_one_band_are_numbered_with_a_note(self, stored):
        peaks = lesion("Amplification Peak  1", "8q24.21", "2") + lesion(
            "Amplification Peak  2", "8q24.21", "0"
        )
        reading = read_copy_number(stored(f"{LESION_COLUMNS}\tp1\t\n{peaks}"))
        assert reading.data.events == ("8q24.21+", "8q24.21+.2")
        assert tuple(map(str, reading.notes))[2:] == (
            "numbered 1 peak in the same band as another: 8q24.21+.2",
        )


class TestTheLongForm:
    TEXT = (
        "Hugo_Symbol\tEntrez_Gene_Id\tSample_Id\tValue\tcbp_driver\n"
        "MYC\t4609\tp1\t2\t\nMYC\t4609\tp2\t1\t\nPTEN\t5728\tp1\t-2\t\n\t7157\tp2\tNA\t\n"
    )

    def test_pairs_without_a_row_are_unknown(self, stored):
        data = read_copy_number(stored(self.TEXT)).data
        assert data.samples == ("p1", "p2")
        assert data.events[::2] == ("MYC gain", "PTEN gain", "7157 gain")
        assert column(data, "MYC gain") == [1, 0]
        assert data.known[:, 2:].tolist() == [[True, True, False, False], [False] * 4]

    def test_it_is_recognised_and_quotes_are_removed(self, stored):
        quoted = "\n".join(
            "\t".join(f'"{field}"' for field in line.split("\t")) for line in self.TEXT.splitlines()
        )
        path = stored(quoted, "quoted.txt")
        assert read(path, format="copy-number").data == read(stored(self.TEXT)).data

    def test_of_a_repeated_pair_the_first_row_is_kept_with_a_note(self, stored):
        reading = read_copy_number(stored(self.TEXT + "MYC\t4609\tp1\t0\t\n"), genes=["MYC"])
        assert column(reading.data, "MYC gain") == [1, 0]
        assert tuple(map(str, reading.notes))[2:] == (
            "kept the first row of 1 gene with several rows: MYC",
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gain": 0}, "gain must be one of 1, 2, got 0"),
        ({"gain": -2}, "gain must be one of 1, 2, got -2"),
        ({"loss": 2}, "loss must be one of -1, -2, got 2"),
        ({"loss": -3}, "loss must be one of -1, -2, got -3"),
    ],
)
def test_impossible_thresholds(stored, options, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        read_copy_number(stored(BY_GENES), **options)
