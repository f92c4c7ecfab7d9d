"""Pictures of a progression, and of two side by side: the plan, the nodes, the drawing."""
