"""One pass over all laws of an archive for every claim about them: reading them is what costs."""

import multiprocessing
import pickle
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import pytest

from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.gii.norms import build_norms
from fundstelle.ingest.sources.gii.outline import Outline, read_outline
from fundstelle.ingest.sources.gii.parse import read_header
from fundstelle.ingest.sources.gii.xml import parse_document
from fundstelle.law.identifiers import build_statute_id
from fundstelle.law.norms import Fassung, Norm
from tests.integration.corpora.gii_archive import CORPUS, STAND, iter_files, skip_without_archive
from tests.support.once import build_once


@dataclass(frozen=True)
class ReadLaw:
    """A law as the code under test reads it, with the file that it was read from."""

    file: SourceFile
    outline: Outline
    norms: tuple[tuple[Norm, Fassung], ...]


@dataclass
class Findings:
    """What a check has counted, and what does not hold."""

    counts: Counter[str] = field(default_factory=Counter)
    gaps: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def add(self, other: "Findings") -> None:
        self.counts += other.counts
        self.gaps += other.gaps
        self.problems += other.problems


Check = Callable[[ReadLaw], Findings]


def check_all(
    factory: pytest.TempPathFactory, archive: str, checks: Mapping[str, Check], step: int = 1
) -> dict[str, Findings]:
    """What each check found in the laws of an archive; once a run, whichever test asks first.

    ``step``: of how many laws one is read.
    """
    skip_without_archive(CORPUS / archive)

    def walk(folder: Path) -> None:
        found = {name: Findings() for name in checks}
        files = islice(iter_files(CORPUS / archive), 0, None, step)
        jobs = ((file, checks) for file in files)
        with multiprocessing.get_context("forkserver").Pool(2) as pool:
            for one in pool.imap_unordered(_check, jobs, 8):
                for name, findings in one.items():
                    found[name].add(findings)
        (folder / "findings").write_bytes(pickle.dumps(found))

    name = f"checked-{archive.partition('.')[0]}"
    kept: dict[str, Findings] = pickle.loads(
        (build_once(factory, name, walk) / "findings").read_bytes()
    )
    return kept


def _check(job: tuple[SourceFile, Mapping[str, Check]]) -> dict[str, Findings]:
    file, checks = job
    outline = read_outline(file, parse_document(file))
    header = read_header(file)
    known = header.abbreviation_official or header.abbreviation_juris
    norms = build_norms(outline, build_statute_id(known), known, STAND)
    law = ReadLaw(file, outline, tuple(norms))
    return {name: check(law) for name, check in checks.items()}
