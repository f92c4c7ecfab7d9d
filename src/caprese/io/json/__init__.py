"""Fits, models and confidences as JSON files."""
