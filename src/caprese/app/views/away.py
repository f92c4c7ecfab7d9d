"""What can be taken away, and how to repeat it."""

from collections.abc import Sequence

from caprese.app.choices import Choices
from caprese.app.downloads import File
from caprese.app.repeating import command, python_lines
from caprese.app.views.fragments import html


def files_view(files: Sequence[File], choices: Choices) -> str:
    """Return the files to take away, each with the command that writes it, and the Python lines."""
    listed_files = [(file, command(choices, file.name)) for file in files]
    return html("files", files=listed_files, python=python_lines(choices))
