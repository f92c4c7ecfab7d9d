"""How far to trust an answer: bootstrap, edge tests, comparison, noise bounds."""
