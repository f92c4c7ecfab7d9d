"""Pictures: what is drawn is computed elsewhere; every function takes axes and returns them."""
