"""Usage errors, and the line that reports each of them."""

import os
import subprocess
import sys

import pytest

from caprese import METHODS, Capri

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["fti"], "there is no command 'fti'; did you mean 'fit'?"),
        (["boot"], "there is no command 'boot'; did you mean 'bootstrap'?"),
        (["magic"], "there is no command 'magic'; there are inspect, curate, fit, bootstrap, comp"),
        (["--hlep"], "caprese has no option '--hlep'; did you mean '--help'?"),
        (["fit", "ovarian", "--Top", "3"], "fit has no option '--Top'; did you mean '--top'?"),
        (["fit", "ovarian", "--kind", "x"], "fit has no option '--kind'; bootstrap has it"),
        (
            ["fit", "ovarian", "--trees", "3"],
            "fit has no option '--trees'; simulate, study have it",
        ),
        (["show", "m.json", "--quiet"], "show has no option '--quiet'"),
        (["fit", "ovarian", "-q"], "fit has no option '-q'"),
        (
            ["fit", "ovarian", "--method", "capresse"],
            f"--method must be one of {', '.join(METHODS)}, got 'capresse'; "
            "did you mean 'caprese'?",
        ),
        (
            ["fit", "ovarian", "--method", "magic"],
            f"--method must be one of {', '.join(METHODS)}, got 'magic'",
        ),
        (
            ["compare", "ovarian", "-m", "caprese:shrinkag=1"],
            "parameter of caprese must be one of shrinkage, noise, orders_at_least, got "
            "'shrinkag'; did you mean 'shrinkage'?",
        ),
        (
            ["fit", "ovarian", "--format", "tabel"],
            "--format must be one of table, maf, copy-number, study, genotypes, r, parquet, excel, "
            "got 'tabel'; did you mean 'table'?",
        ),
        (
            ["fit", "data.csv", "--read", "delimeter=x"],
            "the options of format 'table' must be one of delimiter, sample_names, transpose, "
            "got 'delimeter'; did you mean 'delimiter'?",
        ),
        (
            ["fit", "data.csv", "--read", "exclude=A"],
            "--read: option must be one of a format, got 'exclude'; use --exclude",
        ),
        (
            ["fit", "data.csv", "--read", "format=table"],
            "--read: option must be one of a format, got 'format'; use --format",
        ),
        (
            ["fit", "data.csv", "--read", "source=x"],
            "--read: option must be one of a format, got 'source'",
        ),
        (
            ["fit", "ovarian", "--transpose"],
            "ovarian: embedded data has no options, got transpose; write ./ovarian for a file of "
            "that name",
        ),
        (
            ["study", "nosy", "-o", "x"],
            "study must be one of lambda, noise-free, noisy, example, dag, dag-methods, "
            "convergence, h-cbn, unknown, beyond, got 'nosy'; did you mean 'noisy'?",
        ),
        (["fit", "avarian"], "avarian: no such file; did you mean the embedded 'ovarian'?"),
        (["fit", "dat.csv"], "dat.csv: no such file; did you mean 'data.csv'?"),
        (["fit", "data.tsv"], "data.tsv: no such file; did you mean 'data.csv'?"),
        (["fit", "tumours.csv"], "tumours.csv: no such file"),
        (["fit", "d.csv"], "d.csv: no such file"),
    ],
)
def test_a_similar_name_is_suggested(refused, tmp_path, arguments, line):
    (tmp_path / "data.csv").write_text("a,b\n1,0\n0,1\n")
    assert refused(*arguments).startswith(line)
    assert ("did you mean" in line) == ("did you mean" in refused(*arguments))


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["report", "ovarian", "-o", "r.pdf"], "--output r.pdf must end in one of .html, .htm"),
        (["report", "ovarian", "-o", "there/"], "--output there/ is a folder; name a file"),
        (["curate", "ovarian", "-o", "x.ods"], "--output x.ods must end in one of .csv, .tsv"),
        (["simulate", "-o", "s.json"], "--output s.json must end in one of .csv, .tsv, .txt"),
        (["fit", "ovarian", "-o", "a.svg", "-o", "./a.svg"], "--output ./a.svg is given twice"),
        (["simulate", "-o", "s.csv", "--truth", "x.foo"], "--truth x.foo must end in one of .json"),
        (
            ["bootstrap", "ovarian", "--replicates", "1e3"],
            "--replicates must be a whole number from 1 to 1000000000, got '1e3'",
        ),
        (["study", "lambda", "-o", __file__], f"--output {__file__} is a file; name a folder"),
        (
            ["fit", "ovarian", "--method", "hcbn", "--seed", str(2**64)],
            f"--seed must be a whole number from 0 to {2**63 - 1}, got {2**64}",
        ),
    ],
    ids=lambda case: " ".join(case) if isinstance(case, list) else "",
)
def test_files_that_could_not_be_written_are_refused_before_any_computation(run, arguments, line):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"caprese: {line}")


def test_a_confidence_that_is_an_input_is_not_overwritten(run, tmp_path):
    run("fit", "acml", "-o", "model.json")
    run("bootstrap", "acml", "--replicates", "10", "-o", "confidence.json")
    before = (tmp_path / "confidence.json").read_text()
    shown = ["show", "model.json", "--confidence", "confidence.json"]
    code, _, err = run(*shown, "-o", "confidence.json")
    assert code == 2
    assert "--output confidence.json would overwrite the input" in err
    assert (tmp_path / "confidence.json").read_text() == before


def test_a_read_only_file_is_not_changed(run, tmp_path, monkeypatch):
    (tmp_path / "keep.svg").write_text("<svg/>")
    # Root may write everywhere.
    monkeypatch.setattr("os.access", lambda path, _mode: not str(path).endswith("keep.svg"))
    code, _, err = run("fit", "acml", "-o", "keep.svg", "--force")
    line = "caprese: --output keep.svg: there is no permission to overwrite it\n"
    assert (code, err) == (2, line)
    assert (tmp_path / "keep.svg").read_text() == "<svg/>"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ["fit", "acml", "-m", "caprese", "-m", "oncotree"],
            "--method is given 2 times; caprese compare and caprese judge take several",
        ),
        (
            ["fit", "acml", "-m", "caprese:shrinkage=0.1", "--shrinkage", "0.2"],
            "--method caprese:shrinkage=0.1 and --shrinkage both set shrinkage; omit one",
        ),
        (
            ["patients", "acml", "--fit", "model.json", "-m", "bayes"],
            "--method is for a new fit; --fit is fitted already: omit one",
        ),
        (
            ["plot", "patients", "acml", "--fit", "model.json", "-m", "bayes", "-o", "x.svg"],
            "--method is for a new fit; --fit is fitted already: omit one",
        ),
    ],
)
def test_options_that_contradict_each_other_are_refused(run, refused, words, line):
    assert run("fit", "acml", "-o", "model.json")[0] == 0
    assert refused(*words) == line


@pytest.mark.parametrize(
    ("environment", "redirected", "first"),
    [
        ({"PYTHONIOENCODING": "latin-1"}, "", "caprese (shrinkage 0.5) on 64 samples x 3 events"),
        ({}, ">&-", ""),
    ],
    ids=["latin-1", "closed"],
)
def test_output_in_another_encoding_or_closed_is_no_error(environment, redirected, first):
    program = f"{sys.executable} -c 'from caprese.cli import main; main()' fit acml {redirected}"
    done = subprocess.run(
        ["bash", "-c", program],
        env=os.environ | environment,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode("latin-1").startswith(first)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["fit", "a\x1b[31m\u202eb.csv"], r"'a\x1b[31m\u202eb.csv': no such file"),
        (["fit", "acml", "-o", "a\x1b[31m.svgg"], r"--output a\x1b[31m.svgg must end in one of"),
        (["fit", "acml", "--only", "a\x1b[31mb"], r"acml: not among the events: 'a\x1b[31mb'"),
    ],
)
def test_control_characters_of_names_are_escaped(refused, arguments, line):
    assert refused(*arguments).startswith(line)


def test_a_name_in_another_encoding_is_printed_with_escapes(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff.svg"
    program = "from caprese.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "plot", "oncoprint", "acml", "-o", path],
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == f"{tmp_path}/\\udcff.svg\n"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["fit", "acml", "-m", "capri", "--resamples", "900000000"], "--resamples 900000000"),
        (["fit", "acml", "-m", "capri:resamples=900000000:seed=3"], "resamples 900000000"),
        (["fit", "acml", "-m", "capri:seed=5", "--resamples=20000"], "--resamples 20000"),
    ],
)
def test_where_memory_does_not_suffice_the_large_number_is_named(
    refused, monkeypatch, arguments, named
):
    def fit(_method, _data):
        raise MemoryError("Unable to allocate 2 TiB")

    monkeypatch.setattr(Capri, "fit", fit)
    message = f"not enough memory for {named}: choose less (Unable to allocate 2 TiB)"
    assert refused(*arguments) == message
    assert refused("fit", "acml", "-m", "capri") == "not enough memory: Unable to allocate 2 TiB"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["fit", "acml", "-m", "capri", "--resamples", "9" * 30],
            "--resamples must be at most 1,0",
        ),
        (
            ["fit", "acml", "-m", "hcbn", "--steps", "9" * 30],
            "--steps must be at most 1,000,000,00",
        ),
        (["fit", "acml", "-m", "hcbn", "--restarts", "9" * 30], "--restarts must be at most 1,000"),
        (
            ["fit", "acml", "-m", "bayes", "--draws", "9" * 30],
            "--draws must be at most 1,000,000,0",
        ),
        (
            ["judge", "acml", "--repeats", "10001"],
            "--repeats must be a whole number from 1 to 10000",
        ),
    ],
)
def test_numbers_that_no_computation_could_end_with_are_refused(refused, arguments, message):
    assert refused(*arguments).startswith(message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "acml", "--at-least", "nan"], "--at-least must be in [0, 1], got nan"),
        (
            ["fit", "acml", "--only", "names.txt"],
            "names.txt: there is no name in this file;",
        ),
        (["show", "ovarian"], "ovarian is embedded data, not a result; caprese fit ovarian infers"),
        (["show", "no.csv"], "no.csv: no such file"),
        (
            ["bootstrap", "acml", "--kind", "statistical", "--replicates", "3"],
            "--kind must be another, because this method draws no random numbers",
        ),
        (
            ["judge", "constant.csv", "-m", "caprese", "--folds", "2", "--jobs", "1"],
            "no event would be left: always seen; --keep-constant keeps events that do not vary",
        ),
    ],
)
def test_what_was_found_by_trying(refused, tmp_path, arguments, message):
    (tmp_path / "names.txt").write_text("\n\n")
    (tmp_path / "constant.csv").write_text("sample,a\np,1\nq,1\n")
    found = refused(*arguments)
    assert found.startswith(message)
    assert "caprese fit no.csv" not in found


def test_a_bad_time_names_the_table_it_is_in(refused, tmp_path):
    rows = "".join(f"{k},{-k},1\n" for k in range(1, 65))
    (tmp_path / "clinical.csv").write_text(f"sample,T,S\n{rows}")
    table = ["--annotation", "clinical.csv", "--time", "T", "--status", "S"]
    message = "clinical.csv: column 'T', sample '1': '-1' is not a time"
    assert refused("patients", "acml", *table).startswith(message)


def test_what_may_not_be_read_is_not_taken_for_something_else(refused, monkeypatch, tmp_path):
    (tmp_path / "study").mkdir()
    (tmp_path / "edges.csv").write_text("parent,child\n")
    monkeypatch.setattr("os.access", lambda *_: False)  # root may read everything
    assert refused("fit", "study") == "study: no permission to read this folder"
    assert "use: caprese fit" not in refused("show", "edges.csv")


def test_the_help_says_what_is_overwritten_and_what_defaults_depend_on(run):
    assert "-o" not in run("run", "--help")[1]
    said = " ".join(run("fit", "-m", "bayes", "--help")[1].split())
    assert "weights of subtypes; by default 1, or learnt with auto." in said
