"""Random progressions, and data resampled or simulated by number."""
