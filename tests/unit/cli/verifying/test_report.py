"""Answers that were altered: what does not fit is named by its field."""

from dataclasses import replace
from typing import Any

import orjson
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fundstelle.cli.verifying.report import Trust, check_answer
from tests.unit.cli.verifying.proving import (
    KEY,
    NORM,
    ROOT,
    RULING,
    TEXT,
    TRUST,
    alter,
    check,
    prove,
)

PROOF = NORM["provenance"]["proof"]
PATH = PROOF["path"]
OTHER = "00" * 32


def test_an_answer_that_fits_is_proved_with_the_days_of_its_text() -> None:
    """The last day is not in this answer: whoever left it out has not hidden it."""
    report = check(NORM)
    assert report.wrong == report.unchecked == report.unknown == []
    days = "first seen 2026-01-01, as of 2026-02-01, another text or none from 2026-03-01"
    assert report.proved == [f"norm: § 5 MusterG, {days}"]
    assert report.uncovered == ["norm.source_url", "norm.segments.label"]
    assert check(RULING).proved == ["norm: BGH, Urteil vom 15.03.2022 - VI ZR 1/21"]


@pytest.mark.parametrize("trust", [Trust(ROOT), Trust(key=KEY.public_key())])
def test_root_or_key_alone_is_enough(trust: Trust) -> None:
    assert len(check(NORM, trust).proved) == 1


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("content", TEXT.replace("ein W", "kein W"), "norm.content"),
        ("content", TEXT[:-1], "norm.content"),
        ("content_end", 7, "norm.content"),
        (
            "segments",
            [{"label": "Abs. 1", "text": "(1)", "start": 1, "end": 4}],
            "norm.segments[0]",
        ),
        ("segments", [{"text": ""}], "norm.segments[0]"),
        ("norm_id", "de/musterg/6", "norm.norm_id"),
        ("norm_id", None, "norm.norm_id"),
        ("citation", "§ 6 MusterG", "norm.citation"),
        ("citation", "§ 5 AndersG", "norm.citation"),
        ("citation", "§ 4 und § 5 MusterG", "norm.citation"),
        ("citation", "", "norm.citation"),
        ("title", "Säge", "norm.title"),
        ("status", "repealed", "norm.status"),
        ("provenance.version_date", "2026-02-02", "norm.provenance.version_date"),
        ("provenance.last_seen", "2026-02-02", "norm.provenance.last_seen"),
        ("provenance.first_seen", "2020-01-01", "norm.provenance.first_seen"),
        ("provenance.not_seen_before", "2019-01-01", "norm.provenance.not_seen_before"),
        ("provenance.valid_to", "2099-01-01", "norm.provenance.valid_to"),
        ("provenance.text_sha256", OTHER, "norm.provenance.text_sha256"),
        ("provenance.proof.root", OTHER, "norm.provenance.proof"),
        ("provenance.proof.leaf", PROOF["leaf"].replace("§ 5", "§ 6"), "norm.provenance.proof"),
        ("provenance.proof.leaf", "{}", "norm.provenance.proof"),
        ("provenance.proof.leaf_index", 3, "norm.provenance.proof"),
        ("provenance.proof.leaf_index", -1, "norm.provenance.proof"),
        ("provenance.proof.leaf_index", True, "norm.provenance.proof"),
        ("provenance.proof.tree_size", 2, "norm.provenance.proof"),
        ("provenance.proof.path", PATH[:-1], "norm.provenance.proof"),
        ("provenance.proof.path", PATH[1:], "norm.provenance.proof"),
        ("provenance.proof.path", [*PATH, OTHER], "norm.provenance.proof"),
        ("provenance.proof.path", [OTHER, *PATH[1:]], "norm.provenance.proof"),
        ("provenance.proof.path", [PATH[0][:-2], *PATH[1:]], "norm.provenance.proof"),
        ("provenance.proof.path", [7], "norm.provenance.proof"),
        ("provenance.proof.path", ["ab" * 32] * 10_000, "norm.provenance.proof"),
        ("provenance.proof.path", "ab", "norm.provenance.proof"),
        ("provenance.proof.path", None, "norm.provenance.proof"),
        ("provenance.proof.signature", "ab" * 64, "norm.provenance.proof.signature"),
        ("provenance.proof.signature", None, "norm.provenance.proof.signature"),
        ("provenance.proof.signature", 7, "norm.provenance.proof.signature"),
        ("provenance.proof", [], "norm.provenance.proof"),
        ("provenance.proof", prove(3), "norm.norm_id"),
    ],
)
def test_what_was_altered_in_a_norm_is_named(path: str, value: object, named: str) -> None:
    report = check(alter(NORM, path, value))
    assert report.proved == []
    assert any(line.startswith((f"{named}:", f"{named}.")) for line in report.wrong), report.wrong


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("content", "Tenor!"),
        ("decision.court", "BAG"),
        ("decision.case_number", "VI ZR 2/21"),
        ("decision.decision_date", "2022-03-16"),
        ("citation", "BAG, Urteil vom 15.03.2022 - VI ZR 1/21"),
        ("provenance.version_date", "2022-03-16"),
    ],
)
def test_what_was_altered_in_a_decision_is_named(path: str, value: str) -> None:
    report = check(alter(RULING, path, value))
    assert report.proved == []
    assert [line.partition(":")[0] for line in report.wrong] == [f"norm.{path}"]


def test_another_root_and_another_key_are_named() -> None:
    report = check(NORM, Trust(OTHER))
    assert report.wrong == [f"norm.provenance.proof.root: it is the proof of another root, {ROOT}"]
    report = check(NORM, Trust(ROOT, Ed25519PrivateKey.generate().public_key()))
    assert report.wrong == [
        "norm.provenance.proof.signature: root and size are not signed by this key"
    ]


def test_a_text_without_proof_is_neither_right_nor_wrong() -> None:
    bare = alter(NORM, "provenance.proof", None)
    report = check(bare)
    assert report.proved == report.wrong == report.unchecked == []
    # beside one that is proved, it must not pass with it
    assert check(RULING, norms=[bare]).unchecked == ["norms[0]: it has no proof"]


def test_a_text_that_stands_there_twice_is_proved_by_one_proof() -> None:
    again = alter(NORM, "provenance.proof", None)
    assert len(check(NORM, norms=[again]).proved) == 2
    report = check(NORM, norms=[alter(again, "content", "anders")])
    assert [line.partition(":")[0] for line in report.wrong] == ["norms[0].content"]


def make_part(start: int, end: int) -> dict[str, Any]:
    part = alter(NORM, "provenance.hash_scope", "full_stored_text")
    part.update(content=TEXT[start:end], content_start=start, content_end=end, segments=[])
    part["citation"] = "§ 5 Abs. 2 MusterG"
    return part


def test_a_part_is_compared_with_the_full_text_where_that_is_at_hand() -> None:
    part = make_part(33, len(TEXT))
    report = check(part)
    assert (report.proved, report.wrong) == ([], [])
    assert "it is a part" in report.unchecked[0]
    knowing = replace(TRUST, texts=(TEXT,))
    assert len(check(part, knowing).proved) == 1
    assert len(check(part, norms=[NORM]).proved) == 2
    assert "norm.citation" in check(part, knowing).uncovered  # which Absatz it is, no leaf says
    for path, value in (
        ("content", part["content"].replace("zu", "nicht zu")),
        ("content_start", 0),
        ("lead_in", "Verboten ist:"),
        ("segments", [{"text": "Er", "start": 0, "end": 2}]),
    ):
        report = check(alter(part, path, value), knowing)
        assert report.proved == []
        assert report.wrong, path
    assert check(part, replace(TRUST, texts=("another",))).proved == []


def test_what_stands_beside_the_texts_is_named_as_not_covered() -> None:
    report = check(NORM, warnings=["Alles frei erfunden."], quote_check={"status": "verbatim"})
    assert {"warnings", "quote_check"} <= set(report.uncovered)


def test_an_answer_with_a_text_that_says_that_nothing_was_found_is_named() -> None:
    assert [one.partition(":")[0] for one in check(NORM, found=False).wrong] == ["found"]


def test_two_texts_of_one_response_that_differ_are_named() -> None:
    answer = {"found": True, "norm": NORM}
    block = {"type": "text", "text": orjson.dumps(answer).decode().replace("pflegen", "werfen")}
    response = {"result": {"content": [block], "structuredContent": answer}}
    assert check_answer(orjson.dumps(response), TRUST).wrong == [
        "content[0]: the text block says something else than structuredContent"
    ]


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("note", "Frei erfunden.", "norm.note"),
        ("Content", "Frei erfunden.", "norm.Content"),
        ("provenance.note", "Frei erfunden.", "norm.provenance.note"),
        ("provenance.proof.note", "Frei erfunden.", "norm.provenance.proof.note"),
        *(
            ("segments", [{**NORM["segments"][0], name: "y"}], f"norm.segments[0].{name}")
            for name in ("note", "lead_in")
        ),
    ],
)
def test_a_field_that_no_tool_gives_is_named_as_not_known(
    path: str, value: object, named: str
) -> None:
    report = check(alter(NORM, path, value))
    assert [line.partition(":")[0] for line in report.unknown] == [named]


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("content", [TEXT], "norm.content"),
        ("content_start", "0", "norm.content_start"),
        ("content_start", False, "norm.content_start"),
        ("segments", "Frei erfunden.", "norm.segments"),
        ("segments", ["Frei erfunden."], "norm.segments[0]"),
        (
            "segments",
            [{"label": ["y"], "text": "", "start": 0, "end": 0}],
            "norm.segments[0].label",
        ),
        ("decision", "Frei erfunden.", "norm.decision"),
        ("law", "Frei erfunden.", "norm.law"),
        ("title", {"text": "Hammer"}, "norm.title"),
        ("provenance.hash_scope", "Frei erfunden.", "norm.provenance.hash_scope"),
        ("provenance", "Frei erfunden.", "norm.provenance"),
    ],
)
def test_a_field_of_another_kind_is_wrong(path: str, value: object, named: str) -> None:
    places = {line.partition(":")[0] for line in check(alter(NORM, path, value)).wrong}
    assert named in places


@pytest.mark.parametrize("name", ["found", "count", "warnings"])
def test_a_value_of_the_envelope_of_another_kind_is_wrong(name: str) -> None:
    saved = {"norm": NORM, name: {"text": "Frei erfunden."}}
    report = check_answer(orjson.dumps(saved), TRUST)
    assert [line.partition(":")[0] for line in report.wrong] == [name]


@pytest.mark.parametrize(
    "other",
    [
        {"citation": "§ 6 MusterG", "text": "Frei erfunden."},
        {"citation": "§ 6 MusterG", "lead_in": "Frei erfunden."},
        {"citation": "§ 6 MusterG", "segments": [{"text": "Frei erfunden."}]},
        {"citation": "§ 6 MusterG", "content": ["Frei erfunden."]},
        {**NORM, "content": ["Frei erfunden."]},
        "§ 6 MusterG: frei erfunden.",
    ],
)
def test_nothing_passes_in_a_list_with_a_text_that_is_proved(other: object) -> None:
    report = check(NORM, norms=[NORM, other])
    assert len(report.proved) == 2
    assert any("norms[1]" in line for line in (*report.wrong, *report.unchecked, *report.unknown))


def test_a_name_without_text_in_a_list_is_named_as_not_covered() -> None:
    report = check(NORM, norms=[NORM, {"norm_id": "de/musterg/6", "citation": "§ 6 MusterG"}])
    assert (report.wrong, report.unchecked, report.unknown) == ([], [], [])
    assert "norms[1]" in report.uncovered


def test_words_without_the_unit_itself_are_compared_where_the_full_text_is_at_hand() -> None:
    bare = alter(NORM, "content", None)
    assert check(bare).proved == []
    assert "it is a part" in check(bare).unchecked[0]
    knowing = replace(TRUST, texts=(TEXT,))
    assert len(check(bare, knowing).proved) == 1
    forged = [{"label": "Abs. 1", "text": "(1) Kein Hammer", "start": 0, "end": 15}]
    assert check(alter(bare, "segments", forged), knowing).wrong
    assert check(alter(bare, "lead_in", "Frei erfunden."), knowing).wrong
