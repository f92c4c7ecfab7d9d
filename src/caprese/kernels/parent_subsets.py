"""The best sets of parents of an event among its candidates, by branch and bound on packed bits.

A set S of k parents scores ``log-likelihood(S) - price * 2**k``. Parents can only be added at the
next higher price, and no set is likelier than all candidates together; so supersets of S need not
be looked at once ``log-likelihood(all) - price * 2**(k + 1)`` is no better than what was found. And
a set is given up as soon as what its cells can still gain is too little.

Samples with the child come first, in words of their own, so that one count of bits tells how many
samples of a cell have a parent, with the child and without it.
"""

import math

import cython
import numpy as np
from cython.cimports.caprese.kernels.elementary import log
from cython.cimports.caprese.kernels.words import popcount

from caprese._core.arrays import BoolArray, FloatArray, IntArray, Integer, OctetArray

_EQUAL = 1e-8  # scores that differ by less are equal
_SHALLOW = 5  # parents for whose cells there is room from the start
_NEVER = -math.inf  # a score below all others


def best_sets(
    values: OctetArray,
    known: OctetArray,
    candidates: OctetArray,
    rank: IntArray,
    price_kind: Integer,
    most: Integer,
    largest: Integer,
    limit: Integer,
) -> tuple[BoolArray, FloatArray, BoolArray]:
    """Return the best set of parents of each column and the next best, and their scores.

    Of equal sets the one with fewer parents, then the one whose candidates come first: in the order
    of what each gains alone, then by rank.

    Parameters
    ----------
    values, known
        Samples x columns, 0 or 1. A column is judged by the samples in which it and its candidates
        are known.
    candidates
        ``candidates[i, j]``: whether i may be a parent of j.
    rank
        Of the columns, by name.
    price_kind
        What each probability of a table costs: 0, log(n)/2; 1, 1; 2, nothing.
    most
        The largest number of parents.
    largest
        The largest number of candidates that are searched, at most 63.
    limit
        How many sets may be looked at for a column.

    Returns
    -------
    sets
        ``sets[0, j]`` and ``sets[1, j]``: whether each column is in the best, or next best, set of
        column j; parent row.
    scores
        Of the best set of each column, of the next best, and of the empty set; three rows. Minus
        infinity if there is no next best.
    proven
        Whether all sets were looked at that could have been better.
    """
    columns = values.shape[1]
    column, cells = Column(values, known, rank), Cells(values.shape[0], columns)
    found, heights = np.zeros((2, columns, columns), np.bool_), np.empty((3, columns))
    complete = np.ones(columns, np.bool_)
    sets: cython.uchar[:, :, ::1] = found.view(np.uint8)
    scores: cython.double[:, ::1] = heights
    proven: cython.uchar[::1] = complete.view(np.uint8)
    with cython.nogil:
        _fill_n_log_n(column)
        for child in range(columns):
            _choose(column, candidates, child)
            _sort_candidates(column)
            if column.number > largest:
                proven[child] = False
                column.number = largest
            _pack(column, child)
            price = _price(price_kind, column.total)
            scores[2, child] = _likelihood(column, column.present, column.absent) - price
            if price == 0.0 and column.number <= most:
                _find_likeliest(column)
            elif not _find_best_two(column, cells, price, most, limit):
                proven[child] = False
            for place in range(2):
                scores[place, child] = column.scores[place]
                for k in range(column.number):
                    if column.sets[place] >> k & 1:
                        sets[place, column.own[k], child] = True
    return found, heights, complete


class Column:
    """One column after the other: the samples by which it is judged, and its candidates.

    Parameters
    ----------
    values, known, rank
        As in `best_sets`.

    Attributes
    ----------
    n_log_n
        For each number of samples.
    counts
        Whether each sample counts.
    total, present, absent
        How many samples count, how many of them have the column, and how many do not.
    number, own
        The number of candidates and their columns, from the one that gains most.
    met, gains
        For each candidate the number of samples that have it, with the column and without it, and
        the log-likelihood with this parent alone.
    words, positive
        The number of words of all samples that count, and of those with the column.
    packed
        Candidates x words.
    keys, others
        Room to sort the genotypes of the samples.
    sets, scores
        The best set and the next best; candidate k in bit k.
    """

    def __init__(self, values: OctetArray, known: OctetArray, rank: IntArray) -> None:
        samples, columns = values.shape[0], values.shape[1]
        self.values, self.known, self.rank = values, known, rank
        self.n_log_n = np.zeros(samples + 1)
        self.counts = np.empty(samples, np.uint8)
        self.total = self.present = self.absent = self.number = self.words = self.positive = 0
        self.own, self.gains = np.empty(columns, np.int64), np.empty(columns)
        self.met = np.empty((columns, 2), np.int64)
        self.packed = np.empty((columns, _words(samples)), np.uint64)
        self.keys, self.others = np.empty(samples, np.uint64), np.empty(samples, np.uint64)
        self.sets, self.scores = np.empty(2, np.uint64), np.empty(2)


class Cells:
    """The samples with each combination of the parents chosen so far, for each number of parents.

    Only cells that hold samples with the column and samples without it. All others have
    log-likelihood 0, whatever is added.

    Parameters
    ----------
    samples, columns
        The numbers of both.

    Attributes
    ----------
    masks
        Cells x words: the samples of each cell.
    sums
        How many of them have the column, and how many do not.
    split
        The same of those with the candidate that was looked at last.
    order, losses
        For each number of parents its cells from the one of least log-likelihood, and this.
    starts, held
        For each number of parents where its cells start, and how many they are.
    chosen, bits
        For each number of parents the last of them, and all of them as bits.
    """

    def __init__(self, samples: Integer, columns: Integer) -> None:
        self.starts, self.held = np.zeros(columns + 2, np.int64), np.zeros(columns + 1, np.int64)
        shallow: cython.Py_ssize_t = min(_SHALLOW, columns)
        width: cython.Py_ssize_t = 1
        size: cython.Py_ssize_t
        for size in range(columns + 1):
            self.starts[size + 1] = self.starts[size] + width
            width = min(2 * width, max(1, samples // 2))  # a cell holds two samples at least
        rows = self.starts[shallow + 1]
        self.masks = np.empty((rows, _words(samples)), np.uint64)
        self.sums, self.split = np.empty((rows, 2), np.int64), np.empty((rows, 2), np.int64)
        self.order, self.losses = np.zeros(rows, np.int64), np.empty(rows)
        self.chosen, self.bits = np.empty(columns + 1, np.int64), np.zeros(columns + 1, np.uint64)

    def grow(self, size: Integer) -> None:
        """Make room for the cells of so many parents."""
        more, words = self.starts[size + 1] - len(self.losses), self.masks.shape[1]
        self.masks = np.concatenate([self.masks, np.empty((more, words), np.uint64)])
        self.sums = np.concatenate([self.sums, np.empty((more, 2), np.int64)])
        self.split = np.concatenate([self.split, np.empty((more, 2), np.int64)])
        self.order = np.concatenate([self.order, np.empty(more, np.int64)])
        self.losses = np.concatenate([self.losses, np.empty(more)])


def _words(samples: Integer) -> int:
    """Return how many words hold the samples with a column and those without it, at most."""
    return samples // 64 + 2


def _fill_n_log_n(column: Column) -> None:
    for number in range(2, len(column.n_log_n)):
        column.n_log_n[number] = number * log(number)


def _price(kind: Integer, samples: Integer) -> float:
    """Return what each probability of a table costs."""
    if kind == 0:
        return log(max(samples, 1)) / 2
    return 1.0 if kind == 1 else 0.0


def _likelihood(column: Column, present: Integer, absent: Integer) -> float:
    """Return the log-likelihood of a cell."""
    return column.n_log_n[present] + column.n_log_n[absent] - column.n_log_n[present + absent]


def _split_likelihood(
    column: Column, both: Integer, without: Integer, present: Integer, absent: Integer
) -> float:
    """Return the log-likelihood of a cell that a parent splits."""
    inside, rest, others = _likelihood(column, both, without), present - both, absent - without
    return inside + column.n_log_n[rest] + column.n_log_n[others] - column.n_log_n[rest + others]


def _choose(column: Column, candidates: OctetArray, child: Integer) -> None:
    """Find the candidates of a column and the samples that count, and how often they meet."""
    column.number = 0
    for candidate in range(candidates.shape[0]):
        if candidates[candidate, child]:
            column.own[column.number] = candidate
            column.met[column.number, 0] = column.met[column.number, 1] = 0
            column.number += 1
    column.total = column.absent = 0
    for row in range(column.values.shape[0]):
        counts: cython.uchar = column.known[row, child]
        for k in range(column.number):
            counts &= column.known[row, column.own[k]]
        column.counts[row] = counts
        if counts:
            without = cython.cast(cython.Py_ssize_t, 1 - column.values[row, child])
            column.total += 1
            column.absent += without
            for k in range(column.number):
                column.met[k, without] += column.values[row, column.own[k]]
    column.present = column.total - column.absent


def _sort_candidates(column: Column) -> None:
    """Sort the candidates by what each gains alone, then by rank."""
    for k in range(column.number):
        own = column.own[k]
        gain = _split_likelihood(
            column, column.met[k, 0], column.met[k, 1], column.present, column.absent
        )
        place = k
        while place > 0 and _comes_before(column, own, gain, place - 1):
            column.own[place] = column.own[place - 1]
            column.gains[place] = column.gains[place - 1]
            place -= 1
        column.own[place] = own
        column.gains[place] = gain


def _comes_before(column: Column, own: Integer, gain: float, place: Integer) -> bool:
    if gain != column.gains[place]:
        return gain > column.gains[place]
    return column.rank[own] < column.rank[column.own[place]]


def _pack(column: Column, child: Integer) -> None:
    """Make bits of the candidates, those of samples with the column in the first words."""
    column.positive = (column.present + 63) // 64
    column.words = column.positive + (column.absent + 63) // 64
    for k in range(column.number):
        for word in range(column.words):
            column.packed[k, word] = 0
    present: cython.Py_ssize_t = 0
    absent: cython.Py_ssize_t = 64 * column.positive
    for row in range(column.values.shape[0]):
        if not column.counts[row]:
            continue
        if column.values[row, child]:
            place, present = present, present + 1
        else:
            place, absent = absent, absent + 1
        bit = cython.cast(cython.ulonglong, 1) << (place % 64)
        for k in range(column.number):
            if column.values[row, column.own[k]]:
                column.packed[k, place // 64] |= bit


def _saturated(column: Column, parents: Integer) -> float:
    """Return the log-likelihood with some candidates as parents."""
    _sort_genotypes(column, parents)
    likelihood: float = 0.0
    start: cython.Py_ssize_t = 0
    while start < column.total:
        genotype, stop = column.keys[start] >> 1, start
        carriers: cython.Py_ssize_t = 0
        while stop < column.total and column.keys[stop] >> 1 == genotype:
            carriers += column.keys[stop] & 1
            stop += 1
        likelihood += _likelihood(column, carriers, stop - start - carriers)
        start = stop
    return likelihood


def _sort_genotypes(column: Column, parents: Integer) -> None:
    """Fill the keys with what each sample has of the parents, sorted; the lowest bit is the column.

    By one bit after the other from the lowest: those that do not have it come first.
    """
    for place in range(column.total):
        column.keys[place] = _genotype(column, place) & (parents << 1 | 1)
    for k in range(column.number):
        if not parents >> k & 1:
            continue
        without: cython.Py_ssize_t = 0
        having: cython.Py_ssize_t = 0
        for place in range(column.total):
            key = column.keys[place]
            column.keys[without] = column.others[having] = key
            having += key >> (k + 1) & 1
            without = place + 1 - having
        for place in range(having):
            column.keys[without + place] = column.others[place]


def _genotype(column: Column, place: Integer) -> int:
    """Return all candidates of a sample, from bit 1, and the column in bit 0."""
    carrier: cython.bint = place < column.present
    row = place if carrier else 64 * column.positive + place - column.present
    key: cython.ulonglong = carrier
    for k in range(column.number):
        key |= (column.packed[k, row // 64] >> (row % 64) & 1) << (k + 1)
    return key


def _find_likeliest(column: Column) -> None:
    """Find all candidates but those that change nothing, and this set less its weakest member."""
    one: cython.ulonglong = 1
    kept: cython.ulonglong = (one << column.number) - 1
    everything = _saturated(column, kept)
    for k in range(column.number - 1, -1, -1):
        if _saturated(column, kept & ~(one << k)) > everything - _EQUAL:
            kept &= ~(one << k)
    column.sets[0], column.sets[1] = kept, 0
    column.scores[0], column.scores[1] = everything, _NEVER
    for k in range(column.number):
        if kept >> k & 1:
            likelihood = _saturated(column, kept & ~(one << k))
            if likelihood > column.scores[1] + _EQUAL:
                column.sets[1], column.scores[1] = kept & ~(one << k), likelihood


def _find_best_two(
    column: Column, cells: Cells, price: float, most: Integer, limit: Integer
) -> bool:
    """Find the best set and the next best; return whether that is proven."""
    one: cython.ulonglong = 1
    everything = _saturated(column, (one << column.number) - 1)
    _start(column, cells, price)
    depth: cython.Py_ssize_t = 0 if most > 0 else -1
    looked_at: cython.Py_ssize_t = 0
    while depth >= 0:
        cells.chosen[depth] += 1
        candidate = cython.cast(cython.Py_ssize_t, cells.chosen[depth])
        if candidate >= column.number:
            depth -= 1
            continue
        looked_at += 1
        if looked_at > limit:
            return False
        size, own = depth + 1, cells.bits[depth] | one << candidate
        own_price, highest = price * (1 << size), everything - price * (2 << size)
        least = column.scores[1] - _EQUAL + own_price
        if highest > column.scores[1] + _EQUAL:
            least = _NEVER  # it must be known, as sets with more parents may be better
        likelihood = _likelihood_with(column, cells, depth, candidate, least)
        _rank(column, likelihood - own_price, own)
        if highest <= column.scores[1] + _EQUAL or size >= most or candidate + 1 == column.number:
            continue  # no larger set can be better, or there is none
        if cells.starts[size + 1] > len(cells.losses):
            with cython.gil:
                cells.grow(size)
        _refine(column, cells, depth, candidate)
        cells.bits[size], cells.chosen[size] = own, candidate
        depth = size
    return True


def _start(column: Column, cells: Cells, price: float) -> None:
    """Start with the empty set as the best one, and one cell of all samples."""
    one: cython.ulonglong = 1
    column.sets[0] = column.sets[1] = cells.bits[0] = 0
    column.scores[0] = _likelihood(column, column.present, column.absent) - price
    column.scores[1] = _NEVER
    cells.chosen[0] = -1
    cells.held[0] = column.present > 0 and column.absent > 0
    cells.sums[0, 0], cells.sums[0, 1] = column.present, column.absent
    for word in range(column.words):
        cells.masks[0, word] = 0
    for place in range(column.present):
        cells.masks[0, place // 64] |= one << (place % 64)
    for place in range(column.absent):
        cells.masks[0, column.positive + place // 64] |= one << (place % 64)


def _likelihood_with(
    column: Column, cells: Cells, depth: Integer, candidate: Integer, least: float
) -> float:
    """Return the log-likelihood with one more parent, or anything less than `least`.

    The numbers of samples with this parent are kept for `_refine`: a set of less than `least` is
    not refined.
    """
    likelihood: float = 0.0
    for place in range(cells.starts[depth], cells.starts[depth] + cells.held[depth]):
        cell = cells.order[place]
        both, without = _split(column, cells, cell, candidate)
        cells.split[cell, 0], cells.split[cell, 1] = both, without
        likelihood += _split_likelihood(
            column, both, without, cells.sums[cell, 0], cells.sums[cell, 1]
        )
        if likelihood < least:
            break
    return likelihood


def _split(column: Column, cells: Cells, cell: Integer, candidate: Integer) -> tuple[int, int]:
    """Return how many samples of a cell have a candidate: with the column, and without it."""
    both: cython.Py_ssize_t = 0
    without: cython.Py_ssize_t = 0
    for word in range(column.positive):
        both += popcount(cells.masks[cell, word] & column.packed[candidate, word])
    for word in range(column.positive, column.words):
        without += popcount(cells.masks[cell, word] & column.packed[candidate, word])
    return both, without


def _rank(column: Column, score: float, own: Integer) -> None:
    """Enter a set among the best two. Sets come in the order of their candidates."""
    if _is_better(column, score, own, 0):
        column.sets[1], column.scores[1] = column.sets[0], column.scores[0]
        column.sets[0], column.scores[0] = own, score
    elif _is_better(column, score, own, 1):
        column.sets[1], column.scores[1] = own, score


def _is_better(column: Column, score: float, own: Integer, place: Integer) -> bool:
    if score > column.scores[place] + _EQUAL:
        return True
    return score >= column.scores[place] - _EQUAL and popcount(own) < popcount(column.sets[place])


def _refine(column: Column, cells: Cells, depth: Integer, candidate: Integer) -> None:
    """Split the cells of so many parents by a candidate that was counted, and sort them."""
    cells.held[depth + 1] = 0
    for place in range(cells.starts[depth], cells.starts[depth] + cells.held[depth]):
        cell = cells.order[place]
        both: cython.Py_ssize_t = cells.split[cell, 0]
        without: cython.Py_ssize_t = cells.split[cell, 1]
        if both > 0 and without > 0:
            row = _new_cell(column, cells, depth + 1, both, without)
            for word in range(column.words):
                cells.masks[row, word] = cells.masks[cell, word] & column.packed[candidate, word]
        rest: cython.Py_ssize_t = cells.sums[cell, 0] - both
        others: cython.Py_ssize_t = cells.sums[cell, 1] - without
        if rest > 0 and others > 0:
            row = _new_cell(column, cells, depth + 1, rest, others)
            for word in range(column.words):
                cells.masks[row, word] = cells.masks[cell, word] & ~column.packed[candidate, word]


def _new_cell(
    column: Column, cells: Cells, size: Integer, present: Integer, absent: Integer
) -> int:
    """Return a new cell of so many parents, of which all but the samples is filled in."""
    first, loss = cells.starts[size], _likelihood(column, present, absent)
    row = first + cells.held[size]
    place = row
    while place > first and cells.losses[place - 1] > loss:
        cells.losses[place], cells.order[place] = cells.losses[place - 1], cells.order[place - 1]
        place -= 1
    cells.losses[place], cells.order[place] = loss, row
    cells.sums[row, 0], cells.sums[row, 1] = present, absent
    cells.held[size] += 1
    return row
