"""Small public data, each with its source; on the command line the names stand for files."""

from collections.abc import Callable

from caprese.data.dataset import Dataset
from caprese.data.embedded.acml import acml
from caprese.data.embedded.ovarian import ovarian

EMBEDDED: dict[str, Callable[[], Dataset]] = {"ovarian": ovarian, "acml": acml}

__all__ = ["EMBEDDED", "acml", "ovarian"]
