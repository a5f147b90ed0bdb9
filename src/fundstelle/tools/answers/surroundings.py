"""The parts of an answer of ``legal_get_context``, added one by one within one text budget."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from fundstelle.corpus.store import FassungHead
from fundstelle.law.norms import Fassung, NormStatus, choose_read_day, set_back
from fundstelle.lookup.answers import DecisionHit, Hit, Miss, ProvisionHit
from fundstelle.lookup.context import surroundings as context
from fundstelle.lookup.context.changes import Change, compare
from fundstelle.lookup.dating.days import describe_days, find_floor
from fundstelle.lookup.dating.readings import warn_of_readings
from fundstelle.lookup.library import Library
from fundstelle.lookup.texts import LookupRequest, read_norm
from fundstelle.lookup.validity.notes import find_validity
from fundstelle.lookup.withheld import tell_withheld
from fundstelle.tools.answers.context_rows import (
    ContextAnswer,
    ShownHeading,
    ShownTextChange,
    describe_links,
    describe_version,
    describe_words,
)
from fundstelle.tools.answers.envelope import LINKS, norm_link, result
from fundstelle.tools.answers.looks import warn_of_looks
from fundstelle.tools.answers.norms import (
    Details,
    build_links,
    build_unit,
    hint_at_footnotes,
    without_repeated,
)
from fundstelle.tools.answers.units import ShownNorm
from fundstelle.tools.spec import JsonObject, ToolResult

REFERENCES = 20  # a page
_LEAST_ROOM = 200
_OUTSIDE = "outside_coverage"
_HEADING = "Überschrift"
_WITHOUT_TEXT = (NormStatus.REPEALED, NormStatus.FUTURE, NormStatus.NOT_SEEN)


@dataclass(slots=True)
class Surroundings:
    """One answer as it grows; ``room`` is what is left of the text budget."""

    library: Library
    on: date
    offset: int
    room: int
    is_asked: bool = False  # whether ``on`` was named
    before: str | None = None  # the release that the page before was of
    fields: ContextAnswer = field(default_factory=ContextAnswer)
    warnings: list[str] = field(default_factory=list)
    links: list[dict[str, Any]] = field(default_factory=list)
    count: int = 1
    total: int = 1
    next_offset: int | None = None
    hint: JsonObject | None = None

    def add_center(self, hit: Hit, *, detailed: bool) -> int | None:
        """The provision or decision itself, which comes first; where it is cut, if it is."""
        details = Details(self.room) if detailed else None
        center, end = build_unit(hit, self.library, 0, self.room, details)
        self.warnings += details.warnings if details is not None else hint_at_footnotes([hit])
        self.room -= end
        self.fields["center"] = center
        self.warnings += hit.warnings
        self.links += build_links([hit])
        if end < hit.end - hit.start:
            self.warnings.append("The text goes on; legal_lookup gives the rest.")
            return end
        return None

    def add_siblings(self, hit: Hit, before: int, after: int) -> None:
        """The provisions before and after; the nearest get their texts first."""
        low, high = context.list_neighbours(self.library, hit, before, after, self.on)
        after_rows = [self._describe_neighbour(each) for each in high]
        before_rows = [self._describe_neighbour(each) for each in reversed(low)]
        self.fields["before"] = before_rows[::-1]
        self.fields["after"] = after_rows
        self.count = self.total = 1 + len(low) + len(high)
        shown = [*before_rows, *after_rows]
        self._warn_of_siblings([*low, *high], {row["norm_id"] for row in shown if "content" in row})
        if any("content" not in row and _has_text(row) for row in shown):
            self.warnings.append("Provisions without content did not fit into max_chars.")

    def _warn_of_siblings(self, found: Sequence[context.Neighbour], given: Container[str]) -> None:
        """What a lookup would say of each; ``given`` are those whose texts are shown."""
        if unknown := [each.norm.citation for each in found if each.status is None]:
            self.warnings.append(
                f"The corpus cannot say what {', '.join(unknown)} was on {self.on.isoformat()}."
            )
        texts = [each for each in found if each.norm.norm_id in given]
        hits = [each.hit for each in texts if each.hit is not None]
        self._warn_once(warn_of_looks(self.library, hits, self.on, asked=self.is_asked))
        said: dict[str, list[str]] = {}
        for each in texts:
            for warning in each.warnings:
                said.setdefault(warning, []).append(each.norm.citation)
        self.warnings += [f"{', '.join(names)}: {warning}" for warning, names in said.items()]

    def _describe_neighbour(self, each: context.Neighbour) -> ShownNorm:
        norm, hit = each.norm, each.hit
        self.links.append(norm_link(norm.norm_id, norm.citation, norm.title))
        if hit is not None and self.room >= min(_LEAST_ROOM, len(hit.text)):
            row, end = build_unit(hit, self.library, 0, self.room, None)
            self.room -= end
            return without_repeated(row, self.fields["center"])
        row = {"norm_id": norm.norm_id, "citation": norm.citation}
        if norm.title:
            row["title"] = norm.title
        if hit is not None:
            row["status"] = find_validity(self.library, hit.statute, hit.fassung).status
        elif each.status is not None:
            row["status"] = each.status
        return row

    def add_parents(self, hit: Hit) -> None:
        """The headings above."""
        rows: list[ShownHeading] = []
        for norm in context.list_parents(self.library, hit):
            row: ShownHeading = {
                "norm_id": norm.norm_id,
                "label": norm.label,
                "level": norm.level,
            }
            if norm.title:
                row["title"] = norm.title
            rows.append(row)
        self.fields["parents"] = rows

    def add_references_out(self, hit: Hit) -> None:
        """A page of what the unit refers to; of a text that another followed that is not held."""
        links = context.list_references_out(self.library, hit)
        newest = context.find_newer(self.library, hit)
        if newest is not None:
            self.warnings.append(_say_not_referring(hit, newest))
        page = links[self.offset : self.offset + REFERENCES]
        self.fields["references_out"] = describe_links(page)
        self._turn_page(len(page), len(links))

    def add_references_in(self, cited_id: str) -> None:
        """A page of what refers to the norm or law."""
        found = context.list_references_in(self.library, cited_id, REFERENCES, self.offset, self.on)
        self.fields["references_in"] = describe_links(found.links)
        self.fields["references_in_total"] = found.total
        self.warnings += tell_withheld(self.library)
        self.warnings += self._warn_of_citing(found)
        self._turn_page(len(found.links), found.total)

    def _warn_of_citing(self, found: context.ReferencesIn) -> Iterator[str]:
        """Of which texts the references are: the newest, on whatever day."""
        day = self.on.isoformat()
        if found.norms and self.on < self.library.store.manifest.stand:
            yield (
                "references_in and their number are those of the newest texts of provisions; what"
                f" their texts of {day} referred to is not held."
            )
        others = dict.fromkeys(each.citation for each in found.links if not each.is_of_day)
        if others:
            yield (
                f"references_in: {', '.join(others)}: the words that refer are not of a text of"
                f" {day}; legal_lookup with as_of {day} gives what stood there."
            )

    def _turn_page(self, shown: int, total: int) -> None:
        end = self.offset + shown
        self.count = max(self.count, shown)
        self.total = max(self.total, total)
        if shown and end < total:
            self.next_offset = end

    def add_versions(self, hit: Hit) -> None:
        """All texts held."""
        heads = context.list_versions(self.library, hit)
        if isinstance(hit, DecisionHit):
            self.fields["versions"] = []
            return
        days = describe_days(self.library.store.manifest, hit.statute, heads)
        self.fields["versions"] = list(map(describe_version, heads, days))
        self._warn_once(warn_of_readings(hit.statute, date.min, date.max))

    def add_diff(self, hit: Hit, other: date) -> None:
        """What differs between the text of ``other`` and that of the day asked for."""
        first, last = sorted((other, self.on))
        if isinstance(hit, DecisionHit):  # it has one text, in which nothing changes
            self.fields["diff"] = {"from": first, "to": last, "changes": []}
            return
        question = LookupRequest(self.library, hit.norm.citation, other)
        then = read_norm(question, hit.statute, hit.norm)
        if isinstance(then, Miss) and then.status == _OUTSIDE:
            floor = find_floor(self.library, hit.statute).isoformat()
            self.warnings.append(f"compare_to lies before {floor}, the oldest day known here.")
            return
        if isinstance(then, ProvisionHit):
            self._warn_of_then(hit, then, other)
        self._warn_once(warn_of_readings(hit.statute, first, last))
        if isinstance(then, Miss):  # why all of it is new, or gone, and what is not known of that
            self.warnings.append(f"compare_to: {then.reason}")
        texts = [then.fassung if isinstance(then, ProvisionHit) else None, hit.fassung]
        older, newer = texts if other <= self.on else reversed(texts)
        found = compare(older, newer)
        if found.total > len(found.changes):
            self.warnings.append(
                f"The versions differ in {found.total:,} places; the first {len(found.changes)} are"
                " in diff."
            )
        rows = self._compare_headings(hit, older, newer)
        rows += [self._describe_change(change) for change in found.changes]
        self.fields["diff"] = {"from": first, "to": last, "changes": rows}
        left_out = sum("left_out" in row for row in rows)
        if left_out:
            self.warnings.append(
                f"{left_out} of the changes are named without their texts, which did not fit into"
                " max_chars; legal_lookup gives them for either day."
            )

    def _warn_of_then(self, hit: ProvisionHit, then: ProvisionHit, other: date) -> None:
        """What a lookup says of the text of the other day."""
        if then.norm.norm_id != hit.norm.norm_id:
            self.warnings.append(
                f"On {other.isoformat()} {then.citation} stood in the place of {hit.norm.citation}."
            )
        of_then = [then] if other > self.on else []
        self._warn_once(warn_of_looks(self.library, of_then, other, asked=True))
        self._warn_once(then.warnings)

    def _warn_once(self, warnings: Iterable[str]) -> None:
        """Two days between the same looks have the same warning."""
        self.warnings += [one for one in warnings if one not in self.warnings]

    def _compare_headings(
        self, hit: ProvisionHit, older: Fassung | None, newer: Fassung | None
    ) -> list[ShownTextChange]:
        """The heading of the provision, where it is another one, or only one text has one."""
        norm = self.library.store.find_norm(hit.norm.norm_id)
        if norm is None or older is None or newer is None or older.norm_id != newer.norm_id:
            return []
        before, after = set_back(norm, older).title, set_back(norm, newer).title
        if before == after:
            return []
        kind = "added" if before is None else "removed" if after is None else "changed"
        row: ShownTextChange = {"kind": kind, "segment": _HEADING}
        if before is not None:
            row["before"] = before
        if after is not None:
            row["after"] = after
        return [row]

    def _describe_change(self, change: Change) -> ShownTextChange:
        """Both sides whole, or neither."""
        row: ShownTextChange = {"kind": change.kind, "segment": change.segment}
        words = sum(len(each.before) + len(each.after) for each in change.words)
        whole = len(change.before) + len(change.after) + words
        if whole > self.room:
            row["left_out"] = True
            if words > self.room:
                return row
            whole = words
        else:
            if change.before:
                row["before"] = change.before
            if change.after:
                row["after"] = change.after
        self.room -= whole
        if change.words:
            row["words"] = list(map(describe_words, change.words))
        return row

    def render(self) -> ToolResult:
        """The answer in its envelope."""
        return result(
            found=True,
            count=self.count,
            total=self.total,
            offset=self.offset,
            release=self.library.store.manifest.release,
            warnings=self.warnings,
            next_offset=self.next_offset,
            hint=self.hint,
            blocks=self.links[:LINKS],
            before=self.before,
            own={"as_of": self.on, **self.fields},
        )


def _say_not_referring(hit: Hit, newest: FassungHead) -> str:
    """That the references of this text are not held, and where those of the newest are."""
    day = choose_read_day(newest.stand, newest.in_force_from).isoformat()
    shown = f", which as_of {day} gives" if newest.status is NormStatus.IN_FORCE else ""
    return (
        f"references_out: only the references of the newest text of {hit.citation} are held{shown};"
        " those of this text stand in its words alone."
    )


def _has_text(row: ShownNorm) -> bool:
    """Whether a neighbour has one on that day, be it shown or not."""
    return "status" in row and row["status"] not in _WITHOUT_TEXT
