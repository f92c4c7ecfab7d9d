"""What the page shows, as HTML: one file for each of its steps."""
