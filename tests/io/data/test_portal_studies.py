"""Studies as the portal gives them: packed, with panels by name, several samples of a patient."""

import gzip
import os
import re
import struct
import tarfile
import zipfile

import numpy as np
import pytest

from caprese.data.curation import curate
from caprese.data.dataset import Dataset
from caprese.data.genes import GeneBook, gene_book, known_panels, plain_name
from caprese.data.genes.make_panels import packed, panels_in
from caprese.errors import FormatError
from caprese.io.data.cbioportal import read_study
from caprese.io.data.loci import COINCIDE, by_gene, by_region
from caprese.io.data.reading import Reading
from caprese.io.data.sources import format_of, read
from example_files import STUDY, stored_study
from made_studies import TRUTH, made_study, stored, tarred, zipped

MADE = made_study()


def notes(reading):
    return [*map(str, reading.notes)]


class TestArchives:
    @pytest.mark.parametrize("suffix", [".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz"])
    @pytest.mark.parametrize("top", ["", "made_2026/", "a/b/"])
    def test_a_study_is_read_unopened_whatever_folder_it_is_in(self, tmp_path, suffix, top):
        plain = read(stored(MADE.files, tmp_path / "study"))
        path = tmp_path / f"made{suffix}"
        assert format_of(tarred(MADE.files, path, top)) == "study"
        assert read(path) == plain

    @pytest.mark.parametrize("top", ["", "made_2026/", "a\\b\\"])
    def test_a_zip_archive_with_the_folders_that_systems_add(self, tmp_path, top):
        path = zipped(MADE.files, tmp_path / "made.zip", top)
        assert read(path) == read(stored(MADE.files, tmp_path / "study"))

    def test_a_nested_folder_is_found_in_a_folder_too(self, tmp_path):
        stored(MADE.files, tmp_path / "download" / "made_2026")
        assert read(tmp_path / "download") == read(tmp_path / "download" / "made_2026")

    def test_files_in_it_may_be_packed_once_more(self, tmp_path):
        files = dict(MADE.files)
        files["data_mutations.txt.gz"] = gzip.compress(files.pop("data_mutations.txt").encode())
        assert read(zipped(files, tmp_path / "made.zip")) == read(
            stored(MADE.files, tmp_path / "s")
        )

    def test_of_several_studies_one_is_chosen_by_name(self, tmp_path):
        other = {f"second/{name}": text for name, text in STUDY.items()}
        both = {f"first/{name}": text for name, text in MADE.files.items()} | other
        path = zipped(both, tmp_path / "both.zip", "")
        message = r"both.zip: 2 studies \(first, second\); study='first' reads the first"
        with pytest.raises(FormatError, match=message):
            read(path)
        assert read(path, study="second").data.events == ("EGFR", "TP53", "MYC gain", "MYC loss")
        with pytest.raises(FormatError, match="no study 'third'; expected one of first, second"):
            read(path, study="third")

    def test_an_error_names_the_file_in_the_archive(self, tmp_path):
        files = MADE.files | {"data_cna.txt": "Hugo_Symbol\tP-1\nMYC\t7\n"}
        path = zipped(files, tmp_path / "made.zip")
        expected = f"{path}/made_2026/data_cna.txt, line 2, column 2 ('P-1'): '7' is not a copy"
        with pytest.raises(FormatError, match=re.escape(expected)):
            read(path)

    def test_an_archive_without_a_study(self, tmp_path):
        path = zipped({"notes.txt": "x"}, tmp_path / "made.zip")
        with pytest.raises(FormatError, match="no study in this archive; expected"):
            read(path)

    @pytest.mark.parametrize("name", ["../data_sv.txt", "/etc/passwd", "a/../../b", "C:\\x\\y"])
    def test_names_outside_of_the_archive_are_refused(self, tmp_path, name):
        for path in (
            zipped(MADE.files | {name: "x"}, tmp_path / "made.zip", ""),
            tarred(MADE.files | {name: "x"} | {f"{name}/data_x.txt": "x"}, tmp_path / "m.tgz", ""),
        ):
            with pytest.raises(FormatError, match="is outside of the archive; it is not read"):
                read(path)
        assert not (tmp_path.parent / "data_sv.txt").exists()

    @pytest.mark.parametrize("name", ["", ".", "./."])
    def test_a_file_without_a_name_is_not_of_the_study(self, tmp_path, name):
        path = tmp_path / "made.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for each, text in MADE.files.items():
                archive.writestr(each, text)
            archive.writestr("x", "nothing")
            archive.filelist[-1].filename = name
        assert read(path) == read(stored(MADE.files, tmp_path / "study"))

    def test_links_in_an_archive_are_not_followed(self, tmp_path):
        path = tarred(MADE.files, tmp_path / "made.tar", "")
        with tarfile.open(path, "a") as archive:
            link = tarfile.TarInfo("data_gene_panel_x.txt")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(link)
        assert read(path) == read(stored(MADE.files, tmp_path / "study"))

    @pytest.mark.parametrize("suffix", [".zip", ".tgz"])
    def test_a_bomb_is_refused_before_it_is_unpacked(self, tmp_path, monkeypatch, suffix):
        monkeypatch.setenv("CAPRESE_MEMORY", "10M")
        bomb = MADE.files | {"data_mutations.txt": "\n" * 30_000_000}
        path = tmp_path / f"bomb{suffix}"
        (zipped if suffix == ".zip" else tarred)(bomb, path)
        assert os.path.getsize(path) < 100_000
        with pytest.raises(FormatError, match="too large: this would take more than 10 MiB"):
            read(path)

    def test_a_size_that_lies_is_not_believed(self, tmp_path):
        path = zipped(MADE.files, tmp_path / "made.zip", "")
        content = path.read_bytes()
        size = len(MADE.files["data_mutations.txt"].encode())
        path.write_bytes(content.replace(struct.pack("<L", size), struct.pack("<L", size // 2)))
        with pytest.raises(FormatError, match=r"made\.zip"):
            read(path)

    @pytest.mark.parametrize("suffix", [".tar", ".tgz"])
    @pytest.mark.parametrize("name", ["data_mutations.txt", "notes.txt", "data_rppa.txt"])
    @pytest.mark.parametrize("size", [2**40, 2**60])
    def test_an_impossible_size_is_refused_before_its_end_is_looked_for(
        self, tmp_path, suffix, name, size
    ):
        path = tmp_path / f"made{suffix}"
        info = tarfile.TarInfo(name)
        info.size = size
        header = info.tobuf(tarfile.GNU_FORMAT)
        path.write_bytes(header if suffix == ".tar" else gzip.compress(header))
        with pytest.raises(FormatError, match=f"{name}'? cannot have {size:,} bytes"):
            read(path)

    @pytest.mark.parametrize("suffix", [".zip", ".tgz", ".tar"])
    @pytest.mark.parametrize("keep", [0, 10, 500, 4000])
    def test_a_truncated_archive_is_one_line(self, tmp_path, suffix, keep):
        path = tmp_path / f"made{suffix}"
        (zipped if suffix == ".zip" else tarred)(MADE.files, path)
        path.write_bytes(path.read_bytes()[:keep])
        with pytest.raises(FormatError) as found:
            read(path)
        assert str(found.value).startswith(str(path))
        assert "\n" not in str(found.value)

    def test_an_encrypted_file_is_one_line(self, tmp_path):
        path = zipped(MADE.files, tmp_path / "made.zip", "")
        content = bytearray(path.read_bytes())
        with zipfile.ZipFile(path) as archive:
            offsets = [info.header_offset for info in archive.infolist()]
        start = content.index(b"PK\1\2")
        for info in offsets:
            content[info + 6] |= 1
        while (start := content.find(b"PK\1\2", start)) >= 0:
            content[start + 8] |= 1
            start += 4
        path.write_bytes(content)
        with pytest.raises(FormatError, match=r"cannot be read \(.*encrypted"):
            read(path)

    def test_two_files_of_one_name_are_refused(self, tmp_path):
        path = zipped(MADE.files, tmp_path / "made.zip", "")
        with (
            zipfile.ZipFile(path, "a") as archive,
            pytest.warns(UserWarning, match="Duplicate name"),
        ):
            archive.writestr("data_sv.txt", "other")
        with pytest.raises(FormatError, match="two files are named"):
            read(path)


class TestPanels:
    def test_every_panel_has_the_number_of_genes_that_its_name_states(self):
        counts = {name: len(genes) for name, genes in known_panels().items()}
        assert len(counts) > 30
        for name, stated in (("impact341", 341), ("impact410", 410), ("impact505", 505)):
            assert counts[name] == stated
        for name in ("access129", "guardant73", "grailcfdna508", "metabric173", "impactheme400"):
            assert counts[name] == int(re.search(r"\d+$", name)[0])
        assert counts["impact468"] == 469  # the portal counts GTF2I, too

    def test_later_panels_contain_earlier_ones(self):
        panels = known_panels()
        assert panels["impact341"] < panels["impact410"] < panels["impact468"]
        assert panels["impact468"] - panels["impact505"] == {"GTF2I"}
        assert panels["impact410"] < panels["grailcfdna508"]

    def test_every_gene_of_a_panel_has_its_symbol_of_today(self):
        genes = {gene for panel in known_panels().values() for gene in panel}
        assert not [gene for gene in genes if gene_book().symbol(gene) != gene]

    def test_names_are_matched_without_case_and_punctuation(self):
        for name in ("IMPACT468", "impact_468", "MSK-IMPACT468", "MSK_IMPACT-468"):
            assert plain_name(name) in known_panels()

    def test_the_script_makes_the_same_bytes_from_the_same_definitions(self, tmp_path):
        text = "stable_id: SMALL\ndescription: x\ngene_list: TP53\tWHSC1\tNSD2\tKRAS\n"
        (tmp_path / "data_gene_panel_small.txt").write_text(text)
        assert panels_in(tmp_path) == {"SMALL": ["KRAS", "NSD2", "TP53"]}
        assert packed(panels_in(tmp_path)) == packed(panels_in(tmp_path))

    def test_a_panel_of_the_study_goes_before_the_public_one_of_that_name(self, tmp_path):
        own = "stable_id: IMPACT341\ngene_list: TP53\tNSD2\n"
        files = MADE.files | {"data_gene_panel_x.txt": own}
        found = read(zipped(files, tmp_path / "made.zip")).data
        on_it = [found.samples.index(name) for name, p in MADE.panel.items() if p == "IMPACT341"]
        assert found.known_mask[on_it, found.events.index("NSD2")].all()
        assert not found.known_mask[on_it, found.events.index("APC")].any()

    def test_what_was_seen_with_an_unknown_panel_can_be_left_out(self, tmp_path):
        matrix = MADE.files["data_gene_panel_matrix.txt"].replace("IMPACT341", "ctDx_other")
        files = MADE.files | {"data_gene_panel_matrix.txt": matrix}
        path = zipped(files, tmp_path / "made.zip")
        with pytest.raises(FormatError, match="gene panel 'ctDx_other' is not defined") as found:
            read(path)
        assert "panels names another folder, unknown_panels=exclude leaves" in str(found.value)
        curated = curate(read(path, unknown_panels="exclude").data)
        assert {*curated.data.samples} == {n for n, p in MADE.panel.items() if p != "IMPACT341"}

    def test_an_unknown_panel_of_many_samples_has_the_genes_in_which_they_have_calls(
        self, tmp_path
    ):
        made = made_study(300, 11)
        matrix = made.files["data_gene_panel_matrix.txt"].replace("IMPACT341", "ctDx_other")
        path = zipped(made.files | {"data_gene_panel_matrix.txt": matrix}, tmp_path / "made.zip")
        found = read(path)
        assert (
            "mutations: panel ctDx_other (225 samples), which nobody defines, is taken to have the "
            "genes with calls: it covers 3 of 4 events; the others are unknown there"
        ) in notes(found)
        on_it = [s for s in found.data.samples if made.panel[s] == "IMPACT341"]
        rows = [found.data.samples.index(s) for s in on_it]
        for event in ("APC", "TP53", "KRAS"):  # with calls, so profiled; where not called, absent
            column = found.data.events.index(event)
            assert found.data.known_mask[rows, column].all()
            ours = {
                s for s, there in zip(on_it, found.data.values[rows, column], strict=True) if there
            }
            assert ours == made.present[event] & set(on_it)
        assert not found.data.known_mask[rows, found.data.events.index("NSD2")].any()


class TestSymbols:
    def test_earlier_symbols_are_found_in_mutations_copy_number_and_panels(self, tmp_path):
        found = read(zipped(MADE.files, tmp_path / "made.zip"))
        assert "NSD2" in found.data.events
        renamed = "renamed 2 genes to today's symbols: CDKN2Ap16INK4A is CDKN2A, WHSC1 is NSD2"
        assert renamed in notes(found)

    def test_the_entrez_number_decides(self):
        assert gene_book().symbol("MLL2", "8085") == "KMT2D"
        assert gene_book().symbol("MLL2", "9757") == "KMT2B"

    @pytest.mark.parametrize(
        ("symbol", "today"),
        [
            *(("PAK7", "PAK5"), ("PARK2", "PRKN"), ("HIST1H3B", "H3C2"), ("FAM175A", "ABRAXAS1")),
            *(("MLL", "KMT2A"), ("MRE11A", "MRE11"), ("C17orf39", "GID4"), ("TP53", "TP53")),
            *(("CDKN2Ap14ARF", "CDKN2A"), ("CDKN2AP16INK4A", "CDKN2A")),
            *(("KRASP1", "KRASP1"), ("PTENP1", "PTENP1"), ("C1orf86x", "C1orf86x")),
        ],
    )
    def test_today(self, symbol, today):
        assert gene_book().symbol(symbol) == today

    def test_no_symbol_of_today_is_an_earlier_one_of_another_gene(self):
        book = gene_book()
        assert isinstance(book, GeneBook)
        assert all(book.today[today] == today for today in book.today.values())

    def test_genes_may_be_asked_for_by_earlier_symbols(self, tmp_path):
        found = read(zipped(MADE.files, tmp_path / "made.zip"), genes=["WHSC1"])
        assert found.data.events == ("NSD2",)


class TestPatients:
    def test_every_patient_has_one_vote(self, tmp_path):
        found = read(zipped(MADE.files, tmp_path / "made.zip"))
        assert {*found.data.samples} == {*MADE.samples}
        assert notes(found)[-1] == "150 samples of 120 patients: 120 samples kept, one of each"
        assert len(found.patients) == 150
        assert len({*found.patients.values()}) == 120

    def test_all_samples_by_option(self, tmp_path):
        found = read(zipped(MADE.files, tmp_path / "made.zip"), per="sample")
        assert len(found.data.samples) == 150
        assert notes(found)[-1] == "150 samples of 120 patients; per=patient keeps one of each"

    def test_without_a_primary_tumour_the_sample_with_most_coverage_is_kept(self, tmp_path):
        clinical = MADE.files["data_clinical_sample.txt"].replace("Primary", "Metastasis")
        files = MADE.files | {"data_clinical_sample.txt": clinical}
        found = read(zipped(files, tmp_path / "made.zip"))
        assert {*found.data.samples} == {*MADE.samples}  # the others lack copy number


class TestLoci:
    def test_neighbours_that_are_lost_together_are_one_event_of_the_best_known_gene(self, tmp_path):
        found = read(zipped(MADE.files, tmp_path / "made.zip"))
        losses = [event for event in found.data.events if event.startswith("CDKN2")]
        assert losses == ["CDKN2A gain", "CDKN2A loss", "CDKN2B gain"]
        note = "copy number: CDKN2A loss (9p21.3) is one event with CDKN2B, lost together"
        assert note in notes(found)

    def test_members_of_an_event_are_named_in_their_order_on_the_chromosome(self):
        named = {"3q": "PIK3CA", "9p": "CDKN2A"}  # on the most panels
        others = {"3q": ["PRKCI", "SOX2", "BCL6", "FGF12"], "9p": ["CD274", "MTAP", "PAX5"]}
        for arm, rest in others.items():
            genes = sorted([named[arm], *rest])
            rows = [[1] * len(genes), [0] * len(genes)]
            data = Dataset.from_rows(rows, [f"{gene} gain" for gene in genes])
            (note,) = notes(by_region(Reading(data), "merged"))
            assert note.endswith(f"is one event with {', '.join(rest)}, gained together")

    def test_bands_are_counted_from_the_centromere_outwards(self):
        bands = gene_book().bands
        for arm in {gene_book().arm(gene) for gene in bands}:
            genes = [gene for gene in bands if gene_book().arm(gene) == arm]
            outwards = sorted(genes, key=lambda gene: (float(bands[gene][len(arm) :]), gene))
            places = [
                float(bands[gene][len(arm) :]) for gene in sorted(genes, key=gene_book().along)
            ]
            assert places == sorted(places, reverse=arm.endswith("p"))
            if arm.endswith("q"):
                assert sorted(genes, key=gene_book().along) == outwards
        assert max(["CDKN2A", "unknown"], key=gene_book().along) == "unknown"

    def test_single_genes_by_option(self, tmp_path):
        found = read(zipped(MADE.files, tmp_path / "made.zip"), regions="genes").data
        assert {"CDKN2A loss", "CDKN2B loss", "FGF19 gain"} <= {*found.events}

    @pytest.mark.parametrize("both", range(11))
    def test_the_border_is_the_share_of_those_with_either_that_have_both(self, both):
        first = [1] * 10 + [0] * 10
        second = [1] * both + [0] * (20 - both)
        data = Dataset(np.array([first, second]).T, ("CDKN2A loss", "MTAP loss"))
        merged = by_region(Reading(data), "merged").data.events
        assert (merged == ("CDKN2A loss",)) == (both / 10 >= COINCIDE)

    def test_neighbours_on_another_arm_or_with_the_opposite_change_stay(self):
        rows = np.array([[1, 1, 1], [1, 1, 1], [0, 0, 0]])
        data = Dataset(rows, ("CDKN2A loss", "NOTCH1 loss", "CDKN2B gain"))
        assert by_region(Reading(data), "merged").data == data

    def test_where_one_was_not_examined_the_other_tells(self):
        data = Dataset.from_rows(
            [[1, 1], [1, 1], [0, 0], [1, None], [0, None], [None, None]],
            ["CDKN2A loss", "CDKN2B loss"],
        )
        merged = by_region(Reading(data), "merged").data
        assert merged.values[:, 0].tolist() == [True, True, False, True, False, False]
        assert merged.known_mask[:, 0].tolist() == [True] * 5 + [False]

    def test_arms_are_judged_by_half_of_their_genes(self):
        events = ("CDKN2A loss", "CDKN2B loss", "JAK2 loss", "NOTCH1 loss")
        rows = [[1, 1, 0, 0], [1, 0, 0, 1], [1, 1, None, 0], [0, 0, 0, 1]]
        arms = by_region(Reading(Dataset.from_rows(rows, events)), "arms")
        assert arms.data.events == ("9p loss", "NOTCH1 loss")
        assert arms.data.values[:, 0].tolist() == [True, False, False, False]
        assert arms.data.known_mask[:, 0].tolist() == [True, True, False, True]
        assert "3 events of genes are 1 of arms" in notes(arms)[0]

    def test_mutation_and_loss_of_a_gene_can_be_one_event(self):
        events = ("TP53", "TP53 loss", "MYC", "MYC gain")
        data = Dataset.from_rows([[1, 0, 0, 1], [0, 1, 1, 0], [0, None, 0, 0]], events)
        losses = by_gene(Reading(data), "losses")
        assert losses.data.events == ("TP53", "MYC", "MYC gain")
        assert losses.data.values[:, 0].tolist() == [True, True, False]
        assert losses.data.known_mask[:, 0].tolist() == [True, True, False]
        assert notes(losses) == ["one event for mutation and loss of 1 gene: TP53"]
        assert by_gene(Reading(data), "all kinds").data.events == ("TP53", "MYC")


class TestStructuralVariants:
    def test_fusions_of_genes_on_the_panel_are_events(self, tmp_path):
        found = read(zipped(MADE.files, tmp_path / "made.zip"))
        column = found.data.events.index("ALK fusion")
        carriers = np.array(found.data.samples)[found.data.values[:, column]]
        assert frozenset(carriers.tolist()) == MADE.present["ALK fusion"]
        assert "excluded 1 structural variant of 25 (germline 1)" in notes(found)

    def test_a_variant_in_one_gene_is_a_rearrangement(self, tmp_path):
        found = read(zipped(MADE.files, tmp_path / "made.zip"), germline=True).data
        assert "ALK rearrangement" in found.events
        assert found.values[:, found.events.index("ALK rearrangement")].sum() == 1

    def test_older_tables_have_a_row_for_each_gene(self, tmp_path):
        files = {k: v for k, v in MADE.files.items() if k != "data_sv.txt"}
        sample = MADE.samples[5]
        files["data_fusions.txt"] = (
            "Hugo_Symbol\tTumor_Sample_Barcode\tFusion\n"
            f"TMPRSS2\t{sample}\tTMPRSS2-ERG\nERG\t{sample}\tTMPRSS2-ERG\n"
        )
        found = read(zipped(files, tmp_path / "made.zip")).data
        row = found.samples.index(sample)
        fused = [e for e, v in zip(found.events, found.values[row], strict=True) if v]
        assert {"ERG fusion", "TMPRSS2 fusion"} <= {*fused}

    def test_without_a_list_those_that_were_sequenced_are_taken(self, tmp_path):
        study = stored_study(tmp_path)
        (study / "data_sv.txt").write_text(
            "Sample_Id\tSite1_Hugo_Symbol\tSite2_Hugo_Symbol\ns1\tTP53\tNA\n"
        )
        found = read_study(study, per="sample")
        column = found.data.events.index("TP53 rearrangement")
        assert found.data.known_mask[:, column].tolist() == [True, True, True, True, False]
        taken = "structural variants: profiled samples are taken to be those sequenced"
        assert taken in notes(found)

    def test_they_can_be_left_out(self, tmp_path):
        found = read(zipped(MADE.files, tmp_path / "made.zip"), fusions=False).data
        assert not [event for event in found.events if "fusion" in event]


GENIE = {
    "data_mutations_extended.txt": "".join(
        line
        for line in MADE.files["data_mutations.txt"].splitlines(keepends=True)
        if "-T02-" not in line
    ),
    "data_clinical_sample.txt": (
        "PATIENT_ID\tSAMPLE_ID\tSEQ_ASSAY_ID\n"
        + "".join(f"{n[:7]}\t{n}\tOURS-{k % 2}\n" for k, n in enumerate(MADE.samples))
    ),
    "genomic_information.txt": (
        "Chromosome\tHugo_Symbol\tincludeInPanel\tSEQ_ASSAY_ID\n"
        "17\tTP53\tTrue\tOURS-0\n12\tKRAS\tFalse\tOURS-0\n5\tAPC\tTrue\tOURS-0\n"
        "17\tTP53\tTrue\tOURS-1\n12\tKRAS\tTrue\tOURS-1\n4\tWHSC1\tTrue\tOURS-1\n"
    ),
    "assay_information.txt": "SEQ_ASSAY_ID\tis_paired_end\nOURS-0\tTrue\nOURS-1\tTrue\n",
}


class TestGenie:
    def test_the_assay_of_a_sample_says_which_genes_were_examined(self, tmp_path):
        found = read(zipped(GENIE, tmp_path / "release.zip"))
        known = {
            e: k.tolist() for e, k in zip(found.data.events, found.data.known_mask.T, strict=True)
        }
        first = [name in MADE.samples[::2] for name in found.data.samples]
        assert known["TP53"] == [True] * 120
        assert known["APC"] == first
        assert known["KRAS"] == known["NSD2"] == [not each for each in first]

    def test_an_assay_that_is_not_described_is_one_line(self, tmp_path):
        clinical = GENIE["data_clinical_sample.txt"].replace("OURS-1", "OURS-7")
        path = zipped(GENIE | {"data_clinical_sample.txt": clinical}, tmp_path / "release.zip")
        with pytest.raises(FormatError, match="gene panel 'OURS-7' is not defined"):
            read(path)


def test_the_truth_of_a_made_study_comes_back(tmp_path):
    curated = curate(read(zipped(made_study(400, 7).files, tmp_path / "made.zip")).data)
    assert {*curated.data.events} >= {*TRUTH.events}
