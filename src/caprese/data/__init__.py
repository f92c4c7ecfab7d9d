"""What was observed: data sets, their counts and scores, inspection and curation."""
