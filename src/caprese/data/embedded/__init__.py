"""Small public data sets with their sources; the command line takes their names like files."""

from collections.abc import Callable

from caprese.data.dataset import Dataset
from caprese.data.embedded.acml import acml
from caprese.data.embedded.ovarian import ovarian

EMBEDDED: dict[str, Callable[[], Dataset]] = {"ovarian": ovarian, "acml": acml}

__all__ = ["EMBEDDED", "acml", "ovarian"]
