"""Where things go, computed without drawing."""
