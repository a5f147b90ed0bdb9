"""Which build is to be served: the live one, or, where that cannot be, the last sound one.

It cannot be where it is damaged, or where another version of Fundstelle has made it.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import FILE_NAME, Manifest
from fundstelle.corpus.rows import SCHEMA_VERSION
from fundstelle.corpus.soundness.check import Finding, check_quickly
from fundstelle.corpus.soundness.record import find_recorded, identify_build
from fundstelle.corpus.updates import identify_report
from fundstelle.errors import CorpusError, NoCorpus, OtherVersion

_DAMAGED, _FOREIGN = "is damaged", "is of another version of Fundstelle"
_NAMED = 3  # damaged files; 'fundstelle corpus verify' names all


@dataclass(frozen=True, slots=True)
class Choice:
    """The build to serve, and what is wrong with the one that should be."""

    release: str
    live: str  # what the pointer names
    findings: tuple[Finding, ...] = ()  # of the live build; empty if it is sound
    state: str = _DAMAGED  # in which the live build then is

    @property
    def notice(self) -> str | None:
        """What everyone who relies on the answers should know; ``None`` if all is well."""
        if not self.findings:
            return None
        if self.release == self.live:
            return (
                f"The corpus build {self.live} {self.state} and there is no other; each text is"
                " given only if it fits its hash, but something may not be found."
            )
        return (
            f"The live corpus build {self.live} {self.state}; answers come from the last sound"
            f" one, {self.release}, and may be older."
        )

    @property
    def cause(self) -> str | None:
        """As ``notice`` for the operator: which files."""
        if not self.findings:
            return None
        named = "; ".join(map(str, self.findings[:_NAMED]))
        more = len(self.findings) - _NAMED
        rest = f" and {more} more" if more > 0 else ""
        served = "no other is sound" if self.release == self.live else f"serving {self.release}"
        return (
            f"build {self.live} {self.state} ({named}{rest}); {served}; build it again with"
            " 'fundstelle ingest'"
        )


def identify(data_dir: Path, served: str = "") -> Hashable | None:
    """Changes whenever ``choose_build`` might say something else; a few small looks.

    ``served`` is the build that was chosen last. ``None`` if no build is live.
    """
    live = builds.read_pointer(data_dir)
    if live is None:
        return None
    other = find_recorded(data_dir, served) if served not in {"", live} else ()
    told = identify_report(data_dir)  # of its sources
    return live, identify_build(data_dir, live), find_recorded(data_dir, live), other, told


def choose_build(data_dir: Path) -> Choice:
    """The build to serve, by quick checks and by what complete ones have found.

    The live build comes first, then the one of the latest Stand, and those that are later than the
    live one last: whoever made that one live has gone back behind them. Official and invented law
    do not stand in for each other. If none is sound, the live one may still be read as long as all
    its files have their sizes and this version made it. Of a live build without a readable manifest
    it is not known which law it has: official law stands in for it, where there is any.

    Raises:
        NoCorpus: no build is live.
        OtherVersion: the live build is of another version of Fundstelle, and no other is sound.
        CorpusError: the live build cannot be read, and no other is sound.
    """
    live = builds.get_live(data_dir)
    if live is None:
        raise NoCorpus(f"there is no corpus in {data_dir} yet; build one with 'fundstelle ingest'")
    quick = check_quickly(data_dir / "builds" / live)  # also where its manifest is gone
    named = {one.file for one in quick}
    recorded = find_recorded(data_dir, live)
    foreign = _find_foreign(data_dir, live)
    findings = (*foreign, *quick, *(one for one in recorded if one.file not in named))
    if not findings:
        return Choice(live, live)
    state = _FOREIGN if foreign else _DAMAGED
    for manifest in _list_others(data_dir, live):
        other = manifest.release
        if not find_damage(data_dir, other):
            return Choice(other, live, findings, state)
    if foreign:
        raise OtherVersion(
            f"build {live} cannot be served ({foreign[0].problem}), and there is no sound one of"
            " this version; build it again with 'fundstelle ingest'"
        )
    if quick:
        raise CorpusError(
            f"build {live} is damaged and there is no sound one: {'; '.join(map(str, quick))};"
            " build it again with 'fundstelle ingest'"
        )
    return Choice(live, live, findings)


def find_damage(data_dir: Path, release: str) -> tuple[Finding, ...]:
    """Why a build is not served: by a quick check, and by what complete ones have found.

    Raises:
        CorpusError: there is no such build.
    """
    quick = check_quickly(builds.get_folder(data_dir, release))
    return (*_find_foreign(data_dir, release), *quick, *find_recorded(data_dir, release))


def _find_foreign(data_dir: Path, release: str) -> tuple[Finding, ...]:
    """That another version has made it; nothing of a manifest that cannot be read."""
    try:
        reason = builds.tell_other_version(builds.read_manifest(data_dir / "builds" / release))
    except CorpusError:
        return ()
    return () if reason is None else (Finding(FILE_NAME, reason),)


def _list_others(data_dir: Path, live: str) -> list[Manifest]:
    """Builds that may stand in for the live one, in the order in which they do."""
    held = builds.list_builds(data_dir)
    own = next((one for one in held if one.release == live), None)
    readable = [one for one in held if one.schema_version == SCHEMA_VERSION]
    wanted = own.demonstration if own is not None else all(one.demonstration for one in readable)
    others = [one for one in readable if one.release != live and one.demonstration == wanted]
    if own is None:
        return others
    return sorted(others, key=lambda one: (one.stand, one.built_at) > (own.stand, own.built_at))
