"""Figure "Reconstruction with CAPRESE compared to oncotrees and h-CBN"."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, ClassVar

import numpy as np

from caprese.data.dataset import Dataset
from caprese.fitting.estimated import Estimate
from caprese.fitting.poset_em import fit_poset
from caprese.methods.caprese import Caprese
from caprese.methods.fit import Method
from caprese.methods.hcbn import HCBN
from caprese.methods.oncotree import Oncotree
from caprese.models.metrics import hamming_distance
from caprese.models.poset import NoisyPoset, Poset
from caprese.plots.canvas.figures import Figure
from caprese.simulation.random_models import ForestRecipe
from caprese.studies.base import Row, Study, Table, means_against_samples, summary

_SAMPLES = (50, 100, 150, 200)
_LEVELS = (0.0, 0.05, 0.1, 0.2)
_METHODS: dict[str, Method] = {
    "CAPRESE 0.5": Caprese(shrinkage=0.5),
    "oncotree": Oncotree(),
    "h-CBN as the paper ran it": HCBN(steps=50, temperature=1, restarts=1, ascent=False),
    "h-CBN": HCBN(),
}


@dataclass(frozen=True, kw_only=True)
class HiddenNetworks(Study):
    """Hamming distance of three methods from random trees of 10 events."""

    about: ClassVar[str] = "CAPRESE and oncotrees against hidden conjunctive Bayesian networks"
    grid: ClassVar[dict[str, Any]] = {"nu": _LEVELS, "samples": _SAMPLES}

    replicates: int = 1

    def rows(self, **condition: Any) -> Iterator[Row]:
        """Yield the mean distance of each method, its number of edges, and `likelier`.

        That is the proportion of data sets that are more likely under its order than under the
        true one, both as an h-CBN: if it is high, a better search would not be closer to the truth.
        """
        found: dict[str, list[tuple[int, int, bool]]] = {name: [] for name in _METHODS}
        for truth, data in self.datasets(ForestRecipe(events=10), **condition):
            estimate = cache(partial(fit_poset, data=data))  # several may find the same order
            likelihood = estimate(Poset.of(truth)).log_likelihood
            for name, method in _METHODS.items():
                order = likeliest(method, data, estimate)
                poset, likelier = order.model.poset, order.log_likelihood > likelihood
                found[name].append((hamming_distance(truth, poset), len(poset.edges), likelier))
        for name, numbers in found.items():
            distances, edges, likelier = np.array(numbers).T
            means = {"edges": float(edges.mean()), "likelier": float(likelier.mean())}
            by_tree = distances.reshape(self.trees, self.replicates)
            yield {"method": name, **summary(by_tree), **means}

    def draw(self, table: Table) -> Figure:
        """Return the figure: a panel for each noise."""
        labels = {"title": "noise {:g}", "ylabel": "Hamming distance"}
        return means_against_samples(table, "nu", "method", size=(11, 3.6), **labels)


def likeliest(
    method: Method, data: Dataset, estimate: Callable[[Poset], Estimate[NoisyPoset]]
) -> Estimate[NoisyPoset]:
    """Return the order that a method finds, as the h-CBN under which the data is most likely."""
    if isinstance(method, HCBN):
        return method.likeliest(data)
    return estimate(Poset.of(method.fit(data).model))
