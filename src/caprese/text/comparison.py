"""Methods compared, as lines of text: the parents they give, and how well they predict."""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from caprese._core.facts import Fact
from caprese._core.words import digits_of, duration, number_of, percent, visible
from caprese._core.words import with_error as number_with_error
from caprese.assessment.comparison import Compared
from caprese.assessment.difference import Difference
from caprese.assessment.judgement import Judgement, Word
from caprese.assessment.plan import SHARE, Needed, Plan
from caprese.assessment.referee import Choice
from caprese.methods import describe
from caprese.methods.fit import OrderedFit
from caprese.models.noise import Noise
from caprese.text.columns import aligned, separated
from caprese.text.facts import in_words, sentence
from caprese.text.seen_orders import order_lines
from caprese.text.sentences import Sentence, joined, listed, phrase, plain
from caprese.text.series import series_lines
from caprese.text.style import Style
from caprese.text.style import plain as unstyled
from caprese.text.words import DIFFERENCE, template_of

_FEW = 3  # methods of which each difference is said
_PLURAL = {" is ": " are ", " it ": " they ", " predicts ": " predict ", " calls ": " call "}


def letters_of(number: int) -> list[str]:
    """Return a letter for each of so many methods."""
    return [chr(ord("A") + position) for position in range(number)]


def comparison_lines(
    compared: Sequence[Compared], judgement: Judgement | None = None, width: int | None = None
) -> list[str]:
    """Return the lines that show the parents that several methods infer, side by side.

    With a judgement, which has the methods in this order, also how well they predict.
    """
    letters = letters_of(len(compared))
    methods = (describe(one.fit.method) for one in compared)
    legend = [f"{letter}  {method}" for letter, method in zip(letters, methods, strict=True)]
    first, *others = (_parent_names(one) for one in compared)
    rows = [["event", *letters]]
    for event, parent in first.items():
        rest = [names[event] + " *" * (names[event] != parent) for names in others]
        rows.append([visible(event), parent, *rest])
    rows.append([""] * len(rows[0]))
    estimates = [one.estimate for one in compared]
    likely = (one.log_likelihood for one in compared)
    rows.append(["log-likelihood", *("" if each is None else f"{each:.2f}" for each in likely)])
    rows += [
        [name.replace("_", " "), *(_rate(one.noise, name) for one in estimates)]
        for name in ("false_positive", "false_negative")
    ]
    verdict: list[str] = []
    if judgement is not None:
        places = range(len(letters))
        rows += [
            ["held-out score", *(f"{judgement.scores[place]:.3f}" for place in places)],
            ["gain", *(with_error(judgement.gains[place]) for place in places)],
        ]
        said = joined([verdict_sentence(judgement), caution_sentence(judgement)])
        verdict.append(f"Held-out prediction: {plain(said)}")
    notes = ["* differs from A"] if any(names != first for names in others) else []
    if any(one.noise is None for one in estimates):
        notes.append("none: the model has no errors, and explains the data as they are")
    mixtures = [letter for letter, one in zip(letters, compared, strict=True) if one.mixes]
    notes += [
        f"{letter}: the log-likelihood is of all subtypes together, the rest of the stated forest"
        for letter in mixtures
    ]
    stopped = [letter for letter, one in zip(letters, estimates, strict=True) if not one.converged]
    notes += [f"{letter}: did not converge; the best numbers found are shown" for letter in stopped]
    return separated(legend, aligned(rows, numbers=False, width=width), notes, verdict)


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


def verdict_sentence(judgement: Judgement | Word) -> Sentence:
    """Return the verdict in one sentence, which says the same of several methods only once."""
    alike = [tuple(facts) for _, facts in groupby(judgement.verdict, _said_together)]
    parts = [sentence(facts[0]) if len(facts) == 1 else _of_several(facts) for facts in alike]
    return (*listed(parts, separator="; ", most=len(parts)), ".")


def caution_sentence(judgement: Judgement | Word) -> Sentence:
    """Return what not to conclude from the verdict; empty if there is no such thing."""
    return joined([(*sentence(fact), ".") for fact in judgement.cautions])


def next_sentence(judgement: Judgement) -> Sentence:
    """Return what to do next, in one sentence."""
    return phrase("Next: {steps}.", steps=next_steps(judgement))


def next_steps(judgement: Judgement) -> Sentence:
    """Return what to do next, as a part of a sentence."""
    return listed([sentence(fact) for fact in judgement.next_steps], separator="; ")


def word_sentence(judgement: Judgement, place: int) -> Sentence:
    """Return what a judgement says of one method."""
    gain, name = judgement.gains[place], visible(judgement.methods[place])
    best = (
        "; no method predicts better"
        if place == judgement.best
        else (
            f"; {visible(judgement.methods[judgement.best])} gains "
            f"{with_error(judgement.gains[judgement.best])}"
        )
    )
    parts = {"method": name, "gain": with_error(gain)}
    if judgement.better[place]:
        words = "{method} predicts held-out samples better than independent events, by {gain} "
        return phrase(words + "[nats] per sample{best}.", best=best, **parts)
    words = "{method} does not predict held-out samples clearly better than independent events "
    other = best if judgement.supports_order else ""
    return phrase(words + "(gain {gain} [nats] per sample){best}.", best=other, **parts)


def _said_together(fact: Fact) -> tuple[str, bool]:
    """Return what facts must have in common to be said in one part of a sentence."""
    return fact.kind, fact.values.get("difference") != math.inf


def _of_several(facts: Sequence[Fact]) -> Sentence:
    """Return what is the same of several methods, in the plural, with the difference of each.

    Of many methods, with the smallest and the largest difference.
    """
    words = str(template_of(facts[0])).replace(DIFFERENCE, "{by}")
    for one, several in _PLURAL.items():
        words = words.replace(one, several)
    methods = listed([visible(str(fact.values["method"])) for fact in facts])
    found = [float(fact.values["difference"]) for fact in facts]
    errors = [float(fact.values["error"]) for fact in facts]
    by: Sentence | str = listed([*map(number_with_error, found, errors)])
    if len(facts) > _FEW:
        digits = digits_of(errors)
        by = f"{min(found):z.{digits}f} to {max(found):z.{digits}f}"
    return phrase(words, method=methods, by=by)


def design(judgement: Judgement) -> str:
    """Return how the samples were divided, in words."""
    samples = number_of(len(judgement.samples), "held-out sample")
    groups = len(np.unique(judgement.groups))
    in_groups = f" in {groups} groups" if groups < len(judgement.samples) else ""
    part = f"{judgement.folds} folds"
    if judgement.held_out < judgement.folds:
        part = f"{number_of(judgement.held_out, 'fold')} of {judgement.folds}"
    again = f", {judgement.repeats} times" if judgement.repeats > 1 else ""
    return f"{part}{again}, {samples}{in_groups}, seed {judgement.seed}"


def choice_lines(choice: Choice) -> list[str]:
    """Return the lines that say which methods are judged, and which are left out and why."""
    names = ", ".join(each.name for each in choice.judged)
    budget = f"{duration(choice.seconds)} of one core, budget {duration(choice.budget)}"
    lines = [f"Judged: {names} (about {budget})"]
    if dear := choice.too_dear:
        costs = ", ".join(f"{each.name} ({duration(each.seconds)})" for each in dear)
        lines.append(f"Left out, beyond the budget: {costs}")
    lines += [
        f"Left out: {each.name}, which refuses the data: {each.refused}"
        for each in choice.left_out
        if each.refused
    ]
    short = [f"{each.name} is {each.method}" for each in choice.judged if each.name != each.method]
    return [*lines, *([f"Here {'; '.join(short)}"] if short else ())]


def judgement_lines(
    judgement: Judgement, style: Style = unstyled, width: int | None = None
) -> list[str]:
    """Return the lines that show a judgement: which methods are judged, and what was found."""
    chosen = [] if judgement.choice is None else choice_lines(judgement.choice)
    return separated(chosen, finding_lines(judgement, style, width))


def finding_lines(
    judgement: Judgement, style: Style = unstyled, width: int | None = None
) -> list[str]:
    """Return the lines that show what a judgement found: the verdict first."""
    scores = judgement.entry_scores().values()
    ranked = list(np.argsort(-judgement.scores, kind="stable"))
    names = [visible(name) for name in judgement.methods]
    digits = gain_digits(judgement)
    rows = [["method", "log-probability", "gain", "", "interval"]]
    for place in ranked:
        gain = judgement.gains[place]
        mark = "*" if judgement.better[place] else ""
        own = place == judgement.reference
        known = [with_error(gain, digits), mark, interval(judgement, gain, digits)]
        shown = ["", "", ""] if own else known
        rows.append([names[place], f"{judgement.scores[place]:.3f}", *shown])
    hidden = [["method", *judgement.entry_scores(), ""]]
    hidden += [
        [names[place], *(_defined(values[place]) for values in scores), ""] for place in ranked
    ]
    return separated(
        [
            style(plain(verdict_sentence(judgement)), "title"),
            *filter(None, [plain(caution_sentence(judgement))]),
            plain(next_sentence(judgement)),
        ],
        [f"Log-probability per sample and gain over independence, in nats ({design(judgement)})"],
        aligned(rows, width=width),
        [f"* better than independent events by more than {judgement.errors:.2f} standard errors"]
        if judgement.better.any()
        else [],
        ["A hidden entry of a held-out sample, predicted from the rest of the sample"],
        aligned(hidden, width=width),
        in_words(judgement.notes),
        [] if judgement.plan is None else plan_lines(judgement.plan, width),
        [] if judgement.orders is None else order_lines(judgement.orders, style, width),
        [] if judgement.series is None else series_lines(judgement.series, style, width),
    )


def plan_lines(plan: Plan, width: int | None = None) -> list[str]:
    """Return the lines that say how many samples would decide what is open."""
    rows = [["question", "samples", "interval of 90 %"], *map(list, plan_rows(plan))]
    if len(rows) == 1:
        return ["How many samples would decide? None of what the plan can answer is open."]
    return separated([plan_about(plan)], aligned(rows, numbers=False, width=width))


def plan_sentence(plan: Plan) -> Sentence:
    """Return with how many samples an order, or directions, would be decided; empty if none is."""
    samples = number_of(plan.samples, "sample")
    fit = f"if the fit of {visible(plan.method)} to these {samples} is right"
    if plan.order is not None:
        number, to = _needed(plan.order, "its gain is too small")
        words = "With {number} samples{to} an order would be expected, {fit}."
        if not (math.isfinite(plan.order.samples) or math.isfinite(plan.order.low)):
            words = "No number of samples would be expected to show an order, {fit}."
        return phrase(words, number=number, to=f" ({to})" if to else "", fit=fit)
    told = [
        phrase(
            "{order}, {number}",
            order=f"{visible(each.earlier)} before {visible(each.later)}",
            number=_needed(each.needed, "both orders are as probable")[0],
        )
        for each in plan.directions
    ]
    words = "Samples that would decide which of two events comes first, {fit}: {told}."
    return phrase(words, fit=fit, told=listed(told, separator="; ", most=_FEW)) if told else ()


def plan_about(plan: Plan) -> str:
    """Return on what a plan rests."""
    return (
        f"How many samples would decide, in {percent(SHARE)} of data sets, if the fit of "
        f"{visible(plan.method)} to these {number_of(plan.samples, 'sample')} is right; directions "
        "with odds of 20, if the later event needs the earlier one"
    )


def plan_rows(plan: Plan) -> Iterator[tuple[str, str, str]]:
    """Yield each question of a plan, the number of samples that would decide it, its interval."""
    if plan.order is not None:
        yield ("an order is supported", *_needed(plan.order, "its gain is too small"))
    for each in plan.directions:
        name = f"{visible(each.earlier)} before {visible(each.later)}"
        yield (name, *_needed(each.needed, "both orders are as probable"))


def _needed(needed: Needed, otherwise: str) -> tuple[str, str]:
    """Return a number of samples with two digits, and its interval; or why no number is enough."""
    low, high = _rounded(needed.low), _rounded(needed.high)
    if math.isfinite(needed.samples):
        to = f"{low} to {high}" if math.isfinite(needed.high) else f"{low} or more"
        return f"about {_rounded(needed.samples)}", to
    if math.isfinite(needed.low):
        return f"more than {low}", ""
    return f"no number: {otherwise}", ""


def _rounded(number: float) -> str:
    return f"{float(f'{number:.2g}'):,.0f}"


def gain_digits(judgement: Judgement) -> int:
    """Return how many decimals show the gains of all methods and their errors."""
    return digits_of(gain.error for gain in judgement.gains)


def with_error(difference: Difference, digits: int | None = None) -> str:
    """Return a difference with its standard error, in as many decimals as the error needs."""
    return number_with_error(difference.mean, difference.error, digits)


def interval(judgement: Judgement, difference: Difference, digits: int | None = None) -> str:
    """Return the interval of a difference, adjusted for the number of methods."""
    width = judgement.errors * difference.error
    if not math.isfinite(width):
        return ""
    digits = digits_of([difference.error]) if digits is None else digits
    low, high = difference.mean - width, difference.mean + width
    return f"{low:z.{digits}f} to {high:z.{digits}f}"


def _defined(score: float) -> str:
    """Return a score, or a dash where it is not defined, as the AUC in folds of one sample."""
    return "-" if math.isnan(score) else f"{score:.3f}"
