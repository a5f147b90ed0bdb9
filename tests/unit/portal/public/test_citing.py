"""The list of decisions that cite something leads no further than its pages are answered."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.datastructures import QueryParams

from fundstelle.corpus.decisions import CitingDecision, CitingRequest, NoDecisions
from fundstelle.lookup.library import Library
from fundstelle.portal.frame.query import Unreadable
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.public import citing
from tests.unit.lookup.invented import build_library


class Many(NoDecisions):
    """More decisions than a list has pages for."""

    def list_citing(self, request: CitingRequest) -> tuple[list[CitingDecision], int]:  # noqa: ARG002
        return [], 30_000


def test_the_last_page_leads_to_no_further_one(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = build_library()
    library = Library(plain.store, plain.index, plain.names, Many())
    shown: dict[str, Any] = {}
    monkeypatch.setattr(citing, "render", lambda _visit, _name, **context: shown.update(context))

    def show(page: str) -> None:
        request = SimpleNamespace(
            path_params={"norm_id": "de/musterg/4"}, query_params=QueryParams({"page": page})
        )
        visit = Visit(cast("Any", request), cast("Any", None), cast("Any", None), "en")
        citing.show_of_norm(visit, library)

    show("500")
    assert shown["page"] == shown["pages"] == 500
    with pytest.raises(Unreadable) as past:
        show("501")
    assert (past.value.why, past.value.instead) == ("past", "500")
