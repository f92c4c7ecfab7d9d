"""Progressions as graphs: networkx, and files for other programs."""
