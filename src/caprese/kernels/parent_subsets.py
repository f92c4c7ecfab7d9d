"""The best sets of parents of an event among its candidates, by branch and bound on packed bits.

A set S of k parents scores ``log-likelihood(S) - price * 2**k``. Parents can only be added at the
next higher price, and no set is likelier than all candidates together; so supersets of S need not
be looked at once ``log-likelihood(all) - price * 2**(k + 1)`` is no better than what was found.
"""

import numpy as np
from numba import njit

from caprese.kernels.bits import popcount

EQUAL = 1e-8  # scores that differ by less are equal


@njit(cache=True, nogil=True)
def packed_columns(columns):  # type: ignore[no-untyped-def]
    """Return the columns of a 0/1 table, 64 rows to a word."""
    rows, number = columns.shape
    packed = np.zeros((number, (rows + 63) // 64), dtype=np.uint64)
    for row in range(rows):
        bit = np.uint64(1) << np.uint64(row % 64)
        for column in range(number):
            if columns[row, column]:
                packed[column, row // 64] |= bit
    return packed


@njit(cache=True, nogil=True)
def n_log_n(most):  # type: ignore[no-untyped-def]
    """Return n log n for all numbers up to the largest."""
    table = np.zeros(most + 1)
    for number in range(2, most + 1):
        table[number] = number * np.log(number)
    return table


@njit(cache=True, nogil=True)
def single_gains(child, rows, candidates, logs):  # type: ignore[no-untyped-def]
    """Return how much log-likelihood each candidate adds as the only parent."""
    total, present = _count(rows, rows), _count(rows, child)
    alone = logs[present] + logs[total - present] - logs[total]
    gains = np.empty(len(candidates))
    for candidate in range(len(candidates)):
        count, both = _split(rows, child, candidates[candidate])
        gains[candidate] = _split_likelihood(count, both, total, present, logs) - alone
    return gains


@njit(cache=True, nogil=True)
def saturated(child, rows, candidates, logs):  # type: ignore[no-untyped-def]
    """Return the log-likelihood with all candidates, at most 63, as parents."""
    keys = np.empty(_count(rows, rows), dtype=np.uint64)
    place = 0
    for row in range(64 * len(rows)):
        word, shift = row // 64, np.uint64(row % 64)
        if (rows[word] >> shift) & np.uint64(1):
            key = np.uint64(0)
            for candidate in range(len(candidates)):
                bit = (candidates[candidate, word] >> shift) & np.uint64(1)
                key |= bit << np.uint64(candidate)
            keys[place] = (key << np.uint64(1)) | ((child[word] >> shift) & np.uint64(1))
            place += 1
    keys.sort()
    likelihood, start = 0.0, 0
    while start < len(keys):
        genotype, stop, present = keys[start] >> np.uint64(1), start, 0
        while stop < len(keys) and keys[stop] >> np.uint64(1) == genotype:
            present += int(keys[stop] & np.uint64(1))
            stop += 1
        number = stop - start
        likelihood += logs[present] + logs[number - present] - logs[number]
        start = stop
    return likelihood


@njit(cache=True, nogil=True)
def set_likelihood(child, rows, parents, logs):  # type: ignore[no-untyped-def]
    """Return the log-likelihood with these parents, of which there may be any number."""
    masks = rows.copy().reshape(1, len(rows))
    for parent in range(len(parents)):
        finer = np.empty((2 * len(masks), masks.shape[1]), dtype=np.uint64)
        number = 0
        for cell in range(len(masks)):
            for inside in range(2):
                side = parents[parent] if inside else ~parents[parent]
                finer[number] = masks[cell] & side
                both = _count(finer[number], child)
                if 0 < both < _count(finer[number], finer[number]):
                    number += 1
        masks = finer[:number].copy()
    likelihood = 0.0
    for cell in range(len(masks)):
        number, present = _count(masks[cell], masks[cell]), _count(masks[cell], child)
        likelihood += logs[present] + logs[number - present] - logs[number]
    return likelihood


@njit(cache=True, nogil=True)
def best_two(child, rows, candidates, everything, price, most, limit, logs):  # type: ignore[no-untyped-def]
    """Return the scores of the best set of parents and the next best, the sets, and if proven.

    The sets are bits, of which bit k is candidate k. Of equal sets the one with fewer parents is
    the best, then the one whose candidates come first. Proven unless more sets than the limit had
    to be looked at.

    Parameters
    ----------
    child, candidates
        Packed columns; at most 63 candidates.
    rows
        Packed: which samples count.
    everything
        The log-likelihood with all candidates as parents.
    price
        Of each probability of the table.
    most
        The largest number of parents.
    limit
        How many sets may be looked at.
    logs
        n log n, up to the number of samples.
    """
    number, words = candidates.shape
    total, present = _count(rows, rows), _count(rows, child)
    alone = logs[present] + logs[total - present] - logs[total]
    scores = np.array([alone - price, -np.inf])
    sets = np.zeros(2, dtype=np.uint64)
    # For each depth: the cells of the parents chosen so far that hold samples with the child and
    # samples without it. All other cells have log-likelihood 0, whatever is added.
    masks, sums = [rows.copy().reshape(1, words)], [np.array([[total, present]])]
    held = np.zeros(number + 1, dtype=np.int64)
    held[0] = 1 if 0 < present < total else 0
    chosen = np.full(number + 1, -1, dtype=np.int64)
    bits = np.zeros(number + 1, dtype=np.uint64)
    depth, looked_at = 0, 0
    while depth >= 0:
        chosen[depth] += 1
        candidate = chosen[depth]
        if candidate >= number or depth >= most:
            depth -= 1
            continue
        looked_at += 1
        if looked_at > limit:
            return scores, sets, False
        parent, size = candidates[candidate], depth + 1
        own = bits[depth] | (np.uint64(1) << np.uint64(candidate))
        score = -price * 2.0**size
        for cell in range(held[depth]):
            count, both = _split(masks[depth][cell], child, parent)
            cell_sums = sums[depth][cell]
            score += _split_likelihood(count, both, cell_sums[0], cell_sums[1], logs)
        _rank(scores, sets, score, own)
        if everything - price * 2.0 ** (size + 1) <= scores[1] + EQUAL:
            continue
        if len(masks) <= size:
            masks.append(np.empty((2 * len(masks[depth]), words), dtype=np.uint64))
            sums.append(np.empty((2 * len(masks[depth]), 2), dtype=np.int64))
        held[size] = _refine(
            masks[depth], sums[depth], held[depth], child, parent, masks[size], sums[size]
        )
        bits[size], chosen[size] = own, candidate
        depth = size
    return scores, sets, True


@njit(cache=True, nogil=True)
def _rank(scores, sets, score, own):  # type: ignore[no-untyped-def]
    """Enter a set among the best two. Sets come in the order of their candidates."""
    fewer = _bits(own) < _bits(sets[0])
    if score > scores[0] + EQUAL or (score >= scores[0] - EQUAL and fewer):
        scores[1], sets[1] = scores[0], sets[0]
        scores[0], sets[0] = score, own
    elif score > scores[1] + EQUAL or (score >= scores[1] - EQUAL and _bits(own) < _bits(sets[1])):
        scores[1], sets[1] = score, own


@njit(cache=True, nogil=True)
def _refine(masks, sums, held, child, parent, finer, finer_sums):  # type: ignore[no-untyped-def]
    """Split cells by a parent; return how many are left that hold both kinds of samples."""
    number = 0
    for cell in range(held):
        count, both = _split(masks[cell], child, parent)
        if 0 < both < count:
            for word in range(len(parent)):
                finer[number, word] = masks[cell, word] & parent[word]
            finer_sums[number, 0], finer_sums[number, 1] = count, both
            number += 1
        count, both = sums[cell, 0] - count, sums[cell, 1] - both
        if 0 < both < count:
            for word in range(len(parent)):
                finer[number, word] = masks[cell, word] & ~parent[word]
            finer_sums[number, 0], finer_sums[number, 1] = count, both
            number += 1
    return number


@njit(cache=True, nogil=True)
def _split(mask, child, parent):  # type: ignore[no-untyped-def]
    """Return how many samples of a cell have the parent, and how many of these the child."""
    count = both = np.int64(0)
    for word in range(len(mask)):
        inside = mask[word] & parent[word]
        count += np.int64(popcount(inside))  # type: ignore[call-arg]
        both += np.int64(popcount(inside & child[word]))
    return count, both


@njit(cache=True, nogil=True)
def _split_likelihood(count, both, total, present, logs):  # type: ignore[no-untyped-def]
    """Return the log-likelihood of a cell that a parent splits."""
    rest, other = total - count, present - both
    inside = logs[both] + logs[count - both] - logs[count]
    return inside + logs[other] + logs[rest - other] - logs[rest]


@njit(cache=True, nogil=True)
def _count(mask, column):  # type: ignore[no-untyped-def]
    found = np.int64(0)
    for word in range(len(mask)):
        found += np.int64(popcount(mask[word] & column[word]))  # type: ignore[call-arg]
    return found


@njit(cache=True, nogil=True)
def _bits(word):  # type: ignore[no-untyped-def]
    return np.int64(popcount(word))  # type: ignore[call-arg]
