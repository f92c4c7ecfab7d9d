"""On a terminal: colours, progress, and interruptions (Ctrl-C)."""

import codecs
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from caprese import Caprese, Dataset, bootstrap, datasets
from caprese.cli.printing import printable, say, terminal_style
from caprese.text.fits import fit_lines, model_lines
from caprese.text.inspection import inspection_lines
from caprese.text.style import coloured, plain
from caprese.text.support import bootstrap_lines, confidence_lines

pytestmark = pytest.mark.slow

# The parent of the tests may ignore interruptions, and a child inherits that.
PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.{handler})
from caprese.cli import main
main(sys.argv[1:])
"""
CODES = re.compile(r"\x1b\[[\d;]*m")
MANY = "100000000"  # replicates, more than are done before an interruption


class Terminal:
    """A command whose standard error, and by default its output, goes to a terminal."""

    def __init__(self, *arguments, stdout=None, handler="default_int_handler", **environment):
        kept = {name: os.environ[name] for name in os.environ if name not in ("NO_COLOR", "TERM")}
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM.format(handler=handler), *arguments],
            stdout=theirs if stdout is None else stdout,
            stderr=theirs,
            env={**kept, "TERM": "xterm-256color", "COLUMNS": "200", **environment},
        )
        os.close(theirs)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.shown = ""

    def read_until(self, text):
        """Read until a text is shown."""
        while text not in self.shown:
            assert self._read(), f"{text!r} was not shown: {self.shown!r}"

    def read_all(self):
        """Read until the command ends; return all that it has shown."""
        while self._read():
            pass
        self.process.wait(timeout=60)
        return self.shown.replace("\r\n", "\n")

    def _read(self):
        """Read what is there; a part may end within a character. Return False at the end."""
        try:
            part = os.read(self._ours, 65536)
        except OSError:  # Linux reports the end of a terminal as an error
            part = b""
        self.shown += self._decoder.decode(part, final=not part)
        return bool(part)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.process.kill()
        self.process.communicate()
        os.close(self._ours)


def on_a_terminal(*arguments, **settings):
    """Run a command on a terminal; return what it shows."""
    with Terminal(*arguments, **settings) as terminal:
        return terminal.read_all()


@pytest.fixture(scope="module")
def fit():
    return Caprese().fit(datasets.ovarian())


@pytest.fixture(scope="module")
def confidence(fit):
    return bootstrap(fit, datasets.ovarian(), replicates=200)


class TestWidth:
    @pytest.mark.parametrize(
        ("columns", "command"),
        [
            (80, ("fit", "ovarian")),
            (40, ("bootstrap", "ovarian", "--replicates", "10")),
            (40, ("compare", "ovarian", "--no-judge")),
            (40, ("inspect", "ovarian")),
            (40, ("patients", "ovarian", "--budget", "1s")),
        ],
    )
    def test_lines_fit_the_terminal(self, columns, command):
        # Progress bars end with a control sequence that clears their line.
        shown = on_a_terminal(*command, COLUMNS=str(columns), NO_COLOR="1").split("\x1b[2K")[-1]
        assert len(shown.splitlines()) > 10
        assert max(map(len, shown.splitlines())) <= columns

    def test_a_pipe_gets_the_full_width(self, run, monkeypatch):
        whole = run("fit", "ovarian")[1]
        assert max(map(len, whole.splitlines())) > 90
        monkeypatch.setenv("COLUMNS", "40")
        assert run("fit", "ovarian")[1] == whole

    def test_json_is_not_divided(self):
        shown = on_a_terminal("fit", "acml", "--json", COLUMNS="40", NO_COLOR="1")
        assert json.loads(shown[shown.index("{") :])["format"] == "caprese fit"


class TestColours:
    def test_a_terminal_shows_colours_and_the_text_is_the_same(self, run):
        shown = on_a_terminal("fit", "ovarian")
        assert shown.startswith("\x1b[1mcaprese (shrinkage 0.5)")
        assert CODES.sub("", shown) == run("fit", "ovarian")[1]

    @pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
    def test_colours_can_be_switched_off(self, run, environment):
        assert on_a_terminal("fit", "ovarian", **environment) == run("fit", "ovarian")[1]

    def test_colours_can_be_forced_in_a_pipe(self, run, monkeypatch):
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert CODES.search(run("fit", "ovarian")[1])
        monkeypatch.setenv("NO_COLOR", "1")
        assert not CODES.search(run("fit", "ovarian")[1])

    def test_json_has_no_colours(self, run, monkeypatch):
        monkeypatch.setenv("FORCE_COLOR", "1")
        for command in (["fit", "acml"], ["inspect", "acml"], ["study"]):
            assert not CODES.search(run(*command, "--json")[1])

    def test_a_pipe_has_no_colours(self, capsys):
        assert terminal_style() is plain
        say(["a line"])
        assert capsys.readouterr().out == "a line\n"

    @pytest.mark.parametrize(
        "lines",
        [
            fit_lines,
            lambda fit, _confidence, style: fit_lines(fit, style=style),
            confidence_lines,
            lambda _fit, confidence, style: bootstrap_lines(confidence, style),
            lambda fit, confidence, style: model_lines(fit.model, confidence, style),
        ],
    )
    def test_colours_do_not_change_the_text(self, fit, confidence, lines):
        without, with_colours = lines(fit, confidence, plain), lines(fit, confidence, coloured)
        assert [CODES.sub("", line) for line in with_colours] == without
        assert with_colours != without

    def test_the_colour_of_support_depends_on_its_value(self, fit, confidence):
        lines = "\n".join(fit_lines(fit, confidence, coloured))
        sure, unsure = re.findall(r"\x1b\[38;5;32m([\d.]+) %", lines), "\x1b[38;5;166m"
        assert sure
        assert all(float(share) >= 80 for share in sure)
        assert unsure not in lines
        weak = bootstrap(Caprese(), datasets.ovarian().take_samples(range(20)), replicates=50)
        found = re.findall(r"\x1b\[38;5;166m([\d.]+) %", "\n".join(bootstrap_lines(weak, coloured)))
        assert found
        assert all(float(share) < 50 for share in found)

    def test_undetermined_events_are_dim(self):
        data = Dataset.from_rows([[1, 1, 1], [1, 1, 0], [0, 0, 0], [0, 0, 0]], events="abc")
        lines = fit_lines(Caprese().fit(data), style=coloured)
        assert any("\x1b[2mc\x1b[0m" in line for line in lines)
        assert not any("\x1b[2ma\x1b[0m" in line for line in lines)

    def test_warnings_are_yellow(self):
        from caprese.data.inspection import inspect

        found = inspect(Dataset.from_rows([[1, 0], [1, 0]], events="ab"))
        assert inspection_lines(found, coloured)[-1].startswith("\x1b[33m! All samples have")
        assert inspection_lines(found)[-1].startswith("! All samples have")


class TestProgress:
    def test_a_terminal_shows_a_bar_and_a_pipe_does_not(self):
        arguments = ["bootstrap", "acml", "--replicates", "2000"]
        with Terminal(*arguments, stdout=subprocess.PIPE) as terminal:
            shown = terminal.read_all()
            out = terminal.process.stdout.read().decode()
            assert terminal.process.returncode == 0
        assert "replicates" in shown
        assert "2000/2000" in shown
        assert "\x1b" not in out
        program = PROGRAM.format(handler="default_int_handler")
        piped = subprocess.run(
            [sys.executable, "-c", program, *arguments], capture_output=True, check=True
        )
        assert piped.stderr == b""
        assert piped.stdout.decode() == out

    def test_the_bar_vanishes_before_the_result_is_printed(self):
        shown = on_a_terminal("bootstrap", "acml", "--replicates", "2000", "--no-table")
        bar, _, result = shown.partition("caprese (shrinkage 0.5)")
        assert "replicates" in bar
        assert "2000 replicates; " in result
        assert "2000/2000" not in result

    def test_a_search_shows_a_bar(self):
        shown = on_a_terminal("fit", "ovarian", "--method", "hcbn")
        assert "searches" in shown
        assert re.search(r"\d of 6 searches, and \d of 6 that went on", shown)

    def test_a_second_search_has_its_own_bar(self):
        few = "hcbn:steps=20:restarts=2"
        shown = on_a_terminal("compare", "acml", "-m", few, "-m", f"{few}:seed=2")
        assert "searches" in shown
        assert "log-likelihood" in shown

    @pytest.mark.parametrize("closed", ["2>&-", ">&- 2>&-"])
    def test_a_closed_standard_error_is_no_error(self, closed):
        program = "from caprese.cli import main; main()"
        command = f"{sys.executable} -c '{program}' bootstrap acml --replicates 5 {closed}"
        assert subprocess.run(["bash", "-c", command], check=False).returncode == 0


def children(pid):
    """Yield the command lines of the processes that a process has started."""
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with suppress(OSError):
            yield Path(f"/proc/{child}/cmdline").read_text()


class TestInterruption:
    @pytest.fixture
    def large(self, run, tmp_path):
        run("simulate", "--events", "20", "--samples", "100", "-o", "large.csv")
        return str(tmp_path / "large.csv")

    def test_a_search_of_posets_ends_at_once(self, large):
        with Terminal("fit", large, "--method", "hcbn", stdout=subprocess.PIPE) as terminal:
            terminal.read_until("searches")
            terminal.process.send_signal(signal.SIGINT)
            out, _ = terminal.process.communicate(timeout=15)
            shown = terminal.read_all()
        assert (terminal.process.returncode, out) == (130, b"")
        assert shown.endswith("caprese: interrupted\n")
        assert shown.startswith("caprese: a fit of hcbn to 20 events will take about ")
        assert shown.count("caprese:") == 2

    def test_a_bootstrap_prints_the_replicates_done(self):
        arguments = ["bootstrap", "acml", "--replicates", MANY, "--jobs", "1", "--no-tests"]
        with Terminal(*arguments, stdout=subprocess.PIPE) as terminal:
            terminal.read_until("replicates")
            terminal.process.send_signal(signal.SIGINT)
            out, _ = terminal.process.communicate(timeout=30)
            shown = terminal.read_all()
        assert terminal.process.returncode == 130
        done = re.search(r"caprese: interrupted after (\d+) of (\d+) replicates\n$", shown)
        assert done is not None
        assert 0 < int(done[1]) < int(done[2]) == int(MANY)
        assert f"{done[1]} replicates; the same model was inferred in" in out.decode()

    @pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="workers are found in /proc")
    def test_workers_that_start_say_nothing(self):
        words = ["bootstrap", "ovarian", "-m", "hcbn", "--replicates", "1000", "--jobs", "2"]
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM.format(handler="default_int_handler"), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        while not any("popen_loky" in command for command in children(process.pid)):
            assert process.poll() is None
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to all of them
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out) == (130, b"")
        *foretold, last = err.decode().splitlines()
        assert last == "caprese: interrupted"
        assert [line for line in foretold if line and "take about" not in line] == []

    def test_an_interruption_that_the_parent_ignores_is_ignored(self):
        arguments = ["bootstrap", "acml", "--replicates", "1000000", "--jobs", "1", "--no-tests"]
        with Terminal(*arguments, stdout=subprocess.PIPE, handler="SIG_IGN") as terminal:
            terminal.read_until("replicates")
            terminal.process.send_signal(signal.SIGINT)
            out, _ = terminal.process.communicate(timeout=60)
        assert terminal.process.returncode == 0
        assert "1000000 replicates; the same model was inferred in" in out.decode()


HOSTILE = "a\x1b]0;title\x07b\x9bc\u202ed"


class TestWhatATerminalWouldObey:
    def test_names_in_notes_of_a_reader_are_escaped(self, run, tmp_path):
        (tmp_path / "data.csv").write_text(f"sample,a,{HOSTILE}\np,1,x\nq,0,y\n")
        for command in ("inspect", "fit"):
            selected = ["--exclude", HOSTILE] if command == "fit" else []
            code, out, err = run(command, "data.csv", *selected)
            assert code == (0 if selected else 2)
            assert all(line.isprintable() for line in (out + err).splitlines())

    def test_names_of_files_are_escaped(self, run, tmp_path):
        name = "x\x1b[2Jy.csv"
        (tmp_path / name).write_text("sample,a,b\np,1,0\nq,0,1\n")
        code, out, _ = run("curate", name, "-o", f"new{name}")
        assert code == 0
        assert out.splitlines()[-1] == "newx\\x1b[2Jy.csv: 2 samples x 2 events"

    def test_json_escapes_them_too_and_gives_them_back(self, run, tmp_path):
        (tmp_path / "data.csv").write_text(f"sample,a,{HOSTILE}\np,1,0\nq,0,1\nr,1,1\n")
        code, out, _ = run("fit", "data.csv", "--json")
        assert code == 0
        assert all(line.isprintable() for line in out.splitlines())
        assert HOSTILE in json.loads(out)["model"]["events"]

    def test_our_own_colours_stay(self):
        assert printable("\x1b[31mred\x1b[0m \x1b[2J") == "\x1b[31mred\x1b[0m \\x1b[2J"
