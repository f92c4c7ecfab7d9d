"""MHN: mutual hazard networks, by penalised likelihood."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from caprese._core.arrays import FloatArray
from caprese._core.facts import Fact
from caprese.data.counts import Counts, order_by_counts
from caprese.data.dataset import Dataset
from caprese.data.visits import Times, Visits
from caprese.errors import ParameterError
from caprese.fitting.ascent import STEPS
from caprese.fitting.dense_hazards import MOST_STATES
from caprese.fitting.effect_posterior import EffectPosterior, effect_posterior
from caprese.fitting.estimated import convergence_field, convergence_notes
from caprese.fitting.hazards_ascent import (
    LOADS,
    PENALTIES,
    Load,
    Objective,
    Observations,
    Penalty,
    as_hazards,
    log_likelihood,
    observations,
)
from caprese.fitting.hazards_average import RULES, Path, Rule, StrengthChoice, choose_strength
from caprese.fitting.hazards_errors import likeliest_errors
from caprese.fitting.recovery import NoiseOption
from caprese.methods.evidence import TimesUsed
from caprese.methods.fit import Fit
from caprese.methods.parameters import (
    NOT_NEGATIVE,
    SEED,
    YES_OR_NO,
    Parameters,
    noise_option,
    one_word,
    option,
    or_word,
    times_option,
    whole_number,
)
from caprese.models.base import Model
from caprese.models.hazards import MOST_IN_SAMPLE, Hazards, NoisyHazards
from caprese.models.noise import Noise
from caprese.models.stacked import Stacked

_POLES = 12.0  # a sample at a known time takes as many passes over its states


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
    #: The error rates, given or estimated; None if none were allowed for.
    noise: Noise | None = field(default=None, metadata={"optional": True})
    #: Networks with another load, or with observation, that predict with those of the strengths.
    beside: int = field(default=0, metadata={"optional": True})
    #: What was learnt from the times of samples; None if they were not used.
    times: TimesUsed | None = field(default=None, metadata={"optional": True})

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
        if self.noise is not None:
            positive, negative = self.noise.rates.tolist()
            rates = {"false positive": positive, "false negative": negative}
            notes.append(Fact("errors allowed for", values=rates))
        if self.times is not None:
            notes += self.times.notes()
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
        if self.choice.weights.max() == 1:
            return (*notes, Fact("penalty strength chosen", values=chosen))
        values = {**chosen, "strengths": len(self.choice.weights), "others": self.beside}
        kind = "networks averaged" if self.beside else "penalty strengths averaged"
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
        ``"auto"``: ``"events"`` for data with seen orders, otherwise ``"none"``. An average then
        predicts genotypes with networks without a load, with a common one and with observation,
        too; these last say nothing of orders.
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
    noise
        ``None``: no errors are allowed for. Error rates: those of observation, up to 20 events;
        the probability of a sample is then a sum over all genotypes that it may truly have, and
        seen orders are not used. ``"estimate"``: the rates are estimated with the network.
    intervals
        Whether each effect gets an interval that contains it with a probability of 90 %: the
        normal approximation of the posterior under a normal prior of all effects, whose deviation
        is learnt.
    times
        What of the times of samples is used: see `Visits`. Not together with ``noise`` or
        ``observation``; seen orders are then not used.
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
    noise: NoiseOption = noise_option(later=True)
    intervals: bool = option(
        False, "Whether effects get 90 % intervals, yes or no.", YES_OR_NO, later=True
    )
    times: Times = times_option(later=True)
    folds: int = option(
        5, "Folds of the samples by which strengths are weighed.", whole_number(2), expert=True
    )
    seed: int = option(1, "Seed of the folds.", SEED)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.times != "unknown":
            if self.noise is not None:
                raise ParameterError("noise", "none where times are used", self.noise)
            if self.observation:
                raise ParameterError("observation", "no where times are used", self.observation)

    def fit(self, data: Dataset) -> Fit[Hazards, MHNEvidence]:
        """Infer the rates and effects of a data set; a frame or a 0/1 array is taken for one."""
        data = Dataset.of(data)
        counts = Counts.of(data)
        used = data if self.uses_orders else data.without_orders()
        orders = 0 if used.orders is None else len(used.orders)
        load = self._load(used)
        seen, noise = self._observations(used, counts, load)
        objective, path = self._objective(seen, load)
        found, converged = objective.best_maximum(seen)
        loaded = objective.loaded(found, seen, seen.times)
        likelihood, _ = log_likelihood(loaded, seen.drawn_at(loaded), seen.times)
        model = as_hazards(seen.events, seen.stated(loaded)).in_order(data.events)
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
            noise,
            0 if path is None else len(path.maxima) - len(path.choice.weights),
            self._times_used(data, seen, loaded),
        )
        mixture = None if path is None else _mixture(seen, path, data.events, noise)
        if mixture is None and noise is not None:
            mixture = NoisyHazards(model, noise)
        return Fit.of(self, model, evidence, data, counts=counts, predictor=mixture)

    def cost(self, data: Dataset) -> float:
        """Return the seconds of one core of a fit: steps over the subsets of each genotype.

        Fitted to 7 sizes, of 64 x 3 to 2,500 x 15 and 123 x 31.
        """
        carried = (data.genotypes()[0].codes() > 0).sum(axis=1)
        drawn, events = carried > MOST_IN_SAMPLE, len(data.events)
        states = float((2.0 ** carried[~drawn]).sum()) + float(MOST_STATES * carried[drawn].sum())
        if self.times != "unknown":
            states *= _POLES
        if self.noise is not None:  # all sets of events, in each of more steps
            states = 20 * 2.0**events
        fits = 1 / (self.folds + 1) if isinstance(self.penalty_strength, int | float) else 1.0
        fits *= 1 + len(self._beside(Objective(self.penalty, 1.0, self.observation), "none"))
        return fits * (0.06 + 1.2e-3 * events**2 + 3e-6 * states * events)

    def with_choices(self, evidence: MHNEvidence) -> "MHN":
        """Return the method with the strength, the load and the error rates that were chosen."""
        load = self.load if evidence.load == "none" else evidence.load  # auto gives it again
        strength = evidence.penalty_strength
        return replace(self, penalty_strength=strength, load=load, noise=evidence.noise)

    @property
    def uses_orders(self) -> bool:
        """Whether it learns from seen orders: not if errors are allowed for or times are used."""
        return self.noise is None and self.times == "unknown"

    def _observations(
        self, data: Dataset, counts: Counts, load: Load
    ) -> tuple[Observations, Noise | None]:
        """Return the observations, and the error rates with which they were made."""
        ordered = data.take_events([data.events[k] for k in order_by_counts(counts)])
        if self.times != "unknown":
            return Observations.in_time(ordered, self.times), None
        seen = observations(ordered)
        if self.noise is None:
            return seen, None
        noise = self.noise
        if not isinstance(noise, Noise):
            noise = likeliest_errors(seen, Objective(self.penalty, 1.0, self.observation, load))
        return seen.with_errors(noise), noise

    def _posterior(
        self, seen: Observations, objective: Objective, events: tuple[str, ...]
    ) -> EffectPosterior | None:
        return effect_posterior(seen, objective).in_order(events) if self.intervals else None

    def _times_used(
        self, data: Dataset, seen: Observations, parameters: FloatArray
    ) -> TimesUsed | None:
        """Return what was learnt from the times of samples; None if they were not used."""
        if seen.series is None:
            return None
        pace, visits = seen.pace(parameters), Visits.of(data, self.times, from_given=True)
        mean_time, mean_gap = seen.series.mean_time(pace), seen.series.mean_gap(pace)
        return TimesUsed.of(visits, mean_time=mean_time, mean_gap=mean_gap)

    def _load(self, data: Dataset) -> Load:
        """Return what is added to the effects of the network that is stated."""
        if self.load != "auto":
            return self.load
        return "events" if data.orders and self.uses_orders else "none"

    def _beside(self, objective: Objective, load: Load) -> list[Objective]:
        """Return the networks that take part in an average, beside that with a load."""
        if self.load != "auto" or self.penalty_strength != "average":
            return []
        others = [replace(objective, load=each) for each in LOADS[:2] if each != load]
        if not self.observation and self.times == "unknown":
            others.append(replace(objective, load="none", observation=True))
        return others

    def _objective(self, seen: Observations, load: Load) -> tuple[Objective, Path | None]:
        """Return what is maximised, and how the strength of its penalty was chosen."""
        if not isinstance(self.penalty_strength, str):
            strength = float(self.penalty_strength)
            return Objective(self.penalty, strength, self.observation, load), None
        objective = Objective(self.penalty, 1.0, self.observation, load)
        beside = self._beside(objective, load)
        how: Any = {"folds": self.folds, "seed": self.seed, "beside": beside}
        path = choose_strength(seen, objective, self.penalty_strength, **how)
        strength = objective.strength if path is None else path.choice.strength
        return replace(objective, strength=strength), path


def _mixture(
    seen: Observations, path: Path, order: tuple[str, ...], noise: Noise | None
) -> Model | None:
    """Return the networks of all strengths, by weight; None if one strength was chosen."""
    weights = path.weights
    if weights.max() == 1:
        return None
    stated = map(seen.stated, path.maxima)
    networks = [as_hazards(seen.events, each).in_order(order) for each in stated]
    if noise is None:
        return Stacked(tuple(networks), weights, path.order_weights)
    noisy = tuple(NoisyHazards(each, noise) for each in networks)
    return Stacked(noisy, weights, path.order_weights)
