"""An answer of a lookup, kept as a file, is held against its release without the server."""

import shutil
import subprocess
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pytest

from fundstelle.bootstrap.library import open_library
from fundstelle.cli.verifying.report import Trust, check_answer
from fundstelle.corpus import builds
from fundstelle.corpus.proof.signing import load_public
from fundstelle.errors import FundstelleError
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.snapshots import Snapshot
from fundstelle.ingest.sources import demonstration
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.settings import Settings
from fundstelle.tools.answers.norms import Details, build_unit
from tests.integration.builds.proving import (
    TODAY,
    build_proved,
    call,
    keep,
    look_up,
    run,
    say_again,
)
from tests.integration.corpora.building import build

ROOT = Path(__file__).parents[3]
WHOLE = "§ 2 Muster1g"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_proved(tmp_path_factory)


@pytest.fixture(scope="module")
def trust(data: Path) -> Trust:
    store = builds.open_active(data)
    store.close()
    return Trust(store.manifest.root, load_public(store.manifest.key or ""))


def test_a_kept_answer_is_proved_by_root_and_key(data: Path, tmp_path: Path) -> None:
    kept = keep(look_up(data, WHOLE), tmp_path)
    printed = run(data, "release", "root").stdout.split()
    key = tmp_path / "key"
    for form in ((), ("--pem",)):
        key.write_text(run(data, "release", "key", *form).stdout, encoding="utf-8")
        nowhere = tmp_path / "nowhere"  # no server, no data folder
        result = run(nowhere, "verify", kept, "--root", printed[1], "--key", str(key))
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.startswith(f"proved       norm: {WHOLE}")
        assert not nowhere.exists()


@pytest.mark.skipif(
    not all(map(shutil.which, ("sh", "jq", "xxd", "sha256sum", "openssl"))),
    reason="needs jq, xxd, sha256sum and openssl",
)
def test_the_steps_by_hand_in_the_documentation_lead_to_the_root(
    data: Path, tmp_path: Path
) -> None:
    said = (ROOT / "docs" / "proof.md").read_text(encoding="utf-8").partition("## By hand")[2]
    steps = said.partition("```sh\n")[2].partition("```")[0]
    (tmp_path / "key.pem").write_text(run(data, "release", "key", "--pem").stdout, encoding="utf-8")
    root = run(data, "release", "root").stdout.split()[1]
    for citation in ("§ 1 Muster1g", "§ 1 Muster2g", "§ 2a Muster3g"):
        answer = look_up(data, citation)["result"]["structuredContent"]
        keep(answer, tmp_path)
        done = subprocess.run(
            ["/bin/sh", "-c", steps], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        words, reached, *_ = done.stdout.splitlines()
        assert (words, reached) == ("words fit", f"root {root}")


def test_the_answer_of_the_command_line_is_proved(data: Path, tmp_path: Path) -> None:
    shown = run(data, "lookup", WHOLE, "--json")
    root = run(data, "release", "root").stdout.split()[1]
    path = tmp_path / "answer.json"
    path.write_text(shown.stdout, encoding="utf-8")
    assert run(data, "verify", str(path), "--root", root).exit_code == 0


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("norm.content", "norm.content"),
        ("norm.citation", "norm.citation"),
        ("norm.provenance.last_seen", "norm.provenance.last_seen"),
        ("norm.provenance.not_seen_before", "norm.provenance.not_seen_before"),
        ("norm.provenance.proof.leaf", "norm.provenance.proof"),
    ],
)
def test_what_was_altered_is_named(data: Path, tmp_path: Path, name: str, named: str) -> None:
    response = look_up(data, "§ 1 Muster2g")
    holder = response["result"]["structuredContent"]
    *above, last = name.split(".")
    for step in above:
        holder = holder[step]
    assert "2" in holder[last]
    holder[last] = holder[last].replace("2", "3")
    root = run(data, "release", "root").stdout.split()[1]
    result = run(data, "verify", keep(say_again(response), tmp_path), "--root", root)
    assert result.exit_code == 1
    assert f"wrong        {named}" in result.stderr


def test_no_byte_of_what_is_covered_can_be_another(data: Path, trust: Trust) -> None:
    """Every byte of the answer is changed; it is found out, or what it stood in is not covered."""
    answer = look_up(data, "§ 1 Muster2g")["result"]["structuredContent"]
    whole = orjson.dumps(answer)
    before = check_answer(whole, trust)
    assert before.wrong == before.unchecked == before.unknown == []
    assert len(before.proved) == 1
    missed = set()
    for place in range(len(whole)):
        spoilt = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        try:
            report = check_answer(spoilt, trust)
        except FundstelleError:
            continue  # no JSON any more
        named = report.wrong or report.unknown or report.unchecked
        if report.proved and not named:
            missed |= set(_list_changed("", answer, orjson.loads(spoilt)))
    assert sorted(one for one in missed if not one.startswith(tuple(before.uncovered))) == []
    assert "norm.content" not in missed


def _list_changed(place: str, one: object, other: object) -> Iterator[str]:
    """Where two answers differ; with a minus behind it where a field is gone or new."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one.keys() | other.keys():
            inner = f"{place}.{name}".lstrip(".")
            if name in one and name in other:
                yield from _list_changed(inner, one[name], other[name])
            else:
                yield f"{inner}-"
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for a, b in zip(one, other, strict=True):
            yield from _list_changed(place, a, b)
    elif one != other:
        yield place


def test_a_part_is_told_apart_until_the_full_text_is_given(data: Path, tmp_path: Path) -> None:
    response = look_up(data, WHOLE)
    norm = response["result"]["structuredContent"]["norm"]
    full = norm["content"]
    norm["provenance"]["hash_scope"] = "full_stored_text"
    norm.update(content=full[4:15], content_start=4, content_end=15, segments=[])
    kept = keep(say_again(response), tmp_path)
    root = run(data, "release", "root").stdout.split()[1]
    result = run(data, "verify", kept, "--root", root)
    assert (result.exit_code, "it is a part" in result.stdout) == (3, True)
    text = tmp_path / "text"
    text.write_text(full + "\n", encoding="utf-8")
    asked = ("verify", kept, "--root", root, "--text", str(text))
    assert run(data, *asked).exit_code == 0
    norm.update(content="x" + full[5:15])
    keep(say_again(response), tmp_path)
    result = run(data, *asked)
    assert (result.exit_code, "wrong        norm.content" in result.stderr) == (1, True)


def test_an_answer_without_proof_and_a_question_without_trust_are_refused(
    data: Path, tmp_path: Path
) -> None:
    concise = keep(look_up(data, WHOLE, response_format="concise"), tmp_path)
    result = run(data, "verify", concise, "--root", "0" * 64)
    assert (result.exit_code, "no proof" in result.stderr) == (1, True)
    assert run(data, "verify", concise).exit_code == 2
    assert run(data, "verify", concise, "--root", "0" * 63).exit_code == 2
    (tmp_path / "answer.json").write_bytes(b"{")
    result = run(data, "verify", concise, "--root", "0" * 64)
    assert isinstance(result.exception, FundstelleError)


def test_every_text_of_the_demonstration_is_proved_as_it_is_answered(tmp_path: Path) -> None:
    """Headings, ranges, repealed norms and decisions: nothing that is right is called wrong."""
    sources: list[Snapshot | Collection] = [
        *demonstration.open_snapshots(),
        demonstration.open_decisions(),
    ]
    build(tmp_path, sources, engine=TantivyEngine())
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(tmp_path)}))
    proved = check_texts(library, 1)
    assert library.store.manifest.leaves >= len(proved) > 20
    assert any("Urteil" in one or "Beschluss" in one for one in proved)
    check_whole_answers(library)
    library.close()


def check_whole_answers(library: Library) -> None:
    """Everything that the tools which give texts put into a response and around it is known."""
    ids = [norm.norm_id for _, norm, _ in library.store.iter_norms()][::9]
    trust = Trust(library.store.manifest.root)
    asked: list[tuple[str, dict[str, object]]] = [
        ("legal_lookup_batch", {"citations": [*ids[:18], "BGB", "§ 99999 BGB"]}),
        ("legal_lookup", {"citation": "§§ 433 ff. BGB"}),
        ("legal_lookup", {"citation": "BGB"}),
        ("legal_lookup", {"citation": "§ 99999 BGB"}),
    ]
    for each in ids:
        asked.append(("legal_lookup", {"citation": each, "quote": "[...] ist nicht"}))
        asked.append(("legal_get_context", {"norm_id": each}))
        asked.append(("legal_get_context", {"norm_id": each, "include": ["references_out"]}))
    for name, arguments in asked:
        report = check_answer(orjson.dumps(call(library, name, arguments)), trust)
        assert report.wrong == report.unknown == [], arguments


@pytest.mark.corpus
def test_texts_of_federal_law_are_proved_as_they_are_answered(whole: Library) -> None:
    assert len(check_texts(whole, 199)) > 500


@pytest.mark.corpus
def test_texts_of_every_source_are_proved_as_they_are_answered(every_source: Path) -> None:
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(every_source)}))
    assert len(check_texts(library, 11)) > 800
    library.close()


def check_texts(library: Library, step: int) -> list[str]:
    """The proofs of every so many texts, on all their days, as detailed answers show them."""
    trust = Trust(library.store.manifest.root, load_public(library.store.manifest.key or ""))
    decisions = library.decisions.get_by_ordinal(range(library.decisions.count()))
    norms = (norm.norm_id for _, norm, _ in library.store.iter_norms())
    ids = [*norms, *(decision.decision_id for decision in decisions)]
    proved = []
    for held_id in ids[::step]:
        for on in _list_days(library, held_id):
            for hit in resolve(library, held_id, on).hits:
                shown, _ = build_unit(hit, library, 0, 10**7, Details(10**7))
                report = check_answer(orjson.dumps({"norm": shown}), trust)
                assert report.wrong == report.unknown == [], held_id
                assert len(report.proved) + len(report.unchecked) == 1, held_id
                proved += report.proved
    return proved


def _list_days(library: Library, held_id: str) -> set[date]:
    heads: list[Any] = library.store.list_fassungen(held_id)
    return {TODAY, *(head.in_force_from for head in heads if head.in_force_from)}
