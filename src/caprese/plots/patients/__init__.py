"""Pictures of samples in a progression: all of them on the tree, or one in full."""
