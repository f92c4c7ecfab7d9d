"""The words of facts: for each kind a template, or a function that chooses one by the fact.

A field is the name of a value, with a format as in Python, with ``share`` for percent, with ``±``
and the name of its standard error, or with a noun that is counted: ``{samples:held-out sample}``.
Fields for events are ``{all}``, ``{any}`` (with "or"), ``{first}``, ``{last}``, ``{others}`` (all
but the first), ``{pairs}`` (each two as one), ``{shares}`` and ``{p-values}`` (with the value of
each); a number is how many are named.
"""

import math
from collections.abc import Callable, Mapping

from caprese._core.facts import Fact
from caprese._core.significance import POSTERIOR_LEVEL
from caprese._core.words import duration, listing, percent
from caprese.fitting.parent_search import EQUAL_SCORES
from caprese.patients.place import NO_CLOCK

Words = str | Callable[[Fact], str]

_MUCH = 0.05  # of log-likelihood, from which on a difference is not printed as 0.0
_MANY_FOLD = 10  # from which on no decimals are printed


def _by(name: str, words: Mapping[str, str], template: str) -> Callable[[Fact], str]:
    """Return a function that puts the words for a value of the fact in the place of ``<>``."""
    return lambda fact: template.replace("<>", words[str(fact.values[name])])


def _parents(fact: Fact) -> str:
    return "parent" if fact.values["parents"] == 1 else "{parents} parents"


def _adding(what: str) -> Callable[[Fact], str]:
    """Return a function that says what the parents of an event add."""
    return lambda fact: (
        f"its {_parents(fact)} {'adds' if fact.values['parents'] == 1 else 'add'} {what}"
    )


def _score(fact: Fact) -> str:
    name = str(fact.values["score"])
    return "log-likelihood" if name == "loglik" else f"{name.upper()} score"


def _next_best_parent(fact: Fact) -> str:
    gain, other = float(fact.values["gain"]), "{all}" if fact.events else "the root"
    if abs(gain) < _MUCH:
        return f"{other} is as likely"
    change = "lower" if gain > 0 else "higher"
    return f"next best {other}: log-likelihood {change} by {abs(gain):.1f}"


def _best_parents(fact: Fact) -> str:
    less = float(fact.values["less"])
    adds = _adding(f"{{gain:.2f}} to the {_score(fact)}")(fact)
    if math.isnan(less):
        return adds
    other = "{all}" if fact.events else "no parent"
    if less < EQUAL_SCORES:
        return f"{adds}; {other} would score the same"
    return f"{adds}; next best: {other}, {{less:.2f}} less"


def _candidates_too_weak(fact: Fact) -> str:
    less = float(fact.values["less"])
    if math.isnan(less):
        return "no parent is allowed, of {candidates:candidate}"
    only = fact.values["candidates"] == 1
    most = "its only candidate" if only else "the best of {candidates} candidates"
    if less < EQUAL_SCORES:
        return f"no parent: {most}, {{all}}, would score the same"
    return f"no parent: {most}, {{all}}, would lower the {_score(fact)} by {{less:.2f}}"


def _no_candidate(fact: Fact) -> str:
    words = {
        "time": "{time} not earlier",
        "raising": "{raising} without raising its probability",
        "loop": "{loop} in the weaker direction",
    }
    found = [text for name, text in words.items() if fact.values[name]]
    return f"no candidate: {', '.join(found)}" if found else "no candidate"


def _searches(fact: Fact) -> str:
    words = "{best} of {searches} searches"
    if "again" in fact.values:
        words += ", and {best again} of {again} that went on from their best,"
    return f"{words} ended at this likelihood"


def _starts_below(fact: Fact) -> str:
    names = {
        "empty": "the empty poset",
        "caprese": "the CAPRESE forest",
        "likeliest": "the likeliest forest",
    }
    return f"all searches from {listing(names[place] for place in fact.values)} ended lower"


def _relations(fact: Fact) -> str:
    decided = {
        "share": "by the share of resamples in which they hold",
        "p-value": "by rank tests of resampled probabilities",
        "ratio": "by the data itself",
    }[str(fact.values["measure"])]
    kept = int(fact.values["score"]) + int(fact.values["parent"])
    tested = kept + sum(int(fact.values[name]) for name in ("time", "raising", "loop"))
    return (
        f"relations decided {decided}: of {tested} between events {{time}} are not in the order of "
        "time, {raising} do not raise the probability, {loop} were removed as the weaker direction "
        f"or to open a loop; of the remaining {kept} the score kept {{parent}}"
    )


def _posterior_rates(fact: Fact) -> str:
    name, interval = "{%s:.3f}", " ({%s low:.3f} to {%s high:.3f})"
    inferred = "false positive low" in fact.values
    rates = [
        f"{each} {name % each}{interval % (each, each) if inferred else ''}"
        for each in ("false positive", "false negative")
    ]
    about = f"posterior mean and {percent(POSTERIOR_LEVEL)} interval" if inferred else "given"
    return f"error rates, {about}: {', '.join(rates)}"


_WORTH = "R-hat {R-hat:.2f}, {draws} draws are worth {effective:.0f} independent draws"


def _chains_do_not_agree(fact: Fact) -> str:
    what = "parents of {all}" if fact.events else "likelihoods or error rates"
    return (
        f"the [chain|chains] found different {what}, and moved too rarely from one answer to the "
        "other: which is right is not known; each chain counts by how well it predicts samples "
        "that it leaves out, and its probabilities by as much"
    )


def _effects(fact: Fact) -> str:
    if not fact.values["notable"]:
        return "no event changes the rate of another by more than {slight:share}"
    of = "{notable} of {pairs:effect}"
    return of + " change a rate by more than {slight:share}; the strongest:"


def _fold(template: str) -> Callable[[Fact], str]:
    """Return a function that says how many fold, without decimals if it is many."""
    few, many = (template.replace("fold}", f"fold:{form}}}") for form in (".1f", ",.0f"))

    def say(fact: Fact) -> str:
        said = many if float(fact.values["fold"]) >= _MANY_FOLD else few
        known = " (factor {low:.2g} to {high:.2g} with 90 %)" if "low" in fact.values else ""
        return said + known

    return say


def _per_held_out(fact: Fact) -> str:
    score = float(fact.values["score"])
    return "" if math.isnan(score) else ", {score:.3f} per held-out sample"


def _none_better(fact: Fact) -> str:
    """Return that the methods tried gain nothing, and what gain would have been found."""
    several = float(fact.values["number"]) > 1
    none = "none of {methods:2000} predicts" if several else "{methods:2000} does not predict"
    found = f"{none} better than independent events"
    if math.isnan(float(fact.values["gain"])):
        return found
    return found + ", though a gain of {gain:.2g} [nats] per sample would have been detected"


def _unless_impossible(words: str, impossible: str) -> Callable[[Fact], str]:
    """Return a function that chooses other words if a method gives a sample no probability."""
    return lambda fact: impossible if fact.values["difference"] == math.inf else words


DIFFERENCE = "{difference:±error}"
_NATS = f"{DIFFERENCE} [nats] per sample"

_REASONS: Mapping[str, Words] = {  # why an event has its parents: every `Reason`, and more
    "edge": "has a parent",
    "no admissible parent": "no [admissible] parent",
    "tied": "tied",
    "filtered": "filtered: an independent root fits better",
    "never seen": "never seen",
    "always seen": "always seen",
    "its likeliest parent comes after it": "its likeliest parent comes after it",
    "no more than errors would show": "no more than errors alone would show",
    "best score": lambda fact: (
        "the only [admissible] parent"
        if fact.values["candidates"] == 1
        else "best of {candidates} [admissible] parents"
    ),
    "equal scores": "tied: {all} score the same",
    "independent root": "filtered: an independent root fits better than {any}",
    "equally frequent": "no [admissible] parent; as frequent as {all}",
    "heaviest parent": "heaviest of {candidates:admissible parent}",
    "heaviest tree": "in the heaviest tree, though {all} alone would weigh more",
    "heavier root": lambda fact: f"the root outweighs {'{all}' if fact.events else 'all others'}",
    "equal weights": lambda fact: (
        "tied: {all} weigh the same"
        if len(fact.events) > 1
        else "tied: {all} weighs as much as another parent"
    ),
    "rarely alone": lambda fact: f"rarely seen without its {_parents(fact)}",
    "seen alone": "seen without each of the more frequent events",
    "same samples": "tied: seen in the same samples as {all}",
    "likelihood gain": _adding("{gain:.1f} to the log-likelihood"),
    "little gain": _adding("little to the log-likelihood"),
    "no gain": "no parent adds to the likelihood",
    "next best parent": _next_best_parent,
    "another parent": lambda fact: (
        f"otherwise {'{all}' if fact.events else 'the root'} ({{probability:share}})"
    ),
    "best parents": _best_parents,
    "candidates too weak": _candidates_too_weak,
    "no candidate": _no_candidate,
    "no other parent": "every other parent is below {bound:share}",
}

_NOTES: Mapping[str, Words] = {  # on a fit
    "shrinkage chosen": "shrinkage {shrinkage:g} was chosen: on {replicates} simulated data sets "
    "its mean tree edit distance is {distance:.2f} (0.01: {distance at 0.01:.2f}, 0.5: "
    "{distance at 0.5:.2f}); it is the smallest shrinkage that is not significantly worse than the "
    "best",
    "compatible samples": "{compatible} of {samples} samples are compatible with the poset; "
    "their log-likelihood is {log-likelihood:.2f}",
    "likeliest poset": "log-likelihood {log-likelihood:.2f} with an error rate of {error:.3f}",
    "not converged": "did not converge in {steps:,} steps; the numbers are the best found by then",
    "searches": _searches,
    "other ends": "all ended at {posets} different posets; the next likeliest is lower by "
    "{gap:.2f}",
    "starts below": _starts_below,
    "found once": "only one search found it: a likelier poset may remain, which more searches may "
    "find",
    "likeliest forest": "log-likelihood {log-likelihood:.2f} with error rates of "
    "{false positive:.3f} (false positive) and {false negative:.3f} (false negative)",
    "starts": "{best} of {starts} starts of the search ended at this likelihood",
    "relations": _relations,
    "direction by name": "{first} and {last} may be related either way; they are in the order of "
    "their names",
    "equal parent sets": "other parents of {all} score the same; those listed first by gain and "
    "name are shown",
    "search not complete": "not all sets of parents of {all} could be looked at; the best one "
    "found is shown",
    "pattern refused": _by(
        "why",
        {"never": "no sample", "always": "all samples", "equal": "the same samples as {others}"},
        "pattern {first} is refused: it holds in <>",
    ),
    "pattern effects": "pattern {first}, {formula}, is a parent of {others}",
    "pattern causes": "pattern {first} follows {others} (tested, but not part of the model)",
    "patterns without effect": "patterns without an effect: {all}",
    "penalised likelihood": "log-likelihood {log-likelihood:.2f} with a penalty of strength "
    "{strength:.3g}",
    "dense samples": "the likelihood of {samples:sample} with more than {most} events is estimated "
    "from some of the subsets of their events; standard error {error:.2f} per sample",
    "seen orders fitted": "fitted to {orders:seen order} too",
    "orders left to the penalty": "which event came first is not determined by these data: with "
    "effects on observation the penalty decides, unless orders were seen",
    "errors allowed for": "errors of observation are allowed for: false positives "
    "{false positive:.3f}, false negatives {false negative:.3f}",
    "common load": "in all effects: each event changes the rates of the others {fold:.2f}-fold",
    "load of events": "in all effects: with each other event the rate of an event changes "
    "{fold:.2f}-fold, in the mean over events; each has a strength of its own",
    "penalty strength chosen": "the strength was chosen by held-out samples: the strongest that "
    "predicts within one standard error of the best, {best:.3g}, with {score:.3f} per sample",
    "effect intervals": "intervals of effects contain them with 90 %, under a normal prior: their "
    "logarithms have a standard deviation of {deviation:.2f}",
    "networks averaged": "predictions are averaged over networks of {strengths} strengths and "
    "{others} with another load or with observation, by how well each predicts held-out samples; "
    "the network stated has the mean of the strengths, of which {best:.3g} predicts best, with "
    "{score:.3f} per sample",
    "penalty strengths averaged": "predictions are averaged over {strengths} strengths by how well "
    "each predicts held-out samples; the network stated has their mean. The best is {best:.3g}, "
    "with {score:.3f} per sample",
    "effects": _effects,
    "speeds up": _fold("{first} speeds {last} up {fold}-fold"),
    "slows down": _fold("{first} slows {last} down {fold}-fold"),
    "taken sooner": _fold("samples with {last} are taken {fold}-fold sooner"),
    "taken later": _fold("samples with {last} are taken {fold}-fold later"),
    "priority by seen orders": "seen orders say which came first of {seen} of {pairs:pair} of "
    "events, frequencies of the others",
    "seen orders used": "{pairs:seen order} of {samples:sample} entered the fit",
    "times used": "{visits:visit} of {patients:patient}, {series} of them with several; the time "
    "before {known} of the visits is known",
    "unit of time": "a first sample is taken after {mean:.4g} on average, the unit of time of the "
    "model",
    "time between samples": "the time between two samples of a patient is {mean:.3g} times "
    "that before the first one, on average",
    "samples in no history": "{samples:sample} of another site, or of unknown time beside others, "
    "were not used",
    "posterior rates": _posterior_rates,
    "chains agree": f"the [chain|chains] agree: {_WORTH}",
    "chains do not agree": _chains_do_not_agree,
    "chains too short": "the [chain|chains] are too short, so the probabilities are not reliable: "
    f"{_WORTH}; fit again with more draws",
    "one subtype": "one subtype: a single forest is enough for all samples",
    "other seeds": "another seed may find other subtypes, although the chains of this fit agree: "
    "they start from one search for subtypes; fit with another seed before relying on them",
    "subtype": "subtype {place}, {weight:share} of samples: {all} is in {frequency:share} of its "
    "samples and in {elsewhere:share} of the others",
    "stacked": lambda fact: (
        "{parts:part} predict together" + _per_held_out(fact) + "; the weight of each"
    ),
    "weight": lambda fact: "  {weight:share} {part}" + _per_held_out(fact),
    "weights of few samples": "with {samples:sample}, fewer than {enough}, weights are pulled "
    "towards equal ones",
    "part left out": "{part:200} was left out: {why:500}",
    "independent events": "log-likelihood {log-likelihood:.2f} if no event depends on another",
}

_PREDICTION: Mapping[str, Words] = {  # of held-out samples
    "no order supported": lambda fact: (
        "No order is supported by these {samples:sample}: " + _none_better(fact)
    ),
    "split undecided": "No method predicts these {samples:held-out sample} clearly better than "
    "independent events; a single split is too small to decide",
    "predicts best": "{method} predicts best, better than independent events by {gain:±error} "
    "[nats] per sample",
    "predicts best of those judged": lambda fact: (
        (
            "Of the {number:method} that the budget allows, {method} predicts best,"
            if fact.values["number"] != 1
            else "{method}, the only method that the budget allows, predicts"
        )
        + " better than independent events by {gain:±error} [nats] per sample"
    ),
    "nothing judged": lambda fact: (
        f"No method was judged: the budget of {duration(float(fact.values['budget']))} allows none"
    ),
    "judge more": "a larger budget also judges {methods:2000}",
    "more samples": "more samples, or events that are more frequent, may show an order that these "
    "{samples:sample} do not",
    "best disagrees": "In {fits:.0f} of {of:fit} to training parts the [chain|chains] of {method} "
    "found different answers: its predictions are averages over what they found, but its edges are "
    "not to be relied on",
    "too few to judge": "None of so few samples can be held out, so no method can be judged",
    "see orders": "orders seen within samples (several biopsies, single cells, allele fractions) "
    "would show which directions are right",
    "use the answer": "look where each sample stands",
    "predicts worse": _unless_impossible(
        f"{{method}} is worse by {_NATS}", "{method} is worse: it calls some samples impossible"
    ),
    "predicts as well": f"{{method}} is not clearly worse (by {_NATS})",
    "scores higher": f"{{method}} is higher in score, by {_NATS}, but not clearly better than "
    "independent events",
    "worse than independence": _unless_impossible(
        f"{{method}} predicts worse than independent events, by {_NATS}",
        "{method} calls some samples impossible",
    ),
    "structure has seen the samples": "The structure of {method} was learnt from these very "
    "samples, so its score is too good; judge its method instead, or judge it on other data.",
    "impossible samples": "{method} gives probability 0 to {samples:held-out sample}.",
    "nearly impossible samples": "{method} finds {samples:held-out sample} over {times:,.0f} times "
    "less probable than independent events do; the lowest log-probability is {lowest:.1f}.",
    "directions not judged": "No order of events was seen in these samples surely enough, so "
    "nothing is said of directions: the method that predicts best may still order events the "
    "wrong way round.",
    "orders best": "{method} orders best: it finds which event came first in {accuracy:share} of "
    "{pairs:pair} seen in {patients:held-out patient}",
    "no order better than a coin": "no method orders the {pairs:pair} seen in "
    "{patients:held-out patient} clearly better than a coin",
    "orders better than frequency": "it is right more often than to put the more frequent event "
    "first, by {points:.0f} ± {error:.0f} in a hundred pairs",
    "orders no better than frequency": "it is not clearly right more often than to put the more "
    "frequent event first (by {points:.0f} ± {error:.0f} in a hundred pairs)",
    "strengths order better": "a strength of each event, learnt from seen orders alone, does "
    "better: it is right in {accuracy:share}",
    "series predicted": "what came in {samples:later sample} of {patients:held-out patient} is "
    f"predicted best by {{method}}, better than by {{other}} by {_NATS}",
    "series not predicted": "what came in {samples:later sample} of {patients:held-out patient} is "
    f"not predicted clearly better than by {{other}}; {{method}} gains {_NATS}",
    "series without a clock": "no method that is judged has a clock, so that none predicts what "
    "came in {samples:later sample} of {patients:held-out patient}",
    "events lost": "{events:event} of earlier samples are missing in later ones, and not predicted",
    "another predicts best": "{method} predicts genotypes best, which is another question",
    "doubtful fits": "Of {parts:fit} to training parts by {methods:2000}: {doubts:2000}.",
    "pairs predict better": lambda fact: (
        "A model of pairs of events, without any order, predicts better than every method judged, "
        "by {difference:±error} [nats] per sample: "
        + ("events exclude each other" if fact.events else "events go together")
        + " in a way that no model here captures"
        + (", above all {pairs:3}." if fact.events else ".")
    ),
    "dropped in training": "Dropped by the curation in up to {most} of {parts} training parts, and "
    "predicted by frequency there: {all:5}.",
    "not in the model": "Not in the model of {method}, and predicted by frequency: {all:5}.",
}

_PLACING: Mapping[str, Words] = {  # of samples, in which model
    "placed by": "Samples are placed by {method}",
    "placed by mixture": "Samples are placed by {method}, not by {best} alone: a mixture of "
    "methods does not depend on which of them is ahead by chance",
    "placed by another": "Samples are placed by {method}, the best of the methods that say where a "
    "sample stands; {best} does not",
    "clocks": "What comes next is said by the methods with a clock: {parts:1000}",
    "no clock judged": f"What comes next is not said: {NO_CLOCK}",
    "no clock supported": "What comes next is not said: the methods with a clock do not predict "
    "better than independent events",
    "rates not used": "The given error rates are not used, because what predicts best does not "
    "allow for errors",
    "frequencies instead": "So nothing is said of what comes next, or of what was seen wrongly: of "
    "the events that a sample lacks, only their frequencies are known",
    "not judged": "Samples are placed by {method}, which was not judged",
    "not judged within the budget": "Samples are placed by {method}; whether it predicts better "
    "than independent events was not judged: that takes about {time}, and the budget is {budget}",
    "frequencies of few samples": "So few samples are not judged, so nothing is said of what comes "
    "next: only the frequencies of the events that a sample lacks are known",
}

_CLINICAL: Mapping[str, Words] = {
    "column of few values": "{column}: not tested, known for too few samples ({known})",
    "column of one value": "{column}: not tested, all samples have the same value",
    "column of identifiers": "{column}: not tested, {distinct} of {known} values differ, as "
    "identifiers do",
    "column of many levels": "{column}: not tested, too many levels ({distinct})",
    "column of follow-up": "{column}: not tested, as a time or status of follow-up, which may end "
    "before the outcome; compare them by survival curves",
    "samples of one patient": "{samples} samples share the row of their patient with other "
    "samples: they are not independent, so p-values are too small; keep one sample per patient",
    "events taken for errors": "taken for errors in most samples that show them: {all}; compare "
    "the events as they were seen too",
    "branches pooled": "other branches: {all}",
    "deaths without time": "{samples:sample} died at an unknown time: without them, survival looks "
    "better than it is",
    "few deaths": "fewer than {below} deaths: {groups:200}; the log-rank test is not reliable with "
    "so few",
}

_WARNINGS: Mapping[str, Words] = {  # about the data
    "transposed": _by(
        "sign",
        {
            "sample names": "columns are named like samples ({all:2})",
            "gene names": "rows are named like genes ({all:2})",
            "shape": "there are {rows} rows and {columns} columns",
        },
        "The table may be transposed: <>. Rows must be samples and columns events; transpose it if "
        "they are not. Otherwise select the most frequent events.",
    ),
    "nothing varies": _by(
        "problem",
        {
            "unknown": "All entries are unknown",
            "one genotype": "All samples have the same genotype",
            "constant": "No event varies between samples",
        },
        "<>, so nothing can be ordered. Check that the table was read as intended.",
    ),
    "few samples": "There are fewer samples ({samples}) than events ({events}), so many events "
    "will be related by chance alone. Select the most frequent events, or add samples.",
    "rare": "Too few samples for {rare} of {events} events, which have fewer than {carriers} "
    "carriers or are in less than {share:share} of samples; the rarest, with {fewest}: {all:3}. "
    "Select events by count or frequency, or merge events of one pathway.",
    "nearly always": "In more than {share:share} of samples: {shares:5}. Too few samples lack such "
    "an event to show what it precedes; drop it, or split it into finer events in the source data.",
    "seldom known": "Known in less than {share:share} of samples: {shares:5}. By default a fit "
    "leaves such events out, since few samples can show any share.",
    "much unknown": "Unknown in more than {share:share} of samples: {shares:5}. Edges to and from "
    "such an event rest on few samples; check their support.",
    "never together": "Never known in the same sample: {pairs:3}. Such a pair cannot be ordered; "
    "drop one of the two events, or analyse the panels separately.",
    "mutually exclusive": "Together less often than by chance: {p-values:3}. A progression cannot "
    "show that one event excludes another; such events may be alternatives, or belong to different "
    "subtypes. Merge alternatives into one event, or look for subtypes.",
}

WORDS: Mapping[str, Words] = {
    **_REASONS,
    **_NOTES,
    **_PREDICTION,
    **_PLACING,
    **_CLINICAL,
    **_WARNINGS,
}


def template_of(fact: Fact) -> str | None:
    """Return the template of a fact; None if there are no words for its kind."""
    words = WORDS.get(fact.kind)
    return words(fact) if callable(words) else words
