"""Studies in which patients have several samples, tumour and blood, with ages or numbers."""

import numpy as np
import pytest

from caprese import MHN, ROOT, Dataset, TimedForest, judge
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


TRUTH = TimedForest(("TP53", "EGFR", "KRAS", "PIK3CA"), (ROOT, 0, 0, ROOT), (1.5, 0.8, 0.5, 0.3))
PATIENTS, FEWEST, MOST = 60, 2, 22
NUMBERED, AGED, NEITHER = 0, 1, 2  # kinds of patients, a third each


def series_study(seed=4):
    """Tumour and blood samples of patients, and each that follows another in a known order."""
    rng = np.random.default_rng(seed)
    comes = TRUTH.event_times(PATIENTS, rng)
    clinical, variants, following = [], [], set()
    for patient in range(PATIENTS):
        kind, often = patient % 3, min(MOST, FEWEST + int(rng.geometric(0.3)) - 1)
        often = {0: FEWEST, 1: MOST}.get(patient, often)
        taken = rng.exponential(0.4, often).cumsum()
        last, letters = {"T": "", "L": ""}, rng.permutation([*"ABCDEFGHIJKLMNOPQRSTUVWX"])
        for place, time in enumerate(taken.tolist()):
            site = "TL"[int(rng.random() < 0.5)]
            number = f"{site}{place + 1:02d}-IM6" if kind == NUMBERED else letters[place]
            name = f"P-{patient:04d}-{number}"
            age = str(40 + place) if kind == AGED else ""
            words = "Tumor\tMetastasis" if site == "T" else "cfDNA\tMetastasis"
            clinical.append(f"{name}\tP-{patient:04d}\t{words}\t{age}")
            seen = (comes[patient] <= time) & (rng.random(4) < (1.0 if site == "T" else 0.7))
            variants += [
                f"{TRUTH.events[k]}\tMissense_Mutation\t{name}" for k in np.flatnonzero(seen)
            ]
            if kind != NEITHER and last[site]:
                following.add((last[site], name))
            last[site] = name
    samples = [row.split("\t")[0] for row in clinical]
    header = "Hugo_Symbol\tVariant_Classification\tTumor_Sample_Barcode"
    files = {
        "meta_study.txt": "cancer_study_identifier: series\n",
        "data_mutations.txt": "\n".join([header, *variants]) + "\n",
        "data_clinical_sample.txt": HEADER + "\n".join(clinical) + "\n",
        "case_lists/cases_sequenced.txt": "stable_id: series_sequenced\ncase_list_ids: "
        + "\t".join(samples)
        + "\n",
    }
    return files, samples, following


@pytest.fixture(scope="module")
def made():
    return series_study()


@pytest.fixture(scope="module")
def loaded(made, tmp_path_factory):
    folder = stored(made[0], tmp_path_factory.mktemp("series"))
    return load(Source(str(folder)), Curation(per_patient="series", lost_events="keep"))


class TestSeriesOfTumourAndBlood:
    def test_each_follows_the_one_before_it_at_its_site_where_ages_or_numbers_tell(
        self, made, loaded
    ):
        _, samples, following = made
        data = loaded.reading.data
        assert set(data.samples) == set(samples)
        assert data.patients.number == PATIENTS
        lengths = [len(rows) for rows in data.patients.members()]
        assert (min(lengths), max(lengths)) == (FEWEST, MOST)
        assert set(pairs(data)) == following

    def test_it_is_counted_of_how_many_patients_the_order_is_known(self, made, loaded):
        ordered = {earlier.split("-")[1] for earlier, _ in made[2]}
        assert [*map(str, loaded.reading.notes)][-1] == (
            f"patients: {len(made[1])} samples of {PATIENTS} patients, {PATIENTS} with several; "
            f"the order of samples is known in {len(ordered)}"
        )

    def test_later_samples_are_predicted_from_earlier_ones_of_the_same_site(self, made, loaded):
        kept = PerPatient().apply(loaded.reading.data).data
        found = judge([MHN(penalty_strength=0.05)], kept, series=loaded.series(), folds=3, jobs=1)
        named = {*zip(found.series.earlier, found.series.later, strict=True)}
        assert named == made[2]
        assert found.series.gain(0, "nothing changes").mean > 0


def test_numbers_in_names_order_the_samples_of_a_portal_study(tmp_path):
    folder = stored(made_study(patients=12).files, tmp_path)
    data = read_study(folder, per="sample").data
    assert pairs(data) == [(f"P-{k:05d}-T01-IM5", f"P-{k:05d}-T02-IM5") for k in range(0, 12, 4)]
    last = load(Source(str(folder)), Curation(per_patient="last")).curated()
    assert "P-00000-T02-IM5" in last.data.samples
    assert len(last.data.samples) == 12
