"""Messages along a forest for all genotypes at once, and what a new parent of an event is worth.

For an event and a genotype two numbers are kept, scaled to sum to 1: the probability of what is
seen in the subtree of the event if the event has occurred (`present`) and if it has not
(`absent`). Both are carried, so that a false positive rate of 0, for which their ratio is infinite,
needs no care; they are scaled after every child, so that a thousand events do not underflow.

Arrays are events x distinct genotypes: the inner loops run over genotypes. Those seen equally often
are neighbours, so that many of them are multiplied before a logarithm is taken.
"""

from math import erf, erfc
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from caprese.kernels.arrays import copy_into, fill
from caprese.kernels.compiling import ANY_ORDER, kernel

FloatArray = NDArray[np.float64]

LEAST = 1e-9  # edge probabilities are searched in [LEAST, 1 - LEAST]
_TINY = 1e-280  # a product below this may have lost digits
_SMALL = 1e-150  # a scale below this is taken into its logarithm
_BLOCK = 64  # probabilities that are multiplied before a logarithm is taken


class Table(NamedTuple):
    """Distinct genotypes: codes (0 absent, 1 present, 2 unknown), and how often each is seen."""

    codes: NDArray[np.uint8]  # events x genotypes
    times: FloatArray
    ends: NDArray[np.int64]  # of runs of genotypes that are seen equally often, each in one block

    @classmethod
    def of(cls, codes: NDArray[np.uint8], times: FloatArray) -> "Table":
        """Return the table of genotypes in the order in which they are given."""
        after = np.arange(1, len(times) + 1)
        last = np.diff(times, append=np.inf) != 0
        return cls(codes, times, after[last | (after % _BLOCK == 0)])


class Messages(NamedTuple):
    """Messages of a forest, all events x genotypes, and working arrays.

    `share` is the probability of the event given its parent and what is seen in its own subtree;
    `reach` that of the event given everything seen, in a forest without the event that moves.
    """

    present: FloatArray
    absent: FloatArray
    share: FloatArray
    reach: FloatArray
    base: FloatArray  # of the moving event, one per genotype
    slope: FloatArray


@kernel
def table_of(codes, times):  # type: ignore[no-untyped-def]
    """Return `Table.of` the genotypes."""
    ends, runs = np.empty(len(times), dtype=np.int64), 0
    for after in range(1, len(times) + 1):
        last = after == len(times) or times[after] != times[after - 1]
        if last or after % _BLOCK == 0:
            ends[runs] = after
            runs += 1
    return Table(codes, times, ends[:runs])


@kernel
def messages(events, genotypes):  # type: ignore[no-untyped-def]
    """Return empty messages."""
    return Messages(
        np.empty((events, genotypes)),
        np.empty((events, genotypes)),
        np.empty((events, genotypes)),
        np.empty((events, genotypes)),
        np.empty(genotypes),
        np.empty(genotypes),
    )


@kernel
def seen_probabilities(false_positive, false_negative):  # type: ignore[no-untyped-def]
    """Return ``[x, code]``: the probability to see a code if the truth is x."""
    seen = np.empty((2, 3))
    seen[0, 2] = seen[1, 2] = 1.0
    seen[0, 0], seen[0, 1] = 1.0 - false_positive, false_positive
    seen[1, 0], seen[1, 1] = false_negative, 1.0 - false_negative
    return seen


@kernel
def parents_first(parents, order):  # type: ignore[no-untyped-def]
    """Fill `order` with the events, each after its parent."""
    links = np.empty((2, len(parents) + 1), dtype=np.int64)
    return _fill_order(parents, links[0], links[1], order)


@kernel(borrows=True)
def _fill_order(parents, first_child, sibling, order):  # type: ignore[no-untyped-def]
    n = len(parents)
    fill(first_child, -1)
    for event in range(n - 1, -1, -1):
        above = parents[event] if parents[event] >= 0 else n
        sibling[event] = first_child[above]
        first_child[above] = event
    filled = 0
    event = first_child[n]
    while event >= 0:
        order[filled] = event
        filled += 1
        event = sibling[event]
    done = 0
    while done < filled:
        event = first_child[order[done]]
        done += 1
        while event >= 0:
            order[filled] = event
            filled += 1
            event = sibling[event]
    return filled


@kernel(borrows=True)
def in_subtree(parents, top, inside):  # type: ignore[no-untyped-def]
    """Fill `inside`: whether each event is `top` or comes after it."""
    n = len(parents)
    for event in range(n):
        above = event
        while above >= 0 and above != top:
            above = parents[above]
        inside[event] = above == top


@kernel(borrows=True)
def _look_up(zero, one, two, codes, out):  # type: ignore[no-untyped-def]
    """Fill `out` with the number of each code; by choices, which can be vectorised."""
    for d in range(len(out)):
        out[d] = zero if codes[d] == 0 else one if codes[d] == 1 else two


@kernel
def log_probabilities(codes, parents, theta, seen, out):  # type: ignore[no-untyped-def]
    """Fill `out` with the log-probability of each genotype, a column of `codes`.

    A genotype that contradicts the forest so much that the probabilities underflow within one
    event (below 1e-300) counts as impossible.
    """
    n, genotypes = codes.shape
    order = np.empty(n, dtype=np.int64)
    parents_first(parents, order)
    rows = np.empty((2 * n + 1, genotypes))
    _fill_chances(codes, order, parents, theta, seen, rows, out)
    chances = rows[2 * n]
    for d in range(genotypes):
        out[d] += np.log(chances[d])


@kernel(fastmath=ANY_ORDER, borrows=True)
def _fill_chances(codes, order, parents, theta, seen, rows, logs):  # type: ignore[no-untyped-def]
    """Fill the last row and `logs`: a genotype has probability ``rows[-1] * exp(logs)``.

    Returns whether any of the logarithms differs from 0.

    Parameters
    ----------
    rows
        Two for each event to work in, and one more.
    """
    n, genotypes = codes.shape
    present, absent, chances = rows[:n], rows[n : 2 * n], rows[2 * n]
    for event in range(n):
        _look_up(seen[1, 0], seen[1, 1], seen[1, 2], codes[event], present[event])
        _look_up(seen[0, 0], seen[0, 1], seen[0, 2], codes[event], absent[event])
    fill(chances, 1.0)
    fill(logs, 0.0)
    rescaled = False
    for position in range(n - 1, -1, -1):
        event = order[position]
        parent = parents[event]
        chance = theta[event]
        yes, no = present[event], absent[event]
        least = 1.0
        if parent < 0:
            for d in range(genotypes):
                chances[d] *= no[d] + chance * (yes[d] - no[d])
                least = min(least, chances[d])
            if least < _SMALL:
                _rescale(chances, chances, logs)
        else:
            above_yes, above_no = present[parent], absent[parent]
            for d in range(genotypes):
                above_yes[d] *= no[d] + chance * (yes[d] - no[d])
                above_no[d] *= no[d]
                least = min(least, above_yes[d] + above_no[d])
            if least < _SMALL:
                _rescale(above_yes, above_no, logs)
        rescaled = rescaled or least < _SMALL
    return rescaled


@kernel(borrows=True)
def _rescale(one, other, logs):  # type: ignore[no-untyped-def]
    """Divide two arrays, or one that is given twice, by the larger entry; add its logarithm."""
    for d in range(len(logs)):
        scale = max(one[d], other[d])
        logs[d] += np.log(scale) if scale > 0.0 else -np.inf
        inverse = 1.0 / scale if scale > 0.0 else 0.0
        one[d], other[d] = one[d] * inverse, other[d] * inverse


@kernel
def log_likelihood(table, parents, theta, seen):  # type: ignore[no-untyped-def]
    """Return the log-probability of all samples together."""
    n, genotypes = table.codes.shape
    order = np.empty(n, dtype=np.int64)
    parents_first(parents, order)
    rows = np.empty((2 * n + 2, genotypes))
    chances, logs = rows[2 * n], rows[2 * n + 1]
    rescaled = _fill_chances(table.codes, order, parents, theta, seen, rows, logs)
    total = _log_products(table, chances)
    if rescaled:
        for d in range(genotypes):
            total += table.times[d] * logs[d]
    return total


@kernel(borrows=True)
def _log_products(table, chances):  # type: ignore[no-untyped-def]
    """Return the sum of the logarithms of probabilities, each as often as its genotype is seen."""
    total, start = 0.0, 0
    for stop in table.ends:
        total += table.times[start] * _log_product(chances[start:stop])
        start = stop
    return total


@kernel(fastmath=ANY_ORDER, borrows=True)
def _log_product(values):  # type: ignore[no-untyped-def]
    """Return the log of a product of probabilities; of each by itself if the product underflows."""
    product = 1.0
    for d in range(len(values)):
        product *= values[d]
    if product > _TINY:
        return np.log(product)
    total = 0.0
    for d in range(len(values)):
        total += np.log(values[d]) if values[d] > 0.0 else -np.inf
    return total


@kernel(fastmath=ANY_ORDER, borrows=True)
def refresh(table, parents, theta, seen, work, event):  # type: ignore[no-untyped-def]
    """Compute the messages of one event from those of its children."""
    genotypes = len(table.times)
    yes, no = work.present[event], work.absent[event]
    codes = table.codes[event]
    zero, one, two = seen[0, 0] + seen[1, 0], seen[0, 1] + seen[1, 1], seen[0, 2] + seen[1, 2]
    _look_up(seen[1, 0] / zero, seen[1, 1] / one, seen[1, 2] / two, codes, yes)
    _look_up(seen[0, 0] / zero, seen[0, 1] / one, seen[0, 2] / two, codes, no)
    for child in range(len(parents)):
        if parents[child] != event:
            continue
        chance = theta[child]
        child_yes, child_no = work.present[child], work.absent[child]
        for d in range(genotypes):
            a = yes[d] * (child_no[d] + chance * (child_yes[d] - child_no[d]))
            b = no[d] * child_no[d]
            inverse = 1.0 / (a + b) if a + b > 0.0 else 0.0
            yes[d] = a * inverse
            no[d] = b * inverse
    chance = theta[event]
    share = work.share[event]
    for d in range(genotypes):
        a = chance * yes[d]
        b = (1.0 - chance) * no[d]
        share[d] = a / (a + b) if a + b > 0.0 else 0.0


@kernel(borrows=True)
def refresh_upwards(table, parents, theta, seen, work, event):  # type: ignore[no-untyped-def]
    """Compute the messages of an event and of all events before it."""
    while event >= 0:
        refresh(table, parents, theta, seen, work, event)
        event = parents[event]


@kernel
def refresh_all(table, parents, theta, seen, work):  # type: ignore[no-untyped-def]
    """Compute all messages."""
    order = np.empty(len(parents), dtype=np.int64)
    parents_first(parents, order)
    for position in range(len(order) - 1, -1, -1):
        refresh(table, parents, theta, seen, work, order[position])


@kernel
def fill_reach(parents, work):  # type: ignore[no-untyped-def]
    """Compute the probability of each event given everything seen, from the shares."""
    order = np.empty(len(parents), dtype=np.int64)
    parents_first(parents, order)
    _fill_reach_in_order(order, parents, work)


@kernel(fastmath=ANY_ORDER, borrows=True)
def _fill_reach_in_order(order, parents, work):  # type: ignore[no-untyped-def]
    for event in order:
        parent = parents[event]
        share, reach = work.share[event], work.reach[event]
        if parent < 0:
            copy_into(reach, share)
        else:
            above = work.reach[parent]
            for d in range(len(reach)):
                reach[d] = above[d] * share[d]


@kernel
def detach(table, parents, theta, seen, work, event, inside):  # type: ignore[no-untyped-def]
    """Remove an event and its subtree from the rest of the forest.

    The event is a root afterwards; `inside` is filled with its subtree, `reach` with
    the probabilities of the other events without it.
    """
    in_subtree(parents, event, inside)
    above = parents[event]
    parents[event] = -1
    refresh_upwards(table, parents, theta, seen, work, above)
    fill_reach(parents, work)


@kernel
def lift(table, parents, theta, seen, work, event):  # type: ignore[no-untyped-def]
    """Remove an event from its parent; return the parent.

    As `detach`, but `reach` is filled for the events before the event only.
    """
    parent = parents[event]
    parents[event] = -1
    refresh_upwards(table, parents, theta, seen, work, parent)
    _fill_reach_of(parents, work, parent)
    return parent


@kernel
def _fill_reach_of(parents, work, event):  # type: ignore[no-untyped-def]
    """Compute the probability of an event, and of all before it, given everything seen."""
    if event < 0:
        return
    above, reach, share = parents[event], work.reach[event], work.share[event]
    if above < 0:
        copy_into(reach, share)
    else:
        _fill_reach_of(parents, work, above)
        for d in range(len(reach)):
            reach[d] = work.reach[above, d] * share[d]


@kernel(fastmath=ANY_ORDER, borrows=True)
def aim(work, event, parent):  # type: ignore[no-untyped-def]
    """Prepare `gain` for an event under a parent; -1 is the root.

    Up to a constant, which is the same for all parents, the log-likelihood is the sum over
    genotypes of ``times * log(base + theta * slope)``.
    """
    yes, no = work.present[event], work.absent[event]
    base, slope = work.base, work.slope
    if parent < 0:
        for d in range(len(base)):
            base[d] = no[d]
            slope[d] = yes[d] - no[d]
    else:
        reach = work.reach[parent]
        for d in range(len(base)):
            base[d] = no[d]
            slope[d] = reach[d] * (yes[d] - no[d])


@kernel(fastmath=ANY_ORDER, borrows=True)
def _product(base, slope, theta):  # type: ignore[no-untyped-def]
    product = 1.0  # in a function of its own: the loop is vectorised, as it would not be inside
    for d in range(len(base)):
        product *= base[d] + theta * slope[d]
    return product


@kernel(fastmath=ANY_ORDER, borrows=True)
def gain(table, work, theta):  # type: ignore[no-untyped-def]
    """Return the log-likelihood of the event that `aim` prepared, up to a constant."""
    base, slope = work.base, work.slope
    total, start = 0.0, 0
    for stop in table.ends:
        product = _product(base[start:stop], slope[start:stop], theta)
        if product > _TINY:
            logs = np.log(product)
        else:
            logs = 0.0
            for d in range(start, stop):
                x = base[d] + theta * slope[d]
                logs += np.log(x) if x > 0.0 else -np.inf
        total += table.times[start] * logs
        start = stop
    return total


@kernel(fastmath=ANY_ORDER, borrows=True)
def slopes(table, work, theta):  # type: ignore[no-untyped-def]
    """Return the first derivative of `gain` by theta, and minus the second."""
    base, slope, times = work.base, work.slope, table.times
    first, second = 0.0, 0.0
    for d in range(len(times)):
        ratio = slope[d] / max(base[d] + theta * slope[d], 1e-300)
        weighted = times[d] * ratio
        first += weighted
        second += weighted * ratio
    return first, second


@kernel(fastmath=ANY_ORDER, borrows=True)
def first_guess(table, work, event, parent):  # type: ignore[no-untyped-def]
    """Return roughly how often the event occurs where the parent does; exact without errors."""
    yes, times = work.present[event], table.times
    shown, chances = 0.5, 1.0
    if parent < 0:
        for d in range(len(times)):
            shown += times[d] * yes[d]
            chances += times[d]
    else:
        reach = work.reach[parent]
        for d in range(len(times)):
            weighted = times[d] * reach[d]
            shown += weighted * yes[d]
            chances += weighted
    return shown / chances


@kernel(borrows=True)
def best_probability(table, work, guess, accuracy, steps):  # type: ignore[no-untyped-def]
    """Return the theta of highest `gain`, and there the first and minus the second derivative.

    A step goes to the mode of the Beta density that has the same two derivatives: right at once
    without errors, and as fast as Newton's method with them. The gain is concave, so the sign of
    its derivative keeps the maximum bracketed; a step out of the bracket is replaced by Newton's,
    or by half the bracket.

    Parameters
    ----------
    guess
        Where to start.
    accuracy
        The search ends at a point this close to the maximum, in standard deviations.
    steps
        It ends after so many steps in any case.
    """
    low, high = LEAST, 1.0 - LEAST
    theta = min(max(guess, low), high)
    first, second = slopes(table, work, theta)
    for _ in range(steps):
        if first == 0.0 or first * first <= accuracy * accuracy * second:
            break
        if first > 0.0:
            low = theta
        else:
            high = theta
        if high - low <= LEAST:
            break
        up = (second + first / (1.0 - theta)) * theta * theta * (1.0 - theta)
        down = (second - first / theta) * theta * (1.0 - theta) * (1.0 - theta)
        if up <= 0.0 and down > 0.0:
            moved = LEAST
        elif down <= 0.0 and up > 0.0:
            moved = 1.0 - LEAST
        else:
            moved = up / (up + down) if up > 0.0 else theta
        if not low < moved < high:
            edge = moved == LEAST or moved == 1.0 - LEAST
            if not (edge and low <= moved <= high):
                moved = theta + first / second if second > 0.0 else -1.0
        if not low < moved < high:
            if moved <= LEAST and low == LEAST:
                moved = LEAST
            elif moved >= 1.0 - LEAST and high == 1.0 - LEAST:
                moved = 1.0 - LEAST
            else:
                moved = 0.5 * (low + high)
        theta = moved
        first, second = slopes(table, work, theta)
        if (theta == LEAST and first <= 0.0) or (theta == 1.0 - LEAST and first >= 0.0):
            break
    return theta, first, second


@kernel(borrows=True)
def log_normal_mass(theta, first, second):  # type: ignore[no-untyped-def]
    """Return the log integral over [0, 1] of exp(first (t - theta) - second (t - theta)^2 / 2)."""
    if second <= 1e-12:
        if abs(first) < 1e-6:
            return 0.0
        return np.log(abs(np.exp(first * (1.0 - theta)) - np.exp(-first * theta)) / abs(first))
    deviation = 1.0 / np.sqrt(second)
    centre = theta + first / second
    low, high = -centre / deviation, (1.0 - centre) / deviation
    if low > 3.0 or high < -3.0:  # both ends on one side: an exponential falls from the near end
        near = low if low > 3.0 else -high
        slope = near / deviation
        edge = 0.0 if low > 3.0 else 1.0
        away = edge - theta
        objective = first * away - 0.5 * second * away * away
        return objective - np.log(slope + 1.0 / (slope * deviation * deviation))
    root = 0.7071067811865476
    mass = 0.5 * (erf(high * root) - erf(low * root))
    if mass < 1e-12:
        mass = 0.5 * erfc(abs(low) * root) + 1e-300
    return 0.5 * first * first / second + np.log(2.5066282746310002 * deviation * mass)
