"""Where a sample stands in a progression, and what tends to come next."""
