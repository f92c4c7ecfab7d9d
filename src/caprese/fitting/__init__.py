"""What methods share: from scores to parents, estimators, searches, recovery from errors."""
