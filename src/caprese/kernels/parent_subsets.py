"""The best sets of parents of an event among its candidates, by branch and bound on packed bits.

A set S of k parents scores ``log-likelihood(S) - price * 2**k``. Parents can only be added at the
next higher price, and no set is likelier than all candidates together; so supersets of S need not
be looked at once ``log-likelihood(all) - price * 2**(k + 1)`` is no better than what was found. And
a set is given up as soon as what its cells can still gain is too little.

Samples with the child come first, in words of their own, so that one count of bits tells how many
samples of a cell have a parent, with the child and without it.
"""

import numpy as np

from caprese.kernels.arrays import copy_into, fill
from caprese.kernels.bits import popcount
from caprese.kernels.compiling import kernel

EQUAL = 1e-8  # scores that differ by less are equal


@kernel
def best_sets(values, known, candidates, rank, price_kind, most, largest, limit):  # type: ignore[no-untyped-def]
    """Return the best set of parents of each column and the next best, and their scores.

    Of equal sets the one with fewer parents, then the one whose candidates come first: in the order
    of what each gains alone, then by rank.

    Parameters
    ----------
    values, known
        Samples x columns. A column is judged by the samples in which it and its candidates are
        known.
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
        Of the best set of each column, of the next best, and of the empty set; three rows.
    proven
        Whether all sets were looked at that could have been better.
    """
    samples, columns = values.shape
    logs = _n_log_n(samples)
    sets = np.zeros((2, columns, columns), dtype=np.bool_)
    scores = np.empty((3, columns))
    proven = np.empty(columns, dtype=np.bool_)
    fill(proven, True)
    for child in range(columns):
        own = _places(candidates[:, child])
        packed, positive, total, present = _packed(values, known, child, own)
        price = 0.0
        if price_kind == 0:
            price = np.log(max(total, 1)) / 2
        elif price_kind == 1:
            price = 1.0
        order = _by_gain(packed, positive, total, present, own, rank, logs)
        if len(own) > largest:
            proven[child] = False
            order = order[:largest]
        packed = _rows(packed, order)
        everything = _saturated(packed, positive, total, present, logs)
        scores[2, child] = logs[present] + logs[total - present] - logs[total] - price
        if price == 0.0 and len(order) <= most:
            found, values_found = _likeliest(packed, positive, total, present, everything, logs)
        else:
            found, values_found, complete = _best_two(
                packed, positive, total, present, everything, price, most, limit, logs
            )
            proven[child] &= complete
        for place in range(2):
            scores[place, child] = values_found[place]
            for k in range(len(order)):
                if (found[place] >> np.uint64(k)) & np.uint64(1):
                    sets[place, own[order[k]], child] = True
    return sets, scores, proven


@kernel
def _places(chosen):  # type: ignore[no-untyped-def]
    """Return where a vector is true."""
    number = 0
    for k in range(len(chosen)):
        number += chosen[k]
    places, number = np.empty(number, np.int64), 0
    for k in range(len(chosen)):
        if chosen[k]:
            places[number] = k
            number += 1
    return places


@kernel
def _rows(packed, places):  # type: ignore[no-untyped-def]
    rows = np.empty((len(places), packed.shape[1]), np.uint64)
    for k in range(len(places)):
        copy_into(rows[k], packed[places[k]])
    return rows


@kernel
def _n_log_n(most):  # type: ignore[no-untyped-def]
    table = np.zeros(most + 1)
    for number in range(2, most + 1):
        table[number] = number * np.log(number)
    return table


@kernel
def _packed(values, known, child, own):  # type: ignore[no-untyped-def]
    """Return candidates as bits, those of samples with the child in the first words.

    Also how many words these are, how many samples count, and how many have the child.
    """
    samples = len(values)
    place = np.empty(samples, np.int64)
    fill(place, -1)
    present = total = 0
    for row in range(samples):
        counts = known[row, child]
        for k in range(len(own)):
            counts &= known[row, own[k]]
        if counts:
            total += 1
            if values[row, child]:
                place[row] = present
                present += 1
    positive = (present + 63) // 64
    packed = np.zeros((len(own), positive + (total - present + 63) // 64), dtype=np.uint64)
    absent = 64 * positive
    for row in range(samples):
        counts = known[row, child]
        for k in range(len(own)):
            counts &= known[row, own[k]]
        if not counts:
            continue
        if place[row] < 0:
            place[row] = absent
            absent += 1
        word, bit = place[row] // 64, np.uint64(1) << np.uint64(place[row] % 64)
        for k in range(len(own)):
            if values[row, own[k]]:
                packed[k, word] |= bit
    return packed, positive, total, present


@kernel
def _every(positive, words, total, present):  # type: ignore[no-untyped-def]
    """Return the bits of all samples."""
    mask = np.zeros(words, dtype=np.uint64)
    for place in range(present):
        mask[place // 64] |= np.uint64(1) << np.uint64(place % 64)
    for place in range(total - present):
        mask[positive + place // 64] |= np.uint64(1) << np.uint64(place % 64)
    return mask


@kernel
def _by_gain(packed, positive, total, present, own, rank, logs):  # type: ignore[no-untyped-def]
    """Return the candidates in the order of what each gains alone, then by rank."""
    mask = _every(positive, packed.shape[1], total, present)
    loss = np.empty(len(packed))
    for k in range(len(packed)):
        both, without = _split(mask, packed[k], positive)
        loss[k] = -_split_likelihood(both, without, present, total - present, logs)
    order = np.empty(len(packed), np.int64)
    for k in range(len(packed)):
        place = k
        while place > 0 and _comes_before(k, order[place - 1], loss, own, rank):
            order[place] = order[place - 1]
            place -= 1
        order[place] = k
    return order


@kernel
def _comes_before(one, other, loss, own, rank):  # type: ignore[no-untyped-def]
    if loss[one] != loss[other]:
        return loss[one] < loss[other]
    return rank[own[one]] < rank[own[other]]


@kernel
def _saturated(packed, positive, total, present, logs):  # type: ignore[no-untyped-def]
    """Return the log-likelihood with all candidates, at most 63, as parents."""
    keys = np.zeros(total, dtype=np.uint64)
    for place in range(total):
        row = place if place < present else 64 * positive + place - present
        word, shift = row // 64, np.uint64(row % 64)
        for k in range(len(packed)):
            keys[place] |= ((packed[k, word] >> shift) & np.uint64(1)) << np.uint64(k + 1)
        if place < present:
            keys[place] |= np.uint64(1)
    keys = _sorted(keys, len(packed) + 1)
    likelihood, start = 0.0, 0
    while start < total:
        genotype, stop, carriers = keys[start] >> np.uint64(1), start, 0
        while stop < total and keys[stop] >> np.uint64(1) == genotype:
            carriers += int(keys[stop] & np.uint64(1))
            stop += 1
        number = stop - start
        likelihood += logs[carriers] + logs[number - carriers] - logs[number]
        start = stop
    return likelihood


@kernel
def _sorted(keys, bits):  # type: ignore[no-untyped-def]
    """Return numbers of so many bits in order, by one bit after the other from the lowest."""
    other = np.empty(len(keys), np.uint64)
    for bit in range(bits):
        shift, zeros = np.uint64(bit), 0
        for key in keys:
            zeros += (key >> shift) & np.uint64(1) == 0
        low, high = 0, zeros
        for key in keys:
            if (key >> shift) & np.uint64(1):
                other[high] = key
                high += 1
            else:
                other[low] = key
                low += 1
        keys, other = other, keys
    return keys


@kernel
def _likeliest(packed, positive, total, present, everything, logs):  # type: ignore[no-untyped-def]
    """Return all candidates but those that change nothing, and this set less its weakest member."""
    number = len(packed)
    kept = np.empty(number, dtype=np.bool_)
    fill(kept, True)
    for weakest in range(number - 1, -1, -1):
        kept[weakest] = False
        fewer = _rows(packed, _places(kept))
        if _saturated(fewer, positive, total, present, logs) <= everything - EQUAL:
            kept[weakest] = True
    best = np.empty(2)
    best[0], best[1] = everything, np.nan
    sets = np.zeros(2, dtype=np.uint64)
    for k in range(number):
        if kept[k]:
            sets[0] |= np.uint64(1) << np.uint64(k)
    for k in range(number):
        if kept[k]:
            kept[k] = False
            fewer = _rows(packed, _places(kept))
            likelihood = _saturated(fewer, positive, total, present, logs)
            kept[k] = True
            if np.isnan(best[1]) or likelihood > best[1] + EQUAL:
                best[1] = likelihood
                sets[1] = sets[0] & ~(np.uint64(1) << np.uint64(k))
    return sets, best


@kernel
def _best_two(packed, positive, total, present, everything, price, most, limit, logs):  # type: ignore[no-untyped-def]
    """Return the best set and the next best as bits, their scores, and whether that is proven."""
    number, words = packed.shape
    alone = logs[present] + logs[total - present] - logs[total]
    scores = np.empty(2)
    scores[0], scores[1] = alone - price, -np.inf
    sets = np.zeros(2, dtype=np.uint64)
    # For each depth: the cells of the parents chosen so far that hold samples with the child and
    # samples without it, those of the least log-likelihood first. All other cells have
    # log-likelihood 0, whatever is added.
    masks = [np.empty((1, words), np.uint64)]
    sums = [np.empty((1, 2), np.int64)]
    losses = [np.empty(1)]
    copy_into(masks[0][0], _every(positive, words, total, present))
    sums[0][0, 0], sums[0][0, 1] = present, total - present
    held = np.zeros(number + 1, dtype=np.int64)
    held[0] = 1 if 0 < present < total else 0
    chosen = np.empty(number + 1, dtype=np.int64)
    fill(chosen, -1)
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
            return sets, scores, False
        parent, size = packed[candidate], depth + 1
        own = bits[depth] | (np.uint64(1) << np.uint64(candidate))
        deeper = everything - price * 2.0 ** (size + 1) > scores[1] + EQUAL
        least = scores[1] - EQUAL + price * 2.0**size
        likelihood = 0.0
        for cell in range(held[depth]):
            both, without = _split(masks[depth][cell], parent, positive)
            counts = sums[depth][cell]
            likelihood += _split_likelihood(both, without, counts[0], counts[1], logs)
            if likelihood < least and not deeper:
                break
        _rank(scores, sets, likelihood - price * 2.0**size, own)
        if everything - price * 2.0 ** (size + 1) <= scores[1] + EQUAL:
            continue
        if len(masks) <= size:
            masks.append(np.empty((2 * len(masks[depth]), words), dtype=np.uint64))
            sums.append(np.empty((2 * len(masks[depth]), 2), dtype=np.int64))
            losses.append(np.empty(2 * len(masks[depth])))
        held[size] = _refine(
            masks[depth],
            sums[depth],
            held[depth],
            parent,
            positive,
            masks[size],
            sums[size],
            losses[size],
            logs,
        )
        bits[size], chosen[size] = own, candidate
        depth = size
    return sets, scores, True


@kernel
def _rank(scores, sets, score, own):  # type: ignore[no-untyped-def]
    """Enter a set among the best two. Sets come in the order of their candidates."""
    if score > scores[0] + EQUAL or (score >= scores[0] - EQUAL and _bits(own) < _bits(sets[0])):
        scores[1], sets[1] = scores[0], sets[0]
        scores[0], sets[0] = score, own
    elif score > scores[1] + EQUAL or (score >= scores[1] - EQUAL and _bits(own) < _bits(sets[1])):
        scores[1], sets[1] = score, own


@kernel
def _refine(masks, sums, held, parent, positive, finer, finer_sums, losses, logs):  # type: ignore[no-untyped-def]
    """Split cells by a parent, and sort those that are left; return how many."""
    number = 0
    for cell in range(held):
        both, without = _split(masks[cell], parent, positive)
        for inside in range(2):
            if inside == 1:
                both, without = sums[cell, 0] - both, sums[cell, 1] - without
            if both == 0 or without == 0:
                continue
            loss = logs[both] + logs[without] - logs[both + without]
            place = number
            while place > 0 and losses[place - 1] > loss:
                losses[place] = losses[place - 1]
                copy_into(finer_sums[place], finer_sums[place - 1])
                copy_into(finer[place], finer[place - 1])
                place -= 1
            for word in range(len(parent)):
                side = parent[word] if inside == 0 else ~parent[word]
                finer[place, word] = masks[cell, word] & side
            losses[place] = loss
            finer_sums[place, 0], finer_sums[place, 1] = both, without
            number += 1
    return number


@kernel
def _split(mask, parent, positive):  # type: ignore[no-untyped-def]
    """Return how many samples of a cell have the parent: with the child, and without it."""
    both = without = np.int64(0)
    for word in range(positive):
        both += np.int64(popcount(mask[word] & parent[word]))  # type: ignore[call-arg]
    for word in range(positive, len(mask)):
        without += np.int64(popcount(mask[word] & parent[word]))  # type: ignore[call-arg]
    return both, without


@kernel
def _split_likelihood(both, without, present, absent, logs):  # type: ignore[no-untyped-def]
    """Return the log-likelihood of a cell that a parent splits."""
    inside = logs[both] + logs[without] - logs[both + without]
    both, without = present - both, absent - without
    return inside + logs[both] + logs[without] - logs[both + without]


@kernel
def _bits(word):  # type: ignore[no-untyped-def]
    return np.int64(popcount(word))  # type: ignore[call-arg]
