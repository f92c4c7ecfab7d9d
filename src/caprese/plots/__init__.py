"""Pictures of data, fits and bootstraps.

Each picture has a plan, which is computed without drawing; a function ``draw_...`` that draws it on
given axes and returns them; and, if its size depends on its content, a function ``..._figure`` that
returns a figure of the right size. `write_figure` writes any of them to a file.

>>> from caprese import Caprese, datasets, plots
>>> figure = plots.progression_figure(Caprese().fit(datasets.ovarian()))
"""

from caprese.plots.canvas.figures import figure_bytes as figure_bytes
from caprese.plots.canvas.figures import write_figure as write_figure
from caprese.plots.curves import draw_distinct_models as draw_distinct_models
from caprese.plots.curves import draw_judgement as draw_judgement
from caprese.plots.curves import draw_shrinkage_choice as draw_shrinkage_choice
from caprese.plots.curves import judgement_figure as judgement_figure
from caprese.plots.heatmaps import draw_effects as draw_effects
from caprese.plots.heatmaps import draw_order as draw_order
from caprese.plots.heatmaps import draw_scores as draw_scores
from caprese.plots.heatmaps import draw_support as draw_support
from caprese.plots.heatmaps import effects_figure as effects_figure
from caprese.plots.heatmaps import order_figure as order_figure
from caprese.plots.heatmaps import scores_figure as scores_figure
from caprese.plots.heatmaps import support_figure as support_figure
from caprese.plots.oncoprint import draw_oncoprint as draw_oncoprint
from caprese.plots.oncoprint import oncoprint_figure as oncoprint_figure
from caprese.plots.patient_card import draw_patient as draw_patient
from caprese.plots.patient_card import patient_card as patient_card
from caprese.plots.progression.comparison import comparison_figure as comparison_figure
from caprese.plots.progression.comparison import draw_comparison as draw_comparison
from caprese.plots.progression.drawing import draw_fit as draw_fit
from caprese.plots.progression.drawing import draw_patients as draw_patients
from caprese.plots.progression.drawing import draw_progression as draw_progression
from caprese.plots.progression.drawing import draw_subtypes as draw_subtypes
from caprese.plots.progression.drawing import patients_figure as patients_figure
from caprese.plots.progression.drawing import progression_figure as progression_figure
from caprese.plots.progression.drawing import subtypes_figure as subtypes_figure
from caprese.plots.progression.known import known_figure as known_figure
from caprese.plots.progression.patient_trees import trees_figure as trees_figure
from caprese.plots.survival import draw_at_risk as draw_at_risk
from caprese.plots.survival import draw_survival as draw_survival
from caprese.plots.survival import survival_figure as survival_figure
from caprese.plots.timeline import draw_timeline as draw_timeline
from caprese.plots.timeline import timeline_figure as timeline_figure
from caprese.plots.what_if import what_if_figure as what_if_figure

__all__ = [name for name, found in sorted(globals().items()) if callable(found)]
