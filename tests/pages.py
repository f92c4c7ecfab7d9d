"""A parser for HTML pages, as far as the tests need one; and the blocks of a report."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

from caprese.report.content import Section

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
        self.root = self.current = Element("page", {})

    def handle_starttag(self, tag, attrs):
        element = Element(tag, dict(attrs), self.current)
        self.current.content.append(element)
        if tag not in VOID:
            self.current = element

    def handle_startendtag(self, tag, attrs):
        self.current.content.append(Element(tag, dict(attrs), self.current))

    def handle_endtag(self, tag):
        assert tag == self.current.tag, f"</{tag}> ends <{self.current.tag}>"
        self.current = self.current.parent

    def handle_data(self, data):
        self.current.content.append(data)


def parsed(page):
    """Return the page as a tree of elements, after checking that each is closed correctly."""
    builder = _Builder()
    builder.feed(page)
    builder.close()
    assert builder.current is builder.root
    return builder.root


def blocks_of(section):
    """Return the blocks of a section of a report, those of its parts too."""
    found = []
    for block in section.blocks:
        found += blocks_of(block) if isinstance(block, Section) else [block]
    return found
