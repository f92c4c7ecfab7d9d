"""Pictures of data, fits and bootstraps.

Each picture has a plan, which is computed without drawing; a function ``draw_...`` that draws it on
given axes and returns them; and, if its size depends on its content, a function ``..._figure`` that
returns a figure of the right size. `write_figure` writes any of them to a file.

>>> from caprese import Caprese, datasets, plots
>>> figure = plots.progression_figure(Caprese().fit(datasets.ovarian()))
"""

from caprese.plots.canvas.figures import figure_bytes, write_figure
from caprese.plots.curves import (
    draw_distinct_models,
    draw_judgement,
    draw_shrinkage_choice,
    judgement_figure,
)
from caprese.plots.heatmaps.drawing import (
    draw_effects,
    draw_scores,
    draw_support,
    effects_figure,
    scores_figure,
    support_figure,
)
from caprese.plots.oncoprint import draw_oncoprint, oncoprint_figure
from caprese.plots.patient_card import draw_patient, patient_card
from caprese.plots.progression.comparison import comparison_figure, draw_comparison
from caprese.plots.progression.drawing import (
    draw_fit,
    draw_patients,
    draw_progression,
    draw_subtypes,
    patients_figure,
    progression_figure,
    subtypes_figure,
)
from caprese.plots.survival import draw_at_risk, draw_survival, survival_figure

__all__ = [
    "comparison_figure",
    "draw_at_risk",
    "draw_comparison",
    "draw_distinct_models",
    "draw_effects",
    "draw_fit",
    "draw_judgement",
    "draw_oncoprint",
    "draw_patient",
    "draw_patients",
    "draw_progression",
    "draw_scores",
    "draw_shrinkage_choice",
    "draw_subtypes",
    "draw_support",
    "draw_survival",
    "effects_figure",
    "figure_bytes",
    "judgement_figure",
    "oncoprint_figure",
    "patient_card",
    "patients_figure",
    "progression_figure",
    "scores_figure",
    "subtypes_figure",
    "support_figure",
    "survival_figure",
    "write_figure",
]
