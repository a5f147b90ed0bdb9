"""A key that reaches no court decisions: nothing that it is answered holds one, and says why."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import orjson
import pytest

from fundstelle.accounts.keys.api_keys import Principal, Recall
from fundstelle.accounts.keys.reach import Reach
from fundstelle.bootstrap.live import build_live_corpus
from fundstelle.law.decisions import Decision
from fundstelle.lookup.library import Library
from fundstelle.settings import Settings
from fundstelle.web.app import Application
from fundstelle.web.live import LiveCorpus
from tests.integration.law_site import find_settings, open_live
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
        yield use("legal_list_laws", name=one)
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
    for method in ("tools/list", "server/discover"):
        mine = send_modern(app, method, headers).json["result"]
        assert mine["cacheScope"] == "private"
        assert send_modern(app, method).json["result"]["cacheScope"] == "public"
    assert TOLD in send_modern(app, "server/discover", headers).json["result"]["instructions"]
