"""What is published, as a folder of files; programs in `release` are run as modules."""

import runpy
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def repository():
    """The root of the repository."""
    return REPOSITORY


@pytest.fixture(scope="session")
def program():
    """Return the names that a program in the folder `release` defines."""
    return lambda name: runpy.run_path(str(REPOSITORY / "release" / f"{name}.py"))
