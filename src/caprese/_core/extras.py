"""Optional packages, and the command that installs them."""

import re

_EXTRA = re.compile(r"""(?P<package>[^;]+?)\s*;.*\bextra\s*==\s*["'](?P<extra>[^"']+)["']""")


def install_command(extra: str) -> str:
    """Return the command that installs the packages of an extra.

    It names the packages themselves, and so works wherever caprese was installed from.

    Examples
    --------
    >>> install_command("parquet")
    "pip install 'pyarrow>=18'"
    """
    from importlib.metadata import requires  # a twentieth of a second

    found = (_EXTRA.match(each) for each in requires("caprese") or ())
    packages = [each["package"] for each in found if each and each["extra"] == extra]
    return " ".join(["pip install", *(f"'{package}'" for package in packages)])
