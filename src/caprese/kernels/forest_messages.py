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

    And what orders that were seen add to the log-probability, see `forest_orders`: of all samples
    together, and of one sample of each genotype.

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
        self.order_gains: FloatArray = np.zeros((0, 0))  # of all samples, events x events
        # Of one sample of a genotype, where the pairs of the genotypes start.
        self.pair_starts: IntArray = np.zeros(capacity + 1, dtype=np.int64)
        self.pairs: IntArray = np.zeros((0, 2), dtype=np.int64)
        # If the first event of a pair comes before the second, and if it comes after it.
        self.pair_gains: FloatArray = np.zeros((0, 2))

    @classmethod
    def of(cls, codes: OctetArray, times: FloatArray) -> Table:
        """Return the table of genotypes in the order in which they are given."""
        table = Table(len(codes), len(times))
        table.codes = np.array(codes, dtype=np.uint8, order="C")
        table.times = np.array(times, dtype=np.float64)
        table.genotypes = len(times)
        find_runs(table)
        return table

    def see_orders(
        self, gains: FloatArray, starts: IntArray, pairs: IntArray, pair_gains: FloatArray
    ) -> None:
        """Let the table have orders; see `genotype_table.OrderGains`."""
        self.order_gains, self.pair_starts = gains, starts
        self.pairs, self.pair_gains = pairs, pair_gains


class Forest:
    """A forest with errors, the genotypes that are seen of it, and the messages along it."""

    def __init__(self, table: Table) -> None:
        events, genotypes = table.codes.shape[0], table.codes.shape[1]
        self.table = table
        self.parents: IntArray = np.empty(events, dtype=np.int64)
        self.theta: FloatArray = np.empty(events)
        # [x, code]: the probability to see a code if the truth is x, and its share of both truths.
        self.seen: FloatArray = np.empty((2, 3))
        self.seen_shares: FloatArray = np.empty((2, 3))
        self.present: FloatArray = np.empty((events, genotypes))
        self.absent: FloatArray = np.empty((events, genotypes))
        # The probability of the event given its parent and what is seen in its own subtree.
        self.share: FloatArray = np.empty((events, genotypes))
        # That of the event given everything seen, in a forest without the event that moves; 1 in
        # the last row, that of the root.
        self.reach: FloatArray = np.ones((events + 1, genotypes))
        # The event that moves, the row of its new parent, and one number per genotype.
        self.moving, self.above = 0, 0
        self.slope: FloatArray = np.empty(genotypes)
        self.base: FloatArray = np.empty(genotypes)
        # Whether the forest is part of a mixture: a genotype has the probability that the forest
        # gives it, times a factor, plus the rest. The claim is the share of the first of the two,
        # without the event that moves.
        self.mixed = False
        self.factor: FloatArray = np.empty(genotypes)
        self.rest: FloatArray = np.empty(genotypes)
        self.claim: FloatArray = np.empty(genotypes)
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


def set_forest(forest: Forest, parents: IntArray, theta: FloatArray) -> None:
    """Set the parents of all events, and their probabilities given these."""
    for event in range(len(parents)):
        forest.parents[event], forest.theta[event] = parents[event], theta[event]


def set_rates(forest: Forest, false_positive: float, false_negative: float) -> None:
    """Set the error rates."""
    seen = forest.seen
    seen[0, 0], seen[0, 1], seen[0, 2] = 1.0 - false_positive, false_positive, 1.0
    seen[1, 0], seen[1, 1], seen[1, 2] = false_negative, 1.0 - false_negative, 1.0
    for code in range(3):
        for truth in range(2):
            forest.seen_shares[truth, code] = seen[truth, code] / (seen[0, code] + seen[1, code])


def parents_first(forest: Forest) -> int:
    """Fill the order of the events, each after its parent; return how many there are."""
    n = len(forest.parents)
    for event in range(n + 1):
        forest.first_child[event] = -1
    for event in range(n - 1, -1, -1):
        above = forest.parents[event] if forest.parents[event] >= 0 else n
        forest.sibling[event] = forest.first_child[above]
        forest.first_child[above] = event
    filled = _append_siblings(forest, forest.first_child[n], 0)
    done: cython.Py_ssize_t = 0
    while done < filled:
        filled = _append_siblings(forest, forest.first_child[forest.order[done]], filled)
        done += 1
    return filled


def _append_siblings(forest: Forest, event: Integer, filled: Integer) -> int:
    """Add an event and its later siblings to the order; return how many are in it then."""
    while event >= 0:
        forest.order[filled] = event
        filled += 1
        event = forest.sibling[event]
    return filled


def _fill_inside(forest: Forest, top: Integer) -> None:
    """Mark the events that are `top` or come after it."""
    for event in range(len(forest.parents)):
        above: cython.Py_ssize_t = event
        while above >= 0 and above != top:
            above = forest.parents[above]
        forest.inside[event] = above == top


def log_probabilities(forest: Forest, out: FloatArray) -> None:
    """Fill `out` with the log-probability of each genotype.

    A genotype that contradicts the forest so much that the probabilities underflow within one
    event (below 1e-300) counts as impossible.
    """
    chances = 2 * len(forest.parents)
    _fill_chances(forest)
    for d in range(forest.table.genotypes):
        out[d] = forest.rows[chances + 1, d] + log(forest.rows[chances, d])


def log_sum(parts: FloatArray, d: Integer) -> float:
    """Return the log of the sum of the exponentials of a column."""
    if parts.shape[0] == 1:
        return parts[0, d]
    most: float = -_INFINITE
    for component in range(parts.shape[0]):
        most = max(most, parts[component, d])
    if most == -_INFINITE:
        return most
    total: float = 0.0
    for component in range(parts.shape[0]):
        total += exp(parts[component, d] - most)
    return most + log(total)


def log_likelihood(forest: Forest) -> float:
    """Return the log-probability of all samples together."""
    chances = 2 * len(forest.parents)
    rescaled: cython.bint = _fill_chances(forest)
    if forest.mixed:
        _add_rest(forest, rescaled)
        rescaled = False
    total: float = 0.0
    start: cython.Py_ssize_t = 0
    for run in range(forest.table.runs):
        stop = forest.table.ends[run]
        forest.products[run] = _row_product(forest, chances, start, stop)
        if not forest.products[run] > _TINY:
            forest.products[run] = 1.0
            for d in range(start, stop):
                x = forest.rows[chances, d]
                total += forest.table.times[d] * log(x) if x > 0.0 else -_INFINITE
        start = stop
    if rescaled:
        for d in range(forest.table.genotypes):
            total += forest.table.times[d] * forest.rows[chances + 1, d]
    return total + _log_products(forest)


def _add_rest(forest: Forest, rescaled: cython.bint) -> None:
    """Let the probabilities be those of the mixture."""
    chances = 2 * len(forest.parents)
    for d in range(forest.table.genotypes):
        own: float = forest.rows[chances, d] * forest.factor[d]
        if rescaled:
            own *= exp(forest.rows[chances + 1, d])
        forest.rows[chances, d] = own + forest.rest[d]


def _fill_claims(forest: Forest, event: Integer) -> None:
    """Fill the claims of the forest without an event, which is a root.

    Its two messages sum to 1, so that with an edge probability of 1/2 it halves the probabilities.
    """
    chances, theta = 2 * len(forest.parents), forest.theta[event]
    forest.theta[event] = 0.5
    rescaled: cython.bint = _fill_chances(forest)
    forest.theta[event] = theta
    for d in range(forest.table.genotypes):
        own: float = 2.0 * forest.rows[chances, d] * forest.factor[d]
        if rescaled:
            own *= exp(forest.rows[chances + 1, d])
        total = own + forest.rest[d]
        forest.claim[d] = own / total if total > 0.0 else 0.0


def forest_log_likelihood(
    table: Table, parents: IntArray, theta: FloatArray, rates: FloatArray
) -> float:
    """Return the log-probability of all samples together, given both error rates."""
    forest = Forest(table)
    with cython.nogil:
        set_forest(forest, parents, theta)
        set_rates(forest, rates[0], rates[1])
        return log_likelihood(forest)


def _fill_chances(forest: Forest) -> bool:
    """Fill the last two rows: a genotype has the probability ``rows[-2] * exp(rows[-1])``.

    Returns whether any of the logarithms differs from 0.
    """
    n = len(forest.parents)
    for event in range(n):
        _look_up(forest, event, forest.seen, 1, forest.rows, event)
        _look_up(forest, event, forest.seen, 0, forest.rows, n + event)
    for d in range(forest.table.genotypes):
        forest.rows[2 * n, d] = 1.0
        forest.rows[2 * n + 1, d] = 0.0
    rescaled: cython.bint = False
    for position in range(parents_first(forest) - 1, -1, -1):
        event = forest.order[position]
        parent = forest.parents[event]
        if parent < 0:
            small = _multiply_root(forest, event)
            if small:
                _rescale(forest, 2 * n, 2 * n)
        else:
            small = _multiply_above(forest, event, parent)
            if small:
                _rescale(forest, parent, n + parent)
        rescaled = rescaled or small > 0
    return rescaled


def _look_up(
    forest: Forest, event: Integer, seen: FloatArray, truth: Integer, out: FloatArray, row: Integer
) -> None:
    """Fill a row with the number of each code; by choices, which can be vectorised."""
    zero, one, two = seen[truth, 0], seen[truth, 1], seen[truth, 2]
    for d in range(forest.table.genotypes):
        code = forest.table.codes[event, d]
        out[row, d] = zero if code == 0 else one if code == 1 else two


def _multiply_root(forest: Forest, event: Integer) -> int:
    """Multiply the probabilities of genotypes by those of a root; return how many are small."""
    n, chance = len(forest.parents), forest.theta[event]
    small: cython.Py_ssize_t = 0
    for d in range(forest.table.genotypes):
        no = forest.rows[n + event, d]
        product = forest.rows[2 * n, d] * (no + chance * (forest.rows[event, d] - no))
        forest.rows[2 * n, d] = product
        small += product < _SMALL
    return small


def _multiply_above(forest: Forest, event: Integer, parent: Integer) -> int:
    """Multiply the probabilities of a parent by those of its child; return how many are small."""
    n, chance = len(forest.parents), forest.theta[event]
    small: cython.Py_ssize_t = 0
    for d in range(forest.table.genotypes):
        no = forest.rows[n + event, d]
        above_yes = forest.rows[parent, d] * (no + chance * (forest.rows[event, d] - no))
        above_no = forest.rows[n + parent, d] * no
        forest.rows[parent, d] = above_yes
        forest.rows[n + parent, d] = above_no
        small += above_yes + above_no < _SMALL
    return small


def _rescale(forest: Forest, one: Integer, other: Integer) -> None:
    """Divide two rows, or one that is given twice, by the larger entry; add its logarithm."""
    logs = forest.rows.shape[0] - 1
    for d in range(forest.table.genotypes):
        scale = max(forest.rows[one, d], forest.rows[other, d])
        forest.rows[logs, d] += log(scale) if scale > 0.0 else -_INFINITE
        inverse = 1.0 / scale if scale > 0.0 else 0.0
        forest.rows[one, d] *= inverse
        if one != other:
            forest.rows[other, d] *= inverse


def refresh(forest: Forest, event: Integer) -> None:
    """Compute the messages of one event from those of its children."""
    _look_up(forest, event, forest.seen_shares, 1, forest.present, event)
    _look_up(forest, event, forest.seen_shares, 0, forest.absent, event)
    for child in range(len(forest.parents)):
        if forest.parents[child] == event:
            _multiply_scaled(forest, event, child)
    chance = forest.theta[event]
    for d in range(forest.table.genotypes):
        a = chance * forest.present[event, d]
        total = a + (1.0 - chance) * forest.absent[event, d]
        forest.share[event, d] = a / total if total > 0.0 else 0.0


def _multiply_scaled(forest: Forest, event: Integer, child: Integer) -> None:
    """Multiply the messages of an event by those of a child, and scale them to sum to 1."""
    chance = forest.theta[child]
    for d in range(forest.table.genotypes):
        no = forest.absent[child, d]
        a = forest.present[event, d] * (no + chance * (forest.present[child, d] - no))
        b = forest.absent[event, d] * no
        inverse = 1.0 / (a + b) if a + b > 0.0 else 0.0
        forest.present[event, d] = a * inverse
        forest.absent[event, d] = b * inverse


def refresh_upwards(forest: Forest, event: Integer) -> None:
    """Compute the messages of an event and of all events before it."""
    while event >= 0:
        refresh(forest, event)
        event = forest.parents[event]


def refresh_all(forest: Forest) -> None:
    """Compute all messages."""
    for position in range(parents_first(forest) - 1, -1, -1):
        refresh(forest, forest.order[position])


def fill_reach(forest: Forest) -> None:
    """Compute the probability of each event given everything seen, from the shares."""
    for position in range(parents_first(forest)):
        _fill_reach_below(forest, forest.order[position])


def _fill_reach_below(forest: Forest, event: Integer) -> None:
    """Compute the probability of an event given everything seen, from that of its parent."""
    above = row_of(forest, forest.parents[event])
    for d in range(forest.table.genotypes):
        forest.reach[event, d] = forest.reach[above, d] * forest.share[event, d]


def row_of(forest: Forest, parent: Integer) -> int:
    """Return the row of a parent in `reach`; the root, -1, has the last one."""
    return parent if parent >= 0 else len(forest.parents)


def detach(forest: Forest, event: Integer) -> None:
    """Remove an event and its subtree from the rest of the forest.

    The event is a root afterwards; `inside` is filled with its subtree, `reach` with
    the probabilities of the other events without it.
    """
    _fill_inside(forest, event)
    above = forest.parents[event]
    forest.parents[event] = -1
    refresh_upwards(forest, above)
    fill_reach(forest)
    if forest.mixed:
        _fill_claims(forest, event)


def lift(forest: Forest, event: Integer) -> int:
    """Remove an event from its parent; return the parent.

    As `detach`, but `reach` is filled for the events before the event only.
    """
    parent = forest.parents[event]
    forest.parents[event] = -1
    refresh_upwards(forest, parent)
    before: cython.Py_ssize_t = 0
    above: cython.Py_ssize_t = parent
    while above >= 0:
        forest.order[before] = above
        before += 1
        above = forest.parents[above]
    while before > 0:
        before -= 1
        _fill_reach_below(forest, forest.order[before])
    if forest.mixed:
        _fill_claims(forest, event)
    return parent


def aim(forest: Forest, event: Integer, parent: Integer) -> None:
    """Prepare `gain` for an event under a parent; -1 is the root.

    Up to a constant, which is the same for all parents, the log-likelihood is the sum over
    genotypes of ``times * log(base + theta * slope)``.
    """
    above = row_of(forest, parent)
    forest.moving, forest.above = event, above
    for d in range(forest.table.genotypes):
        rise = forest.present[event, d] - forest.absent[event, d]
        forest.slope[d] = forest.reach[above, d] * rise
        forest.base[d] = forest.absent[event, d]
    if forest.mixed:
        for d in range(forest.table.genotypes):
            forest.slope[d] *= forest.claim[d]
            forest.base[d] = 1.0 - forest.claim[d] * (1.0 - forest.base[d])


def gain(forest: Forest, theta: float) -> float:
    """Return the log-likelihood of the event that `aim` prepared, up to a constant."""
    total: float = 0.0
    start: cython.Py_ssize_t = 0
    for run in range(forest.table.runs):
        stop = forest.table.ends[run]
        forest.products[run] = _product(forest, theta, start, stop)
        if not forest.products[run] > _TINY:
            forest.products[run] = 1.0
            for d in range(start, stop):
                x = forest.base[d] + theta * forest.slope[d]
                total += forest.table.times[d] * log(x) if x > 0.0 else -_INFINITE
        start = stop
    return total + _log_products(forest)


def _product(forest: Forest, theta: float, start: Integer, stop: Integer) -> float:
    lanes = cython.declare(cython.double[8])
    for k in range(8):
        lanes[k] = 1.0
    d: cython.Py_ssize_t = start
    while d + 8 <= stop:
        for k in range(8):
            lanes[k] *= forest.base[d + k] + theta * forest.slope[d + k]
        d += 8
    while d < stop:
        lanes[0] *= forest.base[d] + theta * forest.slope[d]
        d += 1
    return _product_of(lanes)


def _row_product(forest: Forest, row: Integer, start: Integer, stop: Integer) -> float:
    lanes = cython.declare(cython.double[8])
    for k in range(8):
        lanes[k] = 1.0
    d: cython.Py_ssize_t = start
    while d + 8 <= stop:
        for k in range(8):
            lanes[k] *= forest.rows[row, d + k]
        d += 8
    while d < stop:
        lanes[0] *= forest.rows[row, d]
        d += 1
    return _product_of(lanes)


def _product_of(lanes: FloatArray) -> float:
    return ((lanes[0] * lanes[1]) * (lanes[2] * lanes[3])) * (
        (lanes[4] * lanes[5]) * (lanes[6] * lanes[7])
    )


def _log_products(forest: Forest) -> float:
    """Return the sum of the logarithms of the products of runs, each as often as it is seen.

    Runs that are seen equally often are multiplied as long as the product does not underflow.
    """
    total: float = 0.0
    product: float = 1.0
    start: cython.Py_ssize_t = 0
    times = forest.table.times[0] if forest.table.runs > 0 else 0.0
    for run in range(forest.table.runs):
        if forest.table.times[start] != times or product * forest.products[run] <= _TINY:
            total += times * log(product)
            times = forest.table.times[start]
            product = 1.0
        product *= forest.products[run]
        start = forest.table.ends[run]
    return total + times * log(product)


def slopes(forest: Forest, theta: float) -> tuple[float, float]:
    """Return the first derivative of `gain` by theta, and minus the second."""
    # Two sums in one loop are vectorised if their lanes are in memory, which takes sixteen.
    first, second = cython.declare(cython.double[16]), cython.declare(cython.double[16])
    for k in range(16):
        first[k] = 0.0
        second[k] = 0.0
    start: cython.Py_ssize_t = 0
    while start < forest.table.genotypes:
        for k in range(min(forest.table.genotypes - start, 16)):
            slope = forest.slope[start + k]
            # What is added at the end counts only where the rest is 0.
            ratio = slope / (forest.base[start + k] + theta * slope + 1e-300)
            weighted = forest.table.times[start + k] * ratio
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


def first_guess(forest: Forest) -> float:
    """Return how often the event of `aim` occurs where the parent does; exact without errors."""
    event, above = forest.moving, forest.above
    shown, chances = cython.declare(cython.double[8]), cython.declare(cython.double[8])
    for k in range(8):
        shown[k] = 0.0
        chances[k] = 0.0
    d: cython.Py_ssize_t = 0
    while d + 8 <= forest.table.genotypes:
        for k in range(8):
            chances[k] += forest.table.times[d + k] * forest.reach[above, d + k]
        d += 8
    d = 0  # two loops: only one sum in lanes can be vectorised
    while d + 8 <= forest.table.genotypes:
        for k in range(8):
            reached = forest.table.times[d + k] * forest.reach[above, d + k]
            shown[k] += reached * forest.present[event, d + k]
        d += 8
    while d < forest.table.genotypes:
        reached = forest.table.times[d] * forest.reach[above, d]
        chances[0] += reached
        shown[0] += reached * forest.present[event, d]
        d += 1
    return (0.5 + _sum_of_eight(shown)) / (1.0 + _sum_of_eight(chances))


def best_probability(
    forest: Forest, guess: float, accuracy: float, steps: Integer
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
    first, second = slopes(forest, theta)
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
        first, second = slopes(forest, theta)
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
