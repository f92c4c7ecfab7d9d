"""On a terminal: colours, progress, and the end by Ctrl-C."""

import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

from caprese import Caprese, Dataset, bootstrap, datasets
from caprese.cli.printing import say, terminal_style
from caprese.text.fits import fit_lines, model_lines
from caprese.text.inspection import inspection_lines
from caprese.text.style import coloured, plain
from caprese.text.support import bootstrap_lines, confidence_lines

PROGRAM = "import sys; from caprese.cli import main; main(sys.argv[1:])"
CODES = re.compile(r"\x1b\[[\d;]*m")
FIT = Caprese().fit(datasets.ovarian())
CONFIDENCE = bootstrap(Caprese(), datasets.ovarian(), replicates=200, seed=1)


def on_a_terminal(*arguments, **environment):
    """Run a command whose output goes to a terminal; return what it shows."""
    terminal, child = pty.openpty()
    kept = {name: os.environ[name] for name in os.environ if name not in ("NO_COLOR", "TERM")}
    done = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        stdout=child,
        stderr=child,
        env={**kept, "TERM": "xterm-256color", **environment},
    )
    os.close(child)
    shown = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    done.wait()
    os.close(terminal)
    return shown.decode().replace("\r\n", "\n")


class TestColours:
    def test_a_terminal_shows_them_and_the_text_is_the_same(self, run):
        shown = on_a_terminal("fit", "ovarian")
        assert shown.startswith("\x1b[1mcaprese (shrinkage 0.5)")
        assert CODES.sub("", shown) == run("fit", "ovarian")[1]

    @pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
    def test_who_does_not_want_them_gets_none(self, run, environment):
        assert on_a_terminal("fit", "ovarian", **environment) == run("fit", "ovarian")[1]

    def test_who_forces_them_gets_them_in_a_pipe_too(self, run, monkeypatch):
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert CODES.search(run("fit", "ovarian")[1])
        monkeypatch.setenv("NO_COLOR", "1")
        assert not CODES.search(run("fit", "ovarian")[1])

    def test_json_has_none(self, run, monkeypatch):
        monkeypatch.setenv("FORCE_COLOR", "1")
        for command in (["fit", "acml"], ["inspect", "acml"], ["study"]):
            assert not CODES.search(run(*command, "--json")[1])

    def test_a_pipe_has_none(self, capsys):
        assert terminal_style() is plain
        say(["a line"])
        assert capsys.readouterr().out == "a line\n"

    @pytest.mark.parametrize(
        "lines",
        [
            lambda style: fit_lines(FIT, CONFIDENCE, style),
            lambda style: fit_lines(FIT, style=style),
            lambda style: confidence_lines(FIT, CONFIDENCE, style),
            lambda style: bootstrap_lines(CONFIDENCE, style),
            lambda style: model_lines(FIT.model, CONFIDENCE, style),
        ],
    )
    def test_they_change_nothing_but_the_look(self, lines):
        assert [CODES.sub("", line) for line in lines(coloured)] == lines(plain)
        assert lines(coloured) != lines(plain)

    def test_support_is_coloured_by_its_strength(self):
        lines = "\n".join(fit_lines(FIT, CONFIDENCE, coloured))
        sure, unsure = re.findall(r"\x1b\[38;5;32m([\d.]+) %", lines), "\x1b[38;5;166m"
        assert sure
        assert all(float(share) >= 80 for share in sure)
        assert unsure not in lines
        weak = bootstrap(Caprese(), datasets.ovarian().take_samples(range(20)), replicates=50)
        found = re.findall(r"\x1b\[38;5;166m([\d.]+) %", "\n".join(bootstrap_lines(weak, coloured)))
        assert found
        assert all(float(share) < 50 for share in found)

    def test_events_that_could_not_be_placed_are_quiet(self):
        data = Dataset.from_rows([[1, 1, 1], [1, 1, 0], [0, 0, 0], [0, 0, 0]], events="abc")
        lines = fit_lines(Caprese().fit(data), style=coloured)
        assert any("\x1b[2mc\x1b[0m" in line for line in lines)
        assert not any("\x1b[2ma\x1b[0m" in line for line in lines)

    def test_warnings_are_yellow(self):
        from caprese.data.inspection import inspect

        found = inspect(Dataset.from_rows([[1, 0], [1, 0]], events="ab"))
        assert inspection_lines(found, coloured)[-1].startswith("\x1b[33m! All samples have")
        assert inspection_lines(found)[-1].startswith("! All samples have")


class TestInterruption:
    @pytest.fixture
    def large(self, run, tmp_path):
        run("simulate", "--events", "18", "--samples", "100", "-o", "large.csv")
        return tmp_path / "large.csv"

    def test_a_search_of_posets_ends_at_once_with_130_and_one_line(self, large):
        done = subprocess.Popen(
            [
                sys.executable,
                "-c",
                "import signal; "
                "signal.signal(signal.SIGINT, signal.default_int_handler); " + PROGRAM,
                "fit",
                str(large),
                "--method",
                "hcbn",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(4)
        done.send_signal(signal.SIGINT)
        out, err = done.communicate(timeout=15)
        assert (done.returncode, out, err.strip()) == (130, "", "caprese: interrupted")

    def test_a_search_shows_how_far_it_is(self):
        shown = on_a_terminal("fit", "ovarian", "--method", "hcbn")
        assert "searches" in shown
        assert re.search(r"\d of 6 searches ended at this likelihood", shown)

    def test_one_search_after_another_starts_the_bar_anew(self):
        few = "hcbn:steps=20:restarts=2"
        shown = on_a_terminal("compare", "acml", "-m", few, "-m", f"{few}:seed=1")
        assert "searches" in shown
        assert "log-likelihood" in shown
