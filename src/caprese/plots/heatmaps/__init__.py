"""Heat maps of pairs of events: their support in a bootstrap, or the scores of a method."""
