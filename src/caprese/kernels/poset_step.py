"""One step of EM for the rates of a poset: expectations given the observed genotypes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from caprese.kernels.arrays import fill
from caprese.kernels.compiling import ANY_ORDER, kernel
from caprese.kernels.lattice import BLOCK, event_of, fill_probabilities, from_state, to_state
from caprese.kernels.set_transform import turned
from caprese.kernels.true_counts import fill_true_counts


class Step(NamedTuple):
    """The rates of a step, and the arrays that it fills; the next step fills them again."""

    rates: NDArray[np.float64]  # of each event
    occurrences: NDArray[np.float64]
    waiting_times: NDArray[np.float64]
    stays: NDArray[np.float64]  # of each state: the mean time until it is left
    likely: NDArray[np.float64]  # its probability
    counts: NDArray[np.float64]  # how often it was true
    through: NDArray[np.float64]  # that by its probability; then paths through it, then their time
    weights: NDArray[np.float64]  # of each genotype: how often it was seen, by its probability
    ends: NDArray[np.int64]  # where genotypes end of which the same events are known
    sets: NDArray[np.float64]  # two rows over all sets of events, to transform
    true_places: NDArray[np.uint64]  # where each state is in the result of the transform,
    seen_places: NDArray[np.uint64]  # and each genotype


@kernel
def new_step(poset, data, events):  # type: ignore[no-untyped-def]
    """Return the arrays of a step."""
    genotypes, known, states = data[0], data[2], poset.states
    true_places, seen_places = np.empty(len(states), np.uint64), np.empty(len(genotypes), np.uint64)
    for k in range(len(states)):
        true_places[k] = turned(states[k], events)
    ends, number = np.empty(len(genotypes), np.int64), 0
    for g in range(len(genotypes)):
        seen_places[g] = turned(genotypes[g], events)
        if g + 1 == len(genotypes) or known[g + 1] != known[g]:
            ends[number] = g + 1
            number += 1
    return Step(
        np.empty(events),
        np.empty(events),
        np.empty(events),
        np.empty(len(states)),
        np.empty(len(states)),
        np.empty(len(states)),
        np.empty(len(states)),
        np.empty(len(genotypes)),
        ends[:number],
        np.empty((2, 1 << events)),
        true_places,
        seen_places,
    )


@kernel(borrows=True)
def expectations(poset, error, data, step):  # type: ignore[no-untyped-def]
    """Return the log-likelihood and the expected number of errors.

    Fills the expected occurrences and waiting times of each event. All are expectations given the
    observations, summed over samples; the path of a sample ends when it is observed. Plain EM would
    set each rate to `occurrences / waiting_times` next.

    Parameters
    ----------
    data
        The distinct genotypes as sets, how often each was observed, the set of events known in
        each (equal ones in sequence), and the number of known entries in all.
    step
        The rates, and the arrays to fill.
    """
    moves, rates, stays, likely = poset.moves, step.rates, step.stays, step.likely
    counts, through = step.counts, step.through
    fill_probabilities(poset, rates, stays, likely)
    log_likelihood, mistakes = fill_true_counts(poset, error, data, step)
    for k in range(len(likely)):
        counts[k] = likely[k] * through[k]
    # Expected paths through each state, divided by the probability to reach it.
    for at in range(len(moves) - 1, -1, -1):
        move = moves[at]
        end = to_state(move)
        through[from_state(move)] += rates[event_of(move)] * stays[end] * through[end]
    for k in range(len(likely)):
        through[k] *= likely[k] * stays[k]
    _fill_totals(poset, step)
    return log_likelihood, mistakes


@kernel(fastmath=ANY_ORDER, borrows=True)
def _fill_totals(poset, step):  # type: ignore[no-untyped-def]
    """Fill how often each event has occurred, and how long it was waited for."""
    fill(step.occurrences, 0.0)
    fill(step.waiting_times, 0.0)
    for start in range(0, len(poset.states), BLOCK):
        end = start + BLOCK
        states, ready = poset.states[start:end], poset.ready[start:end]
        counts, times = step.counts[start:end], step.through[start:end]
        for event in range(0, len(step.rates), 2):  # two at a time, to read half as often
            count, time, next_count, next_time = 0.0, 0.0, 0.0, 0.0
            for k in range(len(states)):
                count += counts[k] if states[k] & 1 << event else 0.0
                next_count += counts[k] if states[k] & 2 << event else 0.0
                time += times[k] if ready[k] & 1 << event else 0.0
                next_time += times[k] if ready[k] & 2 << event else 0.0
            step.occurrences[event] += count
            step.waiting_times[event] += time
            if event + 1 < len(step.rates):
                step.occurrences[event + 1] += next_count
                step.waiting_times[event + 1] += next_time
