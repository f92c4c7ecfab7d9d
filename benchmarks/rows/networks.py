"""Networks: h-CBN, one poset, one search, the study; hazards with orders that were seen.

The C program (ct-cbn 0.1.04b, 50 annealing steps at temperature 1), recorded in November 2026: 7 to
17 s on the ovarian data with one thread, at best -371.403; 442 s on other data of 10 events x 100
samples with two threads. It is not run here, so there is no ratio to it.
"""

from functools import partial

import numpy as np
from measure import Rival, Row, Section, cpu, factor, in_turns, simulated

from caprese import HCBN, MHN, Hazards, Poset, datasets
from caprese._core.names import event_names
from caprese.data.seen_orders import SeenOrders
from caprese.fitting.hazards_ascent import Observations, log_likelihood
from caprese.fitting.poset_em import fit_poset, observations
from caprese.kernels.lattice import fill_lattice
from caprese.kernels.poset_em import Step, expectations
from caprese.models.states import as_sets
from caprese.simulation.random_models import ForestRecipe
from caprese.studies.forests import _ALSO_NETWORKS, HiddenNetworks, likeliest

TREES = 100  # of each condition of the study
LEVELS, SAMPLES = HiddenNetworks.grid["nu"], HiddenNetworks.grid["samples"]


def numpy_log_likelihood(ancestors, rates, error, genotypes, times):
    """Recursion over all sets of events by their size; then one event after another is seen."""
    n = len(rates)
    sets = np.arange(1 << n)
    allowed = np.ones(len(sets), dtype=bool)
    for event, above in enumerate(ancestors):
        allowed &= (sets >> event & 1 == 0) | (sets & above == above)
    ready = [allowed & (sets >> k & 1 == 0) & (sets & a == a) for k, a in enumerate(ancestors)]
    leaving = 1 + sum(rate * can for rate, can in zip(rates, ready, strict=True))
    reached = np.zeros(len(sets))
    reached[0] = 1
    size = np.bitwise_count(sets)
    for level in range(n):
        for event in range(n):
            before = sets[(size == level) & ready[event]]
            reached[before | 1 << event] += reached[before] / leaving[before] * rates[event]
    table = (reached / leaving).reshape((2,) * n)
    for axis in range(n):
        table = (1 - error) * table + error * np.flip(table, axis)
    return float(times @ np.log(table.ravel()[genotypes]))


def posets(quick):
    rows, sizes = [], [7, 10, 13] if quick else [7, 10, 13, 16]
    for events in sizes:
        rng = np.random.default_rng(1)
        poset = Poset.of(ForestRecipe(events=events).draw(rng))
        seen = observations(simulated(events, 100))
        above, rates = as_sets(poset.ancestors().T), np.ones(events)
        step = Step(seen)
        fill_lattice(step.poset, above)
        np.asarray(step.rates)[:], step.error = rates, 0.1
        run = partial(expectations, step)
        genotypes, times = np.asarray(seen.genotypes), np.asarray(seen.times)
        repeats = 200 if events < 13 else 20
        ours, theirs = in_turns(
            lambda run=run, repeats=repeats: [run() for _ in range(repeats)],
            partial(numpy_log_likelihood, above, rates, 0.1, genotypes, times),
        )
        found = run()[0]
        assert np.isclose(found, numpy_log_likelihood(above, rates, 0.1, genotypes, times))
        rows.append(
            Row(
                what=f"a tree of {events} events: {step.poset.number:,} of {1 << events:,} sets",
                seconds=ours / repeats,
                rival=Rival(name="numpy, over all sets, without expectations", seconds=theirs),
                found=f"log-likelihood {found:.3f}",
            )
        )
    growth = {"each event (factor)": factor(sizes, [row.seconds for row in rows])}
    return Section(title="h-CBN, one step of EM", rows=tuple(rows), growth=growth)


def searched(what, method, data, note=""):
    found = []
    seconds = cpu(lambda: found.append(method.fit(data)))
    log_likelihood = found[0].evidence.log_likelihood
    found_there = f"log-likelihood {log_likelihood:.3f}"
    return Row(what=what, seconds=seconds, note=note, found=found_there)


def searches(quick):
    recorded = "C, recorded in November 2026: 7 to 17 s, at best -371.403"
    rows = [searched("ovarian, 6 searches", HCBN(), datasets.ovarian(), recorded)]
    sizes = [7, 10, 12] if quick else [10, 13, 16, 20]
    for events in sizes:
        data = simulated(events, 100)
        what = f"{events} events x 100, one search"
        rows.append(searched(what, HCBN(restarts=1), data))
    growth = {"each event (factor)": factor(sizes, [row.seconds for row in rows[1:]])}
    return Section(title="h-CBN, searches", rows=tuple(rows), growth=growth)


def study(quick):
    """One data set of each condition, and from them the time of the whole study."""
    levels = LEVELS[1:2] if quick else LEVELS
    sizes = SAMPLES[1:2] if quick else SAMPLES
    taken = 0.0
    for number, (nu, samples) in enumerate((nu, m) for nu in levels for m in sizes):
        data = simulated(10, samples, noise=nu, seed=number)
        estimate = partial(fit_poset, data=data)
        for method in _ALSO_NETWORKS.values():
            taken += cpu(partial(likeliest, method, data, estimate))
    whole = taken / len(levels) / len(sizes) * len(LEVELS) * len(SAMPLES) * TREES
    row = Row(
        what=f"study h-cbn, {len(LEVELS) * len(SAMPLES) * TREES:,} data sets",
        seconds=whole,
        note="all cores, from one data set of each condition",
    )
    return Section(title="studies", rows=(row,))


def chosen_pairs(drawn, samples, rng):
    """Return up to three pairs of events of each sample, the earlier first."""
    place = {event: k for k, event in enumerate(drawn.events)}
    return np.array(
        [
            (sample, place[order[first]], place[order[second]])
            for sample, order in enumerate(drawn.orders()[:samples])
            for first, second in {
                tuple(sorted(rng.choice(len(order), 2, replace=False).tolist()))
                for _ in range(3 * (len(order) > 1))
            }
        ]
    )


def seen_orders(quick):
    """Order probabilities of hazards; one gradient with seen orders and without."""
    rows = []
    for events in (12, 15) if quick else (12, 15, 20):
        rng = np.random.default_rng(1)
        effects = rng.normal(0, 0.7, (events, events)) * (rng.random((events, events)) < 1 / 3)
        np.fill_diagonal(effects, 0)
        rates = np.exp(rng.normal(-1.5, 0.5, events))
        model = Hazards(event_names(events), rates, np.exp(effects))
        drawn = model.trajectories(10_000, rng)
        pairs = chosen_pairs(drawn, 10_000, rng)
        found = []
        seconds = cpu(lambda: found.append(model.order_probabilities(drawn.data, pairs)))  # noqa: B023
        what = f"{len(pairs):,} orders of 10,000 samples x {events} events"
        rows.append(Row(what=what, seconds=seconds, found=f"mean {found[0].mean():.3f}"))
        few = pairs[pairs[:, 0] < 500]
        data = drawn.data.take_samples(np.arange(500))
        orders = SeenOrders(data.samples, data.events, few, np.full(len(few), 0.9), 1.0)
        seen = Observations.of(data.with_orders(orders))
        shared = Observations.of(data)
        given = np.random.default_rng(2).normal(0, 0.3, (events, events))
        ours, theirs = in_turns(
            partial(log_likelihood, given, seen, seen.times),
            partial(log_likelihood, given, shared, shared.times),
        )
        each = (ours / len(seen.times)) / (theirs / len(shared.times))
        rows.append(
            Row(
                what=f"gradient, {len(seen.times)} genotypes with orders, {events} events",
                seconds=ours,
                rival=Rival(name="the same without orders", seconds=theirs),
                note=f"{each:.1f} x as long for each genotype",
            )
        )
    return Section(title="seen orders, mutual hazard networks", rows=tuple(rows))


def averaged(quick):
    """Hazards averaged over strengths of the penalty, and the strength that auto chooses."""
    rows = []
    for samples, events in ((500, 12),) if quick else ((500, 12), (2500, 15)):
        rng = np.random.default_rng([1, 33])
        effects = rng.normal(0, 1, (events, events)) * (rng.random((events, events)) < 1 / 3)
        np.fill_diagonal(effects, 0)
        rates = np.exp(rng.normal(-1.4, 0.7, events))
        data = Hazards(event_names(events), rates, np.exp(effects)).sample(samples, rng)
        ours = cpu(lambda: MHN().fit(data))  # noqa: B023
        chosen = cpu(lambda: MHN(penalty_strength="auto").fit(data))  # noqa: B023
        rival = Rival(name="one strength, chosen by auto", seconds=chosen)
        rows.append(Row(what=f"mhn, {samples:,} samples x {events}", seconds=ours, rival=rival))
    return Section(title="mutual hazard networks, averaged over penalties", rows=tuple(rows))


SECTIONS = (posets, searches, study, seen_orders, averaged)
