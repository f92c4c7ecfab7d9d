"""Pictures of a report, as SVG elements that use the colours of the page."""

from xml.etree import ElementTree

from caprese.plots.canvas import palette, region_of
from caprese.plots.canvas.figures import figure_bytes
from caprese.report.content import Picture
from caprese.text.sentences import shown_names

# The page defines these colours as variables, so that they follow its light or dark scheme.
_COLOURS = {
    getattr(palette, name).lower(): f"var(--{name.lower()})"
    for name in ("INK", "SOFT", "LINE", "PALE", "PAPER", "BLUE", "VERMILION", "AMBER")
} | {"#000000": "var(--ink)"}


def drawn(picture: Picture) -> tuple[str, int]:
    """Return a picture as an element of a page, and the pixels that it is wide by itself."""
    root = _adapted_to_page(figure_bytes(picture.figure(), "svg"), picture.key)
    return ElementTree.tostring(root, encoding="unicode"), _pixels(root)


def inline_svg(content: bytes, key: str) -> str:
    """Return an SVG file as an element of a page, with unique ids and the colours of the page.

    Regions of a picture have the name of their event, so that the page can show all of them.
    """
    return ElementTree.tostring(_adapted_to_page(content, key), encoding="unicode")


def _adapted_to_page(content: bytes, key: str) -> ElementTree.Element:
    root = ElementTree.fromstring(content)
    for element in root.iter():
        element.tag = _local(element.tag)
        event = region_of(element.get("id", ""))
        element.attrib = {
            _local(name): _adapted(_local(name), value, key)
            for name, value in element.attrib.items()
        }
        if event is not None:
            element.attrib = {"class": "region", "data-about": _as_in_words(event)}
        for child in list(element):
            if _local(child.tag) in ("metadata", "style"):
                element.remove(child)
    width = float(root.get("width", "0").removesuffix("pt")) * 4 / 3  # a point is 4/3 pixels
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.set("style", f"--natural: {width:.0f}px")
    root.set("aria-hidden", "true")
    return root


def _pixels(root: ElementTree.Element) -> int:
    return int(root.get("style", "").removeprefix("--natural: ").removesuffix("px"))


def _as_in_words(event: str) -> str:
    """Return the name of an event as the words of the page have it: in full, unless very long."""
    found = shown_names([event])[event]
    return found.full or found.shown


def _adapted(name: str, value: str, key: str) -> str:
    """Prefix ids with the key of the picture, and replace colours by variables of the page."""
    if name == "id":
        return f"{key}-{value}"
    if name == "href" and value.startswith("#"):
        return f"#{key}-{value[1:]}"
    value = value.replace("url(#", f"url(#{key}-")
    if name in ("style", "fill", "stroke"):
        for colour, variable in _COLOURS.items():
            value = value.replace(colour, variable)
    return value


def _local(name: str) -> str:
    """Return a name without its namespace, which HTML does not need in an svg element."""
    return name.rpartition("}")[2]
