"""Messages along a forest for all genotypes at once, and what a new parent of an event is worth.

For an event and a genotype two numbers are kept, scaled to sum to 1: the probability of what is
seen in the subtree of the event if the event has occurred (`present`) and if it has not
(`absent`). Both are carried, so that a false positive rate of 0, for which their ratio is infinite,
needs no care; they are scaled after every child, so that a thousand events do not underflow.

Arrays are events x distinct genotypes: the inner loops run over genotypes. Those seen equally often
are neighbours, so that many of them are multiplied before a logarithm is taken. Sums and products
over genotypes are taken in a fixed number of lanes, which any processor can do at once, in the
same order.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.caprese.kernels.elementary import erfc, exp, log, sqrt

from caprese._core.arrays import FloatArray, IntArray, Integer, OctetArray

LEAST = 1e-9  # edge probabilities are searched in [LEAST, 1 - LEAST]
_TINY = 1e-280  # a product below this may have lost digits
_SMALL = 1e-150  # a scale below this is taken into its logarithm
_BLOCK = 64  # probabilities in a run at most: the product of so many seldom underflows
_INFINITE = float("inf")


class Table:
    """Distinct genotypes: codes (0 absent, 1 present, 2 unknown), and how often each is seen.

    Parameters
    ----------
    events
        How many events.
    capacity
        How many genotypes there is room for; none is in use at first.
    """

    def __init__(self, events: Integer, capacity: Integer) -> None:
        self.codes: OctetArray = np.zeros((events, capacity), dtype=np.uint8)
        self.times: FloatArray = np.zeros(capacity)
        # Of runs of genotypes that are seen equally often, each in one block.
        self.ends: IntArray = np.zeros(capacity, dtype=np.int64)
        self.genotypes = 0  # in use
        self.runs = 0

    @classmethod
    def of(cls, codes: OctetArray, times: FloatArray) -> Table:
        """Return the table of genotypes in the order in which they are given."""
        table = Table(len(codes), len(times))
        table.codes = np.array(codes, dtype=np.uint8, order="C")
        table.times = np.array(times, dtype=np.float64)
        table.genotypes = len(times)
        find_runs(table)
        return table


class Messages:
    """Messages of a forest, and what computing them needs.

    Parameters
    ----------
    events
        How many events.
    genotypes
        How many genotypes a table has at most.
    """

    def __init__(self, events: Integer, genotypes: Integer) -> None:
        shape = (events, genotypes)
        self.present: FloatArray = np.empty(shape)
        self.absent: FloatArray = np.empty(shape)
        # The probability of the event given its parent and what is seen in its own subtree.
        self.share: FloatArray = np.empty(shape)
        # That of the event given everything seen, in a forest without the event that moves; 1 in
        # the last row, that of the root.
        self.reach: FloatArray = np.ones((events + 1, genotypes))
        # Of the event that moves, one per genotype.
        self.moving = 0
        self.slope: FloatArray = np.empty(genotypes)
        self.inside: OctetArray = np.zeros(events, dtype=np.uint8)  # 1 in the subtree that moves
        self.order: IntArray = np.empty(events, dtype=np.int64)
        self.first_child: IntArray = np.empty(events + 1, dtype=np.int64)
        self.sibling: IntArray = np.empty(events + 1, dtype=np.int64)
        # For probabilities: two for each event, and of each genotype the product and its logarithm.
        self.rows: FloatArray = np.empty((2 * events + 2, genotypes))
        self.products: FloatArray = np.empty(genotypes)  # of probabilities, one per run


def find_runs(table: Table) -> None:
    """Find the runs of the genotypes in use."""
    table.runs = 0
    for after in range(1, table.genotypes + 1):
        last: cython.bint = after == table.genotypes or table.times[after] != table.times[after - 1]
        if last or after % _BLOCK == 0:
            table.ends[table.runs] = after
            table.runs += 1


def fill_seen(false_positive: float, false_negative: float, seen: FloatArray) -> None:
    """Fill ``seen[x, code]``: the probability to see a code if the truth is x."""
    seen[0, 0], seen[0, 1], seen[0, 2] = 1.0 - false_positive, false_positive, 1.0
    seen[1, 0], seen[1, 1], seen[1, 2] = false_negative, 1.0 - false_negative, 1.0


def seen_probabilities(false_positive: float, false_negative: float) -> FloatArray:
    """Return ``[x, code]``: the probability to see a code if the truth is x."""
    seen = np.empty((2, 3))
    view: cython.double[:, ::1] = seen
    fill_seen(false_positive, false_negative, view)
    return seen


def parents_first(parents: IntArray, work: Messages) -> int:
    """Fill `work.order` with the events, each after its parent; return how many there are."""
    n = parents.shape[0]
    for event in range(n + 1):
        work.first_child[event] = -1
    for event in range(n - 1, -1, -1):
        above = parents[event] if parents[event] >= 0 else n
        work.sibling[event] = work.first_child[above]
        work.first_child[above] = event
    child: cython.Py_ssize_t = work.first_child[n]
    filled = _append_siblings(work, child, 0)
    done: cython.Py_ssize_t = 0
    while done < filled:
        child = work.first_child[work.order[done]]
        filled = _append_siblings(work, child, filled)
        done += 1
    return filled


def _append_siblings(work: Messages, event: Integer, filled: Integer) -> int:
    """Add an event and its later siblings to the order; return how many are in it then."""
    while event >= 0:
        work.order[filled] = event
        filled += 1
        event = work.sibling[event]
    return filled


def _fill_inside(parents: IntArray, top: Integer, work: Messages) -> None:
    """Mark the events that are `top` or come after it."""
    for event in range(parents.shape[0]):
        above: cython.Py_ssize_t = event
        while above >= 0 and above != top:
            above = parents[above]
        work.inside[event] = above == top


def log_probabilities(
    table: Table,
    parents: IntArray,
    theta: FloatArray,
    seen: FloatArray,
    work: Messages,
    out: FloatArray,
) -> None:
    """Fill `out` with the log-probability of each genotype.

    A genotype that contradicts the forest so much that the probabilities underflow within one
    event (below 1e-300) counts as impossible.
    """
    chances = 2 * parents.shape[0]
    _fill_chances(table, parents, theta, seen, work)
    for d in range(table.genotypes):
        out[d] = work.rows[chances + 1, d] + log(work.rows[chances, d])


def log_likelihood(
    table: Table, parents: IntArray, theta: FloatArray, seen: FloatArray, work: Messages
) -> float:
    """Return the log-probability of all samples together."""
    chances = 2 * parents.shape[0]
    rescaled: cython.bint = _fill_chances(table, parents, theta, seen, work)
    total: float = 0.0
    start: cython.Py_ssize_t = 0
    for run in range(table.runs):
        stop = table.ends[run]
        work.products[run] = _row_product(work, chances, start, stop)
        if not work.products[run] > _TINY:
            work.products[run] = 1.0
            for d in range(start, stop):
                x = work.rows[chances, d]
                total += table.times[d] * log(x) if x > 0.0 else -_INFINITE
        start = stop
    if rescaled:
        for d in range(table.genotypes):
            total += table.times[d] * work.rows[chances + 1, d]
    return total + _log_products(table, work)


def forest_log_likelihood(
    table: Table, parents: IntArray, theta: FloatArray, rates: FloatArray
) -> float:
    """Return the log-probability of all samples together, given both error rates."""
    work = Messages(parents.shape[0], table.genotypes)
    seen: cython.double[:, ::1] = seen_probabilities(rates[0], rates[1])
    with cython.nogil:
        return log_likelihood(table, parents, theta, seen, work)


def _fill_chances(
    table: Table, parents: IntArray, theta: FloatArray, seen: FloatArray, work: Messages
) -> bool:
    """Fill the last two rows: a genotype has the probability ``rows[-2] * exp(rows[-1])``.

    Returns whether any of the logarithms differs from 0.
    """
    n = parents.shape[0]
    genotypes = table.genotypes
    for event in range(n):
        _look_up(table, event, seen[1, 0], seen[1, 1], seen[1, 2], work.rows, event)
        _look_up(table, event, seen[0, 0], seen[0, 1], seen[0, 2], work.rows, n + event)
    for d in range(genotypes):
        work.rows[2 * n, d] = 1.0
        work.rows[2 * n + 1, d] = 0.0
    rescaled: cython.bint = False
    for position in range(parents_first(parents, work) - 1, -1, -1):
        event = work.order[position]
        if parents[event] < 0:
            small = _multiply_root(work, n, genotypes, event, theta[event])
            if small:
                _rescale(work, 2 * n, 2 * n, genotypes)
        else:
            small = _multiply_above(work, n, genotypes, event, parents[event], theta[event])
            if small:
                _rescale(work, parents[event], n + parents[event], genotypes)
        rescaled = rescaled or small > 0
    return rescaled


def _look_up(
    table: Table,
    event: Integer,
    zero: float,
    one: float,
    two: float,
    out: FloatArray,
    row: Integer,
) -> None:
    """Fill a row with the number of each code; by choices, which can be vectorised."""
    for d in range(table.genotypes):
        out[row, d] = (
            zero if table.codes[event, d] == 0 else one if table.codes[event, d] == 1 else two
        )


def _multiply_root(
    work: Messages, n: Integer, genotypes: Integer, event: Integer, chance: float
) -> int:
    """Multiply the probabilities of genotypes by those of a root; return how many are small."""
    small: cython.Py_ssize_t = 0
    for d in range(genotypes):
        no = work.rows[n + event, d]
        product = work.rows[2 * n, d] * (no + chance * (work.rows[event, d] - no))
        work.rows[2 * n, d] = product
        small += product < _SMALL
    return small


def _multiply_above(
    work: Messages, n: Integer, genotypes: Integer, event: Integer, parent: Integer, chance: float
) -> int:
    """Multiply the probabilities of a parent by those of its child; return how many are small."""
    small: cython.Py_ssize_t = 0
    for d in range(genotypes):
        no = work.rows[n + event, d]
        above_yes = work.rows[parent, d] * (no + chance * (work.rows[event, d] - no))
        above_no = work.rows[n + parent, d] * no
        work.rows[parent, d] = above_yes
        work.rows[n + parent, d] = above_no
        small += above_yes + above_no < _SMALL
    return small


def _rescale(work: Messages, one: Integer, other: Integer, genotypes: Integer) -> None:
    """Divide two rows, or one that is given twice, by the larger entry; add its logarithm."""
    logs = work.rows.shape[0] - 1
    for d in range(genotypes):
        scale = max(work.rows[one, d], work.rows[other, d])
        work.rows[logs, d] += log(scale) if scale > 0.0 else -_INFINITE
        inverse = 1.0 / scale if scale > 0.0 else 0.0
        work.rows[one, d] *= inverse
        if one != other:
            work.rows[other, d] *= inverse


def _row_product(work: Messages, row: Integer, start: Integer, stop: Integer) -> float:
    lanes = cython.declare(cython.double[8])
    for k in range(8):
        lanes[k] = 1.0
    d: cython.Py_ssize_t = start
    while d + 8 <= stop:
        for k in range(8):
            lanes[k] *= work.rows[row, d + k]
        d += 8
    while d < stop:
        lanes[0] *= work.rows[row, d]
        d += 1
    return _product_of(lanes)


def _product_of(lanes: FloatArray) -> float:
    return ((lanes[0] * lanes[1]) * (lanes[2] * lanes[3])) * (
        (lanes[4] * lanes[5]) * (lanes[6] * lanes[7])
    )


def _log_products(table: Table, work: Messages) -> float:
    """Return the sum of the logarithms of the products of runs, each as often as it is seen.

    Runs that are seen equally often are multiplied as long as the product does not underflow.
    """
    total: float = 0.0
    product: float = 1.0
    start: cython.Py_ssize_t = 0
    times = table.times[0] if table.runs > 0 else 0.0
    for run in range(table.runs):
        if table.times[start] != times or product * work.products[run] <= _TINY:
            total += times * log(product)
            times = table.times[start]
            product = 1.0
        product *= work.products[run]
        start = table.ends[run]
    return total + times * log(product)


def refresh(
    table: Table,
    parents: IntArray,
    theta: FloatArray,
    seen: FloatArray,
    work: Messages,
    event: Integer,
) -> None:
    """Compute the messages of one event from those of its children."""
    zero = seen[0, 0] + seen[1, 0]
    one = seen[0, 1] + seen[1, 1]
    two = seen[0, 2] + seen[1, 2]
    _look_up(
        table, event, seen[1, 0] / zero, seen[1, 1] / one, seen[1, 2] / two, work.present, event
    )
    _look_up(
        table, event, seen[0, 0] / zero, seen[0, 1] / one, seen[0, 2] / two, work.absent, event
    )
    for child in range(parents.shape[0]):
        if parents[child] == event:
            _multiply_scaled(table, work, event, child, theta[child])
    chance = theta[event]
    for d in range(table.genotypes):
        a = chance * work.present[event, d]
        total = a + (1.0 - chance) * work.absent[event, d]
        work.share[event, d] = a / total if total > 0.0 else 0.0


def _multiply_scaled(
    table: Table, work: Messages, event: Integer, child: Integer, chance: float
) -> None:
    """Multiply the messages of an event by those of a child, and scale them to sum to 1."""
    for d in range(table.genotypes):
        no = work.absent[child, d]
        a = work.present[event, d] * (no + chance * (work.present[child, d] - no))
        b = work.absent[event, d] * no
        inverse = 1.0 / (a + b) if a + b > 0.0 else 0.0
        work.present[event, d] = a * inverse
        work.absent[event, d] = b * inverse


def refresh_upwards(
    table: Table,
    parents: IntArray,
    theta: FloatArray,
    seen: FloatArray,
    work: Messages,
    event: Integer,
) -> None:
    """Compute the messages of an event and of all events before it."""
    while event >= 0:
        refresh(table, parents, theta, seen, work, event)
        event = parents[event]


def refresh_all(
    table: Table, parents: IntArray, theta: FloatArray, seen: FloatArray, work: Messages
) -> None:
    """Compute all messages."""
    for position in range(parents_first(parents, work) - 1, -1, -1):
        refresh(table, parents, theta, seen, work, work.order[position])


def fill_reach(table: Table, parents: IntArray, work: Messages) -> None:
    """Compute the probability of each event given everything seen, from the shares."""
    for position in range(parents_first(parents, work)):
        event = work.order[position]
        _fill_reach_below(table, work, event, parents[event])


def _fill_reach_below(table: Table, work: Messages, event: Integer, parent: Integer) -> None:
    """Compute the probability of an event given everything seen, from that of its parent."""
    above = parent if parent >= 0 else work.order.shape[0]
    for d in range(table.genotypes):
        work.reach[event, d] = work.reach[above, d] * work.share[event, d]


def detach(
    table: Table,
    parents: IntArray,
    theta: FloatArray,
    seen: FloatArray,
    work: Messages,
    event: Integer,
) -> None:
    """Remove an event and its subtree from the rest of the forest.

    The event is a root afterwards; `inside` is filled with its subtree, `reach` with
    the probabilities of the other events without it.
    """
    _fill_inside(parents, event, work)
    above = parents[event]
    parents[event] = -1
    refresh_upwards(table, parents, theta, seen, work, above)
    fill_reach(table, parents, work)


def lift(
    table: Table,
    parents: IntArray,
    theta: FloatArray,
    seen: FloatArray,
    work: Messages,
    event: Integer,
) -> int:
    """Remove an event from its parent; return the parent.

    As `detach`, but `reach` is filled for the events before the event only.
    """
    parent = parents[event]
    parents[event] = -1
    refresh_upwards(table, parents, theta, seen, work, parent)
    before: cython.Py_ssize_t = 0
    above: cython.Py_ssize_t = parent
    while above >= 0:
        work.order[before] = above
        before += 1
        above = parents[above]
    while before > 0:
        before -= 1
        _fill_reach_below(table, work, work.order[before], parents[work.order[before]])
    return parent


def aim(table: Table, work: Messages, event: Integer, parent: Integer) -> None:
    """Prepare `gain` for an event under a parent; -1 is the root.

    Up to a constant, which is the same for all parents, the log-likelihood is the sum over
    genotypes of ``times * log(absent + theta * slope)``.
    """
    work.moving = event
    above = parent if parent >= 0 else work.order.shape[0]
    for d in range(table.genotypes):
        work.slope[d] = work.reach[above, d] * (work.present[event, d] - work.absent[event, d])


def gain(table: Table, work: Messages, theta: float) -> float:
    """Return the log-likelihood of the event that `aim` prepared, up to a constant."""
    total: float = 0.0
    start: cython.Py_ssize_t = 0
    for run in range(table.runs):
        stop = table.ends[run]
        work.products[run] = _product(work, theta, start, stop)
        if not work.products[run] > _TINY:
            work.products[run] = 1.0
            for d in range(start, stop):
                x = work.absent[work.moving, d] + theta * work.slope[d]
                total += table.times[d] * log(x) if x > 0.0 else -_INFINITE
        start = stop
    return total + _log_products(table, work)


def _product(work: Messages, theta: float, start: Integer, stop: Integer) -> float:
    lanes = cython.declare(cython.double[8])
    for k in range(8):
        lanes[k] = 1.0
    d: cython.Py_ssize_t = start
    while d + 8 <= stop:
        for k in range(8):
            lanes[k] *= work.absent[work.moving, d + k] + theta * work.slope[d + k]
        d += 8
    while d < stop:
        lanes[0] *= work.absent[work.moving, d] + theta * work.slope[d]
        d += 1
    return _product_of(lanes)


def slopes(table: Table, work: Messages, theta: float) -> tuple[float, float]:
    """Return the first derivative of `gain` by theta, and minus the second."""
    # Two sums in one loop are vectorised if their lanes are in memory, which takes sixteen.
    first, second = cython.declare(cython.double[16]), cython.declare(cython.double[16])
    for k in range(16):
        first[k] = 0.0
        second[k] = 0.0
    start: cython.Py_ssize_t = 0
    while start < table.genotypes:
        for k in range(min(table.genotypes - start, 16)):
            slope = work.slope[start + k]
            # What is added at the end counts only where the rest is 0.
            ratio = slope / (work.absent[work.moving, start + k] + theta * slope + 1e-300)
            weighted = table.times[start + k] * ratio
            first[k] += weighted
            second[k] += weighted * ratio
        start += 16
    return _sum_of_sixteen(first), _sum_of_sixteen(second)


def _sum_of_sixteen(lanes: FloatArray) -> float:
    """Return the sum of sixteen lanes; overwrites them."""
    for k in range(8):
        lanes[k] += lanes[k + 8]
    return _sum_of_eight(lanes)


def _sum_of_eight(lanes: FloatArray) -> float:
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + (
        (lanes[4] + lanes[5]) + (lanes[6] + lanes[7])
    )


def first_guess(table: Table, work: Messages, event: Integer, parent: Integer) -> float:
    """Return roughly how often the event occurs where the parent does; exact without errors."""
    above = parent if parent >= 0 else work.order.shape[0]
    shown, chances = cython.declare(cython.double[8]), cython.declare(cython.double[8])
    for k in range(8):
        shown[k] = 0.0
        chances[k] = 0.0
    d: cython.Py_ssize_t = 0
    while d + 8 <= table.genotypes:
        for k in range(8):
            chances[k] += table.times[d + k] * work.reach[above, d + k]
        d += 8
    d = 0  # two loops: only one sum in lanes can be vectorised
    while d + 8 <= table.genotypes:
        for k in range(8):
            shown[k] += table.times[d + k] * work.reach[above, d + k] * work.present[event, d + k]
        d += 8
    while d < table.genotypes:
        chances[0] += table.times[d] * work.reach[above, d]
        shown[0] += table.times[d] * work.reach[above, d] * work.present[event, d]
        d += 1
    return (0.5 + _sum_of_eight(shown)) / (1.0 + _sum_of_eight(chances))


def best_probability(
    table: Table, work: Messages, guess: float, accuracy: float, steps: Integer
) -> tuple[float, float, float]:
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
    low: float = LEAST
    high: float = 1.0 - LEAST
    theta: float = min(max(guess, low), high)
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
        theta = _next_probability(theta, first, second, low, high)
        first, second = slopes(table, work, theta)
        if (theta == LEAST and first <= 0.0) or (theta == 1.0 - LEAST and first >= 0.0):
            break
    return theta, first, second


def _next_probability(theta: float, first: float, second: float, low: float, high: float) -> float:
    """Return where `best_probability` goes from a point, within the bracket."""
    up = (second + first / (1.0 - theta)) * theta * theta * (1.0 - theta)
    down = (second - first / theta) * theta * (1.0 - theta) * (1.0 - theta)
    if up <= 0.0 and down > 0.0:
        moved = LEAST
    elif down <= 0.0 and up > 0.0:
        moved = 1.0 - LEAST
    else:
        moved = up / (up + down) if up > 0.0 else theta
    if low < moved < high:
        return moved
    edge: cython.bint = moved == LEAST or moved == 1.0 - LEAST
    if not (edge and low <= moved <= high):
        moved = theta + first / second if second > 0.0 else -1.0
    if low < moved < high:
        return moved
    if moved <= LEAST and low == LEAST:
        return LEAST
    if moved >= 1.0 - LEAST and high == 1.0 - LEAST:
        return 1.0 - LEAST
    return 0.5 * (low + high)


def log_normal_mass(theta: float, first: float, second: float) -> float:
    """Return the log integral over [0, 1] of exp(first (t - theta) - second (t - theta)^2 / 2)."""
    if second <= 1e-12:
        if abs(first) < 1e-6:
            return 0.0
        return log(abs(exp(first * (1.0 - theta)) - exp(-first * theta)) / abs(first))
    deviation = 1.0 / sqrt(second)
    centre = theta + first / second
    low, high = -centre / deviation, (1.0 - centre) / deviation
    if low > 3.0 or high < -3.0:  # both ends on one side: an exponential falls from the near end
        near = low if low > 3.0 else -high
        slope = near / deviation
        edge = 0.0 if low > 3.0 else 1.0
        away = edge - theta
        objective = first * away - 0.5 * second * away * away
        return objective - log(slope + 1.0 / (slope * deviation * deviation))
    if low + high < 0.0:  # the mirror image, in whose tail no digits are lost
        low, high = -high, -low
    root = 0.7071067811865476
    mass = 0.5 * (erfc(low * root) - erfc(high * root))
    return 0.5 * first * first / second + log(2.5066282746310002 * deviation * mass)
