"""Named forests, and the random forests of the paper's synthetic experiments.

Numbers in the drawings are probabilities given the parent; ``<>`` is the root.
"""

import math

import numpy as np

from caprese.models.forest import ROOT, Forest

# <> -.6- a
SINGLE = Forest(("a",), (ROOT,), (0.6,))

# <> -+-.7- a
#     |
#     +-.4- b
TWO_ROOTS = Forest(("a", "b"), (ROOT, ROOT), (0.7, 0.4))

# <> -.9- a -.8- b -.7- c -.6- d
CHAIN = Forest(("a", "b", "c", "d"), (ROOT, 0, 1, 2), (0.9, 0.8, 0.7, 0.6))

#            +-.8- b
#            |
# <> -.9- a -+-.5- c
#            |
#            +-.3- d
#            |
#            +-.1- e
STAR = Forest(("a", "b", "c", "d", "e"), (ROOT, 0, 0, 0, 0), (0.9, 0.8, 0.5, 0.3, 0.1))

#                    +-.7- d
#            +-.8- b -+
#            |       +-.4- e
# <> -.9- a -+
#            |       +-.6- f
#            +-.5- c -+
#                    +-.3- g
BINARY = Forest(
    ("a", "b", "c", "d", "e", "f", "g"),
    (ROOT, 0, 0, 1, 1, 2, 2),
    (0.9, 0.8, 0.5, 0.7, 0.4, 0.6, 0.3),
)

# <> -.95- a -.9- c -.85- e -.8- g
#          |      |       |
#          .3     .4      .5
#          |      |       |
#          b      d       f
#
# The leaves are listed before the events they hang from, so that order must not matter.
CATERPILLAR = Forest(
    ("b", "d", "f", "g", "e", "c", "a"),
    (6, 5, 4, 4, 5, 6, ROOT),
    (0.3, 0.4, 0.5, 0.8, 0.85, 0.9, 0.95),
)

# <> -+-.8- a -.6- b -.4- c
#     |
#     |       +-.75- e
#     +-.7- d -+
#     |       +-.35- f
#     |
#     +-.5- g
THREE_TREES = Forest(
    ("a", "b", "c", "d", "e", "f", "g"),
    (ROOT, 0, 1, ROOT, 3, 3, ROOT),
    (0.8, 0.6, 0.4, 0.7, 0.75, 0.35, 0.5),
)

# <> -.95- 1 -.92- 2 -.89- 3 -.86- ... -.62- 12
DEEP_CHAIN = Forest(
    tuple(f"step {k}" for k in range(1, 13)),
    (ROOT, *range(11)),
    tuple(round(0.95 - 0.03 * k, 2) for k in range(12)),
)

#              +-.85- b -.8- f -.75- i -.7- k
#              |              |
#              |              +-.3- j
# <> -+-.95- a -+-.65- c -+-.55- g
#     |        |         |
#     |        |         +-.2- h
#     |        +-.45- d
#     |        |
#     |        +-.15- e
#     |
#     +-.6- l -.9- m -+-.5- n
#     |               |
#     |               +-.25- o
#     +-.1- p
WIDE_AND_DEEP = Forest(
    tuple("abcdefghijklmnop"),
    (ROOT, 0, 0, 0, 0, 1, 2, 2, 5, 5, 8, ROOT, 11, 12, 12, ROOT),
    (
        *(0.95, 0.85, 0.65, 0.45, 0.15, 0.8, 0.55, 0.2),
        *(0.75, 0.3, 0.7, 0.6, 0.9, 0.5, 0.25, 0.1),
    ),
)

SHAPES: dict[str, Forest] = {
    "single": SINGLE,
    "two roots": TWO_ROOTS,
    "chain": CHAIN,
    "star": STAR,
    "binary": BINARY,
    "caterpillar": CATERPILLAR,
    "three trees": THREE_TREES,
    "deep chain": DEEP_CHAIN,
    "wide and deep": WIDE_AND_DEEP,
}

SMALL = {name: shape for name, shape in SHAPES.items() if len(shape.events) <= 7}


def random_forest(rng: np.random.Generator, events: int, trees: int = 1) -> Forest:
    """Draw a forest as the paper's supplement does, with the choices it leaves open settled.

    Each tree has round(ln n) levels, its first event has probability 0.95, and every other edge
    has one between 0.05 and 0.95, high enough to leave no event rarer than 0.05. The positions
    of the events are shuffled, so that a parent may come after its child.
    """
    parents = np.full(events, ROOT)
    probabilities = np.full(events, 0.95)
    marginals = np.full(events, 0.95)
    for tree in np.array_split(rng.permutation(events), trees):
        for level, above in _levels(rng, tree):
            for event in level:
                parent = rng.choice(above)
                least = min(max(0.05, 0.05 / marginals[parent]), 0.95)
                parents[event] = parent
                probabilities[event] = rng.uniform(least, 0.95)
                marginals[event] = marginals[parent] * probabilities[event]
    return Forest(tuple(f"event {k}" for k in range(1, events + 1)), parents, probabilities)


def permuted(forest: Forest, order: np.ndarray) -> Forest:
    """Return the same forest with its events listed in this order of positions."""
    place = np.argsort(order)
    parents = [ROOT if parent == ROOT else int(place[parent]) for parent in forest.parents[order]]
    names = tuple(forest.events[k] for k in order)
    return Forest(names, np.array(parents, dtype=np.int64), forest.probabilities[order])


def _levels(rng, tree):
    """Yield each level below the first with the one above it; no level is empty."""
    top, rest = tree[:1], tree[1:]
    depth = min(max(2, round(math.log(len(tree)))), len(tree))
    extra = rng.integers(0, max(1, depth - 1), size=max(0, len(rest) - (depth - 1)))
    assigned = np.concatenate([np.arange(depth - 1), extra]).astype(int)
    above = top
    for level in range(depth - 1):
        events = rest[assigned == level]
        yield events, above
        above = events
