"""Oncoprints: which samples carry which events."""
