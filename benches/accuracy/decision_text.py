"""What is kept of the decisions in the archive, for each source, and what is taken off.

python -m benches.accuracy.decision_text [--losses N] [ARCHIVE]

Prints files, decisions, rejected files, parts, Randnummern and the share of characters removed;
then the decisions that lost most, with the longest pieces of them that are nowhere in the record.
"""

import argparse
import io
import re
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import zstandard
from lxml import etree

from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.courts.adapters import iter_decisions
from fundstelle.ingest.sources.decision_text.text import tidy

ARCHIVE = Path(__file__).parents[3] / "shared" / "corpus" / "decisions.tar.zst"

_LEADING_NUMBERS = re.compile(r"^(?:[-–—]?\s?\d{1,4}\.?\s?[-–—]?\s*)+")
_PIECES = 4


def read_archive(archive: Path = ARCHIVE) -> Iterator[SourceFile]:
    """Every file in the order of names, as a build reads them."""
    files = {}
    with archive.open("rb") as packed:
        reader = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(packed)
        with tarfile.open(fileobj=io.BufferedReader(reader, 1 << 20), mode="r|") as tar:
            for member in tar:
                content = tar.extractfile(member) if member.isfile() else None
                if content is not None:
                    files[member.name.removeprefix("./")] = content.read()
    for name in sorted(files):
        yield SourceFile(name, name.rpartition("/")[0], files[name])


def read_decisions(
    files: Sequence[SourceFile],
) -> list[tuple[str, ParsedDecision | Rejected]]:
    """What comes of each file, with its name."""
    current = ""

    def watch() -> Iterator[SourceFile]:
        nonlocal current
        for file in files:
            current = file.name
            yield file

    return [(current, parsed) for parsed in iter_decisions(watch())]


def list_lost(file: SourceFile, kept: Sequence[ParsedDecision]) -> list[str]:
    """Pieces of the source that stand nowhere in the records, longest first."""
    held = _squeeze(" ".join(f"{each.text.text} {each.decision}" for each in kept))
    pieces = {tidy(piece) for piece in _split(file)}
    lost = [
        piece
        for piece in pieces
        if piece and all(_squeeze(form) not in held for form in _forms(piece))
    ]
    return sorted(lost, key=len, reverse=True)


def _split(file: SourceFile) -> list[str]:
    text = file.data.decode(errors="replace")
    if not file.name.endswith((".html", ".xml")):
        return re.split(r"[\n\f]", text)
    root = etree.fromstring(file.data, etree.HTMLParser(encoding="utf-8", remove_comments=True))
    body = root.find(".//body") if root is not None else None
    return [str(piece) for piece in (body if body is not None else root).itertext()]


def _forms(piece: str) -> tuple[str, str]:
    return piece, _LEADING_NUMBERS.sub("", piece)


def _squeeze(text: str) -> str:
    return re.sub(r"[\s-]", "", text)


def report(found: Sequence[tuple[str, ParsedDecision | Rejected]]) -> None:
    """The table of sources."""
    by_source: dict[str, list[ParsedDecision]] = defaultdict(list)
    rejected: Counter[str] = Counter()
    names: dict[str, set[str]] = defaultdict(set)
    for name, parsed in found:
        if isinstance(parsed, Rejected):
            rejected[parsed.name.partition("/")[0]] += 1
            print(f"rejected: {parsed.name}: {parsed.reason}")
        else:
            source = parsed.decision.sources[0].source_type
            by_source[source].append(parsed)
            names[source].add(name)
    print(
        f"{'source':10}{'files':>7}{'decisions':>10}{'characters':>12}{'removed':>9}{'parts':>7}"
        f"{'Rn.':>7}{'with Rn.':>9}{'no date':>8}{'no court':>9}"
    )
    for source, decisions in sorted(by_source.items()):
        texts = [each.text for each in decisions]
        total = sum(each.source_chars for each in texts)
        removed = 1 - sum(each.kept_chars for each in texts) / total
        heads = [each.decision for each in decisions]
        print(
            f"{source:10}{len(names[source]):7}{len(decisions):10}{total:12,}{removed:9.2%}"
            f"{sum(len(t.parts) for t in texts):7}{sum(len(t.passages) for t in texts):7}"
            f"{sum(bool(t.passages) for t in texts):9}"
            f"{sum(each.issued_on is None for each in heads):8}"
            f"{sum(not each.dockets for each in heads):9}"
        )


def report_losses(
    files: Mapping[str, SourceFile],
    found: Sequence[tuple[str, ParsedDecision | Rejected]],
    most: int,
) -> None:
    """The files of each source that lost most, and what no other file of the source lost too."""
    by_file: dict[str, list[ParsedDecision]] = defaultdict(list)
    for name, parsed in found:
        if isinstance(parsed, ParsedDecision):
            by_file[name].append(parsed)
    by_source: dict[str, list[str]] = defaultdict(list)
    for name, kept in by_file.items():
        by_source[kept[0].decision.sources[0].source_type].append(name)
    for source, names in sorted(by_source.items()):
        lost = {name: list_lost(files[name], by_file[name]) for name in names}
        counts = Counter(_fold(piece) for pieces in lost.values() for piece in set(pieces))
        print(f"\n{source}: {len(counts):,} different pieces are lost")
        for name in sorted(names, key=lambda name: -_count_lost(by_file[name]))[:most]:
            own = [piece for piece in lost[name] if counts[_fold(piece)] == 1]
            kept, total = by_file[name], sum(each.text.source_chars for each in by_file[name])
            print(f"  {_count_lost(kept):6,} of {total:9,}  {name}")
            for piece in own[:_PIECES]:
                print(f"        {piece[:110]}")


def _fold(piece: str) -> str:
    return re.sub(r"\d+", "#", piece)


def _count_lost(parsed: Sequence[ParsedDecision]) -> int:
    return sum(each.text.source_chars - each.text.kept_chars for each in parsed)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive", type=Path, nargs="?", default=ARCHIVE)
    parser.add_argument("--losses", type=int, default=4, help="files shown for each source")
    options = parser.parse_args(arguments)
    files = list(read_archive(options.archive))
    found = read_decisions(files)
    report(found)
    report_losses({file.name: file for file in files}, found, options.losses)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
