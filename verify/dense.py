"""How far estimates of dense samples are from the exact log-probabilities.

    python verify/dense.py [--quick]

Networks of 40 events, a fifth of the effects not 1 (logarithms normal, mean 0.1, deviation 0.7),
base rates around e^-1. Of the samples drawn from each, those that carry 16 to 22 events have an
exact probability, which is compared with the estimate from 2,048 sets of each size in each of four
draws, as used for predictions, and from 512 in one draw, as used while fitting. Printed by number
of events: mean and root mean square of the difference, with the standard error over samples, and
the root mean square of the error that is stated. For 23 and more events only the latter is known.
"""

import numpy as np
from common import options, shown

from caprese import Hazards
from caprese._core.names import event_names
from caprese.kernels import hazards
from caprese.kernels.functions import log
from caprese.models import dense

EVENTS = 40


def truth(rng):
    """Return a random network."""
    effects = np.where(rng.random((EVENTS,) * 2) < 0.2, rng.normal(0.1, 0.7, (EVENTS,) * 2), 0)
    np.fill_diagonal(effects, 0.0)
    return Hazards(event_names(EVENTS), np.exp(rng.normal(-1, 1, EVENTS)), np.exp(effects))


def estimates(model, row, most, draws):
    """Return estimates of the probability of a genotype, by so many states of a size."""
    found = []
    for draw in range(draws):
        lattice = dense.draw_lattice(model.rates, model.effects, row, most=most, draw=draw)
        given = dense.side_by_side([lattice])
        found.append(dense.likely(model.rates, model.effects, given)[lattice.ends == 1].sum())
    return np.array(found)


def measured(model, row):
    """Return what is asked of one sample: differences from the exact value, and stated errors."""
    inside = np.flatnonzero(row)
    exact = np.nan
    if len(inside) <= 22:
        exact = log(hazards.probabilities(model.rates, model.effects, inside)[-1])
    four = estimates(model, row, dense.MOST_STATES, dense.DRAWS)
    (one,) = estimates(model, row, 512, 1)
    stated = four.std(ddof=1) / four.mean() / np.sqrt(len(four))
    return log(four.mean()) - exact, stated, log(one) - exact


def main():
    """Print the table, from fewer samples with --quick."""
    given = options(__doc__, data_sets=60, quick=6).parse_args()
    groups = {"16-18": [], "19-20": [], "21-22": [], "23-26": [], "27-30": [], "31-40": []}
    for replicate in range(1000):
        rng = np.random.default_rng([given.seed, 23, replicate])
        model = truth(rng)
        rows = model.sample(300, rng).values.astype(np.uint8)
        for row in rows:
            size = int(row.sum())
            for name, found in groups.items():
                low, high = map(int, name.split("-"))
                most = max(3, given.data_sets // (4 if name == "21-22" else 1))
                if low <= size <= high and len(found) < most and replicate < most:
                    found.append(measured(model, row))
                    break
        if all(len(found) >= max(3, given.data_sets // 4) for found in groups.values()):
            break
    print("events | samples | mean difference | rms | stated rms | rms while fitting")
    for name, found in groups.items():
        difference, stated, fitting = np.array(found).T
        rms = [f"{np.sqrt(np.mean(each**2)):.3f}" for each in (difference, stated, fitting)]
        print(name, len(found), shown(difference), *rms, sep=" | ")


if __name__ == "__main__":
    main()
