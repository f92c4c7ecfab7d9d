"""Parents by the rules of the pairwise methods, for a batch of counts.

Each function evaluates the same formulas as the numpy code of its method, so that the two agree to
the last bit; it visits each pair once and stores no matrices. All counts are integers, or all are
floats.
"""

import cython
import numpy as np

from caprese._core.arrays import IntArray, NumberArray

Number = int | float

_INFINITE = float("inf")


def caprese_parents(
    joint: NumberArray,
    first: NumberArray,
    total: NumberArray,
    shrinkage: float,
    tolerance: float,
    equal: float,
) -> IntArray:
    """Algorithm 1: the best admissible parent, unless an independent root fits better."""
    parents = np.empty((joint.shape[0], joint.shape[1]), dtype=np.int64)
    found: cython.longlong[:, ::1] = parents
    with cython.nogil:
        for b in range(joint.shape[0]):
            for j in range(joint.shape[1]):
                best, second = -_INFINITE, -_INFINITE
                parent: cython.Py_ssize_t = -1
                dependent: cython.bint = False
                present, known = joint[b, j, j], total[b, j, j]
                for i in range(joint.shape[1]):
                    if not _is_more(joint[b, i, i] * known, present * total[b, i, i], tolerance):
                        continue
                    x, f, s, t = joint[b, j, i], first[b, i, j], first[b, j, i], total[b, i, j]
                    if s > 0 and f < t and x * (t + s) >= s * (f + s):
                        dependent = True
                    excess = x * t - f * s
                    if excess > 0:
                        gain = cython.cast(cython.double, excess)
                        raising = gain / (x * (t - f) + (s - x) * f)
                        correlation = gain / (x * t + f * s)
                        score = (1 - shrinkage) * raising + shrinkage * correlation
                        if score > best:
                            best, second, parent = score, best, i
                        elif score > second:
                            second = score
                clear: cython.bint = second < best - equal
                found[b, j] = parent if dependent and clear else -1
    return parents


def szabo_parents(
    joint: NumberArray,
    first: NumberArray,
    total: NumberArray,
    tolerance: float,
    equal: float,
) -> IntArray:
    """Szabo's rule: the heaviest of the root and the strictly more frequent events."""
    parents = np.empty((joint.shape[0], joint.shape[1]), dtype=np.int64)
    found: cython.longlong[:, ::1] = parents
    with cython.nogil:
        for b in range(joint.shape[0]):
            for j in range(joint.shape[1]):
                best, second = 0.0, -_INFINITE
                parent: cython.Py_ssize_t = -1
                present, known = joint[b, j, j], total[b, j, j]
                for i in range(joint.shape[1]):
                    if not _is_more(joint[b, i, i] * known, present * total[b, i, i], tolerance):
                        continue
                    x, f, s, t = joint[b, j, i], first[b, i, j], first[b, j, i], total[b, i, j]
                    if f >= t:
                        continue  # always present
                    weight = _ratio(x * t, (f + s) * s)
                    if weight > best:
                        best, second, parent = weight, best, i
                    elif weight > second:
                        second = weight
                root = _ratio(known, known + present)
                clear: cython.bint = root < best - equal and second < best - equal
                found[b, j] = parent if clear else -1
    return parents


def _is_more(ahead: Number, behind: Number, tolerance: float) -> bool:
    """Return whether one event is more frequent; exact for integers, with tolerance 0."""
    return ahead > behind if tolerance == 0 else ahead > behind * (1 + tolerance)


def _ratio(above: Number, below: Number) -> float:
    """Return a ratio of counts; 0 if there are none."""
    return cython.cast(cython.double, above) / below if below != 0 else 0.0


def add_ancestors(parents: IntArray, ancestors: IntArray) -> None:
    """Add to ``ancestors[i, j]`` the number of forests in which i is an ancestor of j."""
    with cython.nogil:
        for b in range(parents.shape[0]):
            for j in range(parents.shape[1]):
                i: cython.Py_ssize_t = parents[b, j]
                while i >= 0:
                    ancestors[i, j] += 1
                    i = parents[b, i]
