"""Pictures of one progression, and of two side by side."""
