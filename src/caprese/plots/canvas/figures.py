"""Figures as files: the same figure gives the same bytes, whole or not at all."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from caprese._core.files import FilePath, format_error, replacing, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# What would tell when or by which version a file was written is left out.
_METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Creator": None, "Date": None},
    "pdf": {"Creator": None, "Producer": None, "CreationDate": None},
}
# Letters are outlines, so that a picture looks the same where our font is missing (rooms were
# measured for it), and a name in it is nothing but a drawing.
_SETTINGS: Any = {
    "svg.hashsalt": "caprese",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "savefig.bbox": None,  # the size the figure was given, whatever is usual on this machine
}


def write_figure(figure: "Figure", path: FilePath, *, dpi: float = 200) -> None:
    """Write a figure as PNG, SVG or PDF, told by the ending of the path.

    What stood at the path before is replaced only when the new file is complete.

    Parameters
    ----------
    dpi
        Pixels to an inch, for PNG.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from matplotlib.figure import Figure
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "empty.svg")
    ...     write_figure(Figure(), path)
    ...     path.read_text()[:5]
    '<?xml'
    """
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in _METADATA:
        found = f"the ending {shown('.' + ending)}" if ending else "no ending"
        raise format_error(path, f"a figure is written as .png, .svg or .pdf, got {found}")
    content = figure_bytes(figure, ending, dpi=dpi)
    with replacing(path) as file:
        file.buffer.write(content)


def figure_bytes(figure: "Figure", ending: str, *, dpi: float = 200) -> bytes:
    """Return the content of the file of a figure: ``png``, ``svg`` or ``pdf``.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> figure_bytes(Figure(), "svg") == figure_bytes(Figure(), "svg")
    True
    """
    import matplotlib as mpl

    content = BytesIO()
    with mpl.rc_context(_SETTINGS):
        figure.savefig(content, format=ending, dpi=dpi, metadata=_METADATA[ending])
    return content.getvalue()
