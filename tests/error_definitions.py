"""A forest seen through errors, slow and literal: sums over all 2^n true genotypes.

A row is what was seen of each event: 0, 1, or None where it is unknown. A prior gives each true
genotype its probability, as `definitions.distribution` does; every number is a fraction, so
nothing is ever rounded. Nothing here is shared with the package.
"""

import math
from fractions import Fraction

import definitions
from definitions import DIAMOND


def prior(parents, probabilities):
    """The true genotypes that can be, each with its probability."""
    induced = definitions.distribution(list(parents), list(probabilities))
    return {truth: chance for truth, chance in induced.items() if chance}


def shown(row, truth, false_positive, false_negative):
    """Probability that a true genotype is seen as this row, each entry going wrong by itself."""
    result = Fraction(1)
    for seen, true in zip(row, truth, strict=True):
        if seen is not None:
            present = 1 - Fraction(false_negative) if true else Fraction(false_positive)
            result *= present if seen else 1 - present
    return result


def joint_probabilities(truths, row, rates):
    """Probability of each true genotype together with what was seen."""
    return {truth: chance * shown(row, truth, *rates) for truth, chance in truths.items()}


def probability(truths, row, rates):
    """Probability to see this row."""
    return sum(joint_probabilities(truths, row, rates).values())


def posterior(truths, row, rates):
    """Probability of each event given what was seen; None if that cannot be seen at all."""
    together = joint_probabilities(truths, row, rates)
    total = sum(together.values())
    if not total:
        return None
    return [
        sum(chance for truth, chance in together.items() if truth[event]) / total
        for event in range(len(row))
    ]


def log(number):
    """The logarithm of a fraction, however small; minus infinity of 0."""
    if not number:
        return -math.inf
    return math.log(number.numerator) - math.log(number.denominator)


def log_likelihood(parents, probabilities, rows, rates):
    """Log-probability of all rows together."""
    truths = prior(parents, probabilities)
    return sum(log(probability(truths, row, rates)) for row in rows)


def expectation_step(parents, probabilities, rows, rates):
    """One step of expectation maximisation: the new probabilities, and the new two rates.

    Each true genotype behind a row is counted with its probability given the row; what was
    counted is then divided by how often it could have been. A number that had no chance to be
    counted stays as it was.
    """
    truths = prior(parents, probabilities)
    occurred = [Fraction(0)] * len(parents)
    wrong, right = [Fraction(0)] * 2, [Fraction(0)] * 2  # where truly absent, where present
    for row in rows:
        together = joint_probabilities(truths, row, rates)
        total = sum(together.values())
        for truth, chance in together.items():
            for event, (true, seen) in enumerate(zip(truth, row, strict=True)):
                occurred[event] += true * chance / total
                if seen is not None:
                    (right if seen == true else wrong)[true] += chance / total
    chances = [len(rows) if parent == DIAMOND else occurred[parent] for parent in parents]
    return (
        [
            occurred[event] / chance if chance else Fraction(probabilities[event])
            for event, chance in enumerate(chances)
        ],
        [
            wrong[true] / (wrong[true] + right[true])
            if wrong[true] + right[true]
            else Fraction(rates[true])
            for true in (0, 1)
        ],
    )


# Szabo's least squares


def frequencies(parents, rows):
    """How often each event is seen, and how often together with its parent."""
    return [
        (
            float(definitions.probability(rows, event)),
            None if parent == DIAMOND else float(definitions.joint(rows, parent, event)),
        )
        for event, parent in enumerate(parents)
    ]


def szabo(parents, seen, rates):
    """The edge probabilities before these errors, and how badly they predict the frequencies.

    P(i) and P(i, j) are what the errors turned into the frequencies seen; the probability of an
    edge is P(i, j) / P(i), brought back into [0, 1]; the residual is the sum of squared
    differences between the frequencies seen and those the edges lead to.
    """
    positive, negative = map(float, rates)
    signal = 1 - positive - negative
    alone = [(frequency - positive) / signal for frequency, _ in seen]
    edges = []
    for event, parent in enumerate(parents):
        if parent == DIAMOND:
            edges.append(alone[event])
        elif alone[parent] <= 0:
            edges.append(0.0)
        else:
            mixed = signal * positive * (alone[parent] + alone[event]) + positive**2
            edges.append((seen[event][1] - mixed) / signal**2 / alone[parent])
    edges = [min(max(edge, 0.0), 1.0) for edge in edges]
    residual = 0.0
    for event, (frequency, _) in enumerate(seen):
        true = math.prod(edges[child] for _, child in definitions.path(parents, event))
        residual += (frequency - positive - signal * true) ** 2
    return edges, residual
