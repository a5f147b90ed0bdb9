"""Reading XML of decisions without trusting it: no entities, no network, no DTD, bounded."""

import re
from collections.abc import Container

from lxml import etree
from lxml.etree import _Element

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.files.limits import check_marks
from fundstelle.ingest.sources.files.nesting import check_depth

MOST_BYTES = 64 * 2**20
_ROOT = re.compile(rb"<([A-Za-z_][\w:.-]*)")
_TAIL = 200  # bytes
_ENCODINGS = frozenset({"UTF-8", "UTF8", "US-ASCII", "ASCII"})


def parse_xml(file: SourceFile, roots: Container[str]) -> _Element:
    """The root of a file, one of ``roots`` (local names).

    Raises:
        RejectedFile: it is no complete, plain XML document of that kind.
    """
    check_size(file)
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(file.data, parser)
    except etree.XMLSyntaxError as error:
        raise RejectedFile(file.name, _explain(file.data, error)) from None
    _check(file, root, roots)
    return root


def check_size(file: SourceFile) -> None:
    """A file that is neither empty nor absurdly large.

    Raises:
        RejectedFile: it is.
    """
    if not file.data.strip():
        raise RejectedFile(file.name, "it is empty")
    if len(file.data) > MOST_BYTES:
        raise RejectedFile(file.name, f"it is larger than {MOST_BYTES >> 20} MB")
    check_marks(file)


def _check(file: SourceFile, root: _Element, roots: Container[str]) -> None:
    information = root.getroottree().docinfo
    encoding = (information.encoding or "UTF-8").upper()
    if encoding not in _ENCODINGS:
        raise RejectedFile(file.name, f"it is encoded as {encoding}, not as UTF-8")
    declared = information.internalDTD
    if declared is not None and next(declared.iterentities(), None) is not None:
        raise RejectedFile(file.name, "it declares entities of its own")
    name = etree.QName(root).localname
    if name not in roots:
        raise RejectedFile(file.name, f"its root is {name!r}, not that of a decision")
    if next(root.iter(etree.Entity), None) is not None:
        raise RejectedFile(file.name, "it uses an entity that XML does not define")
    check_depth(root, file.name)


def _explain(data: bytes, error: etree.XMLSyntaxError) -> str:
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return "it is no XML"
    message = " ".join((error.msg or "").split())
    folded = message.lower()
    if "depth" in folded:
        return "its elements are nested absurdly deep"
    if "encod" in folded or "utf-8" in folded:
        return f"it is not valid UTF-8 ({message})"
    if "entity" in folded or "amplification" in folded:
        return f"its entities cannot be accepted ({message})"
    root = _ROOT.search(data)
    if root is not None and b"</" + root[1] + b">" not in data[-_TAIL:]:
        return f"it is cut off ({message})"
    return f"it is no well-formed XML ({message})"
