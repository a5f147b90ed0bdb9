"""A key that reaches no court decisions: nothing that it is answered holds one, and says why."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

import orjson
import pytest

from fundstelle.accounts.keys.api_keys import Principal, Recall
from fundstelle.accounts.keys.reach import Reach
from fundstelle.bootstrap.library import open_library
from fundstelle.bootstrap.live import build_live_corpus
from fundstelle.corpus.decisions import NoDecisions
from fundstelle.law.decisions import Decision
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.withheld import withhold_decisions
from fundstelle.settings import Settings
from fundstelle.web.app import Application
from fundstelle.web.live import LiveCorpus
from tests.integration.sites.law_site import find_settings, open_live
from tests.protocol.client import (
    KEY,
    PRINCIPAL,
    FewCalls,
    KnownKey,
    Lines,
    legacy,
    send,
    send_modern,
)

CHATGPT = "/mcp/chatgpt"
TOLD = "This key reaches no court decisions; ask its owner."
FORMS: tuple[dict[str, Any], ...] = ({}, {"response_format": "detailed"})


def test_the_engine_of_such_keys_is_made_with_the_build_and_not_beside_answers(
    invented: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = build_live_corpus(find_settings(invented)).poll()
    assert engine is not None

    def fail(_: object) -> Library:
        raise AssertionError("it is made while others wait")

    monkeypatch.setattr("fundstelle.bootstrap.live.withhold_decisions", fail)
    assert engine.get_limited().release == engine.release
    engine.close()


class EitherKey(KnownKey):
    """One key for everything and one, whose name is longer, without decisions."""

    def recall(self, presented: str) -> Principal | Literal[Recall.ASK] | None:
        if presented == KEY + "-laws":
            return replace(PRINCIPAL, reach=Reach(decisions=False))
        return super().recall(presented)


@pytest.fixture(scope="module")
def live(invented: Path) -> LiveCorpus:
    return open_live(find_settings(invented))


@pytest.fixture(scope="module")
def app(invented: Path) -> Application:
    settings = Settings.from_env({"FUNDSTELLE_DATA": str(invented)})
    opened = build_live_corpus(settings)

    async def nothing(_scope: object, _receive: object, _send: object) -> None:
        raise AssertionError("the portal is not asked")

    app = Application(
        engine_source=opened.poll,
        authenticator=EitherKey(),
        quota=FewCalls(1_000_000),
        settings=settings,
        site=nothing,
        log=Lines(),
    )
    app.refresh()
    return app


@pytest.fixture(scope="module")
def library(live: LiveCorpus) -> Iterator[Library]:
    with live.read() as opened:
        assert opened is not None
        yield opened


@pytest.fixture(scope="module")
def decisions(library: Library) -> list[Decision]:
    found = library.decisions.get_by_ordinal(range(library.decisions.count()))
    assert len(found) > 1
    return found


def ask(app: Application, method: str, params: dict[str, Any], *, laws: bool, path: str) -> Any:
    headers = {"authorization": f"Bearer {KEY}{'-laws' if laws else ''}"}
    return send(app, legacy(method, params), headers, path=path).json


def call(
    app: Application, tool: str, *, laws: bool = True, path: str = "/mcp", **given: Any
) -> Any:
    params = {"name": tool, "arguments": given}
    return ask(app, "tools/call", params, laws=laws, path=path)


def list_requests(
    library: Library, decisions: list[Decision]
) -> Iterator[tuple[str, dict[str, Any], str]]:
    """What leads to decisions where they are reached: a method, its parameters, an address."""

    def use(tool: str, path: str = "/mcp", **given: Any) -> tuple[str, dict[str, Any], str]:
        return "tools/call", {"name": tool, "arguments": given}, path

    written: list[str] = []
    cited = {"de/demog/1"}
    for each in decisions:
        words = library.decisions.find_text(each.decision_id)
        assert words is not None
        quote = " ".join(words.text.split()[-12:])
        written += [each.decision_id, each.citation, *each.dockets, f"{each.citation}, Rn. 1"]
        cited |= {
            c.cited_id for c in library.decisions.list_citations(each.decision_id) if c.cited_id
        }
        yield use("legal_search", query=quote, top_k=50, **FORMS[1])
        yield use("search", CHATGPT, query=quote)
        yield use("fetch", CHATGPT, id=each.decision_id)
        yield use("legal_lookup", citation=each.citation, quote=quote)
        yield use("legal_lookup", citation="§ 1 DemoG", quote=quote)
        yield use("legal_lookup_batch", text=f"So {each.citation}: „{quote}“.")
        yield "resources/read", {"uri": f"legal://norm/{each.decision_id}"}, "/mcp"
    for one in written:
        for form in FORMS:
            yield use("legal_lookup", citation=one, **form)
            yield use("legal_get_context", norm_id=one, include=["references_out"], **form)
            yield use("legal_find_citing_decisions", cited_norm=one, **form)
            yield use("legal_get_toc", law_abbreviation=one, **form)
            yield use("legal_search", query=one, **form)
        yield use("legal_lookup_batch", citations=[one])
        yield use("legal_lookup_batch", citations=[one], response_format="verdict")
        yield use("legal_search", query="Werkzeug", cited_norm=one)
        yield use("legal_list_laws", search=one)
    for norm_id in sorted(cited):
        included = ["references_in", "references_out", "versions", "siblings"]
        yield use("legal_get_context", norm_id=norm_id, include=included)
        yield use("legal_find_citing_decisions", cited_norm=norm_id)
        yield use("legal_search", query="Sache", cited_norm=norm_id, top_k=50)
        yield use("legal_lookup", citation=norm_id, **FORMS[1])
    yield use("legal_search", query="Urteil Kläger", document_kind="decision")
    yield use("legal_search", query="Urteil Kläger", court="BGH")
    yield use("legal_list_laws", limit=500)
    yield use("legal_get_stats")
    for name in ("filter_values", "rechtsrahmen", "eu_celex_registry"):
        yield "resources/read", {"uri": f"legal://{name}"}, "/mcp"
    for argument in ("norm_id", "citation", "court"):
        for typed in ("", "de/", *(one[:6] for one in written)):
            reference = {"type": "ref/resource", "uri": "legal://norm/{+norm_id}"}
            asked = {"ref": reference, "argument": {"name": argument, "value": typed}}
            yield "completion/complete", asked, "/mcp"


def find_traces(answer: Any, decisions: list[Decision], asked: dict[str, Any]) -> set[str]:
    """Ids, dockets and citations of decisions in an answer, but for what was asked with."""
    said = orjson.dumps(answer).decode()
    given = orjson.dumps(asked).decode()
    names = {
        name
        for each in decisions
        for name in (each.decision_id, each.ecli or each.decision_id, *each.dockets)
    }
    return {name for name in names if name in said and name not in given}


def test_no_answer_holds_a_decision(
    app: Application, library: Library, decisions: list[Decision]
) -> None:
    shown = 0
    sentences = {
        text.text[part.start : part.end].strip()
        for each in decisions
        if (text := library.decisions.find_text(each.decision_id)) is not None
        for part in text.passages
    }
    for method, params, path in list_requests(library, decisions):
        asked = {**params}
        whole = ask(app, method, params, laws=False, path=path)
        shown += bool(find_traces(whole, decisions, asked))
        answer = ask(app, method, params, laws=True, path=path)
        assert find_traces(answer, decisions, asked) == set(), (method, params)
        said = orjson.dumps(answer).decode()
        assert not [one for one in sentences if len(one) > 40 and one in said], (method, params)
        ids = [each for each in decisions if f'"norm_id":"{each.decision_id}"' in said]
        assert ids == [], (method, params)
    assert shown > 20  # the same questions lead a key for everything to decisions


def test_a_miss_because_of_the_key_says_so(app: Application, decisions: list[Decision]) -> None:
    for each in decisions:
        for written in (each.decision_id, each.citation):
            answer = call(app, "legal_lookup", citation=written)["result"]["structuredContent"]
            assert (answer["found"], answer["status"]) == (False, "withheld"), written
            assert TOLD in answer["reason"]
            [judged] = call(
                app, "legal_lookup_batch", citations=[written], response_format="verdict"
            )["result"]["structuredContent"]["results"]
            assert judged["verdict"] == "unclear"
            refused = call(app, "fetch", path=CHATGPT, id=written)["result"]
            assert TOLD in refused["content"][0]["text"]


def change(name: str, held: set[str]) -> str:
    """The same name of a decision that is not held: its last digits count on."""
    last = [place for place, sign in enumerate(name) if sign in "0123456789"][-2:]
    for step in range(1, 10):
        signs = list(name)
        for place in last:
            signs[place] = str((int(name[place]) + step) % 10)
        changed = "".join(signs)
        if changed not in held:
            return changed
    raise AssertionError(f"every change of {name} is held")


def name_decisions(decisions: list[Decision]) -> set[str]:
    """All that they may be asked for with, without those whose form has no digits."""
    named = {
        name
        for each in decisions
        for name in (each.decision_id, each.ecli or "", each.citation, *each.dockets)
    }
    return {name for name in named if any(sign in "0123456789" for sign in name)}


def ask_about(name: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Every way to ask for what is named so."""

    def use(tool: str, path: str = "/mcp", **given: Any) -> tuple[str, dict[str, Any], str]:
        return "tools/call", {"name": tool, "arguments": given}, path

    for written in (name, f"{name}, Rn. 1"):
        for form in FORMS:
            yield use("legal_lookup", citation=written, **form)
            yield use("legal_get_context", norm_id=written, include=["references_in"], **form)
            yield use("legal_find_citing_decisions", cited_norm=written, **form)
        yield use("legal_get_toc", law_abbreviation=written)
        yield use("legal_list_laws", search=written)
        yield use("legal_search", query="Werkzeug", cited_norm=written)
        yield use("legal_search", query="Werkzeug", law_abbreviation=written)
        yield use("legal_lookup_batch", citations=[written])
        yield use("legal_lookup_batch", citations=[written], response_format="verdict")
        yield use("legal_lookup_batch", text=f"So {written}: „Es gilt.“")
        yield use("fetch", CHATGPT, id=written)
        yield "resources/read", {"uri": f"legal://norm/{written}"}, "/mcp"
        yield "resources/read", {"uri": f"legal://law/rechtsprechung/{written}"}, "/mcp"
    for argument in ("norm_id", "abbreviation"):
        reference = {"type": "ref/resource", "uri": "legal://norm/{+norm_id}"}
        typed = {"name": argument, "value": name[:-1]}
        yield "completion/complete", {"ref": reference, "argument": typed}, "/mcp"


def tell(answer: Any) -> str:
    """An answer without the number of its request."""
    return re.sub(r"request_id\W+[\w-]+", "", orjson.dumps(answer).decode())


def test_it_is_not_told_whether_a_decision_is_held(
    app: Application, decisions: list[Decision]
) -> None:
    held = name_decisions(decisions)
    told_apart = 0
    for name in sorted(held):
        other = change(name, held)
        pairs = zip(ask_about(name), ask_about(other), strict=True)
        for (method, params, path), (_, others, _) in pairs:
            whole, said, said_of_other = (
                tell(ask(app, method, asked, laws=laws, path=path))
                for asked, laws in ((params, False), (params, True), (others, True))
            )
            assert said.replace(name, "…") == said_of_other.replace(other, "…"), (params, others)
            told_apart += whole != said
    assert told_apart > 20  # a key for everything is told


def test_what_is_withheld_is_decided_by_its_form_alone(library: Library) -> None:
    laws = withhold_decisions(library)
    emptied = replace(laws, withheld=NoDecisions())
    for written in (
        "BGHZ 1, 2",
        "ECLI:DE:BGH:2099:010199UXIIZR1.99.0",
        "de/unbekannt/0b9cfb35fcd8",
        "eu/eugh/c-1-99/2099-12-31/urteil",
        "int/egmr/14967-89/1998-02-19/urteil, Rn. 3",
        "Urteil unbekannten Gerichts (Sammlung plain, Nr. 0b9c)",
        "VGH Hessen, Urteil vom 30.07.2015 - 6 A 1098113",
        "Vergabekammer Südbayern, Beschluss vom 30.03.2023 - 3194.Z3-3_01-22-49",
    ):
        for given in (laws, emptied):
            [outcome] = resolve(given, written, date(2025, 6, 1)).outcomes
            assert getattr(outcome, "status", "found") == "withheld", written
    for written in ("§ 1 DemoG", "§ 99999 DemoG", "de/demog/1", "de/nichtg/1", "VO (EU) 2099/1"):
        of_key, of_all = (
            resolve(given, written, date(2025, 6, 1)).outcomes for given in (laws, library)
        )
        assert [each for each in of_key if getattr(each, "status", "") == "withheld"] == []
        assert len(of_key) == len(of_all)


def test_no_decision_of_the_corpus_is_told_from_one_that_is_not_held(every_source: Path) -> None:
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(every_source)}))
    decisions = library.decisions.get_by_ordinal(range(library.decisions.count()))
    laws, held = withhold_decisions(library), name_decisions(decisions)

    def list_statuses(written: str) -> list[str]:
        outcomes = resolve(laws, written, date(2025, 6, 1)).outcomes
        return [getattr(each, "status", "found") for each in outcomes]

    for each in decisions:
        for name in (each.decision_id, each.citation):
            assert set(list_statuses(name)) == {"withheld"}, name
            assert list_statuses(name) == list_statuses(change(name, held)), name
    library.index.close()
    library.store.close()


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("legal_search", {"query": "Werkzeug"}),
        ("legal_search", {"query": "Werkzeug", "document_kind": "decision"}),
        ("legal_search", {"query": "Werkzeug", "court": "BGH"}),
        ("legal_search", {"query": "Werkzeug", "decision_type": "urteil"}),
        ("legal_get_context", {"norm_id": "§ 1 DemoG", "include": ["references_in"]}),
        ("legal_lookup_batch", {"text": "Nach § 1 DemoG gilt das."}),
        ("legal_get_stats", {}),
    ],
)
def test_answers_without_decisions_say_why(
    app: Application, tool: str, given: dict[str, Any]
) -> None:
    answer = call(app, tool, **given)["result"]["structuredContent"]
    assert TOLD in answer["warnings"]
    whole = call(app, tool, laws=False, **given)["result"]["structuredContent"]
    assert TOLD not in whole["warnings"]
    assert "No court decisions are in the corpus" not in str(answer)


def test_answers_are_not_mixed_up_between_keys(app: Application, decisions: list[Decision]) -> None:
    written = decisions[0].citation
    for _ in range(2):
        for laws in (False, True, False):
            answer = call(app, "legal_lookup", laws=laws, citation=written)
            assert answer["result"]["structuredContent"]["found"] is not laws


def test_what_is_listed_for_it_is_for_no_other(app: Application) -> None:
    headers = {"authorization": f"Bearer {KEY}-laws"}
    values = {"uri": "legal://filter_values"}
    listed: tuple[tuple[str, dict[str, Any]], ...] = (
        ("tools/list", {}),
        ("server/discover", {}),
        ("resources/read", values),
    )
    for method, params in listed:
        mine = send_modern(app, method, headers, **params).json["result"]
        of_all = send_modern(app, method, **params).json["result"]
        assert mine != of_all
        assert (mine["cacheScope"], of_all["cacheScope"]) == ("private", "private"), method
    for method in ("prompts/list", "resources/list", "resources/templates/list"):
        mine = send_modern(app, method, headers).json["result"]
        assert mine == send_modern(app, method).json["result"]
        assert mine["cacheScope"] == "public"
    assert TOLD in send_modern(app, "server/discover", headers).json["result"]["instructions"]
