"""The paper's formulas, slow and literal.

Data are plain rows of 0 and 1, with None where an entry is unknown; events are column numbers;
every number is a fraction, so nothing is ever rounded. A statement about a pair of events speaks
of the rows in which both are known. Nothing here is shared with the package.
"""

from fractions import Fraction
from itertools import product

DIAMOND = -1  # the root, an event that every sample carries


# Probabilities


def known(rows, *events):
    return [row for row in rows if all(row[event] is not None for event in events)]


def probability(rows, i):
    """P(i), over the rows in which i is known; 0 if it is known in none."""
    rows = known(rows, i)
    return Fraction(sum(row[i] for row in rows), len(rows)) if rows else Fraction(0)


def joint(rows, i, j):
    """P(i, j), over the rows in which both are known; 0 if there are none."""
    rows = known(rows, i, j)
    return Fraction(sum(row[i] * row[j] for row in rows), len(rows)) if rows else Fraction(0)


def conditional(rows, j, i, present=1):
    """P(j | i), or P(j | not i) with present=0; None if the condition is never met."""
    given = [row[j] for row in known(rows, i, j) if row[i] == present]
    return Fraction(sum(given), len(given)) if given else None


def temporal_priority(rows, i, j):
    """P(i) > P(j); an event known in no row is neither before nor after any other."""
    comparable = known(rows, i) and known(rows, j)
    return bool(comparable) and probability(rows, i) > probability(rows, j)


def always(rows, i):
    rows = known(rows, i)
    return bool(rows) and all(row[i] for row in rows)


def never(rows, i):
    return not any(row[i] for row in known(rows, i))


# Definition 4: the shrinkage-like estimator


def alpha(rows, i, j):
    """The raw estimate of i -> j; 0 where the data cannot tell."""
    given, given_not = conditional(rows, j, i), conditional(rows, j, i, present=0)
    if given is None or given_not is None or given + given_not == 0:
        return Fraction(0)
    return (given - given_not) / (given + given_not)


def beta(rows, i, j):
    """The correction factor; 0 where the data cannot tell."""
    pair = known(rows, i, j)
    both, chance = joint(pair, i, j), probability(pair, i) * probability(pair, j)
    return (both - chance) / (both + chance) if both + chance else Fraction(0)


def estimator(rows, i, j, shrinkage):
    """The shrinkage-like estimator m of i -> j."""
    weight = Fraction(shrinkage)
    return (1 - weight) * alpha(rows, i, j) + weight * beta(rows, i, j)


def prima_facie(rows, i, j):
    """Definition 3: i raises the probability of j and is the more frequent of the two."""
    return alpha(rows, i, j) > 0 and temporal_priority(rows, i, j)


# Desper's weight, equation 2, before its logarithm


def desper(rows, i, j):
    """The weight of i -> j; 0 where one of them is never seen."""
    pair = known(rows, i, j)
    p_i, p_j = probability(pair, i), probability(pair, j)
    if not p_i or not p_j:
        return Fraction(0)
    return p_i / (p_i + p_j) * joint(pair, i, j) / (p_i * p_j)


def desper_root(rows, j):
    """The weight of root -> j."""
    return 1 / (1 + probability(rows, j))


# Algorithm 1


def admissible(rows, j, shrinkage):
    """Step 3: which events may be the parent of j."""
    return [
        i
        for i in range(len(rows[0]))
        if temporal_priority(rows, i, j)
        and not always(rows, i)
        and not never(rows, i)
        and estimator(rows, i, j, shrinkage) > 0
    ]


def best(rows, j, shrinkage):
    """Step 3: the admissible parents of j that no other outdoes; several if they tie."""
    candidates = admissible(rows, j, shrinkage)
    scores = [estimator(rows, i, j, shrinkage) for i in candidates]
    return [i for i, score in zip(candidates, scores, strict=True) if score == max(scores)]


def filtered(rows, j):
    """Step 4: whether the root outweighs every more frequent event as the parent of j.

    One that is always there, where it and j are known, is as good as the root, and no witness.
    """
    more_frequent = [x for x in range(len(rows[0])) if temporal_priority(rows, x, j)]
    return all(
        desper_root(known(rows, x, j), j) > desper(rows, x, j)
        for x in more_frequent
        if any(not row[x] for row in known(rows, x, j))
    )


def caprese(rows, shrinkage):
    """Return for each event its parent and, in the package's words, the reason."""
    return [_place(rows, j, shrinkage) for j in range(len(rows[0]))]


def caprese_parents(rows, shrinkage):
    """Return the parents that Algorithm 1 finds."""
    return [parent for parent, _ in caprese(rows, shrinkage)]


def _place(rows, j, shrinkage):
    if never(rows, j):
        return DIAMOND, "never seen"
    if always(rows, j):
        return DIAMOND, "always seen"
    candidates = best(rows, j, shrinkage)
    if not candidates:
        return DIAMOND, "no admissible parent"
    if filtered(rows, j):
        return DIAMOND, "filtered"
    if len(candidates) > 1:
        return DIAMOND, "tied"
    return candidates[0], "edge"


# Definition 1: the distribution a forest induces. A genotype is a tuple of 0 and 1, a
# distribution gives each genotype its probability.


def path(parents, event):
    """The edges that lead from the root to an event."""
    edges = []
    while event != DIAMOND:
        edges.append((parents[event], event))
        event = parents[event]
    return edges


def genotype_probability(parents, probabilities, genotype):
    """Definition 1, the second product over edges whose child is not in the sample, G*."""
    sample = {event for event, present in enumerate(genotype) if present}
    reaching = {edge for event in sample for edge in path(parents, event)}
    if any(child not in sample for _, child in reaching):
        return Fraction(0)  # an event of the sample cannot be reached
    result = Fraction(1)
    for _, child in reaching:
        result *= Fraction(probabilities[child])
    for child, parent in enumerate(parents):
        if (parent == DIAMOND or parent in sample) and child not in sample:
            result *= 1 - Fraction(probabilities[child])
    return result


def genotypes(n):
    return list(product((0, 1), repeat=n))


def distribution(parents, probabilities):
    """The probability of each of the 2^n genotypes."""
    return {
        genotype: genotype_probability(parents, probabilities, genotype)
        for genotype in genotypes(len(parents))
    }


def pair_probability(induced, i, j):
    """P(i, j) by summing over genotypes; P(i) if they are the same event."""
    return sum(chance for genotype, chance in induced.items() if genotype[i] and genotype[j])


# Noise


def noisy(induced, false_positive, false_negative):
    """The distribution of what is seen, by summing over what is true."""
    return {
        seen: sum(
            chance * seen_given(seen, true, Fraction(false_positive), Fraction(false_negative))
            for true, chance in induced.items()
        )
        for seen in induced
    }


def seen_given(seen, true, false_positive, false_negative):
    """Probability that a true genotype is seen as this one, each entry going wrong by itself."""
    result = Fraction(1)
    for observed, actual in zip(seen, true, strict=True):
        shown = 1 - false_negative if actual else false_positive
        result *= shown if observed else 1 - shown
    return result
