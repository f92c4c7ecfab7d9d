"""The technical terms of a report, each defined in a sentence or two."""

from caprese._core.significance import LEVEL, POSTERIOR_LEVEL, SIGNIFICANT
from caprese._core.words import percent
from caprese.patients.place import INTERVAL, UNUSUAL
from caprese.text.sentences import Piece, Term

GLOSSARY = {
    "event": "A change that can happen to a tumour once, such as a mutation, or the gain or loss "
    "of a chromosomal region.",
    "sample": "One tumour, examined once for the presence of each event.",
    "edge": "A pair of events, parent and child, in which the child occurs after the parent.",
    "parent": "An event that occurs before another event, its child. An event with several parents "
    "occurs only after all of them.",
    "root": "The start of the progression, when no event has occurred. Events whose parent is the "
    "root do not depend on any other event.",
    "progression": "The order in which events occur: all edges together, read from the root.",
    "frequency": "Share of the samples in which the event is present, among those in which it is "
    "known.",
    "probability": "Probability that the event occurs once its parents have occurred.",
    "rate": "How fast the event occurs once its parents have occurred, relative to the time at "
    "which samples are taken. At rate 1 the two mean waiting times are equal; at rate 2 the event "
    "takes half as long. An unbounded rate fits best where the event occurs at once.",
    "base rate": "How fast the event occurs while no other event is there, relative to the rate at "
    "which samples are taken.",
    "observation": "The factor by which the event changes the rate at which samples are taken, as "
    "if it brought the tumour to attention.",
    "score": "Evidence for the edge, between -1 and 1. It combines how much more probable the "
    "child is with the parent than without it, and how strongly the two are correlated.",
    "weight": "Evidence for the edge: the logarithm of how much more often the two events occur "
    "together than by chance. The parent with the highest weight is chosen.",
    "gain": "Evidence for the parents: how much they increase the log-likelihood.",
    "against": "Number of samples that have the event but not its parent.",
    "support": "Share of the replicates in which the edge was found. It shows how much the result "
    "depends on the particular samples at hand.",
    "posterior": "Posterior probability: how probable the edge is, given the data, if the model "
    "and its prior are right. Of all edges with 80 %, about 80 % are expected to be true.",
    "posterior interval": f"{percent(POSTERIOR_LEVEL)} posterior interval: the rate is within it "
    "with this probability, given the data, if the model and its prior are right.",
    "chain": "A Markov chain that draws progressions from their posterior distribution. Several "
    "chains start from different progressions and must agree in the end.",
    "subtype": "A group of samples with a progression of its own.",
    "replicate": "A resampled data set: as many samples as in the data, drawn from it at random "
    "with replacement. The progression is inferred again from each replicate.",
    "admissible": "A parent is admissible if it is more frequent than the event, and if the event "
    "is more probable with it than without it.",
    "interval": f"{percent(LEVEL)} interval of the support: what more replicates could still "
    "change.",
    "rate interval": f"{percent(LEVEL)} confidence interval: the error rates that are compatible "
    "with the data, if the progression is correct.",
    "p-value": "Probability that chance alone gives a result at least as strong, adjusted for the "
    f"number of edges that were tested. Values below {SIGNIFICANT:g} are called significant.",
    "temporal priority": "P-value of the test that the parent is more frequent than the child, and "
    "so occurs earlier.",
    "probability raising": "P-value of the test that the child is more probable with the parent "
    "than without it.",
    "co-occurrence": "P-value of the test that the two events occur together more often than by "
    "chance.",
    "permutation": "P-value of the test that the best parent scores higher than it would if the "
    "child were distributed over the samples at random.",
    "curation": "Preparation of the table: events that carry no information are dropped, and "
    "events that cannot be distinguished are merged.",
    "false positive": "An event that is reported although it is absent.",
    "false negative": "An event that is present but was missed.",
    "log-likelihood": "How well a model explains the data, with errors taken into account; higher "
    "is better.",
    "held-out": "Of samples that the method has not seen: it is fitted to the others, and then "
    "predicts these.",
    "log-probability": "The mean logarithm of how probable the method makes a sample that it has "
    "not seen; higher is better.",
    "AUC": "How well the method tells present from absent entries that were hidden from it: 1 is "
    "always, 0.5 is as a coin does. The area under the ROC curve.",
    "nats": "How much better one model predicts than another: the mean logarithm of how many times "
    "more probable it makes a sample that it has not seen. With 0.1 nats, samples are 11 % more "
    "probable, with 0.7 twice as probable.",
    "genotype": "The set of all events of a sample.",
    "typicality": "Share of samples drawn from the model that are at most as probable as this one. "
    f"Below {percent(UNUSUAL)} a sample is said not to fit the model.",
    "most probable genotype": "The set of events that is most probably there, given all that was "
    "seen of the sample and the error rates of the model.",
    "number of events": "How many events are there: the expected number, and an interval that "
    f"holds the number with at least {percent(INTERVAL)} probability.",
    "next event": "The event that comes next with the highest probability, if the model is right.",
    "median time": "Median time until the event comes, if nothing else comes before it. Time 1 is "
    "the mean time at which samples are taken.",
    "digest": "A fingerprint of the data, which changes if any entry or name changes.",
    "seed": "The start of the random numbers; the same seed gives the same replicates.",
}


def explained(name: str, title: str = "") -> Piece:
    """Return the title of a column, by default its name: as a term if the glossary has the name."""
    return Term(name, title or name) if name in GLOSSARY else title or name
