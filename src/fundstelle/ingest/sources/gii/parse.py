"""Federal law of "Gesetze im Internet": one XML file to one law with its norms.

Source: gii-norm.dtd 1.01. Everything here is pure: bytes in, records out.
"""

from dataclasses import replace
from datetime import date

from fundstelle.errors import RejectedFile
from fundstelle.ingest.lengths import find_excess_of_norms
from fundstelle.ingest.records import ParsedStatute, SourceFile, StatuteHeader
from fundstelle.ingest.sources.gii.fingerprints import fingerprint
from fundstelle.ingest.sources.gii.header import build_header, build_statute
from fundstelle.ingest.sources.gii.norms import build_norms
from fundstelle.ingest.sources.gii.outline import FRONT, read_outline
from fundstelle.ingest.sources.gii.xml import parse_document, parse_first_norm
from fundstelle.law.norms import NormKind


def read_header(file: SourceFile) -> StatuteHeader:
    """The names of a law, without reading the rest of its file.

    Raises:
        RejectedFile: the file is no law in the publisher's format.
    """
    return build_header(file, parse_first_norm(file))


def parse_statute(
    file: SourceFile, statute_id: str, abbreviation: str, stand: date
) -> ParsedStatute:
    """A law with all its norms, each with its text on the day of the snapshot.

    Raises:
        RejectedFile: the file is no law in the publisher's format.
    """
    root = parse_document(file)
    outline = read_outline(file, root)
    norms = build_norms(outline, statute_id, abbreviation, stand)
    if len({norm.norm_id for norm, _ in norms}) < len(norms):
        raise RejectedFile(file.name, "two of its norms would share an id")
    formula = next((f.text for n, f in norms if n.number == "eingangsformel"), "")
    statute = build_statute(
        file,
        outline.header,
        statute_id=statute_id,
        abbreviation=abbreviation,
        stand=stand,
        formula=formula,
        norm_count=sum(
            norm.kind is not NormKind.HEADING and norm.number != FRONT for norm, _ in norms
        ),
    )
    excess = find_excess_of_norms(statute, ((norm, (fassung,)) for norm, fassung in norms))
    if excess is not None:
        raise RejectedFile(file.name, excess)
    return ParsedStatute(replace(statute, fingerprint=fingerprint(file.data)), norms)
