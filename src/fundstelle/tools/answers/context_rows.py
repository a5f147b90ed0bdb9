"""What an answer of ``legal_get_context`` looks like, and its rows."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, NotRequired, TypedDict

from fundstelle.corpus.store import FassungHead
from fundstelle.lookup.context.surroundings import ReferenceLink
from fundstelle.lookup.context.word_changes import WordChange
from fundstelle.lookup.dating.days import Days
from fundstelle.tools.answers.laws import NamedLaw
from fundstelle.tools.answers.misses import MissAnswer
from fundstelle.tools.answers.schema import Values
from fundstelle.tools.answers.units import DATE_PRECISIONS, ShownNorm

_CHANGE_KINDS = ("added", "removed", "changed")


class ShownReference(TypedDict):
    """The other end of a reference."""

    citation: Annotated[str, "Citation of the other end."]
    norm_id: NotRequired[Annotated[str, "Its id, where it is held."]]
    unresolved: NotRequired[
        Annotated[bool, "True: not held or not to be told; citation as written."]
    ]
    snippet: Annotated[str, "The words that refer."]


class ShownVersion(TypedDict):
    """A version of a norm without its text."""

    first_seen: NotRequired[Annotated[date, "First look that showed it."]]
    last_seen: NotRequired[Annotated[date, "Last look that showed it."]]
    version_date: NotRequired[Annotated[date, "Its day, where no look is known."]]
    not_seen_before: NotRequired[Annotated[date, "Last look without it."]]
    valid_from: NotRequired[Annotated[date, "First day in force, where something says so."]]
    valid_from_earliest: NotRequired[Annotated[date, "Where it is only bounded: not before."]]
    valid_from_latest: NotRequired[Annotated[date, "Where it is only bounded: not after."]]
    valid_to: NotRequired[Annotated[date, "First day out of force, where something says so."]]
    date_precision: Annotated[str, "Of valid_from.", Values(DATE_PRECISIONS)]
    text_sha256: Annotated[str, "SHA-256 of its text."]


class ShownWordChange(TypedDict):
    """Words that differ; one of the sides may be missing."""

    before: NotRequired[Annotated[str, "Words of the earlier day."]]
    after: NotRequired[Annotated[str, "Words of the later day."]]


class ShownTextChange(TypedDict):
    """An Absatz that differs; where there are none, an item or a row."""

    kind: Annotated[str, "What happened.", Values(_CHANGE_KINDS)]
    segment: Annotated[str, "Where; Überschrift = the heading."]
    before: NotRequired[Annotated[str, "All of it on the earlier day."]]
    after: NotRequired[Annotated[str, "All of it on the later day."]]
    words: NotRequired[
        Annotated[list[ShownWordChange], "The words that differ in it, in their order."]
    ]
    left_out: NotRequired[Annotated[bool, "Only true: its text did not fit into max_chars."]]


ShownDiff = TypedDict(
    "ShownDiff",
    {
        "from": Annotated[date, "Earlier day."],
        "to": Annotated[date, "Later day."],
        "changes": Annotated[list[ShownTextChange], "Differences, in order."],
    },
)


class ShownHeading(TypedDict):
    """A heading above a norm."""

    norm_id: Annotated[str, "Id of the heading."]
    label: Annotated[str, "Its label: Buch 2."]
    title: NotRequired[Annotated[str, "Its title."]]
    level: Annotated[int, "1 = directly below the law."]


class ContextAnswer(MissAnswer, total=False):
    """What ``legal_get_context`` adds to the envelope."""

    center: Annotated[ShownNorm, "The provision."]
    law: Annotated[NamedLaw, "The law, where no section was named."]
    before: Annotated[list[ShownNorm], "Provisions before it."]
    after: Annotated[list[ShownNorm], "Provisions after it."]
    parents: Annotated[list[ShownHeading], "Headings above it, outermost first."]
    references_out: Annotated[list[ShownReference], "What it refers to."]
    references_in: Annotated[list[ShownReference], "What refers to it."]
    references_in_total: Annotated[int, "How many references to it are known."]
    versions: Annotated[list[ShownVersion], "Its texts, oldest first."]
    diff: Annotated[ShownDiff, "Differences between two days."]


def describe_words(words: WordChange) -> ShownWordChange:
    """Words that differ, as they are shown."""
    row: ShownWordChange = {}
    if words.before:
        row["before"] = words.before
    if words.after:
        row["after"] = words.after
    return row


def describe_version(head: FassungHead, days: Days) -> ShownVersion:
    """A text by its days."""
    row: ShownVersion = {
        "date_precision": days.precision,
        "text_sha256": head.text_sha256,
    }
    if days.last_seen is not None:
        row["last_seen"] = days.last_seen
    else:
        row["version_date"] = days.stand
    if days.first_seen is not None:
        row["first_seen"] = days.first_seen
    if days.not_seen_before is not None:
        row["not_seen_before"] = days.not_seen_before
    if days.valid_from is not None:
        row["valid_from"] = days.valid_from
    if days.bounds is not None:
        row["valid_from_earliest"], row["valid_from_latest"] = days.bounds
    if days.valid_to is not None:
        row["valid_to"] = days.valid_to
    return row


def describe_links(links: Sequence[ReferenceLink]) -> list[ShownReference]:
    """References as they are shown."""
    rows: list[ShownReference] = []
    for link in links:
        row: ShownReference = {"citation": link.citation, "snippet": link.snippet}
        if link.norm_id:
            row["norm_id"] = link.norm_id
        else:
            row["unresolved"] = True
        rows.append(row)
    return rows
