"""Interruptions (Ctrl-C) of a bootstrap in Python."""

import os
import signal

import pytest

from caprese import Caprese, bootstrap, datasets
from caprese.assessment import bootstrap as bootstrapping
from caprese.assessment.bootstrap import BootstrapInterrupted
from caprese.simulation.replicates import Resamples


@pytest.fixture(autouse=True)
def _interruptions_are_not_ignored():
    """The parent of the tests may ignore interruptions, and a child inherits that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interruption_waits_until_a_chunk_is_counted_in_full(monkeypatch):
    usual = bootstrapping._Tally.add

    def interrupted(tally, found):
        usual(tally, found)
        tally.replicates -= len(found)
        os.kill(os.getpid(), signal.SIGINT)  # while the counts are incomplete
        tally.replicates += len(found)

    monkeypatch.setattr(bootstrapping._Tally, "add", interrupted)
    with pytest.raises(BootstrapInterrupted) as raised:
        bootstrap(Caprese(), datasets.acml(), replicates=500, jobs=2)
    confidence = raised.value.confidence
    assert 0 < confidence.replicates < 500
    assert (confidence.votes.sum(axis=0) == confidence.replicates).all()


def test_an_interruption_carries_the_replicates_done(interrupted):
    with interrupted(after=300), pytest.raises(KeyboardInterrupt) as raised:
        bootstrap(Caprese(), datasets.ovarian(), replicates=800, seed=1, jobs=2)
    whole = bootstrap(Caprese(), datasets.ovarian(), replicates=300, seed=1)
    assert raised.value.confidence == whole


def test_an_interruption_before_the_first_replicate_carries_nothing(monkeypatch):
    def interrupted(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(Resamples, "counts", interrupted)
    with pytest.raises(BootstrapInterrupted) as raised:
        bootstrap(Caprese(), datasets.ovarian(), replicates=300, seed=1, jobs=1)
    assert raised.value.confidence is None
