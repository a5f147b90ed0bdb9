"""Corpora of invented decisions with the shape of the real ones, the same for the same seed.

python -m benches.scale.generator --decisions 10000 --to decisions.tar.zst

Each decision is a file in the form of the federal portal (``ingest.sources.courts.rii``): a head,
Leitsatz, Tenor, numbered paragraphs of facts and reasons. Words are made of syllables and drawn as
words of a language are, few often and most seldom. A decision is made from the seed and its number
alone, so that any part of a corpus can be made anew, and what it cites can be named without it.
"""

import argparse
import io
import random
import tarfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
import numpy.typing as npt
import zstandard

from benches.scale import shapes

SEED = 2026
_SLOTS = 4_096  # court, panel and year; their order is shuffled once
_WORDS = 60_000
_COMPOUNDS = 0.01  # of all words: two of the others, so that their number grows with the corpus
_FUNCTION_WORDS = shapes.FUNCTION_WORDS.split()
_ONSETS, _VOWELS, _ENDS, _SUFFIXES = map(str.split, shapes.SYLLABLES)
_SENTENCE = (9, 34)  # words
_PARAGRAPH = (2, 7)  # sentences
_ROMANS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


@dataclass(frozen=True, slots=True)
class Head:
    """Who decided what and when."""

    number: int
    court: str
    place: str
    panel: int
    docket: str
    day: date
    is_judgment: bool
    ecli: str

    def cite(self) -> str:
        """As another decision cites it."""
        kind = "Urteil" if self.is_judgment else "Beschluss"
        court = f"{self.court} {self.place}".strip()
        return f"{court}, {kind} vom {self.day:%d.%m.%Y} - {self.docket}"


@cache
def _list_slots() -> list[tuple[int, int, int, int, int]]:
    """Court, panel and year of each slot, its place among those of the same, and their number."""
    rng = random.Random(SEED)
    shares = [court[5] for court in shapes.COURTS]
    courts = rng.choices(range(len(shapes.COURTS)), shares, k=_SLOTS)
    years = rng.choices(shapes.YEARS, shapes.YEAR_WEIGHTS, k=_SLOTS)
    pairs = zip(courts, years, strict=True)
    drawn = [(court, rng.randint(1, shapes.COURTS[court][2]), year) for court, year in pairs]
    counts, seen = Counter(drawn), Counter[tuple[int, int, int]]()
    slots = []
    for one in drawn:
        slots.append((*one, seen[one], counts[one]))
        seen[one] += 1
    return slots


@lru_cache(maxsize=100_000)
def make_head(number: int) -> Head:
    """The head of a decision."""
    court, panel, year, before, count = _list_slots()[number % _SLOTS]
    name, place, _, docket, letters, _ = shapes.COURTS[court]
    rng = random.Random(SEED * 1_000_003 + number)
    at = number // _SLOTS * count + before + 1  # of the panel's year, as real ones are counted
    written = docket.format(
        panel=_ROMANS[(panel - 1) % 12], arabic=panel, number=at, year=f"{year % 100:02}"
    )
    day = date(year, rng.randint(1, 12), rng.randint(1, 28))
    is_judgment = rng.random() < 0.64
    ecli = ""
    if letters:
        compact = written.replace(" ", "").replace("/", ".").upper()
        ecli = f"ECLI:DE:{letters}:{year}:{day:%d%m%y}{'U' if is_judgment else 'B'}{compact}.0"
    return Head(number, name, place, panel, written, day, is_judgment, ecli)


@cache
def _make_words() -> tuple[npt.NDArray[np.object_], npt.NDArray[np.float64]]:
    """Words, and the sums of their shares up to each: as Zipf has it."""
    rng = random.Random(SEED)
    made = dict.fromkeys(_FUNCTION_WORDS)
    while len(made) < _WORDS:
        syllables = rng.choices((1, 2, 3), (3, 5, 2))[0]
        word = "".join(
            rng.choice(_ONSETS) + rng.choice(_VOWELS) + (rng.choice(_ENDS) if at else "")
            for at in range(syllables)
        )
        word += rng.choice(_SUFFIXES)
        made[word.capitalize() if rng.random() < 0.4 else word] = None
    shares = 1.0 / (np.arange(len(made)) + 2.7) ** 1.05
    return np.array(list(made), object), np.cumsum(shares / shares.sum())


class _Writer:
    """Writes one decision; its chance is its own."""

    def __init__(self, head: Head, decisions: int) -> None:
        self._head = head
        self._decisions = decisions
        self._rng = random.Random(SEED * 7_368_787 + head.number)
        self._chance = np.random.default_rng([SEED, head.number])

    def write(self) -> bytes:
        """The file."""
        head, rng = self._head, self._rng
        wanted = _draw(rng, shapes.CHARACTERS)
        share = _draw(rng, shapes.CITATIONS_PER_1000)
        texts = list(self._iter_paragraphs(max(int(wanted), 400), share))
        facts = max(1, len(texts) // 4)
        kind = "Urteil" if head.is_judgment else "Beschluss"
        fields = {
            "doknr": f"JURE{head.number:09}",
            "ecli": head.ecli,
            "gertyp": head.court,
            "gerort": head.place,
            "spruchkoerper": f"{head.panel}. Senat",
            "entsch-datum": f"{head.day:%Y%m%d}",
            "aktenzeichen": head.docket,
            "doktyp": kind,
            "norm": ", ".join(self._cite("norm") for _ in range(rng.randint(1, 4))),
            "titelzeile": self._write_words(rng.randint(4, 9)).capitalize(),
        }
        parts = [f"<{tag}>{escape(value)}</{tag}>" for tag, value in fields.items()]
        if rng.random() < 0.5:
            parts.append(f"<leitsatz><p>{escape(self._write_sentence([]))}</p></leitsatz>")
        parts.append("<tenor><p>Die Klage wird abgewiesen.</p></tenor>")
        parts.append(f"<tatbestand>{_number(texts[:facts], 1)}</tatbestand>")
        rest = _number(texts[facts:], facts + 1)
        parts.append(f"<entscheidungsgruende>{rest}</entscheidungsgruende>")
        return ("<?xml version='1.0'?><dokument>" + "".join(parts) + "</dokument>").encode()

    def _iter_paragraphs(self, wanted: int, share: float) -> Iterator[str]:
        held, owed = 0, 0.0
        while held < wanted:
            sentences = []
            for _ in range(self._rng.randint(*_PARAGRAPH)):
                cited: list[str] = []
                while owed >= 1.0:
                    cited.append(self._draw_citation())
                    owed -= 1.0
                sentence = self._write_sentence(cited)
                owed += len(sentence) * share / 1_000
                held += len(sentence) + 1
                sentences.append(sentence)
                if held >= wanted:
                    break
            yield " ".join(sentences)

    def _write_words(self, count: int) -> str:
        words, sums = _make_words()
        at = np.searchsorted(sums, self._chance.random(count))
        drawn = words[at].tolist()
        for place in np.flatnonzero(self._chance.random(count) < _COMPOUNDS).tolist():
            joined = words[np.searchsorted(sums, self._chance.random(2))].tolist()
            drawn[place] = "s".join(joined).capitalize()  # as many as there is text
        return " ".join(drawn)

    def _write_sentence(self, cited: list[str]) -> str:
        written = self._write_words(self._rng.randint(*_SENTENCE))
        at = written.find(" ", len(written) // 2)
        if len(cited) > 1:
            written = f"{written[:at]} gemäß {cited[0]}{written[at:]} (vgl. {'; '.join(cited[1:])})"
        elif cited:
            written = f"{written[:at]} nach {cited[0]}{written[at:]}"
        return f"{written[:1].upper()}{written[1:]}."

    def _draw_citation(self) -> str:
        name, share = shapes.MOST_CITED
        if self._rng.random() < share:
            return name
        kinds, shares = zip(*shapes.KINDS, strict=True)
        return self._cite(self._rng.choices(kinds, shares)[0])

    def _cite(self, kind: str) -> str:
        rng = self._rng
        written = f"BGBl. I {rng.randint(1995, 2024)} S. {rng.randint(1, 4000)}"
        if kind == "norm":
            laws, last, shares = zip(*shapes.LAWS, strict=True)
            law = rng.choices(range(len(laws)), shares)[0]
            # low numbers more often, none alone
            section = 1 + int(last[law] * rng.random() ** 1.6)
            written = f"§ {section}{_draw_path(rng)} {laws[law]}"
        elif kind == "unheld":
            written = f"§ {rng.randint(1, 90)}{_draw_path(rng)} {rng.choice(shapes.UNHELD)}"
        elif kind == "held decision":  # the first ones most often
            written = make_head(int(self._decisions * rng.random() ** 3)).cite()
        elif kind == "decision":
            written = make_head(self._decisions + rng.randint(1, 5_000_000)).cite()
        elif kind == "reporter":
            reporter = rng.choice(shapes.REPORTERS)
            written = f"{reporter} {rng.randint(1995, 2024)}, {rng.randint(1, 3500)}"
        elif kind == "eu":
            written = f"Art. {rng.randint(1, 80)}{_draw_path(rng, 2)} {rng.choice(shapes.EU_ACTS)}"
        return written


def _draw_path(rng: random.Random, most: int = 3) -> str:
    steps = (" Abs. {}", " Satz {}", " Nr. {}")[: rng.randint(0, most)]
    return "".join(step.format(rng.randint(1, 4)) for step in steps)


def _draw(rng: random.Random, points: tuple[float, ...]) -> float:
    """A value of the distribution that has these points at equal distances."""
    at = rng.random() * (len(points) - 1)
    low = int(at)
    return points[low] + (points[low + 1] - points[low]) * (at - low)


def _number(texts: list[str], first: int) -> str:
    """Paragraphs with their Randnummern, as the portal has them."""
    return "".join(
        f'<dl class="RspDL"><dt><a name="rd_{at}">{at}</a></dt><dd><p>{escape(text)}</p></dd></dl>'
        for at, text in enumerate(texts, first)
    )


def make_decision(number: int, decisions: int) -> bytes:
    """The file of the decision ``number`` in a corpus of ``decisions``."""
    return _Writer(make_head(number), decisions).write()


def write_archive(path: Path, numbers: range) -> int:
    """Write these decisions as an archive of the kind that is carried in; bytes of its files."""
    size = 0
    packer = zstandard.ZstdCompressor(level=1)
    with (
        path.open("wb") as raw,
        packer.stream_writer(raw) as packed,
        tarfile.open(fileobj=packed, mode="w|") as archive,
    ):
        for number in numbers:
            data = make_decision(number, numbers.stop)
            member = tarfile.TarInfo(f"rii/{number // 1000:04}/JURE{number:09}.xml")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
            size += len(data)
    return size


def main() -> None:
    """Write one archive."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--decisions", type=int, required=True)
    parser.add_argument("--to", type=Path, required=True, help="decisions….tar.zst")
    given = parser.parse_args()
    print(f"{write_archive(given.to, range(given.decisions)):,} bytes")


if __name__ == "__main__":
    main()
