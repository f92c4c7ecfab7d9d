"""The report shows how well later samples of patients are predicted."""

import numpy as np

from caprese import Dataset, IndependentEvents, judge
from caprese.data.patients import Patients
from caprese.models.poset import TimedPoset
from caprese.report.sections.alternatives import _judged_series
from caprese.text.sentences import plain


def test_a_sentence_and_a_row_for_each_method():
    values = np.random.default_rng(1).random((24, 3)) < 0.4
    values[12:] |= values[:12]
    names = tuple(f"p{k % 12}" for k in range(24))
    data = Dataset(values, "abc", patients=Patients(names, [1] * 12 + [2] * 12))
    poset = TimedPoset(("a", "b", "c"), ((), (), ()), (1.0, 1.0, 1.0))
    methods = {"clock": poset, "independence": IndependentEvents()}
    found = judge(methods, data, folds=3, jobs=1).series
    sentence, table = _judged_series(found)
    assert "later samples of 12 held-out patients" in plain(sentence.text)
    names = {plain(row[0]) for row in table.rows}
    assert names == {"clock", "nothing changes", "frequencies"}
    assert "12 later samples of 12 patients" in plain(table.caption)
