"""MHN: mutual hazard networks, by penalised likelihood."""

from dataclasses import dataclass, replace
from typing import Literal

from caprese._core.facts import Fact
from caprese.data.counts import Counts, order_by_counts
from caprese.data.dataset import Dataset
from caprese.fitting.dense_hazards import MOST_STATES
from caprese.fitting.estimated import convergence_field, convergence_notes
from caprese.fitting.hazards_ascent import (
    LOADS,
    PENALTIES,
    STEPS,
    Load,
    Objective,
    Observations,
    Penalty,
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
    or_auto,
    whole_number,
)
from caprese.models.hazards import MOST_IN_SAMPLE, Hazards


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
        if self.choice is None:
            return tuple(notes)
        best = self.choice.best
        chosen = {
            **strength,
            "best": float(self.choice.strengths[best]),
            "score": float(self.choice.scores[best]),
            "error": float(self.choice.errors[best]),
        }
        return (*notes, Fact("penalty strength chosen", values=chosen))


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
        What the penalty is multiplied by when it is taken from the log-likelihood per sample; or
        ``"auto"``, the strongest that predicts held-out samples within one standard error of the
        best.
    folds
        Parts of the samples, each held out once to choose the strength.
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
    penalty_strength: float | Literal["auto"] = option(
        "auto", "Strength of the penalty, or the word auto.", or_auto(NOT_NEGATIVE)
    )
    folds: int = option(
        5, "Folds of the samples by which auto chooses.", whole_number(2), expert=True
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
        objective, choice = self._objective(seen, load)
        found, converged = objective.best_maximum(seen)
        loaded = objective.loaded(found, seen, seen.times)
        likelihood, _ = log_likelihood(loaded, seen.drawn_at(loaded), seen.times)
        model = as_hazards(seen.events, loaded).in_order(data.events)
        evidence = MHNEvidence(
            float(likelihood),
            objective.strength,
            choice,
            converged,
            load,
            objective.load_factor(found, seen),
            orders,
            self.observation,
            *model.dense_error(data),
        )
        return Fit.of(self, model, evidence, data, counts=counts)

    def cost(self, data: Dataset) -> float:
        """Return the seconds of one core of a fit: steps over the subsets of each genotype.

        Fitted to 8 sizes, of 87 x 7 to 2,000 x 12 and 500 x 60.
        """
        carried = (data.genotypes()[0].codes() > 0).sum(axis=1)
        drawn, events = carried > MOST_IN_SAMPLE, len(data.events)
        states = float((2.0 ** carried[~drawn]).sum()) + float(MOST_STATES * carried[drawn].sum())
        fits = 1.0 if self.penalty_strength == "auto" else 1 / (self.folds + 1)
        return fits * (0.2 + 7e-4 * events**2 + 1.6e-5 * states * events)

    def with_choices(self, evidence: MHNEvidence) -> "MHN":
        """Return the method with the strength of the penalty, and the load, that were chosen."""
        load = self.load if evidence.load == "none" else evidence.load  # auto gives it again
        return replace(self, penalty_strength=evidence.penalty_strength, load=load)

    @property
    def uses_orders(self) -> bool:
        """Whether it learns from seen orders: always."""
        return True

    def _objective(self, seen: Observations, load: Load) -> tuple[Objective, StrengthChoice | None]:
        """Return what is maximised, and how the strength of its penalty was chosen."""
        if self.penalty_strength != "auto":
            strength = float(self.penalty_strength)
            return Objective(self.penalty, strength, self.observation, load), None
        objective = Objective(self.penalty, 1.0, self.observation, load)
        choice = choose_strength(seen, objective, folds=self.folds, seed=self.seed)
        strength = objective.strength if choice is None else choice.strength
        return replace(objective, strength=strength), choice
