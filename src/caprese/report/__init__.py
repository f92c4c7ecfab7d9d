"""What is said of a fit, and how it is shown."""
