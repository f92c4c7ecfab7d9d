"""How often each state of a poset was true, as expected from the observed genotypes.

There are three ways, of which the fastest is taken. All return the log-likelihood and the expected
number of errors, and fill `through` of the step with how often each state was true, divided by its
probability.
"""

import math

import numpy as np

from caprese.kernels.arrays import fill, sum_of
from caprese.kernels.bits import popcount
from caprese.kernels.compiling import ANY_ORDER, kernel
from caprese.kernels.set_transform import observe_all, turned

_TRANSFORM_COST = 0.25  # of one event of one set, in pairs of a state and a genotype
_MOST_ERROR = 0.49  # for a transform; at 1/2 all observations are equally likely
_LEAST_RATIO = 1e-12  # of the error rates whose 20th power is still a number
_SMALLEST = 1e-300
_LEAST_PRODUCT = 1e-150  # whose square is still a number
_WIDTH = 16  # genotypes


@kernel(borrows=True)
def fill_true_counts(poset, error, data, step):  # type: ignore[no-untyped-def]
    """Compare each state with each genotype if they are few, else transform all sets at once."""
    events, transforms, pairs = len(step.rates), len(step.ends), len(data[0]) * len(step.likely)
    if error < _MOST_ERROR and pairs > _TRANSFORM_COST * transforms * events * (1 << events):
        return _by_transform(poset, error, data, step)
    if error < _LEAST_RATIO:
        return _by_pair(poset, error, data, step)
    return _by_path(poset, error, data, step)


@kernel(borrows=True)
def _by_transform(poset, error, data, step):  # type: ignore[no-untyped-def]
    """Observe all sets of events at once, for each set of known events, there and back.

    The expected number of errors is the slope of the log-likelihood by the logarithm of the factor
    of an error. The slope of a matrix 1 + factor * flip by its factor is flip. That is the matrix
    itself times (flip - factor) / (1 - factor ** 2). So the slope follows from the chances of the
    sets that differ from the observed one in one event.
    """
    genotypes, times, known, entries = data
    states, likely, through = poset.states, step.likely, step.through
    sets, entered = step.sets, step.sets[0]
    events, factor = len(step.rates), error / (1.0 - error)
    log_likelihood, slope, first = entries * math.log1p(-error), 0.0, 0
    fill(through, 0.0)
    for group in range(len(step.ends)):
        mask, last = known[first], step.ends[group]
        seen, often, weights = (
            step.seen_places[first:last],
            times[first:last],
            step.weights[first:last],
        )
        fill(entered, 0.0)
        for k in range(len(states)):
            entered[np.uint64(states[k])] = likely[k]
        observed = sets[observe_all(sets, events, mask, factor)]
        log_likelihood += _weigh(observed, seen, often, weights)
        slope += _flipped(observed, seen, weights, turned(mask, events))
        fill(entered, 0.0)
        for g in range(first, last):
            entered[np.uint64(genotypes[g])] = step.weights[g]
        observed = sets[observe_all(sets, events, mask, factor)]
        for k in range(len(states)):
            through[k] += observed[step.true_places[k]]
        first = last
    return log_likelihood, (slope - factor * entries) * factor / (1.0 - factor * factor)


@kernel(borrows=True, error_model="numpy")
def _weigh(observed, places, times, weights):  # type: ignore[no-untyped-def]
    """Return the log-likelihood of genotypes, and fill how often each is seen by its chance.

    Chances are multiplied as long as the product is a number: a logarithm takes much longer.
    """
    result, product = 0.0, 1.0
    for g in range(len(places)):
        chance = observed[places[g]]
        weights[g] = times[g] / max(chance, _SMALLEST)
        if times[g] == 1 and chance > _LEAST_PRODUCT:
            product *= chance
        elif chance > 0:
            result += times[g] * math.log(chance)
        else:
            result = -math.inf
        if product < _LEAST_PRODUCT:
            result += math.log(product)
            product = 1.0
    return result + math.log(product)


@kernel(borrows=True)
def _flipped(observed, places, weights, known):  # type: ignore[no-untyped-def]
    """Return the sum of the chances of all sets that are a known event away, times the weights.

    One by one: the processor gathers single numbers faster than vectors of them.
    """
    result = 0.0
    for g in range(len(places)):
        near, left = 0.0, known
        while left != 0:
            near += observed[places[g] ^ np.uint64(left & -left)]
            left &= left - 1
        result += weights[g] * near
    return result


@kernel(fastmath=ANY_ORDER)
def _by_path(poset, error, data, step):  # type: ignore[no-untyped-def]
    """Extend the chances of all genotypes along the path to each state, event by event.

    Chances, and expected numbers of errors, are relative to those of the empty state. For one more
    event, that of a genotype that holds the event is multiplied by (1 - error) / error, that of
    another by its inverse, and there is one error less, or more.
    """
    genotypes, times, known, entries = data
    likely, events = step.likely, len(step.rates)
    number = _WIDTH * -(-len(genotypes) // _WIDTH)  # loops over whole vectors are the fastest
    factor, change = np.empty((events, number)), np.zeros((events, number))
    shown = np.zeros(number)
    up = (1.0 - error) / error
    for event in range(events):
        fill(factor[event], 1.0)
        for g in range(len(genotypes)):
            if known[g] >> event & 1:
                present = genotypes[g] >> event & 1
                factor[event, g], change[event, g] = (up, -1.0) if present else (1.0 / up, 1.0)
                shown[g] += present
    chance, errors = np.empty((events + 1, number)), np.zeros((events + 1, number))
    fill(chance[0], 1.0)
    totals, total_wrong = np.empty(number), np.zeros(number)
    fill(totals, likely[0])
    for k in range(1, len(likely)):
        depth, event, share = poset.depths[k], poset.added[k], likely[k]
        before, after, times_factor = chance[depth - 1], chance[depth], factor[event]
        for g in range(number):
            both = before[g] * times_factor[g]
            after[g] = both
            totals[g] += share * both
        errors_before, errors_after, plus = errors[depth - 1], errors[depth], change[event]
        for g in range(number):  # apart, as a loop over so many arrays is not vectorised
            wrong = errors_before[g] + plus[g]
            errors_after[g] = wrong
            total_wrong[g] += share * after[g] * wrong
    log_likelihood, mistakes, all_shown = 0.0, 0.0, 0.0
    weights = np.zeros(number)
    for g in range(len(genotypes)):
        weight = times[g] / max(totals[g], _SMALLEST)
        log_likelihood += times[g] * math.log(totals[g])
        mistakes += times[g] * shown[g] + weight * total_wrong[g]
        all_shown += times[g] * shown[g]
        weights[g] = weight
    log_likelihood += all_shown * math.log(error) + (entries - all_shown) * math.log1p(-error)
    _fill_weighted_chances(poset, factor, chance, weights, step.through)
    return log_likelihood, mistakes


@kernel(fastmath=ANY_ORDER, borrows=True)
def _fill_weighted_chances(poset, factor, chance, weights, result):  # type: ignore[no-untyped-def]
    """Fill for each state the chances of all genotypes, times their weights."""
    result[0] = sum_of(weights)
    for k in range(1, len(result)):
        depth, event = poset.depths[k], poset.added[k]
        before, after, times_factor = chance[depth - 1], chance[depth], factor[event]
        total = 0.0
        for g in range(len(weights)):
            both = before[g] * times_factor[g]
            after[g] = both
            total += both * weights[g]
        result[k] = total


@kernel
def _by_pair(poset, error, data, step):  # type: ignore[no-untyped-def]
    """Count the errors of each genotype in each state; right for any error rate."""
    genotypes, times, known, _entries = data
    likely, through = step.likely, step.through
    fill(through, 0.0)
    chance = np.empty(len(step.rates) + 1)  # of this number of errors
    log_likelihood, mistakes = 0.0, 0.0
    for g in range(len(genotypes)):
        at, mask = genotypes[g], known[g]
        if g == 0 or mask != known[g - 1]:
            entries = np.int64(popcount(mask))  # type: ignore[call-arg]
            for errors in range(entries + 1):
                chance[errors] = error**errors * (1.0 - error) ** (entries - errors)
        total, wrong = 0.0, 0.0
        for k in range(len(likely)):
            errors = np.int64(popcount((at ^ poset.states[k]) & mask))  # type: ignore[call-arg]
            both = likely[k] * chance[errors]
            total += both
            wrong += both * errors
        log_likelihood += times[g] * (math.log(total) if total > 0 else -math.inf)
        weight = times[g] / max(total, _SMALLEST)
        mistakes += weight * wrong
        for k in range(len(likely)):
            errors = np.int64(popcount((at ^ poset.states[k]) & mask))  # type: ignore[call-arg]
            through[k] += weight * chance[errors]
    return log_likelihood, mistakes
