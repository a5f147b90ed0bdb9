"""Where a norm can be read at its publisher, and what is known of the download."""

from datetime import date
from functools import lru_cache

from fundstelle.corpus.manifest import Manifest, SourceState
from fundstelle.law.norms import Fassung, Norm, NormKind, Statute
from fundstelle.law.publishers import find_link

_PORTAL = "https://www.gesetze-im-internet.de/"

# How the numbers of §§ beside Artikel of the same number begin, which pages do not have.
_BESIDE = {NormKind.SECTION: "par-", NormKind.ARTICLE: "art-"}


def build_source_url(statute: Statute, norm: Norm) -> str:
    """The publisher's page of one provision where its address is regular, else of its law.

    The portal names pages ``__823.html``, ``art_1.html``, ``art_229__5.html``.
    """
    if not statute.source_url.startswith(_PORTAL) or norm.number_end or not statute.listed:
        return statute.source_url
    number = norm.number.removeprefix(_BESIDE.get(norm.kind, ""))
    if "~" in number:
        return statute.source_url
    if norm.kind is NormKind.SECTION:
        upper, slash, lower = number.partition("/")
        page = f"art_{upper}__{lower}" if slash else f"__{upper}"
    elif norm.kind is NormKind.ARTICLE and "/" not in number:
        page = f"art_{number}"
    else:
        return statute.source_url
    return find_link(f"{_PORTAL}{statute.slug}/{page}.html") or statute.source_url


def list_gaps(manifest: Manifest, state: SourceState) -> list[str]:
    """What a source of a build is known to lack, in sentences."""
    gaps = list(state.known_gaps)
    if state.problem:
        gaps.append(f"the last attempt failed, the last good state is held: {state.problem}")
    if manifest.rejected and state is manifest.sources[0]:  # they are of the build as a whole
        gaps.append(f"{len(manifest.rejected)} files of this build could not be used")
    return gaps


def find_source(manifest: Manifest, statute: Statute, fassung: Fassung) -> SourceState | None:
    """The source that showed the text: of its kind, and of its day where there are several."""
    return _find_source(manifest.sources, statute.source_type, fassung.stand.toordinal())


@lru_cache(maxsize=64)
def _find_source(
    sources: tuple[SourceState, ...], source_type: str, day: int
) -> SourceState | None:
    same = [source for source in sources if source.source_type == source_type]
    exact = [source for source in same if source.stand.toordinal() == day]
    return next(iter(exact or same), None)


def say_when_seen(manifest: Manifest, statute: Statute) -> str | None:
    """A sentence on a law that the newest look at its publisher did not bring.

    A build goes on from the one before; a law that its new source lacks, or whose file could not
    be used, is taken over as it was. Only where one look shows all laws: EU acts come one by one.
    """
    if not statute.listed or is_newest_look(manifest, statute):
        return None
    return (
        f"{statute.abbreviation} was last seen at its publisher on {statute.stand.isoformat()};"
        " later changes, if there were any, are not held here."
    )


def is_newest_look(manifest: Manifest, statute: Statute) -> bool:
    """Whether the newest look at its publisher brought the law.

    Where its publisher says what has changed, what it did not name is as it was.
    """
    if statute.jurisdiction != "de" or statute.is_dated:
        return True
    newest = _find_newest(manifest.sources, statute.source_type)
    return newest is None or statute.stand >= newest


def _find_newest(sources: tuple[SourceState, ...], source_type: str) -> date | None:
    newest = None
    for source in sources:  # a few: to look them up would take longer
        if source.source_type != source_type:
            continue
        # a look at some laws is the newest, too, and the source may not be of its day
        seen = max([source.stand, *(one.stand for one in source.snapshots[-1:])])
        newest = seen if newest is None else max(newest, seen)
    return newest
