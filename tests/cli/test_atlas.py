"""caprese atlas."""

from pathlib import Path

import pytest

from caprese import datasets, write_dataset

pytestmark = pytest.mark.slow


@pytest.fixture
def cohorts(tmp_path):
    folder = tmp_path / "cohorts"
    folder.mkdir()
    write_dataset(datasets.acml(), folder / "acml.csv")
    return folder


def test_a_site_is_written_and_what_was_left_out_is_said(run, cohorts, tmp_path):
    (cohorts / "notes.txt").write_text("nothing of use\n")
    words = ("atlas", "cohorts", "--top", "3", "--budget", "0.01s", "--title", "Leukaemia")
    code, out, err = run(*words, "--no-names", "-o", "site")
    assert (code, out) == (0, "site/index.html: 1 cohort\n")
    assert err.startswith("caprese: left out notes.txt: cohorts/notes.txt")
    index = (tmp_path / "site" / "index.html").read_text()
    assert "<h1>Leukaemia</h1>" in index
    assert "notes.txt: it could not be read" in index  # reasons may quote names of samples
    report = (tmp_path / "site" / "reports" / "acml.html").read_text()
    expected = "caprese report cohorts/acml.csv --top 3 --budget 0.01s --no-names "
    assert f"{expected}-o site/reports/acml.html" in report


@pytest.mark.usefixtures("cohorts")
def test_a_long_atlas_is_foretold(run, monkeypatch):
    monkeypatch.setattr("caprese.atlas.site._made", lambda *_: (_ for _ in ()).throw(SystemExit(7)))
    code, _, err = run("atlas", "cohorts", "-o", "site")
    assert (code, err) == (7, "caprese: 1 cohort will take up to about 29 seconds\n")
    assert not Path("site").exists()


@pytest.mark.usefixtures("cohorts")
@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["none", "-o", "site"], "none: no such folder; expected a folder with a file or study"),
        (["cohorts/acml.csv", "-o", "site"], "cohorts/acml.csv: this is a file; expected a folder"),
        (["cohorts", "-o", "cohorts/site"], "--output cohorts/site is inside of cohorts; name"),
        (["cohorts", "-o", "cohorts"], "--output cohorts is inside of cohorts; name another"),
        (["cohorts", "-o", "."], ". exists and is not an atlas that caprese wrote; --force writes"),
        (["cohorts", "--budget", "soon", "-o", "site"], "--budget must be "),
        (["cohorts"], "Missing option '-o' / '--output'"),
    ],
)
def test_a_wrong_word_is_one_line(refused, words, line):
    assert refused("atlas", *words).startswith(line)
    assert not Path("site").exists()
