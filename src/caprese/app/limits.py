"""What a page may ask of the machine."""

from caprese._core.budget import share

REQUEST = 4 * 2**20  # bytes of what the page chose, such as the names of events
FILES = 300  # of a folder
FOLDERS = 3  # within each other
SESSIONS = 32  # tabs at a time
IDLE = 8 * 3600.0  # seconds after which a session that nobody uses is dropped
WORKERS = 3  # processes, of which one is kept for what is quick
PATIENCE = 1.5  # seconds a worker has to hear that it shall stop; then it is killed
FINISHING = 30.0  # seconds it has, once it heard that, to draw what it has

_PER_BYTE = 16  # bytes of memory that reading a byte may take


def upload_limit() -> int:
    """Return the size of the largest file that is taken, by the budget for reading files."""
    return share(_PER_BYTE)
