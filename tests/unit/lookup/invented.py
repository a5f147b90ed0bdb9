"""A library of invented law with marked texts, several versions and every kind of miss."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime

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
from fundstelle.law.identifiers import build_norm_id, name_cited, number_key, to_id
from fundstelle.law.norms import (
    DatePrecision,
    Fassung,
    Norm,
    NormKind,
    NormStatus,
    Statute,
    set_back,
)
from fundstelle.lookup.library import Library
from fundstelle.search.index import SearchHit, SearchRequest, SearchResult
from tests.unit.lookup.marked import digest, read_marked

FLOOR = date(2025, 3, 31)
STAND = date(2026, 4, 29)
TODAY = date(2026, 5, 1)
_NUMBERED = (NormKind.SECTION, NormKind.ARTICLE)


def build_statute(abbreviation: str, title: str, *, listed: bool = True) -> Statute:
    slug = to_id(abbreviation)
    return Statute(
        statute_id=f"de/{slug}",
        slug=slug.replace("-", "_"),
        publisher_id=f"BJNR{sum(map(ord, slug)):09}",
        abbreviation=abbreviation,
        abbreviations_juris=(abbreviation,),
        abbreviation_official=abbreviation,
        title=title,
        short_title=None,
        issued_on=date(2001, 2, 3),
        publication=f"BGBl. I 2001 S. {sum(map(ord, slug))}",
        stand_notes=(),
        document_kind="statute",
        listed=listed,
        source_url=f"https://www.gesetze-im-internet.de/{slug}/",
        stand=STAND,
        norm_count=0,
        source_type="gii",
    )


def build_norm(statute: Statute, label: str, title: str | None = None) -> Norm:
    """``§ 5``, ``§§ 6 und 7``, ``Art 1``, ``Anlage 1`` of a law."""
    sign, _, rest = label.partition(" ")
    number, _, number_end = rest.partition(" und ")
    kinds = {"Art": NormKind.ARTICLE, "Anlage": NormKind.ANNEX}
    shown = f"Art. {rest}" if sign == "Art" else label
    held = to_id(label) if sign == "Anlage" else number
    return Norm(
        norm_id=build_norm_id(statute.statute_id, held),
        statute_id=statute.statute_id,
        position=0,
        kind=kinds.get(sign, NormKind.SECTION),
        number=held,
        number_end=number_end or None,
        label=label,
        title=title,
        citation=f"{shown} {statute.abbreviation}",
        level=1,
        parent_id=None,
        hierarchy=(),
        status=NormStatus.IN_FORCE,
        publisher_id="BJNE0",
    )


def build_fassung(norm: Norm, marked: str) -> Fassung:
    text, segments = read_marked(marked)
    return Fassung(
        norm_id=norm.norm_id,
        text=text,
        text_sha256=digest(text),
        segments=segments,
        tables=(),
        footnotes=(),
        notes=(),
        in_force_from=None,
        in_force_until=None,
        date_precision=DatePrecision.UNKNOWN,
        stand=STAND,
    )


@dataclass
class InventedStore:
    """The port ``CorpusStore`` over lists."""

    laws: Sequence[Statute]
    contents: Sequence[tuple[Norm, Sequence[Fassung]]]
    references: Sequence[Reference] = ()
    statutes: Mapping[str, Statute] = field(init=False)

    def __post_init__(self) -> None:
        self.statutes = {law.statute_id: law for law in self.laws}
        firsts: dict[str, int] = {}
        self.norms = []
        for ordinal, (norm, _) in enumerate(self.contents):
            first = firsts.setdefault(norm.statute_id, ordinal)
            self.norms.append(replace(norm, position=ordinal - first))
        self.fassungen = {norm.norm_id: tuple(all_) for norm, all_ in self.contents}
        source = SourceState(
            name="Erfundene Gesetze",
            source_type="gii",
            url="https://example.org/",
            stand=STAND,
            items=len(self.laws),
            sha256="0" * 64,
            retrieved_at=datetime(2026, 4, 30, 12, tzinfo=UTC),
            complete=True,
        )
        self.manifest = Manifest(
            release="0123456789abcdef",
            sha256="0123456789abcdef" * 4,
            stand=STAND,
            archive_floor=FLOOR,
            built_at=datetime(2026, 4, 30, 13, tzinfo=UTC),
            schema_version=1,
            statutes=len(self.laws),
            norms=len(self.norms),
            fassungen=len(self.norms),
            references=len(self.references),
            characters=0,
            sources=(source,),
            rejected=(),
        )

    def find_norm(self, norm_id: str) -> Norm | None:
        for norm in self.norms:
            if norm.norm_id == norm_id:
                return norm
        statute_id, _, number = norm_id.rpartition("/")
        for norm in self.norms if number[:1].isdigit() else ():
            if norm.statute_id == statute_id and norm.number_end is not None:
                low, high = number_key(norm.number), number_key(norm.number_end)
                if low <= number_key(number) <= high:
                    return norm
        return None

    def find_ordinal(self, norm_id: str) -> int | None:
        norm = self.find_norm(norm_id)
        return self.norms.index(norm) if norm else None

    def get_norms_by_ordinal(self, ordinals: Sequence[int]) -> list[Norm]:
        return [self.norms[ordinal] for ordinal in ordinals]

    def list_excerpts(self, ordinals: Sequence[int], on: date) -> list[Excerpt]:
        norms = self.get_norms_by_ordinal(ordinals)
        held = [(norm, self.find_fassung(norm.norm_id, on)) for norm in norms]
        return [
            Excerpt(norm, f.text, f.stand, f.notes, f.in_force_until)
            if f
            else Excerpt(norm, "", None)
            for norm, f in held
        ]

    def find_fassung(self, norm_id: str, on: date | None = None) -> Fassung | None:
        norm = self.find_norm(norm_id)
        held = self.fassungen[norm.norm_id] if norm else ()
        for fassung in reversed(held):
            begins, ends = fassung.in_force_from or date.min, fassung.in_force_until or date.max
            if on is None or begins <= on < ends:
                return fassung
        return None

    def find_inclusion(self, fassung: Fassung) -> Inclusion | None:  # noqa: ARG002
        return None

    def list_fassungen(self, norm_id: str) -> list[FassungHead]:
        return [
            FassungHead(
                f.in_force_from,
                f.in_force_until,
                f.date_precision,
                f.text_sha256,
                f.stand,
                f.status,
            )
            for f in self.fassungen.get(norm_id, ())
        ]

    def find_range(self, norm_id: str) -> Norm | None:
        del norm_id
        return None

    def list_heads(self, statute_id: str) -> dict[str, list[FassungHead]]:
        norms = self.list_norms(statute_id)
        heads = {norm.norm_id: self.list_fassungen(norm.norm_id) for norm in norms}
        return {norm_id: held for norm_id, held in heads.items() if held}

    def list_changed(self, first: date, last: date) -> list[ChangedOn]:
        found: dict[tuple[date, str, bool], list[int]] = {}
        for ordinal, norm in enumerate(self.norms):
            for fassung in self.fassungen[norm.norm_id]:
                day, exact = fassung.in_force_from, DatePrecision.EXACT
                if day is not None and first <= day <= last:
                    is_exact = fassung.date_precision is exact
                    found.setdefault((day, norm.statute_id, is_exact), []).append(ordinal)
        return [
            ChangedOn(law, day, is_exact, tuple(ordinals))
            for (day, law, is_exact), ordinals in sorted(found.items())
        ]

    def list_norms_on(self, statute_id: str, on: date) -> list[Norm]:
        norms = self.list_norms(statute_id)
        return [set_back(norm, self.find_fassung(norm.norm_id, on)) for norm in norms]

    heirs: dict[str, tuple[str, int]] = field(default_factory=dict)

    def find_heir(self, norm_id: str) -> tuple[str, int] | None:
        return self.heirs.get(norm_id)

    def list_norms(self, statute_id: str, kind: NormKind | None = None) -> list[Norm]:
        norms = [norm for norm in self.norms if norm.statute_id == statute_id]
        return [norm for norm in norms if kind in {None, norm.kind}]

    def list_ids(self, statute_id: str, prefix: str, most: int) -> list[str]:
        ids = [norm.norm_id for norm in self.norms if norm.statute_id == statute_id]
        return [norm_id for norm_id in ids if norm_id.startswith(prefix)][:most]

    def list_provisions(self, statute_id: str, first: int, last: int) -> list[Norm]:
        return [
            norm
            for norm in self.norms
            if norm.statute_id == statute_id
            and norm.kind is not NormKind.HEADING
            and first <= norm.position <= last
        ]

    def list_outline(self, statute_id: str) -> list[OutlineEntry]:
        return [
            OutlineEntry(
                norm.position, self.norms.index(norm), norm.kind, norm.number, norm.parent_id
            )
            for norm in self.list_norms(statute_id)
            if norm.kind is not NormKind.HEADING
        ]

    def _list_numbered(self, statute_id: str, kind: NormKind | None) -> list[Norm]:
        kinds = _NUMBERED if kind is None else (kind,)
        held = [norm for norm in self.norms if norm.statute_id == statute_id]
        return [norm for norm in held if norm.kind in kinds]

    @property
    def missing(self) -> MissingLaws:
        return MissingLaws([MissingLaw("fehlg", "Fehlendes Gesetz")])

    def list_same(self, norm_id: str) -> Sequence[Norm]:
        return [norm for norm in self.norms if norm.norm_id.startswith(f"{norm_id}~")]

    def find_neighbours(
        self, statute_id: str, number: str, kind: NormKind | None = None
    ) -> tuple[Norm | None, Norm | None]:
        key = number_key(number)
        norms = self._list_numbered(statute_id, kind)
        before = [norm for norm in norms if number_key(norm.number) < key]
        after = [norm for norm in norms if number_key(norm.number) > key]
        return before[-1] if before else None, after[0] if after else None

    def find_ends(
        self, statute_id: str, kind: NormKind | None = None
    ) -> tuple[Norm | None, Norm | None]:
        norms = self._list_numbered(statute_id, kind)
        return (norms[0], norms[-1]) if norms else (None, None)

    def list_nested(self, statute_id: str, number: str) -> list[Norm]:
        norms = (norm for norm in self.norms if norm.statute_id == statute_id)
        return [norm for norm in norms if norm.number.partition("/")[2] == number]

    def list_references_from(self, norm_id: str) -> list[Reference]:
        return [each for each in self.references if each.citing_id == norm_id]

    def list_references_to(
        self, norm_id: str, limit: int, offset: int
    ) -> tuple[list[Reference], int]:
        found = [each for each in self.references if each.cited_id == name_cited(norm_id)]
        return found[offset : offset + limit], len(found)

    def find_headings(self, folded: str) -> list[int]:
        raise NotImplementedError

    def iter_norms(self) -> Iterator[tuple[int, Norm, Fassung]]:
        for ordinal, norm in enumerate(self.norms):
            yield ordinal, norm, self.fassungen[norm.norm_id][-1]

    def close(self) -> None:
        """Nothing is open."""


@dataclass
class InventedIndex:
    """The port ``SearchIndex``: counts the words of the query that a text contains."""

    store: InventedStore

    def search(self, request: SearchRequest) -> SearchResult:
        words = request.query.split()
        laws = request.filters.get("statute_id")
        scored = []
        for ordinal, norm, fassung in self.store.iter_norms():
            score = sum(word in fassung.text for word in words)
            if score and (laws is None or norm.statute_id in laws):
                scored.append((-score, norm.norm_id, ordinal))
        hits = tuple(SearchHit(o, float(-s)) for s, _, o in sorted(scored)[: request.limit])
        return SearchResult(hits, len(scored))

    def close(self) -> None:
        """Nothing is open."""


def build_library(long: str = "", many: int = 0) -> Library:
    """MusterG (§), GrundMG (Art), two books of SGB, and AltMG, which is no longer listed.

    ``long`` is the marked text of a further § 9 MusterG; ``many`` are further §§ from § 201 on.
    """
    muster = build_statute("MusterG", "Mustergesetz")
    grund = build_statute("GrundMG", "Grundmustergesetz")
    old = build_statute("AltMG", "Altes Mustergesetz", listed=False)
    books = [build_statute("SGB IV", "Viertes Buch"), build_statute("SGB V", "Fünftes Buch")]
    contents: list[tuple[Norm, Sequence[Fassung]]] = []

    def add(statute: Statute, label: str, title: str | None, *marked: str) -> None:
        norm = build_norm(statute, label, title)
        contents.append((norm, [build_fassung(norm, text) for text in marked]))

    part = replace(
        build_norm(muster, "Teil 1", "Leihe"),
        norm_id="de/musterg/teil-1",
        number="teil-1",
        kind=NormKind.HEADING,
    )
    contents.append((part, [build_fassung(part, "")]))
    add(
        muster,
        "§ 1",
        "Begriffe",
        "{satz 1|Werkzeug ist, was der Arbeit dient.} {satz 2|Ein Hammer ist Werkzeug.}",
    )
    add(
        muster,
        "§ 2",
        "Pflichten",
        "{abs 1|{satz 1|(1) Wer Werkzeug nach § 1 leiht, muss es\n{nr 1|1. reinigen,}\n"
        "{nr 2|2. ölen, und zwar\n{buchst a|a) den Kopf und}\n{buchst b|b) das Gelenk,}}\n"
        "bevor er es zurückgibt.} {satz 2|Das gilt auch an Sonntagen.}}\n"
        "{abs 2|(2) Näheres bestimmt die Werkzeugordnung.}",
    )
    add(muster, "§ 3", "(weggefallen)", "")
    add(muster, "§ 4", "Säge", "Die Säge ist scharf. Ihre Zähne sind zu schränken.")
    add(muster, "§ 4a", "Feile", "Die Feile ist rau.")
    add(muster, "§§ 5 und 6", None, "")
    add(muster, "§ 7", "(zukünftig in Kraft)", "")
    add(muster, "§ 8", "Leim", "Leim klebt kalt.", "Leim klebt heiß und kalt.")
    if long:
        add(muster, "§ 9", "Nagel", long)
    for number in range(many):
        add(muster, f"§ {201 + number}", None, f"Leim Nummer {number} ist zäh.")
    add(muster, "Anlage 1", "Gebühren", "3100 | Verfahrensgebühr | 1,3\n3101 | Ermäßigung | 0,8")
    add(grund, "Art 1", "Würde", "{abs 1|(1) Werkzeug ist unantastbar.}")
    add(old, "§ 1", "Feuerstein", "Der Feuerstein bleibt erhalten.")
    add(books[0], "§ 1", "Bereich", "Dieses Buch ist erfunden.")
    add(books[1], "§ 5", "Pflicht", "Auch dieses Buch ist erfunden.")
    store = InventedStore([muster, grund, old, *books], _date(contents), _refer())
    names = LawNames.build(store.statutes.values())
    return Library(store, InventedIndex(store), names, sources=SOURCES)


def _date(
    contents: Sequence[tuple[Norm, Sequence[Fassung]]],
) -> list[tuple[Norm, Sequence[Fassung]]]:
    """§ 3 and §§ 5, 6 are repealed, § 7 comes later, § 8 changed on the second snapshot."""
    states = {
        "de/musterg/3": NormStatus.REPEALED,
        "de/musterg/5": NormStatus.REPEALED,
        "de/musterg/7": NormStatus.FUTURE,
    }
    dated: list[tuple[Norm, Sequence[Fassung]]] = []
    for norm, fassungen in contents:
        status = states.get(norm.norm_id, NormStatus.IN_FORCE)
        held = [replace(fassung, status=status) for fassung in fassungen]
        if len(held) == 2:
            held[0] = replace(held[0], in_force_until=STAND, stand=FLOOR)
            held[1] = replace(held[1], in_force_from=STAND, date_precision=DatePrecision.FIRST_SEEN)
        dated.append((replace(norm, status=status), held))
    return dated


def _refer() -> list[Reference]:
    return [Reference("de/musterg/2", "de/musterg/1", "", "§ 1", 22, 25)]
