"""Every exception raised on purpose.

A bad parameter of a function or method is a plain ``ValueError``; what stands here is for bad
data, bad models, bad files, and computations that did not settle.
"""


class CapreseError(Exception):
    """The root of all errors of this package."""


class DatasetError(CapreseError, ValueError):
    """Observations that do not make a data set."""


class ModelError(CapreseError, ValueError):
    """Parameters that do not make a model."""


class FormatError(CapreseError, ValueError):
    """A file that cannot be read; the message names path, line and column where they exist."""


class ConvergenceError(CapreseError, RuntimeError):
    """An iteration that did not settle within its limit."""
