"""Data in, results out: one file for each format."""
