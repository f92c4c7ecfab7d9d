"""What methods share: searches for forests, samples of forests, and how far to trust them."""
