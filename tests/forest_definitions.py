"""Forests with errors by their definitions: sums over all genotypes, all forests, all grids."""

from itertools import product
from math import exp, lgamma, log, prod

import numpy as np

ROOT = -1


def all_forests(n):
    """Every forest on n events, as tuples of parents."""
    return [p for p in product(range(-1, n), repeat=n) if is_forest(p)]


def is_forest(parents):
    for event in range(len(parents)):
        above, steps = event, 0
        while above != ROOT and steps <= len(parents):
            above, steps = parents[above], steps + 1
        if above != ROOT:
            return False
    return True


def genotype_probability(truth, parents, theta):
    """Definition 1 of the paper: children wait for their parents."""
    probability = 1.0
    for event, parent in enumerate(parents):
        reached = parent == ROOT or truth[parent]
        if reached:
            probability *= theta[event] if truth[event] else 1 - theta[event]
        elif truth[event]:
            return 0.0
    return probability


def error_probability(seen, truth, positive, negative):
    """Entries are seen independently; what is unknown (2) is no evidence."""
    chance = {(0, 0): 1 - positive, (0, 1): positive, (1, 0): negative, (1, 1): 1 - negative}
    return prod(
        1.0 if code == 2 else chance[int(true), int(code)]
        for true, code in zip(truth, seen, strict=True)
    )


def sample_probability(seen, parents, theta, positive, negative):
    """Sum over all 2^n true genotypes."""
    return sum(
        genotype_probability(truth, parents, theta)
        * error_probability(seen, truth, positive, negative)
        for truth in product((0, 1), repeat=len(parents))
    )


def log_likelihood(rows, parents, theta, positive, negative):
    return sum(log(sample_probability(row, parents, theta, positive, negative)) for row in rows)


def comes_before(parents, one, other):
    above = parents[other]
    while above not in (ROOT, one):
        above = parents[above]
    return above == one


def log_of_orders(orders, parents):
    """Each seen order, (earlier, later, confidence), by what the forest says of it, against 1/2."""
    total = 0.0
    for earlier, later, confidence in orders:
        sure = min(confidence, 0.99)
        if comes_before(parents, earlier, later):
            total += log(sure / 0.5)
        elif comes_before(parents, later, earlier):
            total += log((1 - sure) / 0.5)
    return total


def log_beta(a, b):
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def log_prior(parents, a, b, uniform):
    """Forests all alike, or r^(roots - 1) ((1 - r) / n)^(n - roots) with r ~ Beta(a, b)."""
    n, roots = len(parents), sum(parent == ROOT for parent in parents)
    learnt = log_beta(a + roots - 1, b + n - roots) - log_beta(a, b) - (n - roots) * log(n)
    return log(uniform / (n + 1) ** (n - 1) + (1 - uniform) * exp(learnt))


def error_free_posterior(rows, a, b, uniform, orders=()):
    """The posterior over all forests in closed form, a Beta function for each edge."""
    rows = np.asarray(rows)
    weight = {
        parents: exp(
            log_prior(parents, a, b, uniform)
            + error_free_evidence(rows, parents)
            + log_of_orders(orders, parents)
        )
        for parents in all_forests(rows.shape[1])
    }
    size = sum(weight.values())
    return {parents: value / size for parents, value in weight.items()}


def error_free_evidence(rows, parents):
    """The log-probability of rows given a forest, whatever the edge probabilities."""
    total = 0.0
    for event, parent in enumerate(parents):
        reached = np.ones(len(rows), bool) if parent == ROOT else rows[:, parent] == 1
        if (rows[~reached, event] == 1).any():
            return -np.inf
        present = int(rows[reached, event].sum())
        total += log_beta(present + 1, int(reached.sum()) - present + 1)
    return total


def error_free_mixture_posterior(rows, orders, a, b, uniform, dirichlet):
    """The posterior over pairs of forests: over all ways to give samples to two components.

    Orders are a list for each sample.
    """
    rows = np.asarray(rows)
    forests, weight = all_forests(rows.shape[1]), {}
    alone = [log_prior(parents, a, b, uniform) for parents in forests]
    for members in product((0, 1), repeat=len(rows)):
        chosen = np.array(members, dtype=bool)
        sizes = [(~chosen).sum(), chosen.sum()]
        shares = log_beta(dirichlet + sizes[0], dirichlet + sizes[1])
        parts = []
        for own in (~chosen, chosen):
            seen = [order for k in np.flatnonzero(own) for order in orders[k]]
            parts.append(
                [
                    prior + error_free_evidence(rows[own], parents) + log_of_orders(seen, parents)
                    for prior, parents in zip(alone, forests, strict=True)
                ]
            )
        for (one, first), (other, second) in product(
            *(zip(forests, each, strict=True) for each in parts)
        ):
            total = exp(shares + first + second)
            weight[one, other] = weight.get((one, other), 0.0) + total
    size = sum(weight.values())
    return {pair: value / size for pair, value in weight.items()}


def quadrature_posterior(rows, positive, negative, a, b, uniform, points=16, orders=()):
    """The posterior over all forests with given errors, by a grid over all edge probabilities."""
    rows = np.asarray(rows)
    n = rows.shape[1]
    nodes, weights = np.polynomial.legendre.leggauss(points)
    nodes, weights = (nodes + 1) / 2, weights / 2
    grid = np.array(list(product(nodes, repeat=n))).T
    volume = np.prod(np.array(list(product(weights, repeat=n))), axis=1)
    truths = list(product((0, 1), repeat=n))
    posterior, means = {}, {}
    for parents in all_forests(n):
        chance = [_on_grid(truth, parents, grid) for truth in truths]
        height = np.full(grid.shape[1], log_prior(parents, a, b, uniform))
        height += log_of_orders(orders, parents)
        for row in rows:
            height += np.log(
                sum(
                    error_probability(row, truth, positive, negative) * part
                    for truth, part in zip(truths, chance, strict=True)
                )
            )
        mass = np.exp(height) * volume
        posterior[parents], means[parents] = mass.sum(), grid @ mass
    size = sum(posterior.values())
    mean = sum(means.values()) / size
    return {parents: value / size for parents, value in posterior.items()}, mean


def _on_grid(truth, parents, grid):
    chance = np.ones(grid.shape[1])
    for event, parent in enumerate(parents):
        if parent == ROOT or truth[parent]:
            chance = chance * (grid[event] if truth[event] else 1 - grid[event])
        elif truth[event]:
            return np.zeros(grid.shape[1])
    return chance
