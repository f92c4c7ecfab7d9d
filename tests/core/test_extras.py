"""The command that installs an optional package."""

import tomllib
from pathlib import Path

import pytest

from caprese._core.environment import install_command

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("extra", ["chains", "dask", "excel", "parquet", "r"])
def test_the_command_names_the_packages_and_not_the_extra(extra):
    first, *_ = PROJECT["optional-dependencies"][extra]
    command = install_command(extra)
    assert command.startswith(f"pip install '{first.partition('>')[0]}")
    assert "caprese" not in command
