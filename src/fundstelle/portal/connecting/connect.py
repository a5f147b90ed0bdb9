"""Connecting a program: a card each, on which people take one of the ways that it has."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from fundstelle.clients.bundle import FILE_NAME, MEDIA_TYPE, write_bundle
from fundstelle.clients.llms import write_llms_text
from fundstelle.clients.target import Target
from fundstelle.portal.connecting.arrivals import find_arrival, name_guide, tell_arrival
from fundstelle.portal.connecting.connector import write_definition
from fundstelle.portal.connecting.guide import Group, Guide, Reach, Step
from fundstelle.portal.connecting.guides import GUIDES, find_guide
from fundstelle.portal.connecting.local_guides import BUNDLE
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.visits import Visit

PLACEHOLDER = "sk-legal-…"


@dataclass(frozen=True, slots=True)
class Block:
    """What is pasted: on which systems, if that makes a difference, and the text."""

    systems: str
    code: str


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A step as the page shows it; ``places`` are the systems and where a file is on them."""

    instruction: str | Markup
    blocks: Sequence[Block]
    places: Sequence[tuple[str, str]]
    link: str
    link_text: str | Markup
    download: str


@dataclass(frozen=True, slots=True)
class ShownWay:
    """A way as the page shows it."""

    title: str | Markup
    takes_key: bool
    steps: Sequence[ShownStep]


def write_ways(
    guide: Guide, visit: Visit, key: str, *, with_key_only: bool = False
) -> Sequence[ShownWay]:
    """The ways for this server and this key, in the visit's language."""
    target = Target(visit.services.settings.base_url, key)
    return [
        ShownWay(
            visit.t(way.title),
            way.takes_key,
            [_write_step(step, visit, target) for step in way.steps],
        )
        for way in guide.list_ways(target)
        if way.takes_key or not with_key_only
    ]


def _write_step(step: Step, visit: Visit, target: Target) -> ShownStep:
    return ShownStep(
        visit.t(step.text),
        _write_blocks(step, target),
        _list_places(step),
        step.link(target) if step.link else "",
        visit.t(step.link_text) if step.link_text else "",
        step.download,
    )


def _write_blocks(step: Step, target: Target) -> Sequence[Block]:
    if step.code is None:
        return ()
    if step.windows is None:
        return [Block("", step.code(target))]
    return [Block("macOS, Linux", step.code(target)), Block("Windows", step.windows(target))]


def _list_places(step: Step) -> Sequence[tuple[str, str]]:
    if step.file is None:
        return ()
    place = step.file.place
    windows = place.windows.replace("~", "%USERPROFILE%").replace("/", "\\")
    if place.linux == place.macos:
        return [("macOS, Linux", place.macos), ("Windows", windows)]
    return [("macOS", place.macos), ("Linux", place.linux), ("Windows", windows)]


def build_routes(pages: Pages) -> list[Route]:
    """The pages of programs and the definitions of the connector."""
    return [
        pages.route("/connect", show_all),
        pages.route("/connect/connector.json", download_key_definition, Needs.NOBODY),
        pages.route("/connect/connector-oauth.json", download_oauth_definition, Needs.NOBODY),
        pages.route(BUNDLE, download_bundle, Needs.NOBODY),
        pages.route("/llms.txt", show_for_models, Needs.NOBODY),
        pages.route("/connect/{client}", show_guide),
        pages.route("/connect/{client}/arrival", tell_arrival),
    ]


def show_all(visit: Visit) -> Response:
    """All programs, by where they run."""
    groups = [(group, [one for one in GUIDES if one.group is group]) for group in Group]
    target = Target(visit.services.settings.base_url, PLACEHOLDER)
    return visit.render("connect_all.html", groups=groups, target=target)


def show_guide(visit: Visit) -> Response:
    """One program's card."""
    guide = find_guide(visit.request.path_params["client"])
    if guide is None:
        return visit.render("problem.html", status=404, title="problem.missing", code=404)
    base_url = visit.services.settings.base_url
    target = Target(base_url, PLACEHOLDER)
    return visit.render(
        "connect.html",
        client=guide,
        title=name_guide(guide, visit),
        ways=write_ways(guide, visit, PLACEHOLDER),
        url=target.url,
        base_url=base_url,
        warning=warn(guide, target),
        plain="",
        arrival=find_arrival(guide, name_guide(guide, visit), visit),
    )


def warn(guide: Guide, target: Target) -> str:
    """The text's key of what keeps this program from this address; "" if nothing does."""
    if guide.reach is Reach.INTERNET and not target.url.startswith("https:"):
        return "connect.only_here" if target.is_loopback else "connect.not_https"
    if guide.reach is Reach.CONTAINER and target.is_loopback:
        return "connect.container"
    return ""


def download_bundle(visit: Visit) -> Response:
    """The bundle for Claude Desktop, with this server's address and without a key."""
    body = write_bundle(Target(visit.services.settings.base_url, ""))
    name = {"Content-Disposition": f'attachment; filename="{FILE_NAME}"'}
    return Response(body, media_type=MEDIA_TYPE, headers=name)


def show_for_models(visit: Visit) -> Response:
    """``llms.txt``: what a model may know that has found this address."""
    text = write_llms_text(Target(visit.services.settings.base_url, ""))
    return Response(text, media_type="text/plain; charset=utf-8")


def download_key_definition(visit: Visit) -> Response:
    """The connector for Power Platform, signed in by an API key."""
    return _download(visit, oauth=False)


def download_oauth_definition(visit: Visit) -> Response:
    """The connector for Power Platform, signed in by OAuth."""
    return _download(visit, oauth=True)


def _download(visit: Visit, *, oauth: bool) -> Response:
    body = write_definition(visit.services.settings.base_url, oauth=oauth)
    return Response(body, media_type="application/json")
