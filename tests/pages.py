"""A page taken apart: its elements, as far as the tests look at them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "br", "img", "link", "input", "hr"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str | None]
    parent: "Element | None" = None
    content: "list[Element | str]" = field(default_factory=list)

    def all(self, tag):
        return [each for each in self.walk() if each.tag == tag]

    @property
    def children(self):
        return [each for each in self.content if isinstance(each, Element)]

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def words(self):
        return "".join(each if isinstance(each, str) else each.words for each in self.content)


class _Builder(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = self.here = Element("page", {})

    def handle_starttag(self, tag, attrs):
        element = Element(tag, dict(attrs), self.here)
        self.here.content.append(element)
        if tag not in VOID:
            self.here = element

    def handle_startendtag(self, tag, attrs):
        self.here.content.append(Element(tag, dict(attrs), self.here))

    def handle_endtag(self, tag):
        assert tag == self.here.tag, f"</{tag}> ends <{self.here.tag}>"
        self.here = self.here.parent

    def handle_data(self, data):
        self.here.content.append(data)


def parsed(page):
    """Return the page as a tree, having checked that every element is closed where it should be."""
    builder = _Builder()
    builder.feed(page)
    builder.close()
    assert builder.here is builder.root
    return builder.root
