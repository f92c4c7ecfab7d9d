"""Small public data sets with their sources; the command line takes their names like files."""

from collections.abc import Callable

from caprese.data.dataset import Dataset
from caprese.data.embedded.acml import acml
from caprese.data.embedded.acml_full31 import acml_full31
from caprese.data.embedded.acml_selected17 import acml_selected17
from caprese.data.embedded.ovarian import ovarian

EMBEDDED: dict[str, Callable[[], Dataset]] = {
    "ovarian": ovarian,
    "acml": acml,
    "acml_full31": acml_full31,
    "acml_selected17": acml_selected17,
}

__all__ = ["EMBEDDED", "acml", "acml_full31", "acml_selected17", "ovarian"]
