"""How often do the chains agree, with the lengths a fit takes by default?

    python verify/chains.py

Data of the paper's recipe, one tree and three, noise 0 to 0.2 in turn.
"""

from time import process_time

import numpy as np
from common import options, shown, simulated

from caprese.fitting.diagnostics import LEAST_EFFECTIVE, MOST_R_HAT, diagnostics
from caprese.fitting.forest_ascent import most_probable_forest, pairwise_starts
from caprese.fitting.forest_sampler import Chains, RunningChains
from caprese.simulation.random_models import ForestRecipe

SIZES = ((10, 100), (20, 50), (20, 250))
NOISE = (0.0, 0.05, 0.1, 0.2)


def main():
    given = options(__doc__, 40, 8).parse_args()
    for events, samples in SIZES:
        rows = []
        for number in range(given.data_sets):
            recipe = ForestRecipe(events=events, trees=(1, 3)[number % 2])
            nu = NOISE[number // 2 % len(NOISE)]
            _, data = simulated(recipe, nu, samples, [given.seed, events, samples, number])
            starts = pairwise_starts(data)
            starts = [most_probable_forest(data, starts=starts).forest.parents, *starts]
            before = process_time()
            running = RunningChains(data, seed=number, jobs=1, chains=Chains(), starts=starts)
            found = running.finished()
            spent = process_time() - before
            check = diagnostics(found)
            rows.append((check.r_hat, check.effective, spent))
        r_hat, effective, spent = np.array(rows).T
        print(
            f"{events} x {samples}: R-hat at most {MOST_R_HAT} {shown(r_hat <= MOST_R_HAT)}, "
            f"effective size at least {LEAST_EFFECTIVE:.0f} {shown(effective >= LEAST_EFFECTIVE)}, "
            f"both {shown((r_hat <= MOST_R_HAT) & (effective >= LEAST_EFFECTIVE))}; "
            f"median effective size {np.median(effective):.0f}, "
            f"{np.median(spent):.1f} s of one core",
            flush=True,
        )


if __name__ == "__main__":
    main()
