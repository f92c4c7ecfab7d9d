"""How hypothesis runs: the same cases every time; ``--hypothesis-profile=search`` for new ones."""

from hypothesis import settings

settings.register_profile(
    "repeatable", deadline=None, derandomize=True, database=None, max_examples=50
)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile("repeatable")
