"""Answers as JSON files, and back."""
