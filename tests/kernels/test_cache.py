"""Compiled code where no cache can be written, as in a container with a read-only file system."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import caprese
from caprese.errors import CapreseError
from caprese.kernels import cache
from caprese.kernels.compiling import kernel

NOWHERE = "/proc/nowhere"  # where not even root can make a folder


@pytest.fixture
def unwritable(monkeypatch):
    monkeypatch.setattr(cache, "_can_be_written", lambda: False)
    cache._warn_once.cache_clear()
    monkeypatch.setattr(cache.atexit, "register", lambda *_arguments, **_settings: None)
    monkeypatch.setattr(numba.config, "CACHE_DIR", numba.config.CACHE_DIR)
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")


def test_where_a_cache_can_be_written_nothing_is_changed(caplog):
    before = numba.config.CACHE_DIR
    cache.choose_cache_folder()
    assert before == numba.config.CACHE_DIR
    assert caplog.text == ""


@pytest.mark.usefixtures("unwritable")
def test_without_a_cache_a_temporary_one_is_used_and_said(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    cache.choose_cache_folder()
    (folder,) = tmp_path.iterdir()
    assert os.environ["NUMBA_CACHE_DIR"] == numba.config.CACHE_DIR == str(folder)
    assert "set NUMBA_CACHE_DIR to one" in caplog.text


@pytest.mark.usefixtures("unwritable")
def test_without_any_folder_one_line_says_what_to_do(monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", NOWHERE)
    monkeypatch.setattr(cache, "_IN_MEMORY", NOWHERE)
    with pytest.raises(CapreseError, match="set NUMBA_CACHE_DIR or TMPDIR to one"):
        cache.choose_cache_folder()


def test_a_read_only_install_and_home_can_bootstrap(tmp_path):
    # For root nothing is read-only; but where numba wants a folder there may be a file.
    package = tmp_path / "caprese"
    folder = Path(caprese.__file__).parent
    shutil.copytree(folder, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "kernels" / "__pycache__").touch()
    (tmp_path / "temporary").mkdir()
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(tmp_path),
        "HOME": NOWHERE,
        "XDG_CACHE_HOME": NOWHERE,
        "TMPDIR": str(tmp_path / "temporary"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    program = "from caprese.cli import main; main()"
    arguments = ["bootstrap", "acml", "--replicates", "20", "--no-tests"]
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "20 replicates; the same model was inferred in" in done.stdout
    (said,) = done.stderr.splitlines()
    assert said.startswith("caprese: there is no writable folder for compiled code")
    assert list((tmp_path / "temporary").iterdir()) == []


RESAMPLE = """
import sys
import numpy as np
from caprese.kernels.resampling import resample
print(resample(5, np.uint64(1), 0).tolist())
"""
PRODUCT = """
from numba import njit
print(njit(lambda one, other: np.dot(one, other))(np.eye(2), np.ones((2, 2))).tolist())
"""


def said_by(code, folder):
    """Return the lines that a program prints, which keeps its compiled code in a folder."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()


def test_a_kernel_is_loaded_without_what_only_compiling_needs(tmp_path):
    declared = "print('numba.np.arraymath' in sys.modules)"
    compiled = said_by(RESAMPLE + declared, tmp_path)
    loaded = said_by(RESAMPLE + declared + PRODUCT, tmp_path)
    assert compiled[1:] == ["True"]
    assert loaded == [compiled[0], "False", "[[1.0, 1.0], [1.0, 1.0]]"]


def test_kernels_are_compiled_without_blas_which_other_code_finds_nevertheless(tmp_path):
    imported = "print('scipy.linalg' in sys.modules)"
    assert said_by(RESAMPLE + imported + PRODUCT, tmp_path)[1:] == [
        "False",
        "[[1.0, 1.0], [1.0, 1.0]]",
    ]


def test_where_compiled_code_cannot_be_kept_it_is_used_and_said_once(monkeypatch, caplog):
    def full(*_arguments):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(cache.QuickCache, "_save_overload", full)
    cache._warn_once.cache_clear()
    for answer in (1, 2):
        assert kernel(lambda x, answer=answer: x + answer)(1) == 1 + answer
    (said,) = caplog.messages
    assert said == (
        "caprese: compiled code cannot be kept (No space left on device), so it is compiled at "
        "every start; to keep it, set NUMBA_CACHE_DIR to a folder with free space"
    )


class TestSources:
    """A kernel is compiled again if any file has changed that it is compiled from."""

    @pytest.fixture
    def package(self, tmp_path):
        folder = Path(caprese.__file__).parent
        ignored = shutil.ignore_patterns("__pycache__")
        return Path(shutil.copytree(folder, tmp_path / "caprese", ignore=ignored))

    @staticmethod
    def value(package):
        """Return what a kernel returns that calls one of another file, and if it was on disk."""
        program = (
            "from caprese.kernels import compiling\n"
            "from caprese.kernels.outer import outer\n"
            "print(outer.is_kept(), outer(1), compiling.seconds_of_compiling() > 0)"
        )
        environment = {**os.environ, "PYTHONPATH": str(package.parent), "NUMBA_CACHE_DIR": ""}
        command = [sys.executable, "-c", program]
        found = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
        return found.stdout.decode().split()

    def test_also_a_file_that_it_imports_from(self, package):
        kernels = package / "kernels"
        compiled = "from caprese.kernels.compiling import kernel\n"
        outer = f"{compiled}from caprese.kernels.inner import inner\n@kernel\ndef outer(x):\n"
        (kernels / "outer.py").write_text(f"{outer}    return 2 * inner(x)\n")
        for answer in ("3", "4"):
            inner = f"{compiled}@kernel\ndef inner(x):\n    return x + {answer}\n"
            (kernels / "inner.py").write_text(inner)
            expected = str(2 * (1 + int(answer)))
            assert self.value(package) == ["False", expected, "True"]
            assert self.value(package) == ["True", expected, "False"]
