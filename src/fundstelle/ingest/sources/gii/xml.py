"""Reading the publisher's XML without trusting it: no entities, no network, no DTD, bounded."""

from io import BytesIO

from lxml import etree
from lxml.etree import _Element

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.files.limits import check_marks
from fundstelle.ingest.sources.files.nesting import check_depth

MOST_BYTES = 64 * 1_048_576  # the longest federal law has 3.3 MB
_SAFE = {
    "resolve_entities": False,
    "load_dtd": False,
    "no_network": True,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}


def parse_document(file: SourceFile) -> _Element:
    """The ``dokumente`` element of a file.

    Raises:
        RejectedFile: it is no complete, plain XML document of the federal law DTD.
    """
    _check_size(file)
    try:
        root = etree.fromstring(file.data, etree.XMLParser(**_SAFE))
    except etree.XMLSyntaxError as error:
        raise RejectedFile(file.name, _explain(file.data, error)) from None
    _check_document(file, root)
    if next(root.iter(etree.Entity), None) is not None:
        raise RejectedFile(file.name, "it uses an entity that XML does not define")
    check_depth(root, file.name)
    return root


def parse_first_norm(file: SourceFile) -> _Element:
    """The first ``norm`` of a file, read without the rest.

    Raises:
        RejectedFile: there is none, or what stands before its end is no plain XML.
    """
    _check_size(file)
    try:
        for _, norm in etree.iterparse(BytesIO(file.data), tag="norm", **_SAFE):
            _check_document(file, norm.getroottree().getroot())
            if norm.getparent() is None or next(norm.iter(etree.Entity), None) is not None:
                break
            return norm
    except etree.XMLSyntaxError as error:
        raise RejectedFile(file.name, _explain(file.data, error)) from None
    raise RejectedFile(file.name, "it has no norm that could be the header of a law")


def _check_size(file: SourceFile) -> None:
    if not file.data.strip():
        raise RejectedFile(file.name, "it is empty")
    if len(file.data) > MOST_BYTES:
        raise RejectedFile(file.name, f"it is larger than {MOST_BYTES // 1_048_576} MB")
    check_marks(file)


def _check_document(file: SourceFile, root: _Element) -> None:
    information = root.getroottree().docinfo
    encoding = (information.encoding or "UTF-8").upper()
    if encoding not in {"UTF-8", "UTF8", "US-ASCII", "ASCII"}:
        raise RejectedFile(file.name, f"it is encoded as {encoding}, not as UTF-8")
    declared = information.internalDTD
    if declared is not None and next(declared.iterentities(), None) is not None:
        raise RejectedFile(file.name, "it declares entities of its own")
    if root.tag != "dokumente":
        raise RejectedFile(file.name, f"its root is {root.tag!r}, not 'dokumente'")


def _explain(data: bytes, error: etree.XMLSyntaxError) -> str:
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return "it is no XML"
    message = " ".join((error.msg or "").split())
    if "depth" in message:
        return "its elements are nested absurdly deep"
    if "encod" in message.lower() or "UTF-8" in message:
        return f"it is not valid UTF-8 ({message})"
    if "entity" in message.lower() or "amplification" in message.lower():
        return f"its entities cannot be accepted ({message})"
    if b"<dokumente" in data and b"</dokumente>" not in data[-100:]:
        return f"it is cut off ({message})"
    return f"it is no well-formed XML ({message})"
