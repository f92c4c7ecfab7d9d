"""Prepared kernels: only translated for the processor, with the same answers."""

import os
import subprocess
import sys

import numpy as np
import pytest

PREPARE = """
from pathlib import Path
import numpy as np
from caprese.kernels import arrays, prepared
prepared.prepare(lambda: arrays.norm(np.ones(3)), Path("prepared.zip"))
"""
USE = """
from pathlib import Path
import numpy as np
from numba.core.compiler import CompilerBase
from caprese.kernels import arrays, cache, compiling, prepared
prepared.PREPARED = Path("prepared.zip")
CompilerBase.compile_extra = None  # so that nothing can be compiled
{change}
print(arrays.norm(np.array([3.0, 4.0])), compiling.seconds_of_compiling() > 0)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a prepared kernel."""
    found = tmp_path_factory.mktemp("prepared")
    run(PREPARE, found, "first")
    return found


def run(code, folder, compiled):
    """Run code where compiled code is kept in a folder of this name; return what it prints."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / compiled)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1:]


def test_a_prepared_kernel_is_translated_once_and_then_kept(folder):
    assert run(USE.format(change=""), folder, "empty") == "5.0 True"
    assert run(USE.format(change=""), folder, "empty") == "5.0 False"


@pytest.mark.parametrize(
    "change",
    [
        "cache.QuickCache._sources = 'another text of the kernel'",
        "prepared.numba.__version__ = '0.0'",
        "prepared.PREPARED = Path('there is none')",
    ],
)
def test_a_kernel_prepared_from_something_else_is_not_used(folder, change):
    (error,) = run(USE.format(change=change), folder, "other")
    assert error == "TypeError: 'NoneType' object is not callable"


def test_the_key_of_a_kernel_does_not_depend_on_the_processor():
    from caprese.kernels.arrays import norm
    from caprese.kernels.prepared import key_of

    class Codegen:
        def __init__(self, platform, processor):
            self.described = platform, processor, "+avx"

        def magic_tuple(self):
            return self.described

    arguments = (np.float64,)
    linux, other, windows = (
        key_of(norm.function, arguments, "sources", Codegen(*each))
        for each in (("linux", "old"), ("linux", "new"), ("windows", "old"))
    )
    assert linux == other != windows
