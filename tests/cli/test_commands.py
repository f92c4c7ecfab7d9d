import subprocess
import sys
from types import ModuleType

import pytest
from click.testing import CliRunner

from caprese import METHODS, Caprese, cli, datasets, write_dataset
from caprese.__main__ import run as command_line
from caprese.text.columns import separated
from caprese.text.directions import direction_lines
from caprese.text.fits import fit_lines


def test_without_arguments_the_help_is_printed(run):
    code, out, err = run()
    assert code == 0
    assert "Start with: caprese fit ovarian" in out
    assert err == ""


def test_fit_prints_the_tree(run):
    code, out, err = run("fit", "ovarian")
    assert (code, err) == (0, "")
    fit = Caprese().fit(datasets.ovarian())
    assert out == "\n".join(separated(fit_lines(fit), direction_lines(fit))) + "\n"


def test_fit_reads_a_file(run, tmp_path):
    write_dataset(datasets.acml(), tmp_path / "acml.csv")
    _, from_file, _ = run("fit", "acml.csv", "--shrinkage", "0.01")
    _, embedded, _ = run("fit", "acml", "--shrinkage", "0.01")
    assert from_file == embedded


def test_fit_reads_standard_input(tmp_path):
    write_dataset(datasets.acml(), tmp_path / "acml.csv")
    text = (tmp_path / "acml.csv").read_text()
    result = CliRunner().invoke(cli.cli, ["fit", "-"], input=text)
    assert "└─ ASXL1 nonsense" in result.output


def test_show_prints_what_fit_printed_but_for_the_directions_which_need_the_data(run):
    _, printed, _ = run("fit", "ovarian", "--shrinkage", "0.25", "-o", "model.json")
    code, shown, err = run("show", "model.json")
    assert (code, err) == (0, "")
    assert printed.removeprefix(shown).startswith("\nDirections: ")


def test_the_delimiter_can_be_given(run, tmp_path):
    (tmp_path / "data.txt").write_text("a b|c\n1|0\n0|1\n")
    code, out, _ = run("fit", "data.txt", "--delimiter", "|")
    assert code == 0
    assert "a b" in out
    (tmp_path / "data.txt").write_text("a b\tc\n1\t0\n0\t1\n")
    assert run("fit", "data.txt", "--delimiter", "tab")[0] == 0


def test_the_column_of_names_can_be_given(run, tmp_path):
    (tmp_path / "data.csv").write_text("first,b\n1,0\n0,1\n1,1\n")
    assert "first" in run("fit", "data.csv")[1]
    _, _, err = run("fit", "data.csv", "--sample-names")
    assert err.startswith("caprese: data.csv, line 4, column 1: sample '1' is also in line 2")


def test_the_parameters_of_the_methods_are_options(run):
    _, out, _ = run("fit", "--help")
    assert "oncotree      search, noise" in out
    assert "caprese fit tumours.csv --shrinkage 0.01 -o model.json\n" in out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["fit"], "Missing argument 'DATA'."),
        (["fot"], "there is no command 'fot'; did you mean 'fit'?"),
        (["fit", "nowhere.csv"], "nowhere.csv: no such file"),
        (
            ["fit", "."],
            ".: this folder is not a cBioPortal study: it has no meta_study.txt and no mutations; "
            "expected a file or such a folder",
        ),
        (
            ["fit", "ovarian", "--method", "x"],
            f"--method must be one of {', '.join(METHODS)}, got 'x'",
        ),
        (
            ["fit", "ovarian", "--shrinkage", "x"],
            "--shrinkage must be in [0, 1] or auto, got 'x'",
        ),
        (["fit", "ovarian", "--shrinkage", "2"], "--shrinkage must be in [0, 1] or auto, got 2.0"),
        (
            ["fit", "ovarian", "--shrinkage", "nan"],
            "--shrinkage must be in [0, 1] or auto, got nan",
        ),
        (
            ["fit", "ovarian", "--delimiter", "ab"],
            "--delimiter must be one character or the word tab, got 'ab'",
        ),
        (
            ["fit", "ovarian", "--shrinkag", "1"],
            "fit has no option '--shrinkag'; did you mean '--shrinkage'?",
        ),
        (
            ["fit", "ovarian", "-o", "nowhere/model.json"],
            "--output nowhere/model.json: there is no folder nowhere",
        ),
        (["show", "model.json"], "model.json: no such file"),
    ],
)
def test_bad_input_is_reported_in_one_line(refused, arguments, line):
    assert refused(*arguments) == line


def test_a_name_close_to_an_embedded_one_is_suggested(refused):
    line = refused("fit", "ovarion")
    assert line == "ovarion: no such file; did you mean the embedded 'ovarian'?"


def test_a_bad_cell_is_reported_with_its_line_and_column(refused, tmp_path):
    (tmp_path / "data.csv").write_text("sample,8q+,Xp-\np1,1,0\np2,maybe,1\n")
    assert refused("fit", "data.csv").startswith("data.csv, line 3, column 2 ('8q+'): 'maybe' is")


def test_a_refused_fit_does_not_change_an_existing_file(run, tmp_path):
    (tmp_path / "model.json").write_text("precious")
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n")
    assert run("fit", "bad.csv", "-o", "model.json")[0] == 2
    assert (tmp_path / "model.json").read_text() == "precious"


def test_an_interruption_while_the_command_line_is_loaded_exits_with_130(monkeypatch, capsys):
    class Loading(ModuleType):
        def __getattr__(self, name):
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "caprese.cli", Loading("caprese.cli"))
    with pytest.raises(SystemExit, match=r"^130$"):
        command_line()
    assert capsys.readouterr() == ("", "caprese: interrupted\n")


def test_an_interruption_is_reported_and_exits_with_130(run, monkeypatch):
    def interrupted(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(Caprese, "fit", interrupted)
    code, out, err = run("fit", "ovarian")
    assert (code, out) == (130, "")
    assert err.lstrip() == "caprese: interrupted\n"


def test_the_package_can_be_run_as_a_program():
    done = subprocess.run(
        [sys.executable, "-m", "caprese", "--version"], capture_output=True, check=True, text=True
    )
    assert done.stdout.startswith("caprese ")


def test_a_reader_that_ends_early_is_no_error():
    program = f"{sys.executable} -c 'from caprese.cli import main; main()' fit ovarian"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{program} | true"], capture_output=True, check=False
    )
    assert done.stderr == b""


def test_the_help_imports_nothing_heavy():
    program = (
        "import sys, caprese.cli; print({'numpy', 'pandas', 'rich', 'scipy'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert done.stdout == "set()\n"


def test_a_fit_to_a_small_table_imports_nothing_heavy():
    program = (
        "import sys; from caprese.cli import main; main(['fit', 'ovarian']); "
        "print({'pandas', 'scipy'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert done.stdout.endswith("set()\n")
