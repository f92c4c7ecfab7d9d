"""Parents by the rules of the pairwise methods, for a batch of counts.

Each function evaluates the same formulas as the numpy code of its method, so that the two agree to
the last bit; it visits each pair once and stores no matrices.
"""

import numpy as np

from caprese.kernels.compiling import inlined, kernel


@inlined
def _more_frequent(ahead, behind, tolerance):  # type: ignore[no-untyped-def]
    """Return whether one event is more frequent; exact for integers, with tolerance 0."""
    return ahead > behind if tolerance == 0 else ahead > behind * (1 + tolerance)


@kernel
def caprese_parents(joint, first, total, shrinkage, tolerance, equal):  # type: ignore[no-untyped-def]
    """Algorithm 1: the best admissible parent, unless an independent root fits better."""
    batch, n = joint.shape[:2]
    parents = np.empty((batch, n), dtype=np.int64)
    present = np.empty(n, dtype=joint.dtype)
    known = np.empty(n, dtype=total.dtype)
    for b in range(batch):
        for j in range(n):
            present[j], known[j] = joint[b, j, j], total[b, j, j]
        for j in range(n):
            best, second, parent, dependent = -np.inf, -np.inf, -1, False
            for i in range(n):
                if not _more_frequent(present[i] * known[j], present[j] * known[i], tolerance):
                    continue
                x, f, s, t = joint[b, j, i], first[b, i, j], first[b, j, i], total[b, i, j]
                if s > 0 and f < t and x * (t + s) >= s * (f + s):
                    dependent = True
                excess = x * t - f * s
                if excess > 0:
                    raising = excess / (x * (t - f) + (s - x) * f)
                    correlation = excess / (x * t + f * s)
                    score = (1 - shrinkage) * raising + shrinkage * correlation
                    if score > best:
                        best, second, parent = score, best, i
                    elif score > second:
                        second = score
            clear = second < best - equal
            parents[b, j] = parent if dependent and clear else -1
    return parents


@kernel
def szabo_parents(joint, first, total, tolerance, equal):  # type: ignore[no-untyped-def]
    """Szabo's rule: the heaviest of the root and the strictly more frequent events."""
    batch, n = joint.shape[:2]
    parents = np.empty((batch, n), dtype=np.int64)
    present = np.empty(n, dtype=joint.dtype)
    known = np.empty(n, dtype=total.dtype)
    for b in range(batch):
        for j in range(n):
            present[j], known[j] = joint[b, j, j], total[b, j, j]
        for j in range(n):
            best, second, parent = 0.0, -np.inf, -1
            for i in range(n):
                if not _more_frequent(present[i] * known[j], present[j] * known[i], tolerance):
                    continue
                x, f, s, t = joint[b, j, i], first[b, i, j], first[b, j, i], total[b, i, j]
                if f >= t:
                    continue  # always present
                below = (f + s) * s
                weight = x * t / below if below != 0 else 0.0
                if weight > best:
                    best, second, parent = weight, best, i
                elif weight > second:
                    second = weight
            own = known[j] + present[j]
            root = known[j] / own if own != 0 else 0.0
            clear = root < best - equal and second < best - equal
            parents[b, j] = parent if clear else -1
    return parents


@kernel
def add_ancestors(parents, ancestors):  # type: ignore[no-untyped-def]
    """Add to ``ancestors[i, j]`` the number of forests in which i is an ancestor of j."""
    for b in range(len(parents)):
        for j in range(parents.shape[1]):
            i = parents[b, j]
            while i >= 0:
                ancestors[i, j] += 1
                i = parents[b, i]
