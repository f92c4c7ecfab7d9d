"""Several fits as lines of text: the parents that each method gives to each event."""

from collections.abc import Sequence

import numpy as np

from caprese._core.words import visible
from caprese.assessment.comparison import Compared
from caprese.assessment.judgement import Judgement
from caprese.methods import describe
from caprese.methods.fit import OrderedFit
from caprese.models.noise import Noise
from caprese.text.columns import aligned
from caprese.text.judgement import verdict_sentence, with_error
from caprese.text.sentences import plain


def letters_of(number: int) -> list[str]:
    """Return a letter for each of so many methods."""
    return [chr(ord("A") + position) for position in range(number)]


def comparison_lines(
    compared: Sequence[Compared], judgement: Judgement | None = None, width: int | None = None
) -> list[str]:
    """Return the lines that show the parents that several methods infer, side by side.

    With a judgement, which names the methods by their letters, also how well they predict.
    """
    letters = letters_of(len(compared))
    legend = [
        f"{letter}  {describe(one.fit.method)}"
        for letter, one in zip(letters, compared, strict=True)
    ]
    first, *others = (_parent_names(one) for one in compared)
    rows = [["event", *letters]]
    for event, parent in first.items():
        rest = [names[event] + " *" * (names[event] != parent) for names in others]
        rows.append([visible(event), parent, *rest])
    rows.append([""] * len(rows[0]))
    estimates = [one.estimate for one in compared]
    rows += [
        ["log-likelihood", *(f"{one.log_likelihood:.2f}" for one in estimates)],
        *(
            [name.replace("_", " "), *(_rate(one.noise, name) for one in estimates)]
            for name in ("false_positive", "false_negative")
        ),
    ]
    verdict = []
    if judgement is not None:
        places = [judgement.methods.index(letter) for letter in letters]
        rows += [
            ["held-out score", *(f"{judgement.scores[place]:.3f}" for place in places)],
            ["gain", *(with_error(judgement.gains[place]) for place in places)],
        ]
        verdict = ["", f"Held-out prediction: {plain(verdict_sentence(judgement))}"]
    notes = ["* differs from A"] if any(names != first for names in others) else []
    if any(one.noise is None for one in estimates):
        notes.append("none: the model has no errors, and explains the data as they are")
    stopped = [letter for letter, one in zip(letters, estimates, strict=True) if not one.converged]
    notes += [f"{letter}: did not converge; the best numbers found are shown" for letter in stopped]
    note = ["", *notes] if notes else []
    return [*legend, "", *aligned(rows, numbers=False, width=width), *note, *verdict]


def _rate(noise: Noise | None, name: str) -> str:
    return "none" if noise is None else f"{getattr(noise, name):.3f}"


def _parent_names(one: Compared) -> dict[str, str]:
    model = one.fit.model
    if not isinstance(one.fit, OrderedFit):
        return dict.fromkeys(model.events, "no edges")
    names = np.array([visible(event) for event in model.events], dtype=object)
    without = {event: f"({reason})" for event, reason in one.fit.undetermined.items()}
    parents = (" & ".join(names[own]) for own in model.adjacency().T)
    return {
        event: own or without.get(event, "root")
        for event, own in zip(model.events, parents, strict=True)
    }
