"""What every room uses and no user sees: arrays, names, files, progress, words."""
