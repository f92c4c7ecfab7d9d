"""The terms of a report, each explained in a sentence or two."""

GLOSSARY = {
    "event": "Something that can happen to a tumour once: a mutation, the gain or the loss of a "
    "piece of a chromosome.",
    "sample": "One tumour, looked at once: it tells of each event whether it has happened by then.",
    "edge": "A step of the progression: from a parent, which comes first, to its child.",
    "parent": "An event that comes before another one, its child; an event waits for all of its "
    "parents.",
    "root": "The start, before anything has happened. Events under the root wait for nothing.",
    "progression": "Which events wait for which others; read from the root on.",
    "frequency": "Share of the samples that carry the event, of those in which it is known.",
    "probability": "How likely the event is once its parents have occurred; under the root, how "
    "likely from the start.",
    "rate": "How fast the event follows once its parents have occurred. At rate 1 it takes as long "
    "on average as it takes until a sample is taken, at rate 2 half as long.",
    "score": "Evidence for the step, between -1 and 1: how much more frequent the child is with "
    "the parent than without, and how much the two belong together.",
    "weight": "Evidence for the step: how much more often the two occur together than chance would "
    "have it, as a logarithm; the highest weight wins.",
    "gain": "Evidence for the parents: how much log-likelihood they add.",
    "against": "How many samples carry the event without its parent.",
    "support": "Share of the replicates in which the step came back. It tells how much the answer "
    "depends on which samples happened to be at hand.",
    "replicate": "The data drawn anew: as many samples, taken at random from those at hand, some "
    "several times, others not at all. The progression is inferred from each.",
    "interval": "Where the support would end up with very many replicates, in 95 of 100 cases.",
    "rate interval": "Rates that the data does not contradict, at a level of 95 %, if the "
    "progression is right.",
    "p-value": "How often chance alone would show something as clear. Small values, below 0.05, "
    "speak against chance. Adjusted for the number of edges that were tested.",
    "earlier": "P-value: if parent and child were equally frequent, how often would the parent be "
    "seen so much more often than the child?",
    "raised": "P-value: if the parent did not matter, how often would the child be so much more "
    "frequent with it than without?",
    "together": "P-value: if the two had nothing to do with each other, how often would they meet "
    "in so many samples?",
    "best": "P-value: if the child were scattered over the samples at random, how often would the "
    "best parent score as high?",
    "curation": "What was done to the table before: what can tell nothing is left out, and events "
    "that cannot be told apart are made one.",
    "false positive": "An event that is reported although it is not there.",
    "false negative": "An event that is there but was missed.",
    "log-likelihood": "How well a progression explains the data, allowing for errors; higher is "
    "better.",
    "BIC": "How well a progression explains the data, with a price on every number it has to "
    "choose; lower is better, and a difference of 10 or more is clear.",
    "genotype": "All events a sample carries, taken together.",
    "digest": "A fingerprint of the data: it changes if any entry or name does.",
    "seed": "Where random numbers start; the same seed gives the same replicates.",
}
