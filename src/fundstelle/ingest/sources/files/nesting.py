"""Elements inside elements: a file may repeat none of its words by how it is nested.

What is read wherever it stands would be read once for each element of its kind around it: a
megabyte in a hundred tables is a hundred megabytes, and where each reads all below it, two to the
power of their number.
"""

from collections.abc import Iterator

from lxml import etree
from lxml.etree import _Element

from fundstelle.errors import RejectedFile

MOST_DEPTH = 120  # the deepest law has 30 levels or so; libxml2 itself stops at 256
_has_deeper = etree.XPath(f"boolean({'/'.join(['*'] * MOST_DEPTH)})")


def check_depth(root: _Element, name: str) -> None:
    """Refuse what is nested deeper than any text.

    Raises:
        RejectedFile: it is.
    """
    if _has_deeper(root):
        raise RejectedFile(name, f"its elements are nested more than {MOST_DEPTH} deep")


def check_kin(root: _Element, name: str, most: int, *tags: str) -> None:
    """Refuse elements of these kinds with more than ``most`` of them around them.

    Raises:
        RejectedFile: there is one.
    """
    for element in root.iter(*tags):
        for number, _ in enumerate(element.iterancestors(*tags), start=1):
            if number > most:
                raise RejectedFile(name, f"{element.tag} stands in more than {most} of its kind")


def iter_outermost(element: _Element, *tags: str) -> Iterator[_Element]:
    """The elements of these kinds below one that stand in none of these kinds themselves."""
    walk = etree.iterwalk(element, events=("start",), tag=tags)
    for _, found in walk:
        if found is not element:
            walk.skip_subtree()
            yield found
