"""What follows from interventions, against simulation of the intervened process.

    python verify/what_if.py [--quick]

Random models with a clock, of 8 events each: forests and posets with exponential times of each
event after its parents (rates e^N(0, 1)), and hazard networks (base rates e^N(-0.5, 1), half of the
effects e^N(0, 1), effects on observation e^N(0, 0.3)). In each, one event is blocked and another
one slowed by a factor; the target is an event, or four events; every other model begins with two
events. The intervened process is simulated by its definition, 20,000 paths, without code of the
package. Printed for each kind, of probabilities before the next sample and of median times: how
many lie more than 1.96 standard errors from the simulation (expected 5 %), the mean square of the
deviation in standard errors (expected 1), and the largest.
"""

import numpy as np
from common import options

from caprese import Hazards, TimedPoset, intervene
from caprese._core.names import event_names

EVENTS, PATHS = 8, 20_000
NAMES = event_names(EVENTS)


def random_model(kind, rng):
    """Return a model of this kind."""
    if kind == "hazards":
        effects = np.exp(np.where(rng.random((EVENTS,) * 2) < 0.5, rng.normal(0, 1, (8, 8)), 0.0))
        np.fill_diagonal(effects, 1.0)
        base = np.exp(rng.normal(-0.5, 1, EVENTS))
        return Hazards(NAMES, base, effects, np.exp(rng.normal(0, 0.3, EVENTS)))
    most = 1 if kind == "forests" else 3
    sets = [tuple(rng.permutation(k)[: rng.integers(0, most + 1)].tolist()) for k in range(EVENTS)]
    return TimedPoset(NAMES, sets, np.exp(rng.normal(0, 1, EVENTS)))


def simulated_poset(model, factors, there, rng):
    """Return times of events and of the sample, each event after all of its parents."""
    times = np.zeros((PATHS, EVENTS))
    for event in range(EVENTS):  # parents have lower numbers
        rate = model.rates[event] * factors[event]
        wait = rng.exponential(size=PATHS) / rate if rate else np.full(PATHS, np.inf)
        above = times[:, list(model.parent_sets[event])].max(axis=1, initial=0.0)
        times[:, event] = 0.0 if there[event] else above + wait
    return times, rng.exponential(size=PATHS)


def simulated_hazards(model, factors, there, rng):
    """Return times of events and of the sample; the sample is one more event, and changes none."""
    present = np.tile(there, (PATHS, 1))
    times, sample = np.where(present, 0.0, np.inf), np.full(PATHS, np.inf)
    clock = np.zeros(PATHS)
    for _ in range(EVENTS + 1):
        logs = np.log(model.rates) + present @ np.log(model.effects)
        rates = np.where(present, 0.0, np.exp(logs)) * factors
        taken = np.where(np.isinf(sample), np.exp(present @ np.log(model.observation)), 0.0)
        waits = np.full((PATHS, EVENTS + 1), np.inf)
        every = np.column_stack([rates, taken])
        waits[every > 0] = rng.exponential(size=(every > 0).sum()) / every[every > 0]
        first, going = waits.argmin(axis=1), (every > 0).any(axis=1)
        clock = np.where(going, clock + waits.min(axis=1), clock)
        rows = np.flatnonzero(going & (first < EVENTS))
        present[rows, first[rows]] = True
        times[rows, first[rows]] = clock[rows]
        seen = going & (first == EVENTS)
        sample[seen] = clock[seen]
    return times, sample


def deviations(kind, rng, place):
    """Return how far probability and median are from a simulation, in standard errors."""
    model = random_model(kind, rng)
    blocked, slowed, event = rng.permutation(EVENTS)[:3].tolist()
    factor = float(rng.uniform(0.2, 0.9))
    factors = np.ones(EVENTS)
    factors[blocked], factors[slowed] = 0.0, factor
    there = np.zeros(EVENTS, dtype=bool)
    if place % 2:
        left = [k for k in range(EVENTS) if k not in (blocked, event)]
        there[rng.permutation(left)[:2]] = True
    target = NAMES[event] if place % 4 < 2 else 4
    carried = [NAMES[k] for k in np.flatnonzero(there)] if place % 2 else None
    (found,) = intervene(
        model, block=NAMES[blocked], slow={NAMES[slowed]: factor}, target=target, carried=carried
    ).outlooks
    draw = simulated_hazards if kind == "hazards" else simulated_poset
    times, sample = draw(model, factors, there, rng)
    first = times[:, event] if isinstance(target, str) else np.sort(times, axis=1)[:, target - 1]
    chance = found.probability_with
    by_sample = _deviation((first < sample).mean(), chance)
    if np.isinf(found.median_time_with):
        assert np.isfinite(first).mean() < 0.5 + 5 * 0.5 / np.sqrt(PATHS)
        return by_sample, np.nan
    return by_sample, _deviation((first < found.median_time_with).mean(), 0.5)


def _deviation(share, chance):
    if chance < 1e-12:
        assert share == 0
        return np.nan
    return (share - chance) / np.sqrt(chance * (1 - chance) / PATHS)


def main():
    """Print the table."""
    given = options(__doc__, data_sets=200, quick=12).parse_args()
    print("kind | what | compared | beyond 1.96 | mean square | largest")
    for number, kind in enumerate(("forests", "posets", "hazards")):
        found = [
            deviations(kind, np.random.default_rng([given.seed, 35, number, place]), place)
            for place in range(given.data_sets)
        ]
        for what, each in zip(("probability", "median time"), np.array(found).T, strict=True):
            own = each[np.isfinite(each)]
            far = f"{(np.abs(own) > 1.96).mean():.1%}"
            square, most = f"{np.mean(own**2):.2f}", f"{np.abs(own).max():.1f}"
            print(kind, what, len(own), far, square, most, sep=" | ")


if __name__ == "__main__":
    main()
