"""Infer how a disease progresses from which samples carry which events.

>>> import caprese
>>> data = caprese.datasets.ovarian()
>>> caprese.Caprese(shrinkage=0.5).fit(data).model.edges
(('8q+', '3q+'), ('5q-', '4q-'), ('8q+', '8p-'), ('8p-', 'Xp-'))
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from caprese import datasets, plots, scores
    from caprese.bootstrapping import bootstrap
    from caprese.comparison import compare
    from caprese.confidence import Confidence, consensus
    from caprese.counts import Counts
    from caprese.dataset import Dataset
    from caprese.errors import (
        CapreseError,
        ConvergenceError,
        DatasetError,
        FormatError,
        ModelError,
    )
    from caprese.estimation import maximum_likelihood, rate_intervals, szabo_error_rates
    from caprese.hidden import HiddenPoset, fit_rates
    from caprese.io.confidences import read_confidence, write_confidence
    from caprese.io.fits import read_fit, write_fit
    from caprese.io.graphs import read_graph, write_graph
    from caprese.io.networks import from_networkx, to_networkx
    from caprese.io.sources import read_dataset
    from caprese.io.tables import write_table
    from caprese.limits import noise_limit, noise_tolerance
    from caprese.methods.base import Fit
    from caprese.methods.caprese import Caprese
    from caprese.methods.cbn import CBN
    from caprese.methods.hcbn import HCBN
    from caprese.methods.oncotree import Oncotree
    from caprese.metrics import (
        ancestor_recovery,
        edge_recovery,
        hamming_distance,
        tree_edit_distance,
        wrong_parents,
    )
    from caprese.models.dag import ConjunctiveDag
    from caprese.models.forest import ROOT, Forest
    from caprese.models.noise import Noise
    from caprese.models.poset import Poset, TimedPoset
    from caprese.observed import ObservedForest
    from caprese.plots.figures import write_figure
    from caprese.plots.progression import progression_figure
    from caprese.report.analysis import analyse
    from caprese.report.page import write_report
    from caprese.scores import prima_facie
    from caprese.significance import edge_tests
    from caprese.simulation import DagRecipe, ForestRecipe

# Where each public name lives; it is imported when it is first asked for, so that
# `import caprese`, and with it `caprese --help`, loads nothing heavy.
_HOMES = {
    "datasets": "caprese.datasets",
    "scores": "caprese.scores",
    "plots": "caprese.plots",
    "compare": "caprese.comparison",
    "Confidence": "caprese.confidence",
    "bootstrap": "caprese.bootstrapping",
    "consensus": "caprese.confidence",
    "Counts": "caprese.counts",
    "Dataset": "caprese.dataset",
    "edge_tests": "caprese.significance",
    "CapreseError": "caprese.errors",
    "ConvergenceError": "caprese.errors",
    "DatasetError": "caprese.errors",
    "FormatError": "caprese.errors",
    "ModelError": "caprese.errors",
    "maximum_likelihood": "caprese.estimation",
    "rate_intervals": "caprese.estimation",
    "szabo_error_rates": "caprese.estimation",
    "read_confidence": "caprese.io.confidences",
    "write_confidence": "caprese.io.confidences",
    "read_fit": "caprese.io.fits",
    "write_fit": "caprese.io.fits",
    "read_graph": "caprese.io.graphs",
    "write_graph": "caprese.io.graphs",
    "from_networkx": "caprese.io.networks",
    "to_networkx": "caprese.io.networks",
    "read_dataset": "caprese.io.sources",
    "write_table": "caprese.io.tables",
    "noise_limit": "caprese.limits",
    "noise_tolerance": "caprese.limits",
    "Fit": "caprese.methods.base",
    "Caprese": "caprese.methods.caprese",
    "Oncotree": "caprese.methods.oncotree",
    "CBN": "caprese.methods.cbn",
    "HCBN": "caprese.methods.hcbn",
    "HiddenPoset": "caprese.hidden",
    "fit_rates": "caprese.hidden",
    "Poset": "caprese.models.poset",
    "TimedPoset": "caprese.models.poset",
    "ROOT": "caprese.models.forest",
    "Forest": "caprese.models.forest",
    "Noise": "caprese.models.noise",
    "ancestor_recovery": "caprese.metrics",
    "edge_recovery": "caprese.metrics",
    "hamming_distance": "caprese.metrics",
    "tree_edit_distance": "caprese.metrics",
    "wrong_parents": "caprese.metrics",
    "ConjunctiveDag": "caprese.models.dag",
    "ObservedForest": "caprese.observed",
    "write_figure": "caprese.plots.figures",
    "progression_figure": "caprese.plots.progression",
    "analyse": "caprese.report.analysis",
    "write_report": "caprese.report.page",
    "DagRecipe": "caprese.simulation",
    "ForestRecipe": "caprese.simulation",
    "prima_facie": "caprese.scores",
}

__all__ = [  # noqa: RUF022  as the flow goes: data, methods, models, limits, pictures, files, errors
    "datasets",
    "Dataset",
    "Counts",
    "scores",
    "prima_facie",
    "Caprese",
    "Oncotree",
    "HCBN",
    "CBN",
    "Fit",
    "compare",
    "bootstrap",
    "Confidence",
    "consensus",
    "edge_tests",
    "ROOT",
    "Forest",
    "Noise",
    "ObservedForest",
    "maximum_likelihood",
    "rate_intervals",
    "szabo_error_rates",
    "Poset",
    "TimedPoset",
    "HiddenPoset",
    "fit_rates",
    "noise_limit",
    "noise_tolerance",
    "ForestRecipe",
    "DagRecipe",
    "ConjunctiveDag",
    "tree_edit_distance",
    "hamming_distance",
    "wrong_parents",
    "edge_recovery",
    "ancestor_recovery",
    "plots",
    "progression_figure",
    "write_figure",
    "analyse",
    "write_report",
    "read_dataset",
    "write_table",
    "read_fit",
    "write_fit",
    "read_confidence",
    "write_confidence",
    "read_graph",
    "write_graph",
    "from_networkx",
    "to_networkx",
    "CapreseError",
    "ConvergenceError",
    "DatasetError",
    "FormatError",
    "ModelError",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'caprese' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    return home if _HOMES[name] == f"caprese.{name}" else getattr(home, name)


def __dir__() -> list[str]:
    return __all__
