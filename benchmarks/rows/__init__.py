"""Rows of the table of speeds, one file for each kind of work."""
