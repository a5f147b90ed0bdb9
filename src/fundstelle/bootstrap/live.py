"""Settings to what follows the live build, with the tools that answer from it."""

from collections.abc import Callable
from datetime import date
from functools import partial

from fundstelle.bootstrap.library import build_engine, open_library
from fundstelle.corpus import builds
from fundstelle.corpus.soundness.watch import BuildWatch
from fundstelle.lookup.library import Library
from fundstelle.lookup.withheld import withhold_decisions
from fundstelle.mcp.engine import Engine
from fundstelle.search.index import SearchIndex
from fundstelle.settings import EMBEDDED, Settings
from fundstelle.tools import build_chatgpt_registry, build_registry
from fundstelle.web.live import LiveCorpus


def build_live_corpus(settings: Settings, *, deferred: bool = False) -> LiveCorpus:
    """What follows the live build; nothing is opened yet.

    Args:
        settings: where it is, and the address that answers name.
        deferred: open the index with the first search, not with the build: for a program that is
            waited for, and that one client asks.
    """
    watch = BuildWatch(settings.data)
    waits = settings.search != EMBEDDED

    def open_index(library: Library) -> SearchIndex:
        folder = builds.get_folder(settings.data, library.store.manifest.release)
        return build_engine(settings).open(folder / builds.INDEX)

    def answer_from(library: Library, release_build: Callable[[], None]) -> Engine:
        url = settings.base_url
        whole = build_registry(library, today=date.today, base_url=url)

        def build_limited() -> Engine:
            laws = withhold_decisions(library)
            registry = build_registry(laws, today=date.today, base_url=url, whole=whole)
            two = build_chatgpt_registry(registry, laws, url)
            return Engine(registry, aside=Engine(two, waits=waits), waits=waits)

        two = build_chatgpt_registry(whole, library, url)
        aside = Engine(two, waits=waits)
        return Engine(whole, release_build, aside=aside, limited=build_limited, waits=waits)

    return LiveCorpus(
        identify=watch.identify,
        open_library=partial(open_library, settings, watch, deferred=deferred),
        open_index=open_index,
        build_engine=answer_from,
    )
