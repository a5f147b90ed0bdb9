"""Units with proofs, made without a build: a tree of five leaves, signed."""

from copy import deepcopy
from typing import Any

import orjson
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fundstelle.cli.verifying.report import Report, Trust, check_answer
from fundstelle.cli.verifying.words import hash_words
from fundstelle.corpus.proof.leaf import DecisionLeaf, NormLeaf, dump_leaf
from fundstelle.corpus.proof.signing import sign
from fundstelle.corpus.proof.tree import HASH_BYTES, build_levels, hash_leaf, list_siblings

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
TEXT = "(1) Ein Hammer ist ein Werkzeug. (2) Er ist zu pflegen."
LEAF = NormLeaf(
    id="de/musterg/5",
    citation="§ 5 MusterG",
    title="Hammer",
    text_sha256=hash_words(TEXT),
    starts="2026-01-01",
    ends="2026-03-01",
    precision="unknown",
    before="2025-12-01",
    stand="2026-02-01",
    look=None,
    status="in_force",
    source="gii",
)
DECISION = DecisionLeaf(
    id="de/bgh/vi-zr-1-21",
    citation="BGH, Urteil vom 15.03.2022 - VI ZR 1/21",
    title=None,
    text_sha256=hash_words("Tenor."),
    court="BGH",
    decision_type="Urteil",
    case_number="VI ZR 1/21",
    ecli="ECLI:DE:BGH:2022:150322UVIZR1.21.0",
    decision_date="2022-03-15",
    source="rii",
)
_LEAVES = [b"a", b"b", dump_leaf(LEAF), dump_leaf(DECISION), b"e"]
_LEVELS = list(build_levels(b"".join(map(hash_leaf, _LEAVES))))
ROOT = _LEVELS[-1].hex()
TRUST = Trust(ROOT, KEY.public_key())


def prove(index: int) -> dict[str, Any]:
    """The proof of one of the five."""
    path = [
        _LEVELS[level][place * HASH_BYTES : (place + 1) * HASH_BYTES].hex()
        for level, place in list_siblings(index, len(_LEAVES))
    ]
    return {
        "root": ROOT,
        "tree_size": len(_LEAVES),
        "leaf_index": index,
        "leaf": _LEAVES[index].decode(),
        "path": path,
        "signature": sign(KEY, ROOT, len(_LEAVES)),
    }


NORM: dict[str, Any] = {
    "norm_id": LEAF.id,
    "citation": LEAF.citation,
    "title": LEAF.title,
    "content": TEXT,
    "content_start": 0,
    "content_end": len(TEXT),
    "segments": [{"label": "Abs. 1", "text": TEXT[:32], "start": 0, "end": 32}],
    "source_url": "https://example.org/",
    "status": "in_force",
    "provenance": {
        "version_date": "2026-02-01",
        "last_seen": "2026-02-01",
        "first_seen": "2026-01-01",
        "not_seen_before": "2025-12-01",
        "text_sha256": LEAF.text_sha256,
        "proof": prove(2),
    },
}
RULING: dict[str, Any] = {
    "norm_id": DECISION.id,
    "citation": DECISION.citation,
    "content": "Tenor.",
    "status": "in_force",
    "decision": {"court": "BGH", "case_number": "VI ZR 1/21", "decision_date": "2022-03-15"},
    "provenance": {
        "version_date": "2022-03-15",
        "text_sha256": DECISION.text_sha256,
        "proof": prove(3),
    },
}


def alter(unit: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """The unit with another value at a path, "provenance.proof.path"; ``None`` takes it out."""
    altered = deepcopy(unit)
    *above, last = path.split(".")
    holder = altered
    for name in above:
        holder = holder[name]
    if value is None:
        del holder[last]
    else:
        holder[last] = value
    return altered


def check(unit: dict[str, Any], trust: Trust = TRUST, **others: Any) -> Report:
    return check_answer(orjson.dumps({"found": True, "norm": unit} | others), trust)
