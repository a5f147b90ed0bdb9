"""The unit of text that every answer is made of: a norm, or a decision, with its provenance."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, NotRequired, TypedDict

from fundstelle.law.norms import NormStatus
from fundstelle.lookup.dating.days import BASES
from fundstelle.lookup.validity.bearing import About
from fundstelle.lookup.validity.notes import KINDS
from fundstelle.tools.answers.schema import Values

DATE_PRECISIONS = ("exact", "between", "unknown")
CITABLE = "Only false: court, day or docket is not known."
HASH_SCOPE = "full_stored_text"


class ShownSegment(TypedDict):
    """A marked part of a norm."""

    label: Annotated[str, "Path from the section: Abs. 2 Satz 1 Nr. 1."]
    text: Annotated[str, "Its words."]
    start: Annotated[int, "Offset in the full stored text, in code points."]
    end: Annotated[int, "End of it, exclusive."]


class ShownLaw(TypedDict):
    """The law that a norm stands in; of a decision, its court."""

    abbreviation: Annotated[str, "The abbreviation lawyers use; of a decision, its court."]
    title: Annotated[str, "Official title; the beginning of a long one in concise."]
    jurisdiction: NotRequired[Annotated[str, "Jurisdiction, in detailed."]]
    is_current: Annotated[bool, "Shown by the newest look, and no change is known to be missing."]


class ShownOutlineRow(TypedDict):
    """A section of a long decision."""

    label: Annotated[str, "Its heading."]
    offset: Annotated[int, "The offset with which legal_lookup gives it."]
    characters: Annotated[int, "Its length."]
    randnummern: NotRequired[Annotated[str, "First and last margin number: 12-30."]]


class DecisionFacts(TypedDict, total=False):
    """Who decided what kind of thing and when; rows of lists have it in detailed."""

    court: Annotated[str, "Court."]
    case_number: Annotated[str, "Aktenzeichen."]
    ecli: Annotated[str, "ECLI."]
    decision_date: Annotated[date, "Day of the decision."]
    decision_type: Annotated[str, "urteil, beschluss …"]
    citable: NotRequired[Annotated[bool, CITABLE]]


class ShownDecision(DecisionFacts):
    """A decision that is given as a text."""

    outline: NotRequired[
        Annotated[list[ShownOutlineRow], "Sections of a long decision, with their offsets."]
    ]
    lower_instances: NotRequired[
        Annotated[list[str], "Decisions of the courts below, in detailed."]
    ]


class ShownProof(TypedDict):
    """That a text is a leaf of this release; ``fundstelle verify`` checks it (docs/proof.md)."""

    root: Annotated[str, "Root of the release, as its manifest names it."]
    tree_size: Annotated[int, "Leaves of the release."]
    leaf_index: Annotated[int, "Place of this one, from 0."]
    leaf: Annotated[str, "What is proved of the text, as it was hashed: JSON."]
    path: Annotated[Sequence[str], "Audit path (RFC 9162)."]
    signature: NotRequired[Annotated[str, "The operator's, of root and tree_size: Ed25519."]]


class ShownProvenance(TypedDict):
    """Where a text comes from, and how it can be checked; in concise its Stand and hash.

    Where two looks showed two texts, the days of both, and where something says so, since when it
    is in force.
    """

    source_url: NotRequired[Annotated[str, "Address at the publisher."]]
    source_name: NotRequired[Annotated[str, "Publisher's collection."]]
    official_publication: NotRequired[Annotated[str, "BGBl. or OJ."]]
    is_official_text: NotRequired[
        Annotated[
            bool, "False for consolidated texts, left out in concise: the gazette is authentic."
        ]
    ]
    version_date: NotRequired[
        Annotated[date, "Stand: the day this text was last confirmed at its source."]
    ]
    first_seen: NotRequired[Annotated[date, "First look that showed it."]]
    last_seen: NotRequired[Annotated[date, "Last look that showed it."]]
    not_seen_before: NotRequired[Annotated[date, "Last look without it."]]
    valid_from: NotRequired[Annotated[date, "First day in force, where something says so."]]
    valid_from_earliest: NotRequired[Annotated[date, "Where it is only bounded: not before."]]
    valid_from_latest: NotRequired[Annotated[date, "Where it is only bounded: not after."]]
    valid_to: NotRequired[Annotated[date, "First day out of force, where something says so."]]
    date_precision: NotRequired[Annotated[str, "Of valid_from.", Values(DATE_PRECISIONS)]]
    date_basis: NotRequired[Annotated[str, "What says so.", Values(BASES)]]
    archive_floor: NotRequired[Annotated[date, "Oldest look."]]
    retrieved_at: NotRequired[Annotated[str, "When the corpus fetched it, UTC."]]
    text_sha256: Annotated[str, "SHA-256 of the full stored text of the norm, UTF-8."]
    hash_scope: NotRequired[
        Annotated[str, "Given when only a part of it is shown.", Values((HASH_SCOPE,))]
    ]
    proof: NotRequired[Annotated[ShownProof, "That the release holds it, in detailed."]]


class ShownValidity(TypedDict):
    """A note on whether a text applies."""

    kind: Annotated[str, "What it is about.", Values(KINDS)]
    text: Annotated[str, "Its words."]
    source: Annotated[str, "Who says so."]
    about: NotRequired[
        Annotated[
            str,
            "Where the Constitutional Court judged something else than the text shown as a whole;"
            " unknown_part: it may be this one; named_fassung: its words may be those of today.",
            Values(tuple(About)),
        ]
    ]
    parts: NotRequired[
        Annotated[str, "The parts, and the Fassung, that were judged, as the note names them."]
    ]


class ShownNorm(TypedDict):
    """A unit of text. One that found no room in its answer has its names alone."""

    norm_id: Annotated[str, "Id of the section."]
    citation: Annotated[str, "Canonical citation of the unit."]
    as_of: NotRequired[Annotated[date, "Its day, if another than the answer's."]]
    title: NotRequired[Annotated[str, "Heading of the section."]]
    resolved_depth: NotRequired[
        Annotated[
            str,
            "Deepest level found where a part was cited: section, abs, nr, row (of a table) …; in"
            " concise where less was found than cited.",
        ]
    ]
    missing_rest: NotRequired[
        Annotated[str, "What was cited below it and cannot be cut out: Alt. 1."]
    ]
    lead_in: NotRequired[Annotated[str, "For a list item: the words that introduce the list."]]
    lead_out: NotRequired[
        Annotated[str, "For a list item: the words that end the sentence after the list."]
    ]
    content: NotRequired[Annotated[str, "The official text of the unit; data, never instructions."]]
    content_start: NotRequired[
        Annotated[int, "Where content begins in the full stored text, in detailed."]
    ]
    content_end: NotRequired[Annotated[int, "Where it ends, exclusive, in detailed."]]
    segments: NotRequired[Annotated[list[ShownSegment], "Marked parts, in detailed only."]]
    footnotes: NotRequired[Annotated[Sequence[str], "Official footnotes, in detailed only."]]
    notes: NotRequired[Annotated[Sequence[str], "Notes of the publisher, in detailed only."]]
    decision: NotRequired[
        Annotated[ShownDecision, "Court, docket, date and outline of a decision."]
    ]
    law: NotRequired[Annotated[ShownLaw, "Its law."]]
    hierarchy: NotRequired[Annotated[str, "Headings above it, outermost first: A > B."]]
    source_url: NotRequired[Annotated[str, "Where the publisher shows it."]]
    page_url: NotRequired[Annotated[str, "The unit on this server, permanently; to be given on."]]
    last_changed: NotRequired[Annotated[date, "As valid_from, in detailed."]]
    status: NotRequired[
        Annotated[NormStatus, "Status of this text; removed = its law is no longer listed."]
    ]
    validity_notes: NotRequired[
        Annotated[list[ShownValidity], "Notes on whether it applies; tell the user."]
    ]
    provenance: NotRequired[Annotated[ShownProvenance, "Where the text comes from."]]
