"""Small public data, each with its source; on the command line the names stand for files."""

from collections.abc import Callable

from caprese.dataset import Dataset
from caprese.datasets.acml import acml
from caprese.datasets.ovarian import ovarian

EMBEDDED: dict[str, Callable[[], Dataset]] = {"ovarian": ovarian, "acml": acml}

__all__ = ["EMBEDDED", "acml", "ovarian"]
