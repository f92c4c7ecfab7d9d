"""Files: data in, answers out and back, graphs for other programs."""
