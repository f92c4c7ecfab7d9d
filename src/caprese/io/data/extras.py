"""Optional packages, imported when a file needs them."""

from importlib import import_module
from typing import Any

from caprese._core.files import FilePath, format_error


def extra(path: FilePath, module: str, name: str) -> Any:
    """Return an optional module; if it is not installed, the error names the extra to install."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        problem = f"this needs {package}: pip install 'caprese[{name}]'"
        raise format_error(path, problem) from error
