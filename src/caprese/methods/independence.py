"""Independent events: no order at all, only how frequent each event is. What others must beat."""

from dataclasses import dataclass

from caprese._core.facts import Fact
from caprese.data.dataset import Dataset
from caprese.fitting.estimate import frequencies
from caprese.methods.fit import Fit
from caprese.methods.parameters import Parameters
from caprese.models.independence import Independence


@dataclass(frozen=True)
class IndependenceEvidence:
    """How likely the data is if no event depends on another."""

    log_likelihood: float  #: Of the data.

    def notes(self) -> tuple[Fact, ...]:
        """Return the log-likelihood."""
        return (Fact("independent events", values={"log-likelihood": self.log_likelihood}),)


@dataclass(frozen=True, kw_only=True)
class IndependentEvents(Parameters):
    """Estimate the frequency of each event, as if no event depended on another.

    One success and one failure are added to the counts of each event, so that no event is
    impossible or certain. It is what every order of events has to predict better than.

    Examples
    --------
    >>> from caprese.data.datasets import acml
    >>> IndependentEvents().fit(acml()).model.frequencies.round(2)
    array([0.23, 0.15, 0.09])

    References
    ----------
    Zabell (1989), Erkenntnis 31:283-321; the rule of succession.
    """

    @property
    def counts_suffice(self) -> bool:
        """True: how often each event occurs is all that is needed."""
        return True

    def fit(self, data: Dataset) -> Fit[Independence, IndependenceEvidence]:
        """Estimate the frequencies in a data set; a frame or a 0/1 array is taken for one."""
        data = Dataset.of(data)
        model = frequencies(data)
        evidence = IndependenceEvidence(float(model.log_probabilities(data).sum()))
        return Fit.of(self, model, evidence, data)
