"""Options as users type them, and the same table in every format.

An option has a value of its type or is refused. A table that is written in several formats is the
same data in all of them, whoever wrote it, or is refused in all.
"""

import inspect
import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import numpy as np
import openpyxl
import pandas
from openpyxl.utils.exceptions import IllegalCharacterError

from caprese.data.dataset import Dataset
from caprese.errors import CapreseError
from caprese.io.data.frames import write_data
from caprese.io.data.options import OPTIONS, option_value
from caprese.io.data.sources import READERS, check_option, read
from example_files import stored_study
from fuzz import seeds
from fuzz.mutations import TEXTS
from made_studies import tarred, zipped
from r_files import matrix, write

_SWITCH = ("yes", "no", "on", "off", "true", "FALSE", "1", "0", "maybe", "")
USUAL = {
    "delimiter": ("tab", "\\t", "\t", ",", ";", " ", "|", ",,", "a", '"', "é"),
    "barcode": ("patient", "sample", "Patient", "aliquot"),
    "several": ("union", "refuse", "primary first", "first"),
    "gain": ("1", "2", "+1", "-1", "0", "1.0", "\u0662"),
    "loss": ("-1", "-2", "1", "\u22121", "-3"),
    "events": ("gene", "gene and kind", "data.csv", ".", "gene,kind"),
    "genes": ("TP53", "TP53,KRAS", "KRAS", ",", " , ", "TP53,,", "é"),
    "per": ("patient", "sample", "tumour"),
    "panels": (".", "data.csv", "none", "no"),
    "name": ("m", "x", "data", "5"),
    "sheet": ("s", "data", "0", "1"),
    "samples": ("id", "a", "0"),
}
USUAL |= dict.fromkeys(
    ("sample_names", "transpose", "silent", "germline", "copy_number", "mixed"), _SWITCH
)
WORDS = (*_SWITCH, *(word for words in USUAL.values() for word in words))
ODD = (
    *("sample", "a", "A", " a", "a ", "'a", "'=a", "=a", "-a", "+1", "1", "0", "01", "1.0", "1e3"),
    *("NA", "nan", "true", "_x0041_", "_x000D_", "\\u0041", "\\", '"', '""', "a,b", "a;b", "a\tb"),
    *(
        "a\nb",
        "a\r\nb",
        "#a",
        "a#",
        "é",
        "e\u0301",
        "🧬",
        "\xa0",
        "\u2028",
        "2024-01-02",
        "3/4",
        "x.1",
    ),
)


@cache
def _sources() -> dict[str, Path]:
    """A valid file, or folder, of each format."""
    folder = Path(mkdtemp(prefix="fuzz-"))
    contents = {
        "table": ("data.csv", seeds.encoded(seeds.TABLES)[0]),
        "maf": ("data.maf", seeds.encoded(seeds.MAFS)[1]),
        "copy-number": ("data_cna.txt", seeds.encoded(seeds.COPY_NUMBER)[1]),
        "genotypes": ("counts.txt", seeds.encoded(seeds.GENOTYPES)[0]),
        "r": ("data.rda", seeds.r_files()[0]),
        "parquet": ("data.parquet", seeds.parquets()[0]),
        "excel": ("data.xlsx", seeds.workbooks()[0]),
    }
    found = {"study": stored_study(folder)}
    for form, (name, content) in contents.items():
        found[form] = folder / name
        found[form].write_bytes(content)
    return found


def typed_options():
    """Options of each format, as users type them."""
    usual = {"delimiter": ",", "barcode": "patient", "several": "union", "gain": "2", "loss": "-1"}
    usual |= {"events": "gene and kind", "per": "patient", "sample_names": "yes"}
    usual |= dict.fromkeys(("transpose", "silent", "germline", "copy_number"), "no")
    for form, reader in READERS.items():
        names = [name for name in inspect.signature(reader).parameters if name in usual]
        asked = {"format": form, "options": {name: usual[name] for name in names}}
        yield json.dumps(asked).encode()


def damaged_options(content, rng):
    """Other words for some options, and options of other formats."""
    asked = json.loads(content)
    for _ in range(rng.choice((1, 1, 2, 3))):
        own = [
            each
            for each in inspect.signature(READERS[asked["format"]]).parameters
            if each in OPTIONS
        ]
        names = own if own and rng.random() < 0.9 else [*OPTIONS, *WORDS, *TEXTS, "format", "only"]
        name = rng.choice(names)
        value = rng.choice(TEXTS if rng.random() < 0.2 else USUAL.get(name, WORDS))
        if rng.random() < 0.05:
            value = rng.choice((None, True, 1, -1.5, [], ["a"], [1], {}, {"a": "b"}))
        asked["options"][name] = value
    if rng.random() < 0.02:
        asked["format"] = rng.choice([*READERS, *WORDS])
    return json.dumps(asked).encode()


def use_options(path, use):
    """Read a valid file with options, each as the command line understands it."""
    asked = json.loads(path.read_bytes())
    values = {}
    for name, text in asked["options"].items():
        check_option(name)
        values[name] = option_value(name, text) if isinstance(text, str) else text
    if values.keys() & {"format", "path"}:
        raise CapreseError("given in another way")
    source = _sources().get(asked["format"], _sources()["table"])
    use(source, **values, format=asked["format"])


def tables():
    """A table as names and codes, 2 where unknown."""
    table = {"events": ["a", "b", "8q+"], "samples": ["p", "q"], "codes": [[1, 0, 2], [0, 1, 1]]}
    return (json.dumps(table).encode(),)


def odd_table(_content, rng):
    """A table with odd names."""
    events, samples = rng.randint(1, 4), rng.randint(1, 4)
    known = rng.random() < 0.5

    def names(number, mark):
        return [
            rng.choice(ODD if rng.random() < 0.7 else TEXTS)
            if rng.random() < 0.5
            else f"{mark}{rng.choice(ODD)}"
            if rng.random() < 0.3
            else f"{mark}{k}"
            for k in range(number)
        ]

    codes = [[rng.randrange(2 + known) for _ in range(events)] for _ in range(samples)]
    table = {"events": names(events, "e"), "samples": names(samples, "s"), "codes": codes}
    return json.dumps(table).encode()


def use_formats(path):
    """Write a table in all formats, as caprese and as other programs do; compare what is read."""
    table = json.loads(path.read_bytes())
    events, samples = table["events"], table["samples"]
    codes = np.array(table["codes"], dtype=np.uint8)
    if all(name.isprintable() and name for name in (*events, *samples)):
        _agree({suffix: _foreign(path, suffix, events, samples, codes) for suffix in _FOREIGN})
    data = Dataset(codes == 1, events, samples, codes < 2)
    found = {suffix: _own(path, suffix, data) for suffix in (".csv", ".tsv", ".xlsx", ".parquet")}
    _agree(found)
    if isinstance(found[".csv"], str):
        raise CapreseError(found[".csv"])
    assert [*map(str.strip, found[".csv"].events)] == [*map(str.strip, data.events)]
    assert (found[".csv"].codes() == data.codes()).all()


def _agree(found):
    """Fail unless all formats give the same data, or all refuse it; None is not to be compared."""
    made = [(name, each) for name, each in found.items() if each is not None]
    for (first, one), (name, other) in pairwise(made):
        same = one == other if isinstance(one, Dataset) else not isinstance(other, Dataset)
        assert same, f"{first} and {name} differ: {one!r} and {other!r}"[:600]


def _own(path, suffix, data):
    target = path.with_name(f"own{suffix}")
    try:
        write_data(data, target)
        return read(target).data
    except CapreseError as error:
        return f"refused: {error}"


def use_archives(path):
    """Read a study from a folder, zip and tar archives; all give the same, or all refuse it."""
    files = json.loads(path.read_bytes())
    content = {name: text.encode("utf-8", "surrogatepass") for name, text in files.items()}
    with TemporaryDirectory(dir=path.parent) as place:
        folder = Path(place, "folder")
        for name, text in content.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text)
        tops = [_TOPS[path.stat().st_size % len(_TOPS)], _TOPS[len(files) % len(_TOPS)]]
        made = [folder, zipped(content, Path(place, "study.zip"), tops[0])]
        made.append(tarred(content, Path(place, "study.tgz"), tops[1]))
        found = [_of_study(each) for each in made]
    for each, other in zip(made, found, strict=True):
        both = not (isinstance(found[0], tuple) or isinstance(other, tuple))
        assert found[0] == other or both, f"{each.name}: {found[0]!r} and {other!r}"[:600]
    if isinstance(found[0], str):
        raise CapreseError(found[0])


_TOPS = ("", "study/", "a/b/")  # folders in an archive, above the files of a study


def _of_study(path):
    """What is read of a study, and what is said of it without the names of files; or why not."""
    try:
        found = read(path, format="study")
    except CapreseError as error:
        return f"refused: {error}"
    return found.data, tuple(str(note) for note in found.notes)


_FOREIGN = (".csv", ".xlsx", ".parquet", ".rds")


def _foreign(path, suffix, events, samples, codes):
    """What is read of a table that pandas, openpyxl or rdata has written; None if they cannot."""
    target = path.with_name(f"foreign{suffix}")
    if len({*events}) < len(events) or len({*samples}) < len(samples) or (codes > 1).any():
        return None
    values = codes.astype(int)
    frame = pandas.DataFrame(values, index=samples, columns=events)
    try:
        if suffix == ".csv":
            frame.to_csv(target, index_label="sample")
        elif suffix == ".parquet":
            frame.to_parquet(target)
        elif suffix == ".rds":
            write(target, m=matrix(values, list(samples), list(events)))
        elif any("_x" in name for name in (*events, *samples)):
            return None  # openpyxl does not escape what stands for a character
        else:
            book = openpyxl.Workbook()
            rows = (
                ("sample", *events),
                *([s, *v] for s, v in zip(samples, values.tolist(), strict=True)),
            )
            for row in rows:
                book.active.append(row)
            for row in book.active:
                for cell in row:
                    cell.data_type = "s" if isinstance(cell.value, str) else "n"
            book.save(target)
    except (UnicodeEncodeError, IllegalCharacterError, ValueError):
        return None
    try:
        return read(target).data
    except CapreseError as error:
        return f"refused: {error}"
