"""What must not change the answer: the order of rows, the order of columns, and names."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.methods.caprese import Caprese
from strategies import datasets, distinct_datasets, entries, names

pytestmark = pytest.mark.slow

SHRINKAGES = st.sampled_from([0, 0.01, 0.5, 1])


def answer(fit):
    """The answer by name: parent, probability, reason, score and candidates of each event."""
    events = fit.model.events
    parent = {child: parent for parent, child in fit.model.edges}
    return {
        event: (
            parent.get(event),
            fit.model.probabilities[k],
            fit.evidence.reasons[k],
            {other: fit.evidence.score[i, k] for i, other in enumerate(events)},
            {other for i, other in enumerate(events) if fit.evidence.admissible[i, k]},
        )
        for k, event in enumerate(events)
    }


class TestCaprese:
    @settings(max_examples=100)
    @given(st.one_of(datasets(), distinct_datasets()), SHRINKAGES, st.data())
    def test_the_order_of_samples_does_not_matter(self, data, shrinkage, draw):
        order = draw.draw(st.permutations(range(len(data.samples))))
        method = Caprese(shrinkage=shrinkage)
        one, other = method.fit(data), method.fit(data.take_samples(order))
        assert one == other

    @settings(max_examples=100)
    @given(st.one_of(datasets(), distinct_datasets()), SHRINKAGES, st.data())
    def test_the_order_of_events_does_not_matter(self, data, shrinkage, draw):
        turned = data.take_events(draw.draw(st.permutations(data.events)))
        method = Caprese(shrinkage=shrinkage)
        one, other = method.fit(data), method.fit(turned)
        assert set(one.model.edges) == set(other.model.edges)
        assert answer(one) == answer(other)
        assert one.undetermined == other.undetermined
        assert (one.samples, one.digest) == (other.samples, other.digest)

    @settings(max_examples=100)
    @given(datasets(), SHRINKAGES, st.data())
    def test_renaming_events_renames_the_answer(self, data, shrinkage, draw):
        new = draw.draw(names(len(data.events)))
        renamed = Dataset.from_rows(entries(data), new, data.samples)
        method, name = Caprese(shrinkage=shrinkage), dict(zip(data.events, new, strict=True))
        one, other = method.fit(data), method.fit(renamed)
        assert other.model.edges == tuple((name[a], name[b]) for a, b in one.model.edges)
        assert other.evidence == one.evidence
        assert other.model.events == new

    @given(datasets(), SHRINKAGES)
    def test_seeing_everything_twice_changes_nothing(self, data, shrinkage):
        twice = data.take_samples(np.repeat(np.arange(len(data.samples)), 2))
        method = Caprese(shrinkage=shrinkage)
        one, other = method.fit(data), method.fit(twice)
        assert one.model == other.model
        assert one.evidence.reasons == other.evidence.reasons

    @given(datasets(), SHRINKAGES)
    def test_an_event_never_or_always_seen_changes_nothing_for_the_others(self, data, shrinkage):
        spare = [name for name in ("none", "all", "x", "y") if name not in data.events][:2]
        rows = [[*row, 0, 1] for row in entries(data)]
        wider = Dataset.from_rows(rows, (*data.events, *spare))
        method = Caprese(shrinkage=shrinkage)
        alone = method.infer_parents(Counts.of(data)).tolist()
        assert method.infer_parents(Counts.of(wider)).tolist() == [*alone, -1, -1]
