"""Figure "Reconstruction with CAPRESE compared to oncotrees and h-CBN"."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caprese.fitting.poset_em import fit_poset
from caprese.methods.base import Method
from caprese.methods.caprese import Caprese
from caprese.methods.hcbn import HCBN
from caprese.methods.oncotree import Oncotree
from caprese.models.metrics import hamming_distance
from caprese.models.noise import Noise
from caprese.models.poset import Poset
from caprese.plots.curves import share_legend
from caprese.simulation.recipes import ForestRecipe
from caprese.studies.base import Condition, Drawing, Row, Simulations, Table, summary
from caprese.studies.panels import draw_means, row_of_panels

_SAMPLES = (50, 100, 150, 200)
_LEVELS = (0.0, 0.05, 0.1, 0.2)
_METHODS: dict[str, Method] = {
    "CAPRESE 0.5": Caprese(shrinkage=0.5),
    "oncotree": Oncotree(),
    "h-CBN as the paper ran it": HCBN(steps=50, temperature=1, restarts=1, ascent=False),
    "h-CBN": HCBN(),
}


@dataclass(frozen=True, kw_only=True)
class HiddenNetworks(Simulations):
    """Hamming distance of three methods from random trees of 10 events."""

    about: ClassVar[str] = "CAPRESE and oncotrees against hidden conjunctive Bayesian networks"
    grid: ClassVar[dict[str, Any]] = {"nu": _LEVELS, "samples": _SAMPLES}

    replicates: int = 1

    def run(self, condition: Condition) -> list[Row]:
        """Return the mean distance of each method, its number of edges, and `likelier`.

        That is the proportion of data sets that are more likely under its order than under the
        true one, both as an h-CBN: if it is high, a better search would not be closer to the truth.
        """
        recipe, noise = ForestRecipe(events=10), Noise.uniform(condition["nu"])
        shape = self.trees, self.replicates
        distances = {name: np.zeros(shape, int) for name in _METHODS}
        edges = {name: np.zeros(shape, int) for name in _METHODS}
        likelier = {name: np.zeros(shape, bool) for name in _METHODS}
        for tree in range(self.trees):
            truth = recipe.draw(np.random.default_rng([self.seed, tree]))
            stream = [self.seed, tree, condition["samples"], round(1e6 * condition["nu"])]
            rng = np.random.default_rng(stream)
            for replicate in range(self.replicates):
                data = noise.corrupt(truth.sample(condition["samples"], rng), rng)
                truth_log_likelihood = fit_poset(Poset.of(truth), data).log_likelihood
                for name, method in _METHODS.items():
                    found, at = method.fit(data).model, (tree, replicate)
                    distances[name][at] = hamming_distance(truth, found)
                    edges[name][at] = len(found.edges)
                    likelier[name][at] = (
                        fit_poset(Poset.of(found), data).log_likelihood > truth_log_likelihood
                    )
        return [
            {
                **condition,
                "method": name,
                **summary(distances[name]),
                "edges": float(edges[name].mean()),
                "likelier": float(likelier[name].mean()),
            }
            for name in _METHODS
        ]

    def draw(self, table: Table) -> Drawing:
        """Return the figure: a panel for each noise."""
        figure, panels = row_of_panels(len(_LEVELS), width=11, height=3.6)
        labels = {"xlabel": "samples", "ylabel": "Hamming distance"}
        by = ("nu", "method", "samples")
        draw_means(panels, table, by, title="noise {:g}", legend=False, **labels)
        share_legend(panels)
        return figure
