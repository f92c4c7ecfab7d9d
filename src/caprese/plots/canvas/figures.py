"""Figures: of a planned picture, and as files, where the same figure has always the same bytes."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from caprese._core.files import MARK, FilePath, format_error, replace_file, shown
from caprese.plots.canvas import Point

if TYPE_CHECKING:  # matplotlib is imported when something is drawn
    import matplotlib.axes
    import matplotlib.figure

    import caprese.plots.canvas.canvas

Axes: TypeAlias = "matplotlib.axes.Axes"
Figure: TypeAlias = "matplotlib.figure.Figure"
Canvas: TypeAlias = "caprese.plots.canvas.canvas.Canvas"

# Without the date and the version of the program, which would differ from run to run.
_METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": MARK},
    "svg": {"Creator": MARK, "Date": None},
    "pdf": {"Creator": MARK, "Producer": None, "CreationDate": None},
}
# In SVG letters are outlines, so that a picture looks the same where the font is missing (boxes
# were measured for it), and a name can never be read as markup.
_SETTINGS: Any = {
    "svg.hashsalt": "caprese",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "savefig.bbox": None,  # keep the size of the figure, whatever the settings of the user
}


class Picture(Protocol):
    """The plan of a picture: its width and height in points, and how it is drawn."""

    @property
    def extent(self) -> Point:
        """Width and height of the whole."""

    def draw(self, canvas: Canvas) -> None:
        """Draw it on a canvas of this size."""


def draw_on(axes: Axes, picture: Picture) -> Axes:
    """Draw a picture in the middle of axes, and return these."""
    from caprese.plots.canvas.canvas import Canvas

    picture.draw(Canvas.on(axes, *picture.extent))
    return axes


def figure_of(picture: Picture) -> Figure:
    """Return a figure of a picture, in the size it needs."""
    from matplotlib.figure import Figure

    width, height = picture.extent
    figure = Figure(figsize=(width / 72, height / 72))
    draw_on(figure.add_axes((0, 0, 1, 1)), picture)
    return figure


def write_figure(figure: Figure, path: FilePath, *, dpi: float = 200) -> None:
    """Write a figure as PNG, SVG or PDF, according to the suffix of the path.

    An existing file is replaced only when the new one is complete.

    Parameters
    ----------
    dpi
        Pixels per inch, for PNG.

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
    suffix = Path(path).suffix.lower()
    if suffix.removeprefix(".") not in _METADATA:
        found = f"the suffix {shown(suffix)}" if suffix else "no suffix"
        raise format_error(path, f"a figure is written as .png, .svg or .pdf, got {found}")
    content = figure_bytes(figure, suffix.removeprefix("."), dpi=dpi)
    replace_file(path, content)


def figure_bytes(figure: Figure, file_format: str, *, dpi: float = 200) -> bytes:
    """Return the content of a figure file: ``png``, ``svg`` or ``pdf``.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> figure_bytes(Figure(), "svg") == figure_bytes(Figure(), "svg")
    True
    """
    import matplotlib as mpl

    content = BytesIO()
    with mpl.rc_context(_SETTINGS):
        figure.savefig(content, format=file_format, dpi=dpi, metadata=_METADATA[file_format])
    return content.getvalue()
