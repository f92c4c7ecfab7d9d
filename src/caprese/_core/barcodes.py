"""TCGA barcodes: of which patient, and of which sample of the patient, a name is."""

import re

BARCODE = re.compile(r"(TCGA-[A-Z0-9]{2}-[A-Z0-9]{4})(?:-(\d{2})[A-Z]?(?:-.*)?)?", re.IGNORECASE)


def short_barcode(name: str, length: str) -> str:
    """Return a barcode shortened to its sample or its patient; other names as they are."""
    parts = BARCODE.fullmatch(name)
    if parts is None:
        return name
    return f"{parts[1]}-{parts[2]}" if length == "sample" and parts[2] else parts[1]
