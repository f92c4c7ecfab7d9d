"""Translate kernels to C, on all cores: python cythonize.py FOLDER KERNEL.py ... -- OPTION ...

One process translates many kernels, since Cython takes longer to start than to translate one. What
is newer than its source and all headers is left alone.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from Cython.Compiler.CmdLine import parse_command_line
from Cython.Compiler.Main import compile as translate


def main(folder: str, *arguments: str) -> int:
    """Translate what has changed; return the exit code."""
    end = arguments.index("--")
    sources, options = [Path(name) for name in arguments[:end]], arguments[end + 1 :]
    headers = [path.stat().st_mtime for path in sources[0].parent.glob("*.pxd")]
    wanted = [each for each in sources if _is_older(_target(folder, each), each, max(headers))]
    with ProcessPoolExecutor() as pool:
        failed = sum(pool.map(partial(_translated, folder, options), wanted))
    return min(failed, 1)


def _target(folder: str, source: Path) -> Path:
    return Path(folder, source.stem + ".c")


def _is_older(target: Path, source: Path, headers: float) -> bool:
    changed = max(source.stat().st_mtime, headers)
    return not target.exists() or target.stat().st_mtime <= changed


def _translated(folder: str, options: tuple[str, ...], source: Path) -> int:
    """Translate one kernel; return how many errors it has."""
    target = str(_target(folder, source))
    settings, sources = parse_command_line([*options, str(source), "--output-file", target])
    return int(translate(sources, settings).num_errors)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
