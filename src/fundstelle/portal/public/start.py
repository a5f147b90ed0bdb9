"""The start page: what this server is and holds, and the way to the laws."""

from starlette.responses import Response

from fundstelle.portal.administration.first_run import list_steps
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.holdings import count_held, describe_sources
from fundstelle.portal.key_usage import list_expiring
from fundstelle.portal.public.laws import Change, list_changes
from fundstelle.portal.public.opening import render, today

_CHANGES = 6


def show_start(visit: Visit) -> Response:
    """What this server is and holds; the search, where it is public or somebody is signed in."""
    changes: list[Change] = []
    with visit.services.library() as library:
        manifest = library.store.manifest if library else None
        held = count_held(library) if library else None
        steps = list_steps(visit, library)
        may_read = visit.may_read and library is not None
        if library is not None and may_read:
            changes = list_changes(library, _CHANGES)
    return render(
        visit,
        "start.html",
        manifest=manifest,
        held=held,
        steps=steps,
        expiring=list_expiring(visit),
        may_read=may_read,
        changes=changes,
        sources=describe_sources(manifest, today()) if manifest else [],
        is_new=not visit.services.people.has_anybody(),
        url=f"{visit.services.settings.base_url}/mcp",
    )
