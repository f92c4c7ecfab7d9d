"""Do as many samples as a plan asks for decide?

    python verify/planning.py [--quick]

From random forests of 7 events with 10 % errors 60 samples are drawn and judged; where no order is
supported, `plan` says with how many it would be. As many are drawn from the fit that it took for
the truth, and judged; and samples by the number that it says for a direction, of which the edge is
turned round. Printed: in which share an order is supported, and the odds of a direction are at
least 20. To be about 80 %, as far as the standard error over plans allows. Also whether the
logarithm of the odds grows linearly: its mean with 1,000 and 4,000 samples, as a ratio, to be 4.
"""

import numpy as np
from common import mean_and_error, options, shown

from caprese import ForestRecipe, LikelihoodForest, Noise, NoisyForest, judge, plan
from caprese.assessment.directions import CLEAR
from caprese.fitting.turned import lost_by_turning

EVENTS, SAMPLES, ERROR, MOST = 7, 60, 0.1, 3000
AGAIN = 20  # data sets for each number that a plan states
METHOD = LikelihoodForest()


def main(data_sets, seed):
    supported, clear, ratios, open_orders = [], [], [], 0
    for replicate in range(data_sets):
        rng = np.random.default_rng([seed, replicate])
        truth = NoisyForest(ForestRecipe(events=EVENTS).draw(rng), Noise(ERROR, ERROR))
        data = truth.sample(SAMPLES, rng)
        judgement = judge([METHOD], data, jobs=1)
        found, fit = plan(judgement, data), METHOD.fit(data)
        if found.order is not None:
            open_orders += 1
            if found.order.samples <= MOST:
                size = int(found.order.samples)
                drawn = (fit.predictive.sample(size, rng) for _ in range(AGAIN))
                better = [judge([METHOD], each, jobs=1).better.any() for each in drawn]
                supported.append(np.mean(better))
        for each in found.directions[:2]:
            if not each.needed.samples <= MOST:
                continue
            pair = [fit.model.events.index(name) for name in (each.earlier, each.later)]
            drawn = (fit.predictive.sample(int(each.needed.samples), rng) for _ in range(AGAIN))
            clear.append(np.mean([lost_by_turning(fit.model, *pair, own) > CLEAR for own in drawn]))
            large = [
                np.mean([lost_by_turning(fit.model, *pair, fit.predictive.sample(size, rng))
                         for _ in range(AGAIN)])
                for size in (1000, 4000)
            ]  # fmt: skip
            ratios.append(large[1] / large[0])
        if (replicate + 1) % 5 == 0:
            print(f"after {replicate + 1}: orders {np.mean(supported):.3f}, directions "
                  f"{np.mean(clear) if clear else np.nan:.3f}", flush=True)  # fmt: skip
    print(f"no order supported in {open_orders} of {data_sets} data sets of {SAMPLES} samples")
    print(f"with the planned number an order is supported in {shown(supported)}, {len(supported)}")
    print(f"with the planned number a direction is clear in {shown(clear)}, {len(clear)}")
    print(f"log-odds of 4,000 samples by those of 1,000: {shown(ratios)}")
    print(f"medians: {np.median(supported):.3f}, {np.median(clear):.3f}; {mean_and_error(ratios)}")


if __name__ == "__main__":
    asked = options(__doc__, 40, 4).parse_args()
    main(asked.data_sets, asked.seed)
