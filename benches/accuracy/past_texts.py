"""What a lookup says of a provision on a day, against the archive of every version.

FUNDSTELLE_DATA=DATA python -m benches.accuracy.past_texts [--pairs 2000]

DATA holds a build with the history. Random provisions of all laws are looked up on random days
between the first look and the last; which text the last look before the day showed is read from
the archive alone, with another parser (``tests.integration.corpora.plain_law``).
"""

import argparse
import os
import random
import tarfile
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path

import zstandard
from tests.integration.corpora.gii_archive import CORPUS
from tests.integration.corpora.plain_law import bare, read_norms

from benches.results import write_results
from fundstelle.bootstrap.library import open_library
from fundstelle.corpus import builds
from fundstelle.law.norms import NormKind
from fundstelle.lookup.answers import Miss, Outcome, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.settings import Settings

ARCHIVE = CORPUS.parent / "history" / "gii-xml-history.tar.zst"
LAST = date(2025, 3, 26)  # the last of its looks
_SEED = 2027
_DAY = len("2022-01-01.xml")
_PROVISIONS = frozenset(NormKind) - {NormKind.HEADING, NormKind.OTHER, NormKind.CONTENTS}

Pair = tuple[str, str, date]  # id of a norm, the publisher's number of it, the day asked for


@contextmanager
def open_archive() -> Iterator[tarfile.TarFile]:
    with (
        zstandard.ZstdDecompressor().stream_reader(ARCHIVE.open("rb")) as stream,
        tarfile.open(fileobj=stream, mode="r|") as packed,
    ):
        yield packed


def list_versions() -> dict[str, list[tuple[date, str]]]:
    """The days and files of each law by the name of its folder, oldest first."""
    versions: dict[str, list[tuple[date, str]]] = defaultdict(list)
    with open_archive() as packed:
        for member in packed:
            slug, _, rest = member.name.partition("/")
            if slug and rest.endswith(".xml") and slug != "toc":
                day = date.fromisoformat(rest[-_DAY : -len(".xml")])
                versions[slug].append((day, member.name))
    return {slug: sorted(files) for slug, files in versions.items()}


def draw(
    data: Path, versions: Mapping[str, list[tuple[date, str]]], number: int
) -> dict[str, list[Pair]]:
    """Pairs of a provision and a day, by the file that was shown on it; no law goes before."""
    rng = random.Random(_SEED)
    store = builds.open_active(data)
    norms = []
    for statute_id, statute in store.statutes.items():
        first = next((d for d, name in versions.get(statute.slug, ()) if _of(name, statute)), None)
        if first is not None:
            norms += [
                (norm.norm_id, norm.publisher_id, statute, first)
                for norm in store.list_norms(statute_id)
                if norm.kind in _PROVISIONS
            ]
    pairs: dict[str, list[Pair]] = defaultdict(list)
    for norm_id, number_there, statute, first in rng.choices(norms, k=number):
        day = first + timedelta(days=rng.randrange((LAST - first).days + 1))
        files = versions[statute.slug]
        _, shown = files[bisect_right(files, (day, "~")) - 1]
        if _of(shown, statute):  # else its folder is another law's by then
            pairs[shown].append((norm_id, number_there, day))
    store.close()
    return pairs


def _of(name: str, statute: object) -> bool:
    return name.split("/")[1] == getattr(statute, "publisher_id", None)


def judge(outcome: Outcome, number: str, shown: Mapping[str, str]) -> str:
    """What an answer is: of a kind that begins with "wrong" where it is not what was shown."""
    if isinstance(outcome, ProvisionHit):
        said = bare(outcome.fassung.text)
        if number in shown:
            return "text" if said == shown[number] else "wrong text"
        return "renumbered" if said in shown.values() else "wrong: not there"
    if not isinstance(outcome, Miss):
        return "wrong: no provision"
    if number not in shown:
        return "denied"
    return "repealed" if _is_gone(shown[number]) else f"wrong: {outcome.status}"


def _is_gone(text: str) -> bool:
    return text in {"", "-", "(weggefallen)", "weggefallen", "(aufgehoben)"}


def compare(library: Library, pairs: Mapping[str, list[Pair]]) -> tuple[Counter[str], list[str]]:
    counts: Counter[str] = Counter()
    wrong = []
    with open_archive() as packed:
        for member in packed:
            asked = pairs.get(member.name, ())
            file = packed.extractfile(member) if asked else None
            shown = dict(read_norms(file.read())) if file is not None else {}
            for norm_id, number, day in asked:
                (outcome, *_) = resolve(library, norm_id, day).outcomes
                kind = judge(outcome, number, shown)
                counts[kind] += 1
                if kind.startswith("wrong"):
                    wrong.append(f"{norm_id} on {day} ({member.name}): {kind}")
    return counts, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=2_000)
    options = parser.parse_args()
    settings = Settings.from_env(os.environ)
    versions = list_versions()
    pairs = draw(settings.data, versions, options.pairs)
    library = open_library(settings)
    counts, wrong = compare(library, pairs)
    total = counts.total()
    print(f"{total:,} pairs, {len(wrong)} wrong: {dict(counts.most_common())}", *wrong, sep="\n")
    laws = len({norm_id.rsplit("/", 1)[0] for asked in pairs.values() for norm_id, *_ in asked})
    write_results(
        "past_texts", {"pairs": total, "laws": laws, "wrong": len(wrong), "kinds": dict(counts)}
    )


if __name__ == "__main__":
    main()
