"""The addresses of the public pages."""

from starlette.routing import Route

from fundstelle.portal import feeds
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.visits import Handler
from fundstelle.portal.gate.gate import Kind
from fundstelle.portal.public import citing, finding, laws, start
from fundstelle.portal.public.decision import show_decision
from fundstelle.portal.public.norm import show_norm
from fundstelle.portal.public.opening import open_corpus


def build_routes(pages: Pages) -> list[Route]:
    """The public pages."""
    routes: tuple[tuple[str, Handler, Kind], ...] = (
        ("/", start.show_start, Kind.READ),
        ("/search", open_corpus(finding.show_search, searches=True), Kind.SEARCH),
        ("/laws", open_corpus(laws.show_laws), Kind.READ),
        ("/changes.atom", open_corpus(feeds.show_changes), Kind.READ),
        ("/n/{statute_id:path}/changes.atom", open_corpus(feeds.show_changes_of_law), Kind.READ),
        ("/n/{norm_id:path}/decisions", open_corpus(citing.show_of_norm), Kind.READ),
        ("/n/{norm_id:path}", open_corpus(show_norm), Kind.READ),
        ("/d/{decision_id:path}/decisions", open_corpus(citing.show_of_decision), Kind.READ),
        ("/d/{decision_id:path}", open_corpus(show_decision), Kind.READ),
    )
    return [pages.route(path, handler, Needs.NOBODY, kind=kind) for path, handler, kind in routes]
