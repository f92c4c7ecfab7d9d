"""The likelihood of forests with waiting times, by recursion on a grid of times.

For each event, G is how probable what was seen of it and of what comes after it is, as a function
of the time left since its parent occurred:

    G' = rate (B - G),  B = (chance of what was seen of it) x (product of G over its children)

G starts from how probable all of it is if none of these events occurs. A grid consists of panels
of five points. In each of them B is taken for a polynomial, of degree 4, and the equation is then
solved exactly. The tables of an event are shared by all histories in which the same was seen of it
and below it. They are kept twice, so that a proposal can be undone.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.elementary import exp, log

from caprese._core.arrays import FloatArray, IntArray, Integer, OctetArray

_UNKNOWN = 2  # the code


class Histories:
    """What was seen of patients, and the grids of times on which forests are compared with it.

    Parameters
    ----------
    codes, starts
        Visits x events (0 absent, 1 present, 2 unknown), and where the visits of each history
        start, and end.
    course
        The grid of each history.
    panels
        Where the panels of each grid start, and end, from the last visit backwards in time.
    width, first
        Of each panel its width, as a position in `widths`; and the first visit at which an event is
        seen that occurs in it.
    widths
        The distinct widths of panels.
    weights
        How much each point of a panel counts as the time when the progression began, panels x 5.
    group, share, number
        Histories that belong to one patient with an unknown time between visits: their group, the
        share of each, and how many patients each group has.
    points, coefficients
        The points of a panel of width 1, and of each the coefficients of the polynomial that is 1
        there and 0 at the other points, the constant first.
    shared
        Whether histories share tables; if not, it is known what is expected of each.
    """

    def __init__(
        self,
        codes: OctetArray,
        starts: IntArray,
        course: IntArray,
        panels: IntArray,
        width: IntArray,
        first: IntArray,
        widths: FloatArray,
        weights: FloatArray,
        group: IntArray,
        share: FloatArray,
        number: FloatArray,
        points: FloatArray,
        coefficients: FloatArray,
        shared: bool = True,
    ) -> None:
        self.codes, self.starts, self.course, self.panels = codes, starts, course, panels
        self.width, self.first, self.widths = width, first, widths
        self.weights, self.points, self.coefficients = weights, points, coefficients
        self.group, self.share, self.number = group, share, number
        self.events, self.size = codes.shape[1], len(course)
        self.room = int((panels[course + 1] - panels[course]).sum()) * 5
        keys = (_patterns(codes, starts, course, event) for event in range(self.events))
        alone = np.tile(np.arange(self.size), (self.events, 1))
        self.own = np.array(list(keys)) if shared else alone


def _patterns(codes: OctetArray, starts: IntArray, course: IntArray, event: Integer) -> IntArray:
    """Return which histories have the same grid and the same codes of an event."""
    found: dict[tuple[int, bytes], int] = {}
    column = np.ascontiguousarray(np.asarray(codes)[:, event])
    first, grids = np.asarray(starts).tolist(), np.asarray(course).tolist()
    keys = [
        (grid, column[start:stop].tobytes())
        for grid, start, stop in zip(grids, first, first[1:], strict=False)
    ]
    return np.array([found.setdefault(key, len(found)) for key in keys], dtype=np.int64)


class Tables:
    """A forest and what follows from it for each history.

    Of each event there are two tables: that which is in use, and that of a proposal.
    """

    def __init__(self, histories: Histories) -> None:
        n, size = histories.events, histories.size
        self.events, self.size, self.room = n, size, histories.room
        self.codes, self.starts, self.course = histories.codes, histories.starts, histories.course
        self.panels, self.width, self.first = histories.panels, histories.width, histories.first
        self.widths, self.weights = histories.widths, histories.weights
        self.points, self.coefficients = histories.points, histories.coefficients
        self.group, self.share, self.own = histories.group, histories.share, histories.own
        self.patients = histories.number
        self.children: IntArray = np.zeros(n, dtype=np.int64)  # those of the root last
        self.heads: IntArray = np.zeros(n + 2, dtype=np.int64)  # where those of each event start
        self.rates: FloatArray = np.full((2, n), -1.0)
        self.step: IntArray = np.zeros(n, dtype=np.int64)  # which of the steps are in use
        self.changed: IntArray = np.zeros(n, dtype=np.int64)  # whether a proposal changed them
        self.error: FloatArray = np.zeros(2)  # false positive, false negative
        self.now: IntArray = np.zeros(n, dtype=np.int64)  # which of the two is in use
        self.kinds: IntArray = np.zeros((2, n, size), dtype=np.int64)
        self.example: IntArray = np.zeros((2, n, size), dtype=np.int64)  # a history of each kind
        self.offset: IntArray = np.zeros((2, n, size + 1), dtype=np.int64)
        self.number: IntArray = np.zeros((2, n), dtype=np.int64)
        self.absent: FloatArray = np.zeros((2, n, size))
        self.values: FloatArray = np.empty((2, n, histories.room))
        # Of each width and point: how much of the value at the start of a panel is left, what each
        # point of the panel adds, and how that changes with the logarithm of the rate.
        widths = len(histories.widths)
        self.left: FloatArray = np.zeros((2, n, widths, 5))
        self.added: FloatArray = np.zeros((2, n, widths, 25))
        self.bends: FloatArray = np.zeros((widths, 25))  # of one event
        self.moments: FloatArray = np.zeros(6)
        self.chances: FloatArray = np.zeros(int(np.diff(histories.starts).max(initial=1)) + 1)
        self.slots: IntArray = np.full(_slots(size), -1, dtype=np.int64)
        self.keys: IntArray = np.zeros(_slots(size), dtype=np.int64)
        self.probability: FloatArray = np.zeros(size)
        self.total: FloatArray = np.zeros(len(histories.number))
        self.product: FloatArray = np.zeros(5)
        self.back: FloatArray = np.zeros(5)
        # Adjoints, allocated where they are asked for.
        self.slopes: FloatArray = np.empty((0, 0))
        self.absent_slopes: FloatArray = np.empty((0, 0))
        self.occurred: FloatArray = np.zeros(n)  # expected occurrences of each event
        self.risked: FloatArray = np.zeros(n)  # rate times the expected time it was awaited
        self.seen: FloatArray = np.zeros((2, 2))  # [truth, code]: how often it is expected
        self.there: FloatArray = np.empty((0, 0))  # histories x events: present at the last visit


def _slots(size: Integer) -> int:
    return 1 << (2 * size + 1).bit_length()


def fill(
    tables: Tables, parents: IntArray, rates: FloatArray, error: FloatArray, events: IntArray
) -> float:
    """Compute the tables of a proposal, and return its log-likelihood.

    Parameters
    ----------
    parents, rates, error
        The forest, and its false positive and false negative rate.
    events
        Those whose tables change, each after its children.
    """
    found: float = 0.0
    with cython.nogil:
        _find_children(tables, parents)
        tables.error[0] = error[0]
        tables.error[1] = error[1]
        for position in range(len(events)):
            tables.now[events[position]] ^= 1
        for position in range(len(events)):
            event = events[position]
            _find_kinds(tables, event)
            known = tables.rates[tables.step[event], event]
            tables.changed[event] = 1 if rates[event] != known else 0
            if tables.changed[event]:
                tables.step[event] ^= 1
                tables.rates[tables.step[event], event] = rates[event]
                _find_steps(tables, event)
            _find_values(tables, event)
        found = _log_likelihood(tables)
    return found  # noqa: RET504 (not while the lock is released)


def undo(tables: Tables, parents: IntArray, events: IntArray) -> None:
    """Go back to the forest before a proposal that changed the tables of these events."""
    _find_children(tables, parents)
    for position in range(len(events)):
        tables.now[events[position]] ^= 1
        tables.step[events[position]] ^= tables.changed[events[position]]


def log_probabilities(tables: Tables) -> FloatArray:
    """Return the log-probability of each group of histories, as tables were last filled."""
    found = np.empty(len(tables.total))
    for group in range(len(found)):
        found[group] = log(tables.total[group])
    return found


def expectations(tables: Tables, order: IntArray) -> None:
    """Fill what is expected to have occurred, for tables that were just filled.

    Parameters
    ----------
    order
        All events, each after its parent.
    """
    if tables.slopes.shape[0] == 0:
        tables.slopes = np.zeros((tables.events, tables.room))
        tables.absent_slopes = np.zeros((tables.events, tables.size))
        tables.there = np.zeros((tables.size, tables.events))
    with cython.nogil:
        tables.slopes[:, :] = 0.0
        tables.absent_slopes[:, :] = 0.0
        tables.seen[:, :] = 0.0
        tables.there[:, :] = 0.0
        for history in range(tables.size):
            _start_slopes(tables, history)
        for position in range(len(order)):
            _find_bends(tables, order[position])
            _pass_on(tables, order[position])


def _find_children(tables: Tables, parents: IntArray) -> None:
    """List the children of each event, then those of the root."""
    n, place = tables.events, 0
    for parent in range(n + 1):
        tables.heads[parent] = place
        for event in range(n):
            if parents[event] == parent or (parent == n and parents[event] < 0):
                tables.children[place] = event
                place += 1
    tables.heads[n + 1] = place


def _find_kinds(tables: Tables, event: Integer) -> None:
    """Number the histories by their grid and by what was seen of an event and below it."""
    slot = tables.now[event]
    for history in range(tables.size):
        tables.kinds[slot, event, history] = tables.own[event, history]
    found = _number_of(tables, slot, event)
    for position in range(tables.heads[event], tables.heads[event + 1]):
        found = _combine(tables, slot, event, tables.children[position])
    tables.number[slot, event] = found
    for kind in range(found):
        tables.example[slot, event, kind] = -1
    tables.offset[slot, event, 0] = 0
    for history in range(tables.size):
        kind = tables.kinds[slot, event, history]
        if tables.example[slot, event, kind] < 0:  # kinds are numbered as they appear
            tables.example[slot, event, kind] = history
            course = tables.course[history]
            panels = tables.panels[course + 1] - tables.panels[course]
            tables.offset[slot, event, kind + 1] = tables.offset[slot, event, kind] + panels


def _number_of(tables: Tables, slot: Integer, event: Integer) -> Integer:
    """Return how many kinds there are."""
    most: cython.Py_ssize_t = 0
    for history in range(tables.size):
        most = max(most, tables.kinds[slot, event, history] + 1)
    return most


def _combine(tables: Tables, slot: Integer, event: Integer, child: Integer) -> Integer:
    """Tell kinds apart by those of a child; return how many there are then."""
    other = tables.now[child]
    mask: cython.Py_ssize_t = len(tables.slots) - 1
    found: cython.Py_ssize_t = 0
    place: cython.Py_ssize_t = 0
    many = tables.number[other, child]
    tables.slots[:] = -1
    for history in range(tables.size):
        key = tables.kinds[slot, event, history] * many + tables.kinds[other, child, history]
        place = (key * 40503 + (key >> 7)) & mask
        while tables.slots[place] >= 0 and tables.keys[place] != key:
            place = (place + 1) & mask
        if tables.slots[place] < 0:
            tables.slots[place] = found
            tables.keys[place] = key
            found += 1
        tables.kinds[slot, event, history] = tables.slots[place]
    return found


def _find_steps(tables: Tables, event: Integer) -> None:
    """Fill how the value at each point of a panel follows from that at its start and from B."""
    slot = tables.step[event]
    for width in range(len(tables.widths)):
        z = tables.rates[slot, event] * tables.widths[width]
        for i in range(5):
            end = tables.points[i]
            _find_moments(tables, z, end)
            tables.left[slot, event, width, i] = exp(-z * end)
            for j in range(5):
                added: float = 0.0
                for power in range(5):
                    added += tables.coefficients[j, power] * tables.moments[power]
                tables.added[slot, event, width, 5 * i + j] = added


def _find_bends(tables: Tables, event: Integer) -> None:
    """Fill how what each point adds changes with the logarithm of the rate."""
    slot = tables.step[event]
    for width in range(len(tables.widths)):
        z = tables.rates[slot, event] * tables.widths[width]
        for i in range(5):
            end = tables.points[i]
            _find_moments(tables, z, end)
            for j in range(5):
                added = tables.added[slot, event, width, 5 * i + j]
                lagging: float = 0.0
                for power in range(5):
                    lagging += tables.coefficients[j, power] * tables.moments[power + 1]
                tables.bends[width, 5 * i + j] = added - z * (end * added - lagging)


def _find_moments(tables: Tables, z: float, end: float) -> None:
    """Fill the integrals of z exp(-z (end - s)) s^k over s from 0 to the end."""
    power: float = 1.0
    if z * end > 1.0:
        tables.moments[0] = 1.0 - exp(-z * end)
        for k in range(1, 6):
            power *= end
            tables.moments[k] = power - k / z * tables.moments[k - 1]
        return
    for _ in range(5):
        power *= end
    term: float = z * end * power / 6.0
    tables.moments[5] = 0.0
    for j in range(16):  # a series for the last, from which the others follow
        tables.moments[5] += term
        term *= -z * end / (j + 7.0)
    for k in range(5, 0, -1):
        tables.moments[k - 1] = z / k * (power - tables.moments[k])
        power /= end


def _find_chances(tables: Tables, event: Integer, history: Integer) -> Integer:
    """Fill how probable what was seen of an event is, by the first visit at which it is there.

    Returns how many visits there are; the last chance is that of an event that never occurred.
    """
    start = tables.starts[history]
    visits = tables.starts[history + 1] - start
    chance: float = 1.0
    for visit in range(visits):
        code = tables.codes[start + visit, event]
        if code != _UNKNOWN:
            chance *= tables.error[1] if code == 0 else 1.0 - tables.error[1]
    tables.chances[0] = chance
    for first in range(1, visits + 1):
        chance = 1.0
        for visit in range(visits):
            code = tables.codes[start + visit, event]
            if code != _UNKNOWN:
                wrong = tables.error[0] if visit < first else tables.error[1]
                right: cython.bint = (code == 1) == (visit >= first)
                chance *= 1.0 - wrong if right else wrong
        tables.chances[first] = chance
    return visits


def _find_values(tables: Tables, event: Integer) -> None:
    """Fill the table of an event, from the tables of its children."""
    slot, step = tables.now[event], tables.step[event]
    for kind in range(tables.number[slot, event]):
        history = tables.example[slot, event, kind]
        course = tables.course[history]
        visits = _find_chances(tables, event, history)
        before: float = tables.chances[visits] * _none_below(tables, event, history)
        tables.absent[slot, event, kind] = before
        place: cython.Py_ssize_t = 5 * tables.offset[slot, event, kind]
        for panel in range(tables.panels[course], tables.panels[course + 1]):
            _multiply(tables, event, history, panel - tables.panels[course], -1)
            chance = tables.chances[tables.first[panel]]
            width = tables.width[panel]
            for i in range(5):
                value: float = 0.0
                for j in range(5):
                    value += tables.added[step, event, width, 5 * i + j] * tables.product[j]
                value = value * chance + tables.left[step, event, width, i] * before
                tables.values[slot, event, place + i] = value
            place += 5
            before = tables.values[slot, event, place - 1]


def _none_below(tables: Tables, event: Integer, history: Integer) -> float:
    """Return how probable what was seen of the events below one is if none occurs."""
    found: float = 1.0
    for position in range(tables.heads[event], tables.heads[event + 1]):
        child = tables.children[position]
        slot = tables.now[child]
        found *= tables.absent[slot, child, tables.kinds[slot, child, history]]
    return found


def _multiply(
    tables: Tables, parent: Integer, history: Integer, panel: Integer, without: Integer
) -> None:
    """Fill the product of the values of all children but one in a panel."""
    for i in range(5):
        tables.product[i] = 1.0
    for position in range(tables.heads[parent], tables.heads[parent + 1]):
        child = tables.children[position]
        if child != without:
            slot = tables.now[child]
            kind = tables.kinds[slot, child, history]
            place = 5 * (tables.offset[slot, child, kind] + panel)
            for i in range(5):
                tables.product[i] *= tables.values[slot, child, place + i]


def _log_likelihood(tables: Tables) -> float:
    """Fill the probability of each history and of each group; return their log-likelihood."""
    tables.total[:] = 0.0
    for history in range(tables.size):
        course = tables.course[history]
        found: float = 0.0
        for panel in range(tables.panels[course], tables.panels[course + 1]):
            if tables.weights[panel, 4] > 0.0:
                _multiply(tables, tables.events, history, panel - tables.panels[course], -1)
                for i in range(5):
                    found += tables.weights[panel, i] * tables.product[i]
        tables.probability[history] = found
        tables.total[tables.group[history]] += tables.share[history] * found
    likelihood: float = 0.0
    for group in range(len(tables.total)):
        likelihood += tables.patients[group] * log(tables.total[group])
    return likelihood


def _start_slopes(tables: Tables, history: Integer) -> None:
    """Add how the log-likelihood changes with the values of the roots, for one history."""
    course, group = tables.course[history], tables.group[history]
    if tables.total[group] <= 0.0:
        return
    factor = tables.patients[group] * tables.share[history] / tables.total[group]
    for panel in range(tables.panels[course], tables.panels[course + 1]):
        if tables.weights[panel, 4] > 0.0:
            for position in range(tables.heads[tables.events], tables.heads[tables.events + 1]):
                root = tables.children[position]
                _multiply(tables, tables.events, history, panel - tables.panels[course], root)
                slot = tables.now[root]
                kind = tables.kinds[slot, root, history]
                place = 5 * (tables.offset[slot, root, kind] + panel - tables.panels[course])
                for i in range(5):
                    slope = factor * tables.weights[panel, i] * tables.product[i]
                    tables.slopes[root, place + i] += slope


def _pass_on(tables: Tables, event: Integer) -> None:
    """Take the expectations of an event, and pass its slopes on to its children."""
    slot = tables.now[event]
    tables.occurred[event] = 0.0
    tables.risked[event] = 0.0
    for kind in range(tables.number[slot, event]):
        history = tables.example[slot, event, kind]
        course = tables.course[history]
        visits = _find_chances(tables, event, history)
        none = tables.chances[visits] * _none_below(tables, event, history)
        slope: float = 0.0  # of the value at the end of a panel
        for panel in range(tables.panels[course + 1] - 1, tables.panels[course] - 1, -1):
            slope = _pass_panel(tables, event, kind, history, panel, none, slope)
        slope += tables.absent_slopes[event, kind]
        expected = slope * none
        _see(tables, event, history, visits, expected)
        for position in range(tables.heads[event], tables.heads[event + 1]):
            child = tables.children[position]
            other = tables.now[child]
            below = tables.kinds[other, child, history]
            if tables.absent[other, child, below] > 0.0:
                tables.absent_slopes[child, below] += expected / tables.absent[other, child, below]


def _pass_panel(
    tables: Tables,
    event: Integer,
    kind: Integer,
    history: Integer,
    panel: Integer,
    none: float,
    slope: float,
) -> float:
    """Pass the slopes of a panel on; return the slope of the value at its start."""
    slot = tables.now[event]
    inside, width = panel - tables.panels[tables.course[history]], tables.width[panel]
    place = 5 * (tables.offset[slot, event, kind] + inside)
    chance = tables.chances[tables.first[panel]]
    before = tables.values[slot, event, place - 1] if inside else none
    step = tables.step[event]
    z = tables.rates[step, event] * tables.widths[width]
    tables.slopes[event, place + 4] += slope
    start: float = 0.0
    expected: float = 0.0
    change: float = 0.0  # with the logarithm of the rate
    _multiply(tables, event, history, inside, -1)
    for i in range(5):
        here = tables.slopes[event, place + i]
        left = tables.left[step, event, width, i]
        start += here * left
        change -= here * left * before * z * tables.points[i]
        tables.back[i] = 0.0
    for i in range(5):
        here = tables.slopes[event, place + i]
        for j in range(5):
            tables.back[j] += here * tables.added[step, event, width, 5 * i + j]
            change += here * tables.bends[width, 5 * i + j] * chance * tables.product[j]
    for j in range(5):
        expected += tables.back[j] * chance * tables.product[j]
    tables.risked[event] += expected - change
    tables.occurred[event] += expected
    _see(tables, event, history, tables.first[panel], expected)
    for position in range(tables.heads[event], tables.heads[event + 1]):
        child = tables.children[position]
        _multiply(tables, event, history, inside, child)
        other = tables.now[child]
        first = tables.offset[other, child, tables.kinds[other, child, history]]
        below = 5 * (first + inside)
        for i in range(5):
            tables.slopes[child, below + i] += tables.back[i] * chance * tables.product[i]
    return start


def _see(tables: Tables, event: Integer, history: Integer, first: Integer, expected: float) -> None:
    """Count what was seen of an event, where it is there from a visit on."""
    start = tables.starts[history]
    visits = tables.starts[history + 1] - start
    for visit in range(visits):
        code = tables.codes[start + visit, event]
        if code != _UNKNOWN:
            tables.seen[1 if visit >= first else 0, code] += expected
    if first < visits:
        tables.there[history, event] += expected
