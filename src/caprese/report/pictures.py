"""Pictures of a report, as SVG elements that use the colours of the page."""

from xml.etree import ElementTree

from caprese.plots.canvas import palette
from caprese.plots.canvas.figures import figure_bytes
from caprese.report.content import Picture

# The page defines these colours as variables, so that they follow its light or dark scheme.
_COLOURS = {
    getattr(palette, name).lower(): f"var(--{name.lower()})"
    for name in ("INK", "SOFT", "LINE", "PALE", "PAPER", "BLUE", "VERMILION", "AMBER")
} | {"#000000": "var(--ink)"}


def drawn(picture: Picture) -> str:
    """Return a picture as an element of a page."""
    return inline_svg(figure_bytes(picture.figure(), "svg"), picture.key)


def inline_svg(content: bytes, key: str) -> str:
    """Return an SVG file as an element of a page, with unique ids and the colours of the page."""
    root = ElementTree.fromstring(content)
    for element in root.iter():
        element.tag = _local(element.tag)
        element.attrib = {
            _local(name): _adapted(_local(name), value, key)
            for name, value in element.attrib.items()
        }
        for child in list(element):
            if _local(child.tag) in ("metadata", "style"):
                element.remove(child)
    width = float(root.get("width", "0").removesuffix("pt")) * 4 / 3  # a point is 4/3 pixels
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.set("style", f"--natural: {width:.0f}px")
    root.set("aria-hidden", "true")
    return ElementTree.tostring(root, encoding="unicode")


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
