"""Progressions as graphs for other programs."""
