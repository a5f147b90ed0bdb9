"""The lookup tools on real federal law: budgets, paging and quotes."""

import random
import unicodedata
from collections.abc import Iterator
from datetime import date
from hashlib import sha256
from typing import Any

import orjson
import pytest

from fundstelle.law.norms import NormKind
from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.comparing.quotes import check_quote
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.tools import get_context, lookup, lookup_batch
from fundstelle.tools.get_context import PARTS
from fundstelle.tools.spec import CallContext, Tool

pytestmark = pytest.mark.corpus

TODAY = date(2026, 5, 1)
BUDGET_BYTES = 40_000  # 10,000 tokens of four bytes
CONTEXT = CallContext("request", "principal")


def call(tool: Tool, **arguments: Any) -> tuple[dict[str, Any], int]:
    structured = tool.call(arguments, CONTEXT).structured
    assert structured is not None
    return orjson.loads(structured), len(structured)


@pytest.mark.parametrize("citation", ["§§ 823 ff. BGB", "§ 20 EStG", "Anlage 1 GKG", "§§ 1-80 HGB"])
def test_a_lookup_keeps_to_its_budget(library: Library, citation: str) -> None:
    answer, size = call(lookup.build_tool(library, lambda: TODAY), citation=citation)

    assert answer["found"]
    assert size < BUDGET_BYTES


def test_a_batch_and_a_context_keep_to_their_budget(library: Library) -> None:
    batch = lookup_batch.build_tool(library, lambda: TODAY)
    context = get_context.build_tool(library, lambda: TODAY)
    citations = [f"§ {number} EStG" for number in range(1, 21)]

    assert call(batch, citations=citations)[1] < BUDGET_BYTES
    ranges = ["§§ 1 bis 20 BGB"] * 20
    assert call(batch, citations=ranges)[1] < BUDGET_BYTES
    assert call(context, norm_id="de/estg/20", before=10, after=10)[1] < BUDGET_BYTES
    for norm_id in ("de/estg/20", "de/bgb/433", "de/enwg/3"):
        everything = {"before": 10, "after": 10, "include": list(PARTS)}
        assert call(context, norm_id=norm_id, **everything)[1] < BUDGET_BYTES


def test_the_pages_of_a_long_text_join_to_the_text_that_was_hashed(library: Library) -> None:
    tool = lookup.build_tool(library, lambda: TODAY)
    pieces, offset = [], 0
    while True:
        answer, _ = call(tool, citation="§ 20 EStG", max_chars=3_000, offset=offset)
        pieces.append(answer["norm"]["content"])
        if not answer["has_more"]:
            break
        offset = answer["next_offset"]

    digest = sha256("".join(pieces).encode()).hexdigest()
    assert len(pieces) > 3
    assert digest == answer["norm"]["provenance"]["text_sha256"]


def iter_hits(library: Library, count: int, rng: random.Random) -> Iterator[ProvisionHit]:
    norms = [
        norm
        for statute_id in library.store.statutes
        for norm in library.store.list_norms(statute_id)
        if norm.kind in {NormKind.SECTION, NormKind.ARTICLE}
    ]
    for norm in rng.sample(norms, 3 * count):
        hit = resolve(library, norm.norm_id, TODAY).outcomes[0]
        if isinstance(hit, ProvisionHit) and len(hit.text.split()) > 20 and count > 0:
            count -= 1
            yield hit


def cut_quote(text: str, rng: random.Random) -> str:
    """From 8 words to 2,000 characters, cut between words."""
    words = text.split(" ")
    first = rng.randrange(max(1, len(words) - 8))
    length = rng.randint(8, 250)
    chosen = " ".join(words[first : first + length])
    return (chosen[: chosen.rindex(" ", 0, 2_000)] if len(chosen) > 2_000 else chosen).strip()


def disturb(quote: str, rng: random.Random) -> str:
    """Other blanks, quotation marks, hyphens and Unicode form."""
    blanks = ["\u00a0", "  ", "\n", "\u2009 "]
    noisy = "".join(rng.choice(blanks) if char == " " else char for char in quote)
    noisy = noisy.replace("„", '"').replace("“", "»").replace("-", rng.choice("‐‑–"))
    return unicodedata.normalize(rng.choice(["NFC", "NFD"]), noisy)


def change(quote: str, rng: random.Random) -> str:
    """One word inside replaced or dropped."""
    words = quote.split(" ")
    place = rng.randrange(1, len(words) - 1)
    words[place : place + 1] = ["Xylophon"] if rng.random() < 0.5 else []
    return " ".join(words)


def test_true_quotes_are_verbatim_noisy_ones_normalised_and_changed_ones_neither(
    library: Library,
) -> None:
    rng = random.Random(4)
    wrong: list[object] = []
    for hit in iter_hits(library, 1_000, rng):
        quote = cut_quote(hit.text, rng)
        for text, allowed in (
            (quote, {"verbatim"}),
            (disturb(quote, rng), {"normalised"}),
            (change(quote, rng), {"altered", "not_found"}),
        ):
            status = check_quote(library, text, hit, TODAY).status
            if status not in allowed:
                wrong.append((hit.citation, status, text))

    assert wrong == []


def test_a_quote_of_the_next_section_is_placed_there(library: Library) -> None:
    rng = random.Random(5)
    missed: list[object] = []
    asked = 0
    for hit in iter_hits(library, 300, rng):
        _, after = library.store.find_neighbours(hit.norm.statute_id, hit.norm.number)
        hits = resolve(library, after.norm_id, TODAY).hits if after else ()
        if not hits or len(hits[0].text.split()) < 20:
            continue
        asked += 1
        quote = cut_quote(hits[0].text, rng)
        check = check_quote(library, quote, hit, TODAY)
        if check.status == "verbatim":
            continue  # both sections say it
        if hits[0].held_id not in {found.norm_id for found in check.elsewhere}:
            missed.append((hit.citation, quote))

    assert asked > 200
    assert missed == []
