"""The compiled predictions against the same loops in Python."""

import numpy as np
import pytest

from caprese.kernels import forest_predictions as compiled
from uncompiled import uncompiled

plain = uncompiled("forest_predictions")

SHAPES = [(0, 1, 3, 4), (1, 1, 1, 1), (3, 1, 4, 0), (4, 2, 3, 9), (2, 3, 5, 17)]


def example(draws, components, events, genotypes, zero_weight):
    """Return codes and the arrays of some draws, none of them writable."""
    rng = np.random.default_rng([draws, components, events, genotypes])
    codes = rng.choice(3, (events, genotypes), p=[0.5, 0.4, 0.1]).astype(np.uint8)
    parents = np.array(
        [rng.integers(-1, max(event, 1), (draws, components)) if event else
         np.full((draws, components), -1) for event in range(events)]
    ).transpose(1, 2, 0)  # fmt: skip
    weights = rng.dirichlet(np.ones(components), draws)
    if zero_weight and components > 1:
        weights[:, -1] = 0.0
    arrays = (
        codes,
        np.ascontiguousarray(parents),
        rng.uniform(0.1, 0.9, (draws, components, events)),
        rng.uniform(0.01, 0.2, (draws, components, 2)),
        weights,
    )
    for array in arrays:
        array.flags.writeable = False
    return arrays


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("zero_weight", [False, True])
def test_compiled_predictions_are_those_of_python(shape, zero_weight):
    arrays = example(*shape, zero_weight)
    shares = np.random.default_rng(1).dirichlet(np.ones(max(shape[0], 1)), shape[3]).T
    for name, arguments in (
        ("draw_log_probabilities", arrays),
        ("draw_component_probabilities", arrays),
        ("event_probabilities", (*arrays, np.ascontiguousarray(shares[: shape[0]]))),
    ):
        found = getattr(compiled, name)(*arguments)
        np.testing.assert_allclose(found, getattr(plain, name)(*arguments), rtol=1e-12)


def test_components_of_genotypes_sum_to_one():
    found = compiled.draw_component_probabilities(*example(4, 3, 3, 9, False))
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-14)
