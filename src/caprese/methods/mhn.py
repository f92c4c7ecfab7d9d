"""MHN: mutual hazard networks, by penalised likelihood."""

from dataclasses import dataclass, field, replace
from typing import Literal

from caprese._core.arrays import FloatArray
from caprese._core.facts import Fact
from caprese.data.counts import Counts, order_by_counts
from caprese.data.dataset import Dataset
from caprese.fitting.dense_hazards import MOST_STATES
from caprese.fitting.effect_posterior import EffectPosterior, effect_posterior
from caprese.fitting.estimated import convergence_field, convergence_notes
from caprese.fitting.hazards_ascent import (
    LOADS,
    PENALTIES,
    RULES,
    STEPS,
    Load,
    Objective,
    Observations,
    Path,
    Penalty,
    Rule,
    StrengthChoice,
    as_hazards,
    choose_strength,
    log_likelihood,
    observations,
)
from caprese.methods.fit import Fit
from caprese.methods.parameters import (
    NOT_NEGATIVE,
    SEED,
    YES_OR_NO,
    Parameters,
    one_word,
    option,
    or_word,
    whole_number,
)
from caprese.models.hazards import MOST_IN_SAMPLE, Hazards
from caprese.models.stacked import Stacked


@dataclass(frozen=True)
class MHNEvidence:
    """How likely the data is, and how the strength of the penalty was chosen."""

    log_likelihood: float  #: Of the data and its seen orders, without the penalty.
    penalty_strength: float  #: Of the penalty.
    #: How it was chosen; None if it was given, or if there were too few samples.
    choice: StrengthChoice | None
    converged: bool = convergence_field()  #: Whether rates and effects converged.
    load: Load = "none"  #: What is added to all effects.
    #: The factor by which the load changes the rates of events, in the geometric mean.
    load_factor: float = 1.0
    seen_orders: int = 0  #: Pairs of events of a sample whose order was seen.
    observation: bool = False  #: Whether events may change the rate of observation.
    dense: int = 0  #: Samples whose likelihood is estimated, as they have more than 22 events.
    dense_error: float = 0.0  #: Standard error of their log-probabilities, root mean square.
    #: Of rates and effects; None if intervals were not asked for.
    posterior: EffectPosterior | None = field(default=None, metadata={"optional": True})

    @property
    def effect_intervals(self) -> tuple[FloatArray, FloatArray] | None:
        """Between which factors each effect is with 90 %; a last column is of observation."""
        return None if self.posterior is None else self.posterior.intervals()

    def notes(self) -> tuple[Fact, ...]:
        """Return the log-likelihood, the strength of the penalty, and what orders and load did."""
        strength = {"strength": self.penalty_strength}
        values = {"log-likelihood": self.log_likelihood, **strength}
        fitted = Fact("penalised likelihood", values=values)
        notes = [fitted, *convergence_notes(STEPS, converged=self.converged)]
        if self.seen_orders:
            notes.append(Fact("seen orders fitted", values={"orders": self.seen_orders}))
        elif self.observation:
            notes.append(Fact("orders left to the penalty"))
        if self.load != "none":
            kind = "load of events" if self.load == "events" else "common load"
            notes.append(Fact(kind, values={"fold": self.load_factor}))
        if self.dense:
            dense = {"samples": self.dense, "most": MOST_IN_SAMPLE, "error": self.dense_error}
            notes.append(Fact("dense samples", values=dense, doubt="likelihoods estimated"))
        if self.posterior is not None:
            notes.append(Fact("effect intervals", values={"deviation": self.posterior.deviation}))
        if self.choice is None:
            return tuple(notes)
        best = self.choice.best
        chosen = {
            **strength,
            "best": float(self.choice.strengths[best]),
            "score": float(self.choice.scores[best]),
            "error": float(self.choice.errors[best]),
        }
        averaged = self.choice.weights.max() < 1
        kind = "penalty strengths averaged" if averaged else "penalty strength chosen"
        values = {**chosen, "strengths": len(self.choice.weights)} if averaged else chosen
        return (*notes, Fact(kind, values=values))


@dataclass(frozen=True, kw_only=True)
class MHN(Parameters):
    """Infer how each event speeds up or slows down each other: a mutual hazard network.

    The answer has no edges: a matrix of factors takes their place. The penalised likelihood is
    maximised by L-BFGS, over the subsets of the events that each sample carries; each more doubles
    the time. Of a sample with more than 22 events, present or unknown, some subsets are drawn.

    Where the data has seen orders, the likelihood is that of genotypes and orders.

    Parameters
    ----------
    load
        What is added to all effects, as logarithms, at hardly a penalty. ``"none"``: nothing.
        ``"common"``: a number, so that what is there speeds up, or slows down, everything else.
        ``"events"``: a number for each event, its strength, by which all others change its rate.
        ``"auto"``: ``"events"`` for data with seen orders, otherwise ``"none"``.
    observation
        Whether events may also change the rate at which samples are taken.
    penalty
        ``"l1"``: the sum of all effects, as logarithms. ``"l2"``: the sum of their squares.
        ``"symmetric"``: sparse, and cheaper for a pair with equal effects on each other.
    penalty_strength
        What the penalty is multiplied by when it is taken from the log-likelihood per sample.
        ``"average"``: networks of several strengths predict together, each by a weight under which
        held-out samples are most probable; the network stated has their geometric mean.
        ``"auto"``: the strongest that predicts held-out samples within one standard error of the
        best.
    intervals
        Whether each effect gets an interval that contains it with a probability of 90 %: the
        normal approximation of the posterior under a normal prior of all effects, whose deviation
        is learnt.
    folds
        Parts of the samples, each held out once to learn weights or choose the strength.
    seed
        Seed of the folds; the same seed gives the same answer.

    Examples
    --------
    >>> from caprese.data.datasets import acml
    >>> fit = MHN(penalty_strength=0.02).fit(acml())
    >>> fit.model.events
    ('SETBP1 missense', 'ASXL1 indel', 'ASXL1 nonsense')
    >>> fit.model.effects.round(1)
    array([[1. , 0.9, 1. ],
           [1. , 1. , 1. ],
           [2.2, 1. , 1. ]])

    References
    ----------
    Schill et al. (2020), Bioinformatics 36:241-249. Schill et al. (2024), RECOMB, Lecture Notes in
    Computer Science 14758:217-234.
    """

    observation: bool = option(
        False, "Whether events may change the rate of observation, yes or no.", YES_OR_NO
    )
    load: Load | Literal["auto"] = option(
        "auto",
        f"What is added to all effects: {', '.join(LOADS)}, or auto.",
        one_word(*LOADS, "auto"),
        later=True,
    )
    penalty: Penalty = option(
        "l1", f"Penalty on the effects: {', '.join(PENALTIES)}.", one_word(*PENALTIES)
    )
    penalty_strength: float | Rule = option(
        "average",
        f"Strength of the penalty, or {' or '.join(RULES)}.",
        or_word(NOT_NEGATIVE, *RULES),
    )
    intervals: bool = option(
        False, "Whether effects get 90 % intervals, yes or no.", YES_OR_NO, later=True
    )
    folds: int = option(
        5, "Folds of the samples by which strengths are weighed.", whole_number(2), expert=True
    )
    seed: int = option(1, "Seed of the folds.", SEED)

    def fit(self, data: Dataset) -> Fit[Hazards, MHNEvidence]:
        """Infer the rates and effects of a data set; a frame or a 0/1 array is taken for one."""
        data = Dataset.of(data)
        counts = Counts.of(data)
        order = order_by_counts(counts)
        seen = observations(data.take_events([data.events[event] for event in order]))
        orders = 0 if data.orders is None else len(data.orders)
        load = self.load if self.load != "auto" else "events" if orders else "none"
        objective, path = self._objective(seen, load)
        found, converged = objective.best_maximum(seen)
        loaded = objective.loaded(found, seen, seen.times)
        likelihood, _ = log_likelihood(loaded, seen.drawn_at(loaded), seen.times)
        model = as_hazards(seen.events, loaded).in_order(data.events)
        evidence = MHNEvidence(
            float(likelihood),
            objective.strength,
            None if path is None else path.choice,
            converged,
            load,
            objective.load_factor(found, seen),
            orders,
            self.observation,
            *model.dense_error(data),
            self._posterior(seen, objective, data.events),
        )
        mixture = None if path is None else _mixture(seen.events, path, data.events)
        return Fit.of(self, model, evidence, data, counts=counts, predictor=mixture)

    def cost(self, data: Dataset) -> float:
        """Return the seconds of one core of a fit: steps over the subsets of each genotype.

        Fitted to 7 sizes, of 64 x 3 to 2,500 x 15 and 123 x 31.
        """
        carried = (data.genotypes()[0].codes() > 0).sum(axis=1)
        drawn, events = carried > MOST_IN_SAMPLE, len(data.events)
        states = float((2.0 ** carried[~drawn]).sum()) + float(MOST_STATES * carried[drawn].sum())
        fits = 1 / (self.folds + 1) if isinstance(self.penalty_strength, int | float) else 1.0
        return fits * (0.06 + 1.2e-3 * events**2 + 3e-6 * states * events)

    def with_choices(self, evidence: MHNEvidence) -> "MHN":
        """Return the method with the strength of the penalty, and the load, that were chosen."""
        load = self.load if evidence.load == "none" else evidence.load  # auto gives it again
        return replace(self, penalty_strength=evidence.penalty_strength, load=load)

    @property
    def uses_orders(self) -> bool:
        """Whether it learns from seen orders: always."""
        return True

    def _posterior(
        self, seen: Observations, objective: Objective, events: tuple[str, ...]
    ) -> EffectPosterior | None:
        return effect_posterior(seen, objective).in_order(events) if self.intervals else None

    def _objective(self, seen: Observations, load: Load) -> tuple[Objective, Path | None]:
        """Return what is maximised, and how the strength of its penalty was chosen."""
        if not isinstance(self.penalty_strength, str):
            strength = float(self.penalty_strength)
            return Objective(self.penalty, strength, self.observation, load), None
        objective, rule = (
            Objective(self.penalty, 1.0, self.observation, load),
            self.penalty_strength,
        )
        path = choose_strength(seen, objective, rule, folds=self.folds, seed=self.seed)
        strength = objective.strength if path is None else path.choice.strength
        return replace(objective, strength=strength), path


def _mixture(events: tuple[str, ...], path: Path, order: tuple[str, ...]) -> Stacked | None:
    """Return the networks of all strengths, by weight; None if one strength was chosen."""
    weights = path.choice.weights
    if weights.max() == 1:
        return None
    networks = tuple(as_hazards(events, each).in_order(order) for each in path.maxima)
    return Stacked(networks, weights)
