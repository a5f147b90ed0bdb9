"""Invented decisions for tests of store, graph and tools."""

import hashlib
from dataclasses import replace
from datetime import date

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
)
from fundstelle.law.identifiers import to_id

DECISION = Decision(
    decision_id="ECLI:DE:BGH:2022:150322UVIZR1.21.0",
    court="BGH",
    panel="6. Zivilsenat",
    dockets=("VI ZR 1/21", "VI ZR 2/21"),
    issued_on=date(2022, 3, 15),
    decision_type=DecisionType.URTEIL,
    ecli="ECLI:DE:BGH:2022:150322UVIZR1.21.0",
    title="Haftung für einen erfundenen Hund",
    norms="§ 1 MusterG",
    lower_instances=(LowerInstance("vorgehend LG Musterstadt, 2. Mai 2020", "LG Musterstadt"),),
    sources=(DecisionSource("rii", "KORE900012022", "https://example.org/KORE900012022"),),
)


def make_decision(court: str, docket: str, day: date, **changes: object) -> Decision:
    """A decision without an ECLI."""
    made = replace(
        DECISION,
        decision_id=f"de/{to_id(court)}/{to_id(docket)}/{day}/urteil",
        court=court,
        dockets=(docket,),
        issued_on=day,
        ecli=None,
        title=None,
        lower_instances=(),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def make_text(
    decision: Decision, *paragraphs: str, leitsatz: str = "Ein Hund ist kein Ding."
) -> DecisionText:
    """Leitsatz and reasons with numbered paragraphs."""
    head = f"{leitsatz}\nGründe\n"
    text = head + "\n".join(paragraphs)
    passages = []
    start = len(head)
    for number, paragraph in enumerate(paragraphs, start=1):
        passages.append(Passage(str(number), start, start + len(paragraph), start, 1))
        start += len(paragraph) + 1
    return DecisionText(
        decision_id=decision.decision_id,
        text=text,
        text_sha256=hashlib.sha256(text.encode()).hexdigest(),
        parts=(
            Part(PartKind.LEITSATZ, None, 0, len(leitsatz) + 1),
            Part(PartKind.GRUENDE, "Gründe", len(leitsatz) + 1, len(text)),
        ),
        passages=tuple(passages),
        headings=(Heading(len(leitsatz) + 1, len(head) - 1, 1),),
        source_chars=len("".join(text.split())) + 12,
        kept_chars=len("".join(text.split())),
    )
