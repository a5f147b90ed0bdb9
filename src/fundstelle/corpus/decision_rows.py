"""How decisions become rows, and rows become decisions again. Pure."""

from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

import orjson

from fundstelle.corpus.fields import build_known
from fundstelle.corpus.rows import Row, check_text
from fundstelle.errors import DamagedBuild
from fundstelle.law.citations import ReporterCitation
from fundstelle.law.courts import LOWEST_RANK, get_rank
from fundstelle.law.decisions import (
    Decision,
    DecisionSource,
    DecisionText,
    DecisionType,
    Heading,
    LowerInstance,
    Part,
    PartKind,
    Passage,
    docket_core,
    docket_key,
    print_key,
)

# in decision_names.is_docket:
OWN_NAME = 0  # its id or ECLI
DOCKET_NAME = 1
PAGE_NAME = 2  # a page of a collection or journal
CORE_NAME = 3  # a docket without what stands behind its year
PRINTED_NAME = 4  # the citation that answers print


@dataclass(frozen=True, slots=True)
class EncodedDecision:
    """One decision as rows; its number in the build is given by the writer."""

    row: Row  # decisions: decision_id .. header
    text: Row
    dockets: tuple[str, ...]  # keys
    names: tuple[str, ...]  # casefolded id and ECLI
    cores: tuple[str, ...]  # of dockets that have an end
    printed: str


def place_key(place: ReporterCitation) -> str:
    """A page of a collection or journal as ``decision_names`` has it: ``bghz 150, 99``."""
    return f"{place.reporter} {place.volume}, {place.page}".casefold()


def encode_decision(decision: Decision, text: DecisionText) -> EncodedDecision:
    """All rows of one decision."""
    row = (
        decision.decision_id,
        decision.court,
        get_rank(decision.court) if decision.is_citable else LOWEST_RANK + 1,
        decision.issued_on.isoformat() if decision.issued_on else None,
        decision.decision_type.value,
        decision.jurisdiction,
        orjson.dumps(asdict(decision)).decode(),
    )
    words = (
        text.text,
        bytes.fromhex(text.text_sha256),
        orjson.dumps([(p.kind.value, p.label, p.start, p.end) for p in text.parts]),
        orjson.dumps([(p.number, p.start, p.end, p.body, p.part) for p in text.passages]),
        orjson.dumps([(h.start, h.end, h.level) for h in text.headings]),
        text.source_chars,
        text.kept_chars,
    )
    names = list_names(decision)
    [printed] = names[PRINTED_NAME]
    return EncodedDecision(
        row, words, names[DOCKET_NAME], names[OWN_NAME], names[CORE_NAME], printed
    )


def list_names(decision: Decision) -> dict[int, tuple[str, ...]]:
    """What a decision is found by, by ``decision_names.is_docket``; pages are not its own."""
    own = filter(None, (decision.decision_id, decision.ecli))
    return {
        OWN_NAME: tuple(dict.fromkeys(name.casefold() for name in own)),
        DOCKET_NAME: tuple(dict.fromkeys(map(docket_key, decision.dockets))),
        CORE_NAME: tuple(dict.fromkeys(filter(None, map(docket_core, decision.dockets)))),
        PRINTED_NAME: (print_key(decision.citation),),
    }


def decode_decision(header: str) -> Decision:
    """The inverse of the header that ``encode_decision`` makes.

    Raises:
        DamagedBuild: it cannot be read.
    """
    try:
        return _read_decision(orjson.loads(header))
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise DamagedBuild("what is stored of a decision cannot be read") from error


def _read_decision(fields: dict[str, Any]) -> Decision:
    fields["issued_on"] = _read_day(fields["issued_on"])
    fields["decision_type"] = DecisionType(fields["decision_type"])
    fields["dockets"] = tuple(fields["dockets"])
    fields["doubts"] = tuple(fields.get("doubts", ()))
    fields["sources"] = tuple(build_known(DecisionSource, one) for one in fields["sources"])
    fields["lower_instances"] = tuple(map(_read_instance, fields["lower_instances"]))
    return build_known(Decision, fields)


def decode_text(decision_id: str, row: Row) -> DecisionText:
    """The words of a decision from ``decision_texts``, its number left out.

    Raises:
        DamagedBuild: they do not fit their hash.
    """
    text, digest, parts, passages, headings, source_chars, kept_chars = row
    check_text(text, digest, decision_id)
    return DecisionText(
        decision_id=decision_id,
        text=text,
        text_sha256=digest.hex(),
        parts=tuple(Part(PartKind(kind), *rest) for kind, *rest in orjson.loads(parts)),
        passages=tuple(Passage(*fields) for fields in orjson.loads(passages)),
        headings=tuple(Heading(*fields) for fields in orjson.loads(headings)),
        source_chars=source_chars,
        kept_chars=kept_chars,
    )


def _read_instance(fields: dict[str, str | None]) -> LowerInstance:
    return LowerInstance(
        fields["text"] or "", fields["court"], fields["docket"], _read_day(fields["issued_on"])
    )


def _read_day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
