"""A small library of invented law, held in memory."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from hashlib import sha256

from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus.manifest import Manifest, SourceState
from fundstelle.corpus.missing import MissingLaw, MissingLaws
from fundstelle.corpus.store import (
    ChangedOn,
    Excerpt,
    FassungHead,
    Inclusion,
    OutlineEntry,
    Reference,
)
from fundstelle.ingest.sources.registry import SOURCES
from fundstelle.law.identifiers import fold, number_key
from fundstelle.law.norms import (
    DatePrecision,
    Fassung,
    Norm,
    NormKind,
    NormStatus,
    StandNote,
    Statute,
)
from fundstelle.lookup.library import Library
from fundstelle.search.index import SearchHit, SearchRequest, SearchResult

STAND = date(2025, 3, 31)
TODAY = date(2025, 6, 1)


def build_statute(  # noqa: PLR0917
    abbreviation: str,
    title: str,
    notes: Sequence[StandNote] = (),
    issued_on: date = date(1998, 5, 4),
    document_kind: str = "statute",
    listed: bool = True,
) -> Statute:
    slug = fold(abbreviation).replace(" ", "-")
    return Statute(
        statute_id=f"de/{slug}",
        slug=slug,
        publisher_id=f"BJNR{len(slug):09}",
        abbreviation=abbreviation,
        abbreviations_juris=(abbreviation,),
        abbreviation_official=abbreviation,
        title=title,
        short_title=None,
        issued_on=issued_on,
        publication="BGBl. I 1998 S. 100",
        stand_notes=tuple(notes),
        document_kind=document_kind,
        listed=listed,
        source_url=f"https://www.gesetze-im-internet.de/{slug}/",
        stand=STAND,
        norm_count=0,
        source_type="gii",
    )


def build_norm(statute: Statute, number: str, title: str | None = None) -> Norm:
    return Norm(
        norm_id=f"{statute.statute_id}/{number}",
        statute_id=statute.statute_id,
        position=0,
        kind=NormKind.SECTION,
        number=number,
        number_end=None,
        label=f"§ {number}",
        title=title,
        citation=f"§ {number} {statute.abbreviation}",
        level=1,
        parent_id=None,
        hierarchy=(),
        status=NormStatus.IN_FORCE,
        publisher_id="BJNE0",
    )


def build_heading(
    statute: Statute, label: str, title: str, level: int, parent: Norm | None
) -> Norm:
    number = f"{parent.number}-{fold(label).replace(' ', '-')}" if parent else fold(label)
    return replace(
        build_norm(statute, number.replace(" ", "-"), title),
        kind=NormKind.HEADING,
        label=label,
        citation=f"{label} {statute.abbreviation}",
        level=level,
        parent_id=parent.norm_id if parent else None,
        hierarchy=(*parent.hierarchy, f"{parent.label} {parent.title}") if parent else (),
    )


def below(heading: Norm, norm: Norm) -> Norm:
    return replace(
        norm,
        parent_id=heading.norm_id,
        level=heading.level + 1,
        hierarchy=(*heading.hierarchy, f"{heading.label} {heading.title}"),
    )


def build_fassung(norm: Norm, text: str) -> Fassung:
    return Fassung(
        norm_id=norm.norm_id,
        text=text,
        text_sha256=sha256(text.encode()).hexdigest(),
        segments=(),
        tables=(),
        footnotes=(),
        notes=(),
        in_force_from=None,
        in_force_until=None,
        date_precision=DatePrecision.UNKNOWN,
        stand=STAND,
        status=norm.status,
    )


@dataclass
class FakeStore:
    """The port ``CorpusStore`` over lists."""

    laws: Sequence[Statute]
    contents: Sequence[tuple[Norm, str]]
    references: Sequence[Reference] = ()
    demonstration: bool = False
    statutes: Mapping[str, Statute] = field(init=False)

    def __post_init__(self) -> None:
        self._norms = [
            replace(norm, position=position) for position, (norm, _) in enumerate(self.contents)
        ]
        self._texts = {norm.norm_id: text for norm, text in self.contents}
        self._by_id = {norm.norm_id: norm for norm in self._norms}
        self.statutes = {
            law.statute_id: replace(law, norm_count=len(self.list_provisions(law.statute_id)))
            for law in sorted(self.laws, key=lambda law: law.statute_id)
        }

    @property
    def manifest(self) -> Manifest:
        made = datetime(2025, 4, 1, tzinfo=UTC)
        source = SourceState(
            name="Gesetze im Internet",
            source_type="gii",
            url="https://www.gesetze-im-internet.de/",
            stand=STAND,
            items=len(self.laws),
            sha256="0" * 64,
            retrieved_at=made,
            complete=True,
        )
        return Manifest(
            release="0123456789abcdef",
            sha256="0123456789abcdef" * 4,
            stand=STAND,
            archive_floor=STAND,
            built_at=made,
            schema_version=1,
            statutes=len(self.laws),
            norms=len(self._norms),
            fassungen=len(self._norms),
            references=len(self.references),
            characters=sum(map(len, self._texts.values())),
            sources=(source,),
            rejected=(),
            demonstration=self.demonstration,
        )

    def find_norm(self, norm_id: str) -> Norm | None:
        return self._by_id.get(norm_id)

    def find_ordinal(self, norm_id: str) -> int | None:
        norm = self._by_id.get(norm_id)
        return norm.position if norm else None

    def get_norms_by_ordinal(self, ordinals: Sequence[int]) -> list[Norm]:
        return [self._norms[ordinal] for ordinal in ordinals]

    def list_excerpts(self, ordinals: Sequence[int], on: date) -> list[Excerpt]:
        del on
        norms = self.get_norms_by_ordinal(ordinals)
        return [Excerpt(norm, self._texts[norm.norm_id], STAND) for norm in norms]

    def find_fassung(self, norm_id: str, on: date | None = None) -> Fassung | None:
        del on
        norm = self._by_id.get(norm_id)
        return build_fassung(norm, self._texts[norm_id]) if norm else None

    def find_inclusion(self, fassung: Fassung) -> Inclusion | None:  # noqa: ARG002
        return None

    def list_fassungen(self, norm_id: str) -> list[FassungHead]:
        fassung = self.find_fassung(norm_id)
        if fassung is None:
            return []
        return [
            FassungHead(
                None, None, DatePrecision.UNKNOWN, fassung.text_sha256, STAND, fassung.status
            )
        ]

    def find_range(self, norm_id: str) -> Norm | None:
        del norm_id
        return None

    def list_heads(self, statute_id: str) -> dict[str, list[FassungHead]]:
        norms = self.list_norms(statute_id)
        heads = {norm.norm_id: self.list_fassungen(norm.norm_id) for norm in norms}
        return {norm_id: held for norm_id, held in heads.items() if held}

    def list_changed(self, first: date, last: date) -> list[ChangedOn]:
        del first, last
        return []

    def list_norms_on(self, statute_id: str, on: date) -> list[Norm]:
        del on
        return self.list_norms(statute_id)

    def find_heir(self, _norm_id: str) -> tuple[str, int] | None:
        return None

    def list_norms(self, statute_id: str, kind: NormKind | None = None) -> list[Norm]:
        norms = [norm for norm in self._norms if norm.statute_id == statute_id]
        return [norm for norm in norms if kind in {None, norm.kind}]

    def list_ids(self, statute_id: str, prefix: str, most: int) -> list[str]:
        ids = [norm.norm_id for norm in self._norms if norm.statute_id == statute_id]
        return [norm_id for norm_id in ids if norm_id.startswith(prefix)][:most]

    def list_provisions(self, statute_id: str, first: int = 0, last: int = 10**9) -> list[Norm]:
        return [
            norm
            for norm in self.list_norms(statute_id)
            if norm.kind is not NormKind.HEADING and first <= norm.position <= last
        ]

    def list_outline(self, statute_id: str) -> list[OutlineEntry]:
        return [
            OutlineEntry(
                norm.position, self._norms.index(norm), norm.kind, norm.number, norm.parent_id
            )
            for norm in self.list_provisions(statute_id)
        ]

    def _list_counted(self, statute_id: str, kind: NormKind | None) -> list[Norm]:
        norms = self.list_provisions(statute_id)
        return [norm for norm in norms if kind is None or norm.kind is kind]

    @property
    def missing(self) -> MissingLaws:
        return MissingLaws([MissingLaw("fehlg", "Fehlendes Gesetz")])

    def list_same(self, norm_id: str) -> Sequence[Norm]:
        return [norm for norm in self._norms if norm.norm_id.startswith(f"{norm_id}~")]

    def find_neighbours(
        self, statute_id: str, number: str, kind: NormKind | None = None
    ) -> tuple[Norm | None, Norm | None]:
        key = number_key(number)
        norms = self._list_counted(statute_id, kind)
        before = [norm for norm in norms if number_key(norm.number) < key]
        after = [norm for norm in norms if number_key(norm.number) > key]
        return before[-1] if before else None, after[0] if after else None

    def find_ends(
        self, statute_id: str, kind: NormKind | None = None
    ) -> tuple[Norm | None, Norm | None]:
        norms = self._list_counted(statute_id, kind)
        return (norms[0], norms[-1]) if norms else (None, None)

    def list_nested(self, statute_id: str, number: str) -> list[Norm]:
        norms = (norm for norm in self._norms if norm.statute_id == statute_id)
        return [norm for norm in norms if norm.number.partition("/")[2] == number]

    def list_references_from(self, norm_id: str) -> list[Reference]:
        return [each for each in self.references if each.citing_id == norm_id]

    def list_references_to(
        self, norm_id: str, limit: int, offset: int
    ) -> tuple[list[Reference], int]:
        found = [each for each in self.references if each.cited_id == norm_id]
        return found[offset : offset + limit], len(found)

    def find_headings(self, folded: str) -> list[int]:
        return [
            norm.position
            for norm in self._norms
            if norm.kind is NormKind.HEADING and folded in fold(f"{norm.label} {norm.title}")
        ]

    def iter_norms(self) -> Iterator[tuple[int, Norm, Fassung]]:
        for norm in self._norms:
            yield norm.position, norm, build_fassung(norm, self._texts[norm.norm_id])

    def close(self) -> None:
        """Nothing is open."""


@dataclass
class FakeIndex:
    """The port ``SearchIndex``: counts the words of the query in title and text."""

    store: FakeStore
    asked: list[SearchRequest] = field(default_factory=list)

    def search(self, request: SearchRequest) -> SearchResult:
        self.asked.append(request)
        words = [
            word
            for text in (request.query, *request.rephrasings)
            for word in fold(text).split()
            if len(word) > 3
        ]
        scored = []
        for ordinal, norm, fassung in self.store.iter_norms():
            if norm.kind is NormKind.HEADING or not self._passes(request, ordinal, norm):
                continue
            text = fold(f"{norm.title} {fassung.text}")
            score = sum(text.count(word) for word in words)
            if score:
                scored.append((-score, norm.norm_id, ordinal))
        hits = tuple(SearchHit(ordinal, float(-score)) for score, _, ordinal in sorted(scored))
        facets = {"source_type": {"gii": len(hits)}} if request.facets else {}
        page = hits[request.offset : request.offset + request.limit]
        return SearchResult(page, len(hits), facets)

    def _passes(self, request: SearchRequest, ordinal: int, norm: Norm) -> bool:
        statute = self.store.statutes[norm.statute_id]
        if any(
            getattr(statute, name) not in values
            for name, values in request.filters.items()
            if name != "language"
        ):
            return False
        if request.ordinals is not None and ordinal not in request.ordinals:
            return False
        if request.ancestors is None:
            return True
        parents = set()
        parent_id = norm.parent_id
        while parent_id is not None:
            parents.add(self.store.find_ordinal(parent_id))
            parent = self.store.find_norm(parent_id)
            parent_id = parent.parent_id if parent else None
        return bool(parents & set(request.ancestors))

    def close(self) -> None:
        """Nothing is open."""


def build_library(demonstration: bool = False) -> Library:
    """Two invented laws: one on loans of tools with two parts, one on honey."""
    tools = build_statute(
        "WzLeihG",
        "Werkzeugleihgesetz",
        [StandNote("Stand", "Zuletzt geändert durch Art. 2 G v. 3.4.2024 I Nr. 12")],
    )
    honey = build_statute("HonigV 99", "Verordnung über Probehonig", document_kind="regulation")
    gone = build_statute("AltWzG", "Altes Werkzeuggesetz", listed=False)
    part_1 = build_heading(tools, "Teil 1", "Allgemeines", 1, None)
    part_2 = build_heading(tools, "Teil 2", "Leihe von Werkzeug", 1, None)
    chapter = build_heading(tools, "Kapitel 1", "Pflichten", 2, part_2)
    contents = [
        (part_1, ""),
        (below(part_1, build_norm(tools, "1", "Begriffe")), "Werkzeug ist, was der Arbeit dient."),
        (
            below(part_1, build_norm(tools, "2", "Hammer")),
            "Ein Hammer ist ein Werkzeug. Der Hammer ist zu pflegen.",
        ),
        (part_2, ""),
        (chapter, ""),
        (
            below(chapter, build_norm(tools, "3", "Rückgabe")),
            "Der Entleiher gibt das Werkzeug nach § 2 unbeschädigt zurück. Ein Hammer genügt.",
        ),
        (
            replace(
                below(chapter, build_norm(tools, "4", "(weggefallen)")),
                status=NormStatus.REPEALED,
            ),
            "",
        ),
        (build_norm(honey, "1", "Probehonig"), "Honig ist zu kosten, bevor er verliehen wird."),
        (build_norm(gone, "1", "Alteisen"), "Jede Schmiede hält einen Amboss vor."),
    ]
    references = [Reference("de/wzleihg/3", "de/wzleihg/2", "", "§ 2", 40, 43)]
    store = FakeStore([tools, honey, gone], contents, references, demonstration)
    names = LawNames.build(store.statutes.values())
    return Library(store=store, index=FakeIndex(store), names=names, sources=SOURCES)
