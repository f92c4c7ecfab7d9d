"""How a valid file is damaged: bytes, lines, fields, XML in a zip file, values in JSON."""

import bz2
import gzip
import io
import json
import lzma
import tarfile
import warnings
import zipfile
from copy import deepcopy

TEXTS = (
    *("", " ", "0", "1", "-1", "2", "NA", "?", '"', "'", "\\", "\t", "\n", "\r", ",", ";", "#"),
    *("\0", "\x1b[31m", "\x85", "\u202e", "\ufeff", "\ud800", "\udc80", "é", "🧬", "=1+1", "-7q"),
    *("1e999", "nan", "inf", "1" * 400, "1" * 5000, "10" * 30, "x" * 300, "TCGA-02-0001-01A"),
    *("[]", "{}", "null", "true", "<!DOCTYPE a>", "&a;", "<a/>", "a:b", "0,1", "01 7", "$", "%s"),
)
NUMBERS = (
    *(0, 1, -1, 2, -2, 3, 7, 255, 10**6, 2**31 - 1, 2**31, 2**63, -(2**63), 2**64, 10**30, 10**400),
    *(0.5, 1.5, -0.0, 1e-320, 1e300, float("inf"), float("-inf"), float("nan")),
)
VALUES = (
    *(None, True, False, "", "x", "NaN", "Infinity", [], {}, [[]], [[1], [1, 2]], [None], {"a": 1}),
    *(["a", "b"], [0, 1], [[0, 1], [1, 0]], "a" * 200, "\ud800", "root", "forest", "\u202e"),
    *NUMBERS,
)
STEPS = (1, 1, 1, 2, 3, 4)  # how many changes of one file


def damaged_bytes(content, rng):
    """Flip, delete, insert, repeat or truncate bytes."""
    found = bytearray(content)
    for _ in range(rng.choice(STEPS)):
        place = rng.randrange(len(found) + 1)
        match rng.randrange(7):
            case 0 if found:
                found[place % len(found)] ^= 1 << rng.randrange(8)
            case 1 if found:
                found[place % len(found)] = rng.randrange(256)
            case 2:
                del found[place : place + rng.randint(1, 20)]
            case 3:
                found[place:place] = rng.randbytes(rng.randint(1, 8))
            case 4:
                start = rng.randrange(len(found) + 1)
                found[place:place] = found[start : start + rng.randint(1, 60)]
            case 5 if rng.random() < 0.3:
                del found[place:]
            case _:
                number = rng.choice((0, 1, 0x7F, 0xFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF))
                width = rng.choice((1, 2, 4, 8))
                order = rng.choice(("big", "little"))
                found[place : place + width] = (number % 256**width).to_bytes(width, order)
    return bytes(found)


def damaged_text(content, rng):
    """Change lines, fields and characters of text; now and then bytes."""
    if rng.random() < 0.2:
        return damaged_bytes(content, rng)
    lines = content.decode("utf-8", "surrogateescape").split("\n")
    for _ in range(rng.choice(STEPS)):
        if not lines:
            break
        place = rng.randrange(len(lines))
        marks = [mark for mark in "\t,; :" if mark in lines[place]] or ["\t"]
        mark = rng.choice(marks)
        fields = lines[place].split(mark)
        at = rng.randrange(len(fields))
        match rng.randrange(9):
            case 0:
                del lines[place]
            case 1:
                lines.insert(place, lines[rng.randrange(len(lines))])
            case 2:
                lines[place] = "".join(rng.sample(lines[place], len(lines[place])))
            case 3:
                fields[at] = rng.choice(TEXTS)
                lines[place] = mark.join(fields)
            case 4:
                del fields[at]
                lines[place] = mark.join(fields)
            case 5:
                fields.insert(at, rng.choice(TEXTS))
                lines[place] = mark.join(fields)
            case 6:
                other = rng.randrange(len(fields))
                fields[at], fields[other] = fields[other], fields[at]
                lines[place] = mark.join(fields)
            case 7:
                character = rng.randrange(len(lines[place]) + 1)
                lines[place] = (
                    lines[place][:character] + rng.choice(TEXTS) + lines[place][character:]
                )
            case 8:
                lines[place] = lines[place].replace(mark, rng.choice("\t,; "))
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def damaged_json(content, rng):
    """Replace, delete, repeat and exchange values anywhere in JSON; now and then text."""
    if rng.random() < 0.15:
        return damaged_text(content, rng)
    document = json.loads(content)
    for _ in range(rng.choice(STEPS)):
        holders = list(_holders(document))
        if not holders:
            break
        holder = rng.choice(holders)
        key = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
        match rng.randrange(7):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, list):
                holder.append(holder[key])
            case 2 if isinstance(holder, list):
                other = rng.randrange(len(holder))
                holder[key], holder[other] = holder[other], holder[key]
            case 3:
                source = rng.choice(holders)
                other = rng.choice(list(source) if isinstance(source, dict) else range(len(source)))
                holder[key] = json.loads(json.dumps(source[other]))
            case 4 if isinstance(holder[key], int | float):
                holder[key] = rng.choice(NUMBERS)
            case 5 if isinstance(holder, dict):
                holder[rng.choice(TEXTS)] = deepcopy(rng.choice(VALUES))
            case _:
                holder[key] = deepcopy(rng.choice(VALUES))
    return json.dumps(document, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")


def _holders(value):
    """The lists and dictionaries in a document that are not empty."""
    if isinstance(value, dict | list) and value:
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from _holders(item)


def damaged_zip(content, rng):
    """Change one part of a zip file, as text or as bytes; now and then the zip file itself."""
    if rng.random() < 0.3:
        return damaged_bytes(content, rng)
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    name = rng.choice([part for part in parts if part.startswith("xl/")])
    change = rng.choice((damaged_xml, damaged_xml, damaged_bytes, damaged_text))
    parts[name] = change(parts[name], rng)
    if rng.random() < 0.05:
        del parts[name]
    damaged = io.BytesIO()
    with zipfile.ZipFile(damaged, "w") as packed:
        for part, text in parts.items():
            packed.writestr(part, text)
    return damaged.getvalue()


OUTSIDE = ("../{}", "/etc/{}", "C:\\{}", "..\\{}", "a/../../{}", "\\\\host\\{}")
INSIDE = ("{}", "./{}", "x/{}", "a/b/c/{}", "a/b/c/d/e/{}", "__MACOSX/{}", ".{}", "x\\{}", "{}/")
NAMELESS = ("", ".", "/", "./", "..", "\\", " ", "a" * 300)


def damaged_study_archive(content, rng):
    """Change, omit, repeat or rename files in an archive of a study, or what it says of them."""
    if rng.random() < 0.2:
        return damaged_bytes(content, rng)
    packed = content.startswith(b"PK")
    files = [*(_unzipped(content) if packed else _untarred(content)).items()]
    for _ in range(rng.choice(STEPS)):
        place = rng.randrange(len(files))
        name, text = files[place]
        match rng.randrange(7):
            case 0 if len(files) > 1:
                del files[place]
            case 1:
                files[place] = rng.choice((*OUTSIDE, *INSIDE)).format(name), text
            case 2:
                files[place] = rng.choice((*NAMELESS, *TEXTS, name.upper())), text
            case 3:
                files.append((rng.choice(INSIDE).format(name), damaged_text(text, rng)))
            case _:
                files[place] = name, damaged_text(text, rng)
    files = [(name.encode("utf-8", "replace").decode().strip("\0"), text) for name, text in files]
    return _zip(files, rng) if packed else _tar(files, rng)


def _zip(files, rng):
    """A zip archive of files, now and then with a wrong size, checksum, method or flag of one."""
    archive = io.BytesIO()
    kinds = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    with zipfile.ZipFile(archive, "w") as target, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that are there twice
        for name, text in files:
            target.writestr(zipfile.ZipInfo(name or "x"), text, rng.choice(kinds))
            target.filelist[-1].filename = name  # in the directory at the end
        said = rng.choice(target.filelist)
        match rng.randrange(12):
            case 0:
                said.file_size = rng.choice((0, 1, 2**31 - 1, 2**32, 2**62))
            case 1:
                said.compress_size = rng.choice((0, 1, 2**31, 2**62))
            case 2:
                said.CRC ^= 1
            case 3:
                said.compress_type = rng.choice((0, 8, 12, 14, 93, 99))
            case 4:
                said.flag_bits |= rng.choice((1, 8, 0x40, 0x800))
            case 5:
                said.header_offset = rng.choice((0, 7, 2**31, 2**62))
    return archive.getvalue()


def _tar(files, rng):
    """A packed tar archive of files, now and then with links, pipes, or a wrong size of one."""
    plain = io.BytesIO()
    odd = rng.randrange(len(files)) if rng.random() < 0.3 else None
    with tarfile.open(fileobj=plain, mode="w") as target:
        for place, (name, text) in enumerate(files):
            info = tarfile.TarInfo(name)
            info.size = len(text)
            if place == odd and rng.random() < 0.5:
                info.type = rng.choice((tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, b"S"))
                info.linkname, info.size = rng.choice(("/etc/passwd", name, "..", "")), 0
                target.addfile(info)
            elif place == odd:
                info.size = rng.choice((0, 1, len(text) + 1, 2**31, 2**40, 2**62))
                plain.write(info.tobuf(tarfile.GNU_FORMAT) + text)
                target.offset = plain.tell()
            else:
                target.addfile(info, io.BytesIO(text))
    pack = rng.choice((gzip.compress, gzip.compress, bz2.compress, lzma.compress, bytes))
    return pack(plain.getvalue())


def _unzipped(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _untarred(content):
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        return {info.name: archive.extractfile(info).read() for info in archive}


def damaged_xml(content, rng):
    """Change tags, attributes and text between tags."""
    pieces = content.decode("utf-8", "surrogateescape").replace("<", "\x01<").split("\x01")
    for _ in range(rng.choice(STEPS)):
        place = rng.randrange(len(pieces))
        match rng.randrange(5):
            case 0:
                del pieces[place]
            case 1:
                pieces.insert(place, pieces[rng.randrange(len(pieces))])
            case 2:
                words = pieces[place].split('"')
                words[rng.randrange(len(words))] = rng.choice(TEXTS)
                pieces[place] = '"'.join(words)
            case 3:
                tag, _, _ = pieces[place].partition(">")
                pieces[place] = f"{tag}>{rng.choice(TEXTS)}"
            case 4:
                other = rng.randrange(len(pieces))
                pieces[place], pieces[other] = pieces[other], pieces[place]
        if not pieces:
            break
    return "".join(pieces).encode("utf-8", "surrogatepass")
