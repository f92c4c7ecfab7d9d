"""Kernels as Python runs them: the oracles of the compiled ones.

A kernel imports others as `cython.cimports.caprese.kernels`, which Python does not know. Here these
names are those of the source files, so that a kernel without compilation uses only such kernels.
"""

import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path

import cython

import caprese

_CIMPORTS = f"{cython.__name__}.cimports"
_PREFIX = f"{_CIMPORTS}.caprese"
_SOURCE = Path(caprese.__file__).parent


class _Sources(MetaPathFinder):
    def find_spec(self, fullname, path=None, target=None):  # noqa: ARG002
        if fullname in (_PREFIX, _PREFIX + ".kernels"):
            return ModuleSpec(fullname, None, is_package=True)
        if fullname.startswith(_PREFIX + ".kernels."):
            name = fullname.rpartition(".")[2]
            return spec_from_file_location(fullname, _SOURCE / "kernels" / f"{name}.py")
        return None


sys.meta_path.insert(0, _Sources())
sys.modules[_CIMPORTS].__spec__ = ModuleSpec(_CIMPORTS, None, is_package=True)


def uncompiled(name):
    """Return a kernel module as Python runs it."""
    return import_module(f"{_PREFIX}.kernels.{name}")
