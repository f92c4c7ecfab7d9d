"""The patients of samples, from tables and from names."""

import numpy as np
import pytest

from caprese import Dataset
from caprese.data.patients import Patients
from caprese.data.sample_names import patients_in_names, places_in_names
from caprese.errors import DatasetError, FormatError, ParameterError
from caprese.io.data.patients import PatientSource
from caprese.io.data.reading import Reading

NAN = float("nan")
SAMPLES = ("s1", "s2", "s3", "s4")
NUMBERED = "id,patient,age,number\n"
TABLE = "sample,patient,days,date,site\n"


def reading(samples=SAMPLES):
    values = np.zeros((len(samples), 2), dtype=bool)
    return Reading(Dataset(values, "ab", samples))


@pytest.fixture
def stored(tmp_path):
    def store(rows, header=TABLE):
        path = tmp_path / "clinical.csv"
        path.write_text(header + "".join(f"{row}\n" for row in rows))
        return str(path)

    return store


ROWS = [
    "s1,p,30,2020-02-01,Primary",
    "s2,p,400,2021-02-05,cfDNA",
    "s3,p,0,2020-01-02,Primary",
    "s4,,NA,,Metastasis",
]


class TestTables:
    def test_a_column_has_the_patients_and_another_the_days(self, stored):
        path = stored(ROWS)
        found = PatientSource((path, "patient"), ((path, "days"),)).read(reading())
        assert found.data.patients.names == ("p", "p", "p", "")
        assert found.data.patients.pairs().tolist() == [[2, 0], [0, 1]]
        assert [str(note) for note in found.notes] == [
            "patients: 1 sample without one, each of a patient of its own: s4",
            "patients: 4 samples of 2 patients, 1 with several; the order of samples is known in 1",
        ]

    def test_dates_are_times(self, stored):
        path = stored(ROWS)
        found = PatientSource((path, "patient"), ((path, "date"),)).read(reading()).data.patients
        assert found.times[:3].tolist() == pytest.approx(found.times[2] + np.array([30, 400, 0]))
        assert np.isnan(found.times[3])

    def test_blood_is_another_site_than_tumour(self, stored):
        path = stored(ROWS)
        source = PatientSource((path, "patient"), ((path, "days"),), (path, "site"))
        found = source.read(reading()).data.patients
        assert found.sites == ("tumour", "blood", "tumour", "tumour")
        assert found.primary.tolist() == [True, False, True, False]
        assert found.pairs().tolist() == [[2, 0]]

    def test_a_table_may_name_tcga_patients(self, stored):
        path = stored(["TCGA-02-0001,x", "TCGA-02-0002,y"], "patient,group\n")
        names = ("TCGA-02-0001-01A", "TCGA-02-0001-06A", "TCGA-02-0002-01A")
        found = PatientSource((path, None)).read(reading(names)).data.patients
        assert found.names == ("x", "x", "y")
        assert found.primary.tolist() == [True, False, True]

    def test_a_second_column_decides_where_the_first_leaves_the_order_open(self, stored):
        path = stored(
            ["s1,p,50,2", "s2,p,50,1", "s3,q,60,1", "s4,q,59,"], "id,patient,age,number\n"
        )
        source = PatientSource((path, "patient"), ((path, "age"), (path, "number")))
        found = source.read(reading()).data.patients
        assert found.pairs().tolist() == [[1, 0], [3, 2]]
        assert found.times.tolist() == [1, 0, 60, 59]


class TestContradictions:
    def test_times_that_go_backwards_against_a_stated_order(self, stored):
        path = stored(
            ["s1,p,51,1", "s2,p,50,2", "s3,q,60,1", "s4,q,61,2"], "id,patient,age,number\n"
        )
        columns = ((path, "age"), (path, "number"))
        source = PatientSource((path, "patient"), columns)
        problem = "go backwards against a stated order: s1, s2; time_conflicts='unknown' leaves"
        with pytest.raises(DatasetError, match=problem):
            source.read(reading())
        unsure = PatientSource((path, "patient"), columns, time_conflicts="unknown")
        found = unsure.read(reading()).data.patients
        assert found.pairs().tolist() == [[2, 3]]

    def test_two_times_of_one_sample(self, stored):
        path = stored([*ROWS, "s1,p,31,2020-02-01,Primary"])
        problem = r"line 6: sample 's1' has '31', and '30' in line 2; time_conflicts='unknown'"
        with pytest.raises(FormatError, match=problem):
            PatientSource((path, "patient"), ((path, "days"),)).read(reading())
        columns = ((path, "days"),)
        unsure = PatientSource((path, "patient"), columns, time_conflicts="unknown")
        assert unsure.read(reading()).data.patients.pairs().tolist() == [[2, 1]]

    def test_the_same_said_twice_is_no_contradiction(self, stored):
        path = stored([*ROWS, ROWS[0]])
        found = PatientSource((path, "patient"), ((path, "days"),)).read(reading())
        assert len(found.data.patients.pairs()) == 2

    def test_two_patients_of_one_sample(self, stored):
        path = stored([*ROWS, "s1,q,30,2020-02-01,Primary"])
        with pytest.raises(FormatError, match=r"line 6: sample 's1' has 'q', and 'p' in line 2$"):
            PatientSource((path, "patient")).read(reading())


class TestBadInput:
    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            (["s1,p,soon,,", *ROWS[1:]], "line 2: sample 's1': 'soon' is no time; expected a num"),
            (["s1,p,2020-01-01,,", *ROWS[1:]], "line 3: '400' and '2020-01-01' in line 2 are not"),
            (["x1,p,3,,"], r"none of the samples of the data \(s1, s2, s3, s4\); expected a row"),
            ([",p,3,,"], "line 2, column 1: the sample name is empty"),
        ],
    )
    def test_it_is_named(self, stored, rows, message):
        path = stored(rows)
        with pytest.raises(FormatError, match=message):
            PatientSource((path, "patient"), ((path, "days"),)).read(reading())

    def test_a_column_that_is_not_there(self, stored):
        path = stored(ROWS)
        with pytest.raises(FormatError, match="no column 'sex', expected one of"):
            PatientSource((path, "sex")).read(reading())
        with pytest.raises(FormatError, match="5 columns: 'patient', 'days'"):
            PatientSource((path, None)).read(reading())

    def test_times_need_patients(self, stored):
        path = stored(ROWS)
        with pytest.raises(DatasetError, match=r"sampled_at tells one sample .*; patients says"):
            PatientSource(None, ((path, "days"),)).read(reading())

    def test_names_that_tell_nothing(self):
        with pytest.raises(ParameterError, match="no names look like several samples of one"):
            PatientSource("names").read(reading())


ONE_PATIENT = {
    "barcodes": ("TCGA-02-0001-01", "TCGA-02-0001-06", "TCGA-02-0003-01"),
    "numbers": ("P1_T1", "P1_T2", "P2_T1"),
    "panels": ("P-0000004-T01-IM6", "P-0000004-T02-IM6", "P-0000005-T01-IM6"),
    "words": ("x_primary", "x_relapse", "y_primary"),
    "letters": ("P1-a", "P1-b", "P2-a", "P2-b"),
}
DIFFERENT = {
    "numbers": ("s1", "s2", "s3"),
    "numbers of one cohort": ("cohort_S1", "cohort_S2", "cohort_S3"),
    "two cohorts": tuple(f"{site}_S{k}" for site in "ab" for k in range(30)),
    "letters of patients": ("P1a", "P2b", "P3a"),
    "a letter left out": ("P1a", "P1c", "P2a", "P2b"),
    "barcodes": ("TCGA-02-0001-01", "TCGA-02-0002-01"),
}


class TestNames:
    @pytest.mark.parametrize("names", ONE_PATIENT.values(), ids=ONE_PATIENT)
    def test_several_samples_of_a_patient_are_a_doubt(self, names):
        found = PatientSource().read(reading(names))
        assert found.data.patients is None
        (doubt,) = found.doubts
        assert "look like several samples of" in str(doubt)
        assert "; patients='names' counts each patient once" in str(doubt)
        assert PatientSource("none").read(reading(names)).doubts == ()
        known = PatientSource("names").read(reading(names))
        assert known.doubts == ()
        assert known.data.patients.several

    @pytest.mark.parametrize("names", DIFFERENT.values(), ids=DIFFERENT)
    def test_names_of_different_patients_are_no_doubt(self, names):
        found = patients_in_names(names)
        assert found is None or not found.several
        assert PatientSource().read(reading(names)).doubts == ()

    def test_numbers_in_names_are_an_order_if_one_asks_for_it(self):
        names = ("P1_T2", "P1_T1", "P2_T1")
        found = PatientSource("names", ("names",)).read(reading(names)).data.patients
        assert found.pairs().tolist() == [[1, 0]]
        assert not len(PatientSource("names").read(reading(names)).data.patients.pairs())

    def test_places_of_different_series_are_not_compared(self):
        names = ("L-7-002", "L-7-001B", "P-7-T01-IM6", "P-7-T02-IM6", "L-7-003")
        one = Patients(("p",) * 5)
        assert places_in_names(names, one).tolist() == pytest.approx(
            [2, 1, NAN, NAN, 3], nan_ok=True
        )
        apart = Patients(("p",) * 5, sites=("blood", "blood", "tumour", "tumour", "blood"))
        assert places_in_names(names, apart).tolist() == [2, 1, 1, 2, 3]
