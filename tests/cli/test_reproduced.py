"""What was once reported to end in a traceback, or to need --force for one's own file."""

import signal
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from caprese import BayesForest, Dataset, datasets, place, read_dataset
from caprese.io.data.frames import write_data
from cli.test_terminal import Terminal

pytestmark = pytest.mark.slow

SHORT = BayesForest(chains=2, draws=10, thin=1, warm_up=10)
PRIOR = ("root_cost", "root_first", "root_second", "rate_first", "rate_second", "dirichlet")


@pytest.mark.parametrize("name", PRIOR)
@pytest.mark.parametrize("value", [1e-300, 1e300])
def test_a_prior_at_the_end_of_all_numbers_gives_an_answer(name, value):
    fit = replace(SHORT, **{name: value}, subtypes=2).fit(datasets.acml())
    assert np.isfinite(fit.predictive.log_probabilities(datasets.acml())).all()


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx", ".parquet"])
def test_a_header_that_is_no_text_is_one_line(refused, tmp_path, suffix):
    (tmp_path / "data.csv").write_bytes(b"sample,a\xed\xa0\x80,b\np,1,0\nq,0,1\n")
    line = refused("curate", "data.csv", "-o", f"new{suffix}")
    assert line == "data.csv, line 1: byte 0xed is not UTF-8; expected plain text in UTF-8"
    assert not (tmp_path / f"new{suffix}").exists()


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet"])
def test_a_name_with_half_a_character_comes_back(tmp_path, suffix):
    data = Dataset.from_rows([[1, 0], [0, 1]], ["a\ud800", "b"])
    path = tmp_path / f"data{suffix}"
    write_data(data, path)
    assert read_dataset(path).events == data.events


def test_the_table_of_effects_is_replaced_by_the_next_one(run, tmp_path):
    words = ("bootstrap", "acml", "-m", "mhn:penalty_strength=0.1", "--replicates", "2")
    assert run(*words, "-o", "effects.csv")[0] == 0
    first = (tmp_path / "effects.csv").read_bytes()
    assert run(*words, "--seed", "5", "-o", "effects.csv")[0] == 0
    assert (tmp_path / "effects.csv").read_bytes() != first


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_of_several_files_none_is_written_if_one_cannot_be(refused, tmp_path):
    line = refused("fit", "acml", "-o", "model.json", "-o", "tree.graphml", "-o", "/dev/full")
    assert line == "/dev/full: No space left on device"
    assert not list(tmp_path.iterdir())


def test_an_interrupted_hazard_network_says_so_and_nothing_else(run, tmp_path):
    run("simulate", "--events", "20", "--samples", "300", "-o", "large.csv")
    path = str(tmp_path / "large.csv")
    with Terminal("fit", path, "-m", "mhn", stdout=subprocess.PIPE) as terminal:
        terminal.read_until("will take about ")
        terminal.process.send_signal(signal.SIGINT)
        out, _ = terminal.process.communicate(timeout=60)
        shown = terminal.read_all()
    assert (terminal.process.returncode, out) == (130, b"")
    assert shown.endswith("caprese: interrupted\n")
    assert shown.count("caprese:") == 2


def test_an_event_that_the_samples_lack_is_a_fact_of_the_placement():
    fit = SHORT.fit(datasets.acml())
    placed = place(fit, datasets.acml().take_events(datasets.acml().events[:2]))
    assert placed.lacking == datasets.acml().events[2:]
