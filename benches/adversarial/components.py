"""What is timed: each component takes texts of the permitted lengths and some numbers."""

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from fundstelle.bootstrap.library import open_library
from fundstelle.citations.find import find
from fundstelle.citations.parse import LONGEST, parse
from fundstelle.errors import FundstelleError
from fundstelle.lookup.library import Library
from fundstelle.search.words.snippets import Room, snippet
from fundstelle.search.words.terms import translate
from fundstelle.settings import Settings
from fundstelle.tools import build_registry, get_context
from fundstelle.tools.spec import CallContext, Registry, UnknownResource

_CONTEXT = CallContext("adversarial", "adversarial")
_ON = date(2026, 1, 1)
_MOST_TEXTS = 50
_WIDE = ("", "a", "Abschnitt", "Teil")  # headings that thousands of provisions stand below
Call = Callable[[Sequence[str], int], object]


@dataclass(frozen=True, slots=True)
class Component:
    """``limits`` are the characters of its texts; the number chooses among options."""

    name: str
    limits: tuple[int, ...]
    call: Call


def open_components() -> list[Component]:
    """All of them over the build in FUNDSTELLE_DATA."""
    library = open_library(Settings.from_env(os.environ))
    registry = build_registry(library, today=lambda: _ON, base_url="http://127.0.0.1")
    return _Calls(library, registry).list()


class _Calls:
    def __init__(self, library: Library, registry: Registry) -> None:
        self._library = library
        self._registry = registry
        self._tools = {tool.name.removeprefix("legal_"): tool for tool in registry.tools}
        self._annexes = _list_longest(library)
        self._texts = [
            fassung.text
            for norm_id in self._annexes
            if (fassung := library.store.find_fassung(norm_id, _ON))
        ]
        self._laws = [
            statute.statute_id
            for statute in sorted(
                library.store.statutes.values(), key=lambda statute: -statute.norm_count
            )
        ][:20]
        self._abbreviations = [
            library.store.statutes[statute_id].abbreviation for statute_id in self._laws
        ]
        self._references = (
            *(
                (prompt.name, [each.name for each in prompt.arguments])
                for prompt in registry.prompts
            ),
            *((each.uri_template, ["norm_id", "abbreviation"]) for each in registry.templates),
        )

    def list(self) -> list[Component]:
        return [
            Component("parse", (LONGEST,), lambda t, _: parse(t[0], self._library.names)),
            Component("find in a draft", (20_000,), lambda t, _: find(t[0], self._library.names)),
            Component("translate", (1_000,), lambda t, _: translate(t[0])),
            Component("lookup", (500,), lambda t, _: self._ask("lookup", citation=t[0])),
            Component("quote", (2_000,), self._quote),
            Component("quote of a miss", (500, 2_000), self._quote_both),
            Component("batch with quotes", (500, 2_000), self._batch),
            Component("search", (1_000, 1_000), self._search),
            Component("search in filters", (1_000, 300, 500, 1_000), self._search_inside),
            Component("snippets", (5_000,), self._snippets),
            Component("context", (500,), self._context),
            Component("citing decisions", (500, 500), self._citing),
            Component("laws", (200,), self._list_laws),
            Component("contents", (300, 300), self._toc),
            Component("completion", (1_000,), self._complete),
            Component("resources", (1_000,), self._read),
        ]

    def _ask(self, tool: str, **arguments: Any) -> None:
        kept = {name: value for name, value in arguments.items() if value not in (None, "")}
        with contextlib.suppress(FundstelleError):
            self._tools[tool].call(kept, _CONTEXT)

    def _quote(self, texts: Sequence[str], number: int) -> None:
        held = (*self._annexes[:10], "de/bgb/433", "de/bgb")
        self._ask("lookup", citation=held[number % len(held)], quote=texts[0])

    def _quote_both(self, texts: Sequence[str], _number: int) -> None:
        self._ask("lookup", citation=texts[0] or "x", quote=texts[1])

    def _batch(self, texts: Sequence[str], number: int) -> None:
        written = [texts[0]] * 20
        if number % 3 == 0:
            written = self._annexes[:20]
        elif number % 3 == 1:
            written = [f"{texts[0][at:]}{at}" for at in range(20)]
        elif number % 5 == 0:
            written = [
                ", ".join(f"§§ {first} bis 2000 {law}" for first in range(1, 21))[:500]
                for law in self._abbreviations
            ]
        quotes = [texts[1][at:] + texts[1][:at] for at in range(20)]
        self._ask("lookup_batch", citations=written, quotes=quotes)

    def _search(self, texts: Sequence[str], number: int) -> None:
        more = [texts[1][at:] + texts[1][:at] for at in range(4)] if number % 4 else []
        self._ask(
            "search",
            query=texts[0],
            rephrasings=more,
            top_k=50,
            offset=1_000 if number % 3 == 0 else 0,
            response_format="detailed" if number % 2 else "concise",
        )

    def _search_inside(self, texts: Sequence[str], number: int) -> None:
        self._ask(
            "search",
            query=texts[0],
            chapter=_WIDE[number % len(_WIDE)] or texts[1] if number % 3 == 0 else None,
            rephrasings=[texts[3][at:] + texts[3][:at] for at in range(4)] if number % 4 else [],
            response_format="detailed" if number % 2 else "concise",
            offset=number % 1_000,
            law_abbreviation=self._laws[number % len(self._laws)] if number % 5 == 0 else None,
            cited_norm=(texts[2] if number % 2 else self._laws[number % 20])
            if number % 7
            else None,
            top_k=50,
            date_from="1990-01-01" if number % 11 == 0 else None,
        )

    def _snippets(self, texts: Sequence[str], _number: int) -> None:
        room = Room()
        for text in self._texts[:_MOST_TEXTS]:
            snippet(text, texts[0], room=room)

    def _context(self, texts: Sequence[str], number: int) -> None:
        held = (*self._annexes[:20], "de/bgb/433", "de/bgb", "de/gg/3", "de/vwgo", texts[0])
        self._ask(
            "get_context",
            norm_id=held[number % len(held)],
            before=10,
            after=10,
            include=list(get_context.PARTS),
            compare_to="2024-01-01" if number % 2 else "2026-06-01",
            offset=number * 20 % 100_000 if number % 3 else 0,
            response_format="detailed",
            max_chars=60_000,
        )

    def _citing(self, texts: Sequence[str], number: int) -> None:
        self._ask(
            "find_citing_decisions", cited_norm=self._laws[number % 20] if number % 2 else texts[0]
        )

    def _list_laws(self, texts: Sequence[str], number: int) -> None:
        self._ask("list_laws", search=texts[0], limit=500, offset=number % 5 * 1_000)

    def _toc(self, texts: Sequence[str], number: int) -> None:
        law = texts[0] if number % 2 else self._laws[number % 20]
        self._ask(
            "get_toc",
            law_abbreviation=law or "BGB",
            parent=texts[1] if number % 3 else None,
            limit=500,
            response_format="detailed",
        )

    def _complete(self, texts: Sequence[str], number: int) -> None:
        reference, arguments = self._references[number % len(self._references)]
        settled: Mapping[str, str] = {}
        for argument in arguments:
            self._registry.complete(reference, argument, texts[0], settled)

    def _read(self, texts: Sequence[str], number: int) -> None:
        template = self._registry.templates[number % len(self._registry.templates)]
        with contextlib.suppress(FundstelleError, UnknownResource):
            template.read(template.prefix + texts[0], _CONTEXT)


def _list_longest(library: Library) -> list[str]:
    """The norms with the longest texts."""
    sizes: list[tuple[int, str]] = []
    for _, norm, fassung in library.store.iter_norms():
        sizes.append((len(fassung.text), norm.norm_id))
        if len(sizes) > 10_000:
            sizes = sorted(sizes, reverse=True)[:_MOST_TEXTS]
    return [norm_id for _, norm_id in sorted(sizes, reverse=True)[:_MOST_TEXTS]]
