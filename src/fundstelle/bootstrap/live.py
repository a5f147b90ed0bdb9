"""Settings to what follows the live build, with the tools that answer from it."""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any

from fundstelle.bootstrap.library import WITHOUT_MODEL, build_engine, open_library
from fundstelle.corpus import builds
from fundstelle.corpus.soundness.watch import BuildWatch
from fundstelle.lookup.library import Library
from fundstelle.lookup.withheld import withhold_decisions
from fundstelle.mcp.engine import Engine
from fundstelle.search.index import SearchIndex
from fundstelle.settings import Settings
from fundstelle.settings.reading import EMBEDDED
from fundstelle.tools import build_chatgpt_registry, build_registry
from fundstelle.tools.spec import Registry
from fundstelle.web.live import LiveCorpus


def build_live_corpus(settings: Settings, *, deferred: bool = False) -> LiveCorpus:
    """What follows the live build; nothing is opened yet.

    Args:
        settings: where it is, and the address that answers name.
        deferred: open the index with the first search, not with the build: for a program that is
            waited for, and that one client asks.
    """
    watch = BuildWatch(settings.data)
    waits = settings.search != EMBEDDED or settings.embedder not in WITHOUT_MODEL

    def open_index(library: Library) -> SearchIndex:
        folder = builds.get_folder(settings.data, library.store.manifest.release)
        return build_engine(settings).open(
            folder / builds.INDEX, meaning=settings.embedder != "off"
        )

    def answer_from(library: Library, release_build: Callable[[], None]) -> Engine:
        url = settings.base_url
        meet_damage = partial(watch.meet_damage, library.store.manifest.release)
        whole = build_registry(library, today=date.today, base_url=url)

        def build(of: Library, registry: Registry, **more: Any) -> Engine:
            two = build_chatgpt_registry(registry, of, url)
            aside = Engine(two, meet_damage=meet_damage, waits=waits)
            return Engine(registry, meet_damage=meet_damage, aside=aside, waits=waits, **more)

        if deferred:  # it has no keys
            return build(library, whole, release_build=release_build)
        laws = withhold_decisions(library)
        limited = build(laws, build_registry(laws, today=date.today, base_url=url, whole=whole))
        return build(library, whole, release_build=release_build, limited=limited)

    return LiveCorpus(
        identify=watch.identify,
        open_library=partial(open_library, settings, watch, deferred=deferred),
        open_index=open_index,
        build_engine=answer_from,
        meet_damage=watch.meet_damage,
        list_doubts=lambda: watch.doubts,
    )
