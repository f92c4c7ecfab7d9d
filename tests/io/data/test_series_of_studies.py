"""Studies in which patients have several samples, tumour and blood, with ages or numbers."""

import pytest

from caprese import Dataset
from caprese.data.curation import PerPatient
from caprese.io.data.cbioportal import read_study
from caprese.recipe.loading import Curation, Source, load
from made_studies import made_study, stored

HEADER = "#a comment\nSAMPLE_ID\tPATIENT_ID\tSAMPLE_CLASS\tSAMPLE_TYPE\tAGE_AT_SEQ_REPORTED_YEARS\n"
ROWS = (
    "P-1-T01-IM6\tP-1\tTumor\tPrimary\t61",
    "P-1-T02-IM6\tP-1\tTumor\tMetastasis\t63",
    "L-1-002\tP-1\tcfDNA\tMetastasis\t",
    "L-1-001B\tP-1\tcfDNA\tMetastasis\t",
    "P-2-T02-IM6\tP-2\tTumor\tMetastasis\t50",  # the number says later, the age earlier
    "P-2-T01-IM6\tP-2\tTumor\tMetastasis\t52",
    "P-3-X\tP-3\tTumor\tMetastasis\t>89",
    "P-3-Y\tP-3\tTumor\tMetastasis\t>89",
)


@pytest.fixture
def lung(tmp_path):
    names = [row.split("\t")[0] for row in ROWS]
    maf = ["Hugo_Symbol\tVariant_Classification\tTumor_Sample_Barcode"]
    maf += [f"TP53\tMissense_Mutation\t{name}" for name in names[:-1]]
    maf += [f"EGFR\tMissense_Mutation\t{name}" for name in (names[1], names[2])]
    files = {
        "meta_study.txt": "cancer_study_identifier: lung\n",
        "data_mutations.txt": "\n".join(maf) + "\n",
        "data_clinical_sample.txt": HEADER + "\n".join(ROWS) + "\n",
        "case_lists/cases_sequenced.txt": "stable_id: lung_sequenced\ncase_list_ids: "
        + "\t".join(names)
        + "\n",
    }
    return stored(files, tmp_path)


def pairs(data):
    return [(data.samples[one], data.samples[other]) for one, other in data.patients.pairs()]


class TestLung:
    def test_samples_are_in_the_order_of_ages_or_numbers_and_blood_is_apart(self, lung):
        reading = read_study(lung, per="sample")
        assert isinstance(reading.data, Dataset)
        assert sorted(pairs(reading.data)) == [
            ("L-1-001B", "L-1-002"),
            ("P-1-T01-IM6", "P-1-T02-IM6"),
        ]
        notes = [*map(str, reading.notes)]
        assert (
            "patients: 2 samples whose ages and numbers disagree: no order: "
            "P-2-T02-IM6, P-2-T01-IM6" in notes
        )

    def test_one_sample_of_each_patient_is_the_default(self, lung):
        found = load(Source(str(lung)), Curation())
        assert len(found.reading.data.samples) == 3
        assert found.reading.data.patients is None

    def test_another_choice_reads_all_samples(self, lung):
        loaded = load(Source(str(lung)), Curation(per_patient="series", keep_constant=True))
        assert [*map(str, loaded.reading.notes)][-1].endswith(
            "8 samples of 3 patients, 3 with several; the order of samples is known in 1"
        )
        kept = loaded.curated().data.samples
        assert len(kept) == 6
        assert {"L-1-001B", "L-1-002", "P-1-T01-IM6", "P-1-T02-IM6"} <= {*kept}
        assert loaded.series() is not None

    def test_an_event_missing_in_blood_is_not_lost(self, lung):
        data = read_study(lung, per="sample").data
        found = PerPatient(by="series", lost_events="drop").apply(data).data
        assert "L-1-001B" in found.samples  # without EGFR, which the tumour has


def test_numbers_in_names_order_the_samples_of_a_portal_study(tmp_path):
    folder = stored(made_study(patients=12).files, tmp_path)
    data = read_study(folder, per="sample").data
    assert pairs(data) == [(f"P-{k:05d}-T01-IM5", f"P-{k:05d}-T02-IM5") for k in range(0, 12, 4)]
    last = load(Source(str(folder)), Curation(per_patient="last")).curated()
    assert "P-00000-T02-IM5" in last.data.samples
    assert len(last.data.samples) == 12
