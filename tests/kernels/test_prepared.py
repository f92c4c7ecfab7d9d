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


def ran(code, folder, compiled):
    """Run code where compiled code is kept in a folder of this name; return what it prints."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / compiled)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout, done.stderr


def run(code, folder, compiled):
    """Return what code prints, or the last line of its error."""
    out, err = ran(code, folder, compiled)
    return out.strip() or err.strip().splitlines()[-1:]


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


@pytest.mark.parametrize("damage", ["truncated", "empty", "garbled", "folder"])
def test_where_prepared_kernels_are_damaged_they_are_compiled_and_one_line_says_so(
    folder, tmp_path, damage
):
    whole = (folder / "prepared.zip").read_bytes()
    path = tmp_path / "prepared.zip"
    if damage == "folder":
        path.mkdir()
    else:
        middle = len(whole) // 2
        garbled = whole[: middle - 50] + bytes(100) + whole[middle + 50 :]
        path.write_bytes({"truncated": whole[:-10], "empty": b"", "garbled": garbled}[damage])
    code = USE.replace("CompilerBase.compile_extra = None", "").format(change="")
    out, err = ran(code, tmp_path, "kept")
    assert out.strip() == "5.0 True"
    assert err == "caprese: compiled code that cannot be read is ignored, and compiled again\n"


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_where_what_is_kept_is_damaged_it_is_replaced(folder, tmp_path, suffix):
    (tmp_path / "prepared.zip").write_bytes((folder / "prepared.zip").read_bytes())
    use = USE.format(change="")
    assert run(use, tmp_path, "kept") == "5.0 True"
    for path in (tmp_path / "kept").rglob(f"*{suffix}"):
        path.write_bytes(path.read_bytes()[:5])
    assert run(use, tmp_path, "kept") == "5.0 True"
    assert ran(use, tmp_path, "kept") == ("5.0 False\n", "")
