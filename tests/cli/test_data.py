"""Commands that read, inspect, curate and simulate data, and the studies."""

import pytest

from caprese import Caprese, FormatError, datasets, read_dataset, read_fit, tree_edit_distance
from caprese.io.documents import read_model, write_model


@pytest.fixture
def odd_table(tmp_path):
    """Events in all or no samples, two identical ones, and a sample without known entries."""
    path = tmp_path / "odd.csv"
    path.write_text(
        "sample,all,none,a,b,c\n"
        "p1,1,0,1,1,1\np2,1,0,1,1,0\np3,1,0,0,0,0\np4,1,0,1,1,1\np5,NA,NA,NA,NA,NA\n"
    )
    return path


def test_fit_curates_and_prints_the_log(run, odd_table):
    code, out, err = run("fit", str(odd_table), "-o", "fit.json")
    assert (code, err) == (0, "")
    assert "a / b" in out
    assert "dropped 1 event, never seen: none (0 of 4)" in out
    assert "dropped 1 event, always seen: all (4 of 4)" in out
    assert "merged 2 events into a / b, identical" in out
    assert "dropped 1 sample" in out
    assert [step.what for step in read_fit("fit.json").log] == ["drop", "drop", "merge", "drop"]
    assert out.startswith(run("show", "fit.json")[1])


def test_every_step_can_be_switched_off(run, odd_table):
    switches = ["--keep-constant", "--keep-identical", "--keep-unknown"]
    _, out, _ = run("fit", str(odd_table), *switches)
    assert "on 5 samples x 5 events" in out
    assert "dropped" not in out


def test_curate_writes_the_table_and_prints_the_log(run, odd_table, tmp_path):
    code, out, _ = run("curate", str(odd_table), "-o", "clean.csv")
    assert code == 0
    assert out.splitlines()[-1] == "clean.csv: 4 samples x 2 events"
    assert read_dataset(tmp_path / "clean.csv").events == ("a / b", "c")


def test_names_that_look_like_formulas_are_guarded_on_request(run, tmp_path):
    (tmp_path / "data.csv").write_text("sample,-7q,b\n=1,1,0\ns2,0,1\n")
    run("curate", "data.csv", "-o", "plain.csv")
    run("curate", "data.csv", "-o", "guarded.csv", "--guard-formulas")
    assert (tmp_path / "plain.csv").read_text() == "sample,-7q,b\n=1,1,0\ns2,0,1\n"
    assert (tmp_path / "guarded.csv").read_text() == "sample,'-7q,b\n'=1,1,0\ns2,0,1\n"
    assert read_dataset(tmp_path / "guarded.csv") == read_dataset(tmp_path / "plain.csv")


def test_inspect_prints_warnings(run, odd_table):
    code, out, _ = run("inspect", str(odd_table))
    assert code == 0
    assert "identical" in out


def test_events_are_selected_and_merged(run):
    _, out, _ = run("fit", "acml", "--merge", "ASXL1=ASXL1 indel,ASXL1 nonsense")
    assert "no admissible parent; as frequent as SETBP1 missense" in out
    _, out, _ = run("fit", "ovarian", "--top", "2")
    assert "on 87 samples x 2 events" in out
    _, out, _ = run("fit", "ovarian", "--only", "8q+,3q+", "--at-least", "0.6")
    assert "on 87 samples x 1 event" in out
    _, out, _ = run("fit", "ovarian", "--exclude", "8q+", "--hypermutated", "5")
    assert "8q+ " not in out.split("dropped")[0]


def test_events_may_be_excluded_one_by_one(run, tmp_path):
    (tmp_path / "events.txt").write_text("5q-\n")
    given = [word for name in ("8q+", "3q+,8q+", "events.txt") for word in ("--exclude", name)]
    _, out, _ = run("fit", "ovarian", *given)
    assert "on 87 samples x 4 events" in out
    _, out, _ = run("fit", "ovarian", "--only", "8q+", "--only", "3q+")
    assert "on 87 samples x 2 events" in out


def test_names_may_come_from_a_file(run, tmp_path):
    (tmp_path / "events.txt").write_text("8q+\n3q+\n")
    _, out, _ = run("fit", "ovarian", "--only", "events.txt")
    assert "on 87 samples x 2 events" in out


def test_a_maf_is_read_and_its_notes_are_kept(run, tmp_path):
    header = "Hugo_Symbol\tVariant_Classification\tTumor_Sample_Barcode\n"
    rows = [
        ("TP53", "Missense_Mutation", "s1"),
        ("KRAS", "Missense_Mutation", "s1"),
        ("TP53", "Nonsense_Mutation", "s2"),
        ("KRAS", "Silent", "s3"),
    ]
    (tmp_path / "x.maf").write_text(header + "".join("\t".join(row) + "\n" for row in rows))
    code, out, err = run("fit", "x.maf", "-o", "fit.json")
    assert (code, err) == (0, "")
    assert "excluded 1 silent variant" in out
    assert "TP53" in out
    assert read_fit("fit.json").log[0].what == "read"
    _, kinds, _ = run("fit", "x.maf", "--read", "events=gene and kind", "--keep-constant")
    assert "TP53 missense" in kinds


def test_simulate_writes_data_and_the_model(run, tmp_path):
    size = ["--events", "8", "--samples", "3000"]
    code, out, err = run("simulate", *size, "-o", "d.csv", "--truth", "t.json")
    assert (code, out, err) == (0, "", "")
    truth = read_model(tmp_path / "t.json")
    found = Caprese(shrinkage=0.01).fit(read_dataset(tmp_path / "d.csv")).model
    assert tree_edit_distance(found, truth) == 0
    run("simulate", *size, "-o", "again.csv")
    assert (tmp_path / "again.csv").read_text() == (tmp_path / "d.csv").read_text()


def test_simulate_also_makes_dags(run, tmp_path):
    run("simulate", "--events", "6", "--parents", "3", "-o", "d.csv", "--truth", "t.json")
    dag = read_model(tmp_path / "t.json")
    assert max(map(len, dag.parent_sets)) > 1
    write_model(dag, tmp_path / "again.json")
    assert read_model(tmp_path / "again.json") == dag


def test_a_model_of_another_kind_is_refused(run, tmp_path):
    run("simulate", "--events", "3", "-o", "d.csv", "--truth", "t.json")
    text = (tmp_path / "t.json").read_text().replace('"kind": "forest"', '"kind": "web"')
    (tmp_path / "t.json").write_text(text)
    with pytest.raises(FormatError, match=r"kind must be one of forest, dag, .*, got 'web'"):
        read_model(tmp_path / "t.json")


def test_auto_prints_the_chosen_shrinkage_and_why(run):
    _, out, _ = run("fit", "acml", "--shrinkage", "auto")
    assert "chosen: on 200 simulated data sets its mean tree edit distance is" in out


def test_study_without_a_name_lists_the_studies(run):
    _, out, _ = run("study")
    assert [line.split()[0] for line in out.splitlines()][:3] == ["lambda", "noise-free", "noisy"]


def test_study_writes_its_folder(run, tmp_path):
    code, out, _ = run("study", "example", "-o", "out", "--jobs", "1")
    assert (code, out) == (0, "out: table.csv, settings.json, figure.png, figure.svg\n")
    assert (tmp_path / "out" / "table.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["fit", "ovarian", "--only", "8q"],
            "ovarian: not among the events: '8q'; did you",
        ),
        (["fit", "ovarian", "--top", "0"], "--top must be a whole number of at least 1, got 0"),
        (["fit", "ovarian", "--at-least", "2"], "--at-least must be in [0, 1], got 2"),
        (["fit", "ovarian", "--merge", "X=8q+"], "--merge must be NEW=A,B, two events or more"),
        (["fit", "ovarian", "--format", "xml"], "--format must be one of table, maf"),
        (["fit", "ovarian", "-o", ""], "--output must not be empty"),
        (["fit", "ovarian", "--only", "nosuch.txt"], "nosuch.txt: no such file"),
        (
            ["fit", "ovarian", "--method", "caprese:"],
            "--method must be NAME or NAME:PARAMETER=VALUE",
        ),
        (
            ["simulate", "-o", "d.csv", "--samples", "99999999999"],
            "--samples must be a whole number",
        ),
        (["simulate", "-o", "d.csv", "--truth", "d.csv"], "--truth d.csv must end in one of .json"),
        (
            ["simulate", "-o", "d.csv", "--truth", "no/t.json"],
            "--truth no/t.json: there is no folder",
        ),
        (["fit", "x.csv", "--read", "speed"], "--read must be OPTION=VALUE, got 'speed'"),
        (["fit", ""], "DATA must not be empty"),
        (["simulate"], "Missing option '-o' / '--output'."),
        (
            ["simulate", "-o", "d.csv", "--trees", "30"],
            "--trees must be a whole number from 1 to 20, got 30",
        ),
        (["simulate", "-o", "d.csv", "--errors", "2"], "--errors must be a number in [0, 1)"),
        (["study", "magic", "-o", "x"], "study must be one of lambda, noise-free"),
        (["study", "example"], "missing option -o: caprese study example -o DIR"),
        (["study", "lamda"], "study must be one of lambda, noise-free"),
    ],
)
def test_bad_input_is_reported_in_one_line(refused, arguments, line):
    assert refused(*arguments).startswith(line)


@pytest.mark.parametrize("command", ["fit", "curate", "bootstrap"])
def test_the_data_is_not_overwritten(refused, odd_table, command):
    before = odd_table.read_text()
    line = refused(command, str(odd_table), "-o", str(odd_table))
    assert line.endswith("would overwrite the input; name another file")
    assert odd_table.read_text() == before


def test_data_with_constant_events_only_is_refused(refused, tmp_path):
    (tmp_path / "flat.csv").write_text("a,b\n1,0\n1,0\n")
    line = refused("fit", "flat.csv")
    assert line.startswith("flat.csv: none of the 2 events would be left")
    assert line.endswith("; --keep-constant keeps events that do not vary")


def test_embedded_data_needs_no_curation():
    from caprese.data.curation import curate

    assert all(not curate(make()).log for make in datasets.EMBEDDED.values())


def test_a_list_of_names_may_be_longer_than_the_name_of_a_file(run):
    names = ",".join(["8q+", "3q+"] * 60)
    assert run("fit", "ovarian", "--only", names)[0] == 0
