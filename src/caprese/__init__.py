"""Infer how a disease progresses from which samples carry which events.

>>> import caprese
>>> data = caprese.datasets.ovarian()
>>> caprese.Caprese(shrinkage=0.5).fit(data).model.edges
(('8q+', '3q+'), ('5q-', '4q-'), ('8q+', '8p-'), ('8p-', 'Xp-'))
"""

from importlib import import_module

TYPE_CHECKING = False  # true to type checkers; to import `typing` takes longer than all else here

if TYPE_CHECKING:
    from typing import Any

    from caprese import extend, plots
    from caprese.assessment.bootstrap import bootstrap
    from caprese.assessment.comparison import compare
    from caprese.assessment.confidence import Confidence, consensus
    from caprese.assessment.edge_tests import edge_tests
    from caprese.assessment.effects import EffectConfidence, bootstrap_effects, effect_table
    from caprese.assessment.held_out import judge
    from caprese.assessment.judgement import Judgement
    from caprese.assessment.noise_bounds import corollary_noise_bound, noise_tolerance
    from caprese.data import embedded as datasets
    from caprese.data import scores
    from caprese.data.counts import Counts
    from caprese.data.curation import curate
    from caprese.data.dataset import Dataset
    from caprese.data.inspection import inspect
    from caprese.data.patterns import Pattern, group_patterns, homologous_patterns
    from caprese.errors import (
        CapreseError,
        ConvergenceError,
        DatasetError,
        FormatError,
        ModelError,
        ParameterError,
    )
    from caprese.fitting.estimate import estimate
    from caprese.fitting.forest_em import fit_forest, rate_intervals, szabo_error_rates
    from caprese.fitting.poset_em import fit_poset
    from caprese.io.data.annotations import read_clinical
    from caprese.io.data.sources import read_dataset
    from caprese.io.data.tables import write_dataset
    from caprese.io.documents import (
        read_confidence,
        read_judgement,
        write_confidence,
        write_judgement,
    )
    from caprese.io.graphs.files import read_graph, write_graph
    from caprese.io.graphs.networks import from_networkx, to_networkx
    from caprese.io.json.fits import read_fit, read_model, write_fit, write_model
    from caprese.io.placements import write_placement
    from caprese.methods import METHODS
    from caprese.methods.bayes import BayesForest
    from caprese.methods.caprese import Caprese
    from caprese.methods.capri import Capri
    from caprese.methods.cbn import CBN
    from caprese.methods.fit import Fit, OrderedFit
    from caprese.methods.hcbn import HCBN
    from caprese.methods.independence import IndependentEvents
    from caprese.methods.likelihood import LikelihoodForest
    from caprese.methods.mhn import MHN
    from caprese.methods.oncotree import Oncotree
    from caprese.models.conditional import ConditionalDag, NoisyConditionalDag
    from caprese.models.dag import ConjunctiveDag, NoisyDag
    from caprese.models.forest import ROOT, Forest, NoisyForest
    from caprese.models.hazards import Hazards
    from caprese.models.independence import Independence
    from caprese.models.metrics import (
        ancestor_agreement,
        edge_agreement,
        hamming_distance,
        parent_distance,
        tree_edit_distance,
    )
    from caprese.models.noise import Noise
    from caprese.models.poset import NoisyPoset, Poset, TimedPoset
    from caprese.models.posterior import Posterior
    from caprese.patients.clinical import Clinical
    from caprese.patients.groups import Associations, as_seen, associations
    from caprese.patients.place import Placement, place
    from caprese.patients.survival import Survival, survival
    from caprese.plots.canvas.figures import write_figure
    from caprese.plots.progression.drawing import progression_figure
    from caprese.recipe.recipe import Recipe
    from caprese.recipe.toml import read_recipe, write_recipe
    from caprese.report.analysis import analyse
    from caprese.report.page import write_report
    from caprese.simulation.random_models import DagRecipe, ForestRecipe

    __version__: str

# Each public name is imported when it is first asked for, so that `import caprese`, and with it
# `caprese --help`, loads nothing heavy. In the order of the flow: data, methods, models, ...
_MODULES = {
    "datasets": "caprese.data.embedded",
    "scores": "caprese.data.scores",
    "plots": "caprese.plots",
    "extend": "caprese.extend",
}
_HOMES = {
    "caprese.data.dataset": ("Dataset",),
    "caprese.data.inspection": ("inspect",),
    "caprese.data.curation": ("curate",),
    "caprese.data.patterns": ("Pattern", "homologous_patterns", "group_patterns"),
    "caprese.data.counts": ("Counts",),
    "caprese.methods": ("METHODS",),
    "caprese.methods.caprese": ("Caprese",),
    "caprese.methods.oncotree": ("Oncotree",),
    "caprese.methods.likelihood": ("LikelihoodForest",),
    "caprese.methods.bayes": ("BayesForest",),
    "caprese.methods.capri": ("Capri",),
    "caprese.methods.hcbn": ("HCBN",),
    "caprese.methods.cbn": ("CBN",),
    "caprese.methods.mhn": ("MHN",),
    "caprese.methods.independence": ("IndependentEvents",),
    "caprese.methods.fit": ("Fit", "OrderedFit"),
    "caprese.assessment.comparison": ("compare",),
    "caprese.assessment.bootstrap": ("bootstrap",),
    "caprese.assessment.confidence": ("Confidence", "consensus"),
    "caprese.assessment.edge_tests": ("edge_tests",),
    "caprese.assessment.effects": ("effect_table", "bootstrap_effects", "EffectConfidence"),
    "caprese.assessment.held_out": ("judge",),
    "caprese.assessment.judgement": ("Judgement",),
    "caprese.patients.place": ("place", "Placement"),
    "caprese.patients.clinical": ("Clinical",),
    "caprese.patients.groups": ("associations", "Associations", "as_seen"),
    "caprese.patients.survival": ("survival", "Survival"),
    "caprese.models.forest": ("ROOT", "Forest", "NoisyForest"),
    "caprese.models.noise": ("Noise",),
    "caprese.models.poset": ("Poset", "TimedPoset", "NoisyPoset"),
    "caprese.models.dag": ("ConjunctiveDag", "NoisyDag"),
    "caprese.models.conditional": ("ConditionalDag", "NoisyConditionalDag"),
    "caprese.models.hazards": ("Hazards",),
    "caprese.models.independence": ("Independence",),
    "caprese.models.posterior": ("Posterior",),
    "caprese.fitting.estimate": ("estimate",),
    "caprese.fitting.forest_em": ("fit_forest", "rate_intervals", "szabo_error_rates"),
    "caprese.fitting.poset_em": ("fit_poset",),
    "caprese.assessment.noise_bounds": ("corollary_noise_bound", "noise_tolerance"),
    "caprese.simulation.random_models": ("ForestRecipe", "DagRecipe"),
    "caprese.models.metrics": (
        "tree_edit_distance",
        "hamming_distance",
        "parent_distance",
        "edge_agreement",
        "ancestor_agreement",
    ),
    "caprese.plots.progression.drawing": ("progression_figure",),
    "caprese.plots.canvas.figures": ("write_figure",),
    "caprese.report.analysis": ("analyse",),
    "caprese.report.page": ("write_report",),
    "caprese.recipe.recipe": ("Recipe",),
    "caprese.recipe.toml": ("read_recipe", "write_recipe"),
    "caprese.io.data.sources": ("read_dataset",),
    "caprese.io.data.tables": ("write_dataset",),
    "caprese.io.data.annotations": ("read_clinical",),
    "caprese.io.json.fits": ("read_fit", "write_fit", "read_model", "write_model"),
    "caprese.io.documents": (
        *("read_confidence", "write_confidence"),
        *("read_judgement", "write_judgement"),
    ),
    "caprese.io.placements": ("write_placement",),
    "caprese.io.graphs.files": ("read_graph", "write_graph"),
    "caprese.io.graphs.networks": ("from_networkx", "to_networkx"),
    "caprese.errors": (
        "CapreseError",
        "ConvergenceError",
        "DatasetError",
        "FormatError",
        "ModelError",
        "ParameterError",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [  # noqa: RUF022  in the order of the flow
    "__version__",
    "datasets",
    "scores",
    "plots",
    "extend",
    "Dataset",
    "inspect",
    "curate",
    "Pattern",
    "homologous_patterns",
    "group_patterns",
    "Counts",
    "METHODS",
    "Caprese",
    "Oncotree",
    "LikelihoodForest",
    "BayesForest",
    "Capri",
    "HCBN",
    "CBN",
    "MHN",
    "IndependentEvents",
    "Fit",
    "OrderedFit",
    "compare",
    "bootstrap",
    "Confidence",
    "consensus",
    "edge_tests",
    "effect_table",
    "bootstrap_effects",
    "EffectConfidence",
    "judge",
    "Judgement",
    "place",
    "Placement",
    "Clinical",
    "associations",
    "Associations",
    "as_seen",
    "survival",
    "Survival",
    "ROOT",
    "Forest",
    "NoisyForest",
    "Noise",
    "Poset",
    "TimedPoset",
    "NoisyPoset",
    "ConjunctiveDag",
    "NoisyDag",
    "ConditionalDag",
    "NoisyConditionalDag",
    "Hazards",
    "Independence",
    "Posterior",
    "estimate",
    "fit_forest",
    "rate_intervals",
    "szabo_error_rates",
    "fit_poset",
    "corollary_noise_bound",
    "noise_tolerance",
    "ForestRecipe",
    "DagRecipe",
    "tree_edit_distance",
    "hamming_distance",
    "parent_distance",
    "edge_agreement",
    "ancestor_agreement",
    "progression_figure",
    "write_figure",
    "analyse",
    "write_report",
    "Recipe",
    "read_recipe",
    "write_recipe",
    "read_dataset",
    "write_dataset",
    "read_clinical",
    "read_fit",
    "write_fit",
    "read_model",
    "write_model",
    "read_confidence",
    "write_confidence",
    "read_judgement",
    "write_judgement",
    "write_placement",
    "read_graph",
    "write_graph",
    "from_networkx",
    "to_networkx",
    "CapreseError",
    "ConvergenceError",
    "DatasetError",
    "FormatError",
    "ModelError",
    "ParameterError",
]


def __getattr__(name: str) -> "Any":
    if name in _MODULES:
        return import_module(_MODULES[name])
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    if name == "__version__":
        from importlib.metadata import version

        return version("caprese")
    raise AttributeError(f"module 'caprese' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
