"""Answers as text: what the terminal shows, and the sentences that the report page shares."""
