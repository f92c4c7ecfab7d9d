"""The table of speeds: every operation, with its rivals, its growth and what it found.

    .venv/bin/python benchmarks/table.py [--quick] [--json FILE] [--only NAME]

`make bench` runs it, and writes benchmarks/table.json and the table in docs/performance.md.
"""

import argparse
import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from platform import machine, python_version

from rows import assessing, counting, forests, networks, waiting

KINDS = (counting, assessing, forests, networks, waiting)
DOCUMENT = Path(__file__).parents[1] / "docs" / "performance.md"
START, END = "<!-- table: make bench -->", "<!-- end of table -->"


def main():
    arguments = parser().parse_args()
    sections = []
    for measured in (each for kind in KINDS for each in kind.SECTIONS):
        if arguments.only in measured.__name__:
            section = measured(arguments.quick)
            sections.append(section)
            print("\n".join(lines(section)), flush=True)
    if arguments.json:
        table = {
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
            "python": python_version(),
            "machine": machine(),
            "sections": [as_json(section) for section in sections],
        }
        arguments.json.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    if arguments.document:
        text = DOCUMENT.read_text(encoding="utf-8")
        before, after = text.split(START)[0], text.split(END)[1]
        tables = "\n\n".join(markdown(section) for section in sections)
        DOCUMENT.write_text(f"{before}{START}\n\n{tables}\n\n{END}{after}", encoding="utf-8")


def parser():
    result = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    result.add_argument("--quick", action="store_true", help="smaller sizes, in a minute")
    result.add_argument("--only", default="", help="functions whose name contains this")
    result.add_argument("--json", type=Path, help="where to write the table")
    result.add_argument("--document", action="store_true", help="write docs/performance.md")
    return result


def lines(section):
    yield f"\n{section.title}"
    for row in section.rows:
        rival = f"{row.ratio:8.1f} x {row.rival.name}" if row.ratio else ""
        yield "  ".join(
            part for part in (f"  {row.what:<52}", seconds(row), rival, row.found, row.note) if part
        )
    for of, value in section.growth.items():
        yield f"    growth with {of}: {value:.2f}"


def seconds(row):
    if row.seconds is None:
        return "   open"
    units = (("s ", 1.0), ("ms", 1e-3), ("us", 1e-6))
    unit, size = next((each for each in units if row.seconds >= each[1]), units[-1])
    number = row.seconds / size
    return f"{number:7.0f} {unit}" if number >= 100 else f"{number:7.3g} {unit}"


def markdown(section):
    head = (
        f"## {section.title[0].upper()}{section.title[1:]}\n\n"
        "| | seconds | rival / ours | found | note |\n|---|---|---|---|---|"
    )
    body = [
        " | ".join(
            (
                f"| {row.what}",
                seconds(row).strip(),
                f"{row.ratio:.1f} ({row.rival.name})" if row.ratio else "",
                row.found,
                f"{row.note} |",
            )
        )
        for row in section.rows
    ]
    growth = [f"\nGrowth with {of}: {value:.2f}." for of, value in section.growth.items()]
    return "\n".join([head, *body, *growth])


def as_json(section):
    rows = [asdict(row) | {"ratio": row.ratio} for row in section.rows]
    return asdict(section) | {"rows": rows}


if __name__ == "__main__":
    main()
