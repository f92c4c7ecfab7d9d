"""How a progression is inferred: methods, one file each, all listed in METHODS."""

from caprese.methods.base import Method
from caprese.methods.caprese import Caprese

METHODS: dict[str, type[Method]] = {"caprese": Caprese}


def name_of(method: Method) -> str:
    """Return the name a method is listed under.

    Examples
    --------
    >>> name_of(Caprese(shrinkage=0.1))
    'caprese'
    """
    return next(name for name, kind in METHODS.items() if kind is type(method))
