"""Tidy trees: the places of the nodes of a tree across their rows."""

from collections.abc import Sequence

import numpy as np

from caprese._core.arrays import FloatArray

_APART = 1.8  # the gap between cousins, in gaps between siblings


def tidy(children: Sequence[Sequence[int]], root: int, sizes: FloatArray, gap: float) -> FloatArray:
    """Return the middle of each node across its row: subtrees as close as their outlines allow.

    A parent is centred over its first and last child; equal subtrees have the same shape. The idea
    is that of Reingold and Tilford (1981). Sizes are across the rows; `gap` is the smallest
    distance between siblings.
    """
    order = [root]
    for node in order:  # which grows in the loop
        order.extend(children[node])
    shift = np.zeros(len(sizes))  # from the parent
    outlines: dict[int, FloatArray] = {}  # left and right ends of each row, from the node's middle
    for node in reversed(order):
        below = [outlines.pop(child) for child in children[node]]
        offsets = _side_by_side(below, gap)
        shift[list(children[node])] = offsets
        own = np.array([[-sizes[node] / 2, sizes[node] / 2]])
        outlines[node] = np.vstack([own, _around(below, offsets)])
    middle = np.zeros(len(sizes))
    middle[root] = -outlines[root][:, 0].min()
    for node in order[1:]:
        middle[node] = shift[node]
    for node in order:
        middle[list(children[node])] += middle[node]
    return middle


def _side_by_side(outlines: Sequence[FloatArray], gap: float) -> FloatArray:
    """Return the places of the roots of subtrees; 0 is the middle of the first and the last."""
    offsets: list[float] = []
    right = np.zeros(0)
    for outline in outlines:
        rows = min(len(right), len(outline))
        gaps = np.where(np.arange(rows) == 0, gap, _APART * gap)
        offset = float(np.max(right[:rows] + gaps - outline[:rows, 0], initial=-np.inf))
        offset = offset if offsets else 0.0
        offsets.append(offset)
        right = np.concatenate([outline[:, 1] + offset, right[len(outline) :]])
    if not offsets:
        return np.zeros(0)
    return np.array(offsets) - (offsets[0] + offsets[-1]) / 2


def _around(outlines: Sequence[FloatArray], offsets: FloatArray) -> FloatArray:
    """Return the outline of subtrees side by side."""
    rows = max(map(len, outlines), default=0)
    around = np.column_stack([np.full(rows, np.inf), np.full(rows, -np.inf)])
    for outline, offset in zip(outlines, offsets, strict=True):
        part = around[: len(outline)]
        part[:, 0] = np.minimum(part[:, 0], outline[:, 0] + offset)
        part[:, 1] = np.maximum(part[:, 1], outline[:, 1] + offset)
    return around
