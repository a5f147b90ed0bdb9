"""Updates of a data folder from the official site as it was on some day."""

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, time
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.updates import Report
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.build.pipeline import build_corpus
from fundstelle.ingest.sources.adapter import Order
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.gii import official_site
from fundstelle.ingest.sources.registry import FEDERAL_LAW
from fundstelle.ingest.update import Updating, update
from fundstelle.law.norms import Statute
from tests.integration.corpora.building import Heard
from tests.integration.corpora.gii_archive import CORPUS
from tests.integration.corpora.past_site import PastSite
from tests.integration.corpora.stand_in import LinesEngine

ARCHIVE = CORPUS.parent / "history" / "gii-xml-history.tar.zst"
# Small laws of many versions; of some another law has taken the name.
LAWS = (
    *("ukraineaufenth_v", "eemd-zv", "milodokv_2015", "pflegezg", "flusaagv", "sarscov2amvv"),
    *("smvergv", "coronaeinreisev_2021-09", "beitrvv", "fpfzg", "makv", "partgg", "mutzulv"),
    *("evo_2023", "evo", "vbvg_2023", "vbvg", "stromstg_10abs3uabek_2021", "rotkleesaatv_2024"),
    *("stromstg_10abs3uabek_2022", "bmjvbdgruano", "bmjbdgruano", "rvo_368oabs4v"),
    "nisv",  # of one day the archive has two files of it
)


def look(data: Path, site: PastSite, day: date, clock: date | None = None) -> Report:
    """One update on the day that it is there, and by the clock here."""
    site.today = day
    moment = datetime.combine(clock or day, time(12), UTC)
    return look_by(data, site, lambda: moment)


def look_by(data: Path, site: PastSite, clock: Callable[[], datetime]) -> Report:
    """One update by a clock of one's own."""
    updating = Updating(
        data,
        {FEDERAL_LAW.source_type: site.url},
        Downloader(pause=0, timeout=5, sleep=lambda _seconds: None),
        LinesEngine(),
        BuildOptions(processes=1),
        clock,
    )
    return update(updating, Heard())


def begin(data: Path, site: PastSite) -> Manifest:
    """The first build, of all that the site lists."""
    now = datetime.combine(site.today, time(12), UTC)
    client = Downloader(pause=0, timeout=5)
    order = Order(data / "cache" / FEDERAL_LAW.cache, site.url)
    laws = official_site.fetch(order, client, Heard(), lambda: now)
    return build_corpus([laws], data, LinesEngine(), BuildOptions(now=now), Heard()).manifest


def open_store(data: Path) -> WholeStore:
    return builds.open_active(data)


def read_statutes(data: Path) -> list[Statute]:
    with closing(builds.open_active(data)) as store:
        return list(store.statutes.values())
