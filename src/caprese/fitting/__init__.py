"""What methods share: from scores to parents, estimators, searches, samplers, recovery."""
