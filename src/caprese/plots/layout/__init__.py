"""Where things are in a picture, computed without drawing."""
