"""The same bytes on every processor, whatever the libraries beneath choose for it."""

import json
import os
import platform
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
METHODS = (
    *("caprese", "caprese:noise=estimate", "oncotree", "oncotree:search=branching", "likelihood"),
    *("capri", "cbn", "hcbn", "bayes:draws=50", "bayes:draws=50:subtypes=2"),
    *("mhn", "mhn:observation=yes", "timed:draws=20:chains=1:warm_up=20"),
)
FITS = """
import hashlib, json, sys
from caprese import datasets
from caprese.io.documents import document_text
from caprese.methods import parse_method
data = datasets.ovarian()
found = {}
for name in sys.argv[1:]:
    fitted = parse_method(name).fit(data)
    scores = fitted.predictive.log_probabilities(data)
    digest = hashlib.sha256(document_text(fitted).encode()).hexdigest()
    found[name] = [digest, scores.tobytes().hex()]
json.dump(found, sys.stdout)
"""
CHOICES = {
    "the kernels of older processors": {"CAPRESE_PROCESSOR": "x86-64-v2"},
    "the C library": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"},
    "numpy": {"NPY_DISABLE_CPU_FEATURES": " ".join(__cpu_dispatch__)},
    "OpenBLAS": {"OPENBLAS_CORETYPE": "Nehalem"},
}


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """Return a folder with the package as a wheel has it: for two levels of processors."""
    folder = tmp_path_factory.mktemp("portable")
    tools = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    command = (*(sys.executable, "-m", "pip", "wheel"), "--no-build-isolation", "--no-deps")
    subprocess.run(
        (*command, "--wheel-dir", folder, ROOT),
        check=True,
        capture_output=True,
        env=os.environ | {"PATH": tools},
    )
    (wheel,) = folder.iterdir()
    assert "-abi3-" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "package")
    return folder / "package"


def fits(package, **environment):
    """Return what methods answer in a new process, by their names."""
    path = os.pathsep.join((str(package), sysconfig.get_path("purelib")))
    done = subprocess.run(
        (sys.executable, "-S", "-c", FITS, *METHODS),  # -S: not the editable package
        env=os.environ | {"PYTHONPATH": path} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(platform.machine() not in {"x86_64", "AMD64"}, reason="of x86-64")
def test_fits_are_the_same_bytes_on_every_processor(package):
    expected = fits(package)
    different = {
        (what, method)
        for what, environment in CHOICES.items()
        for method, found in fits(package, **environment).items()
        if found != expected[method]
    }
    assert different == set()
