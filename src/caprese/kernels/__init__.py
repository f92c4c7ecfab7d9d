"""Compiled inner loops: Python files with a header each, which Cython compiles.

On x86-64 a wheel holds them twice, the second time for processors with wider vectors; all give the
same bytes. The environment variable CAPRESE_PROCESSOR chooses the first, ``x86-64-v2``, to compare.
"""

from pathlib import Path

from caprese._core.environment import wants_older
from caprese.kernels import processor

if processor.level() >= 3 and not wants_older():
    __path__.insert(0, str(Path(__file__).with_name("x86_64_v3")))
