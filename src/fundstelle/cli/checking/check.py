"""``fundstelle check``."""

import sys
from collections.abc import Sequence
from datetime import date
from typing import Any

import click
import orjson

from fundstelle.bootstrap.library import open_library
from fundstelle.cli.asking.reading import find_width, format_day, wrap
from fundstelle.cli.asking.refusals import (
    QUOTES,
    describe_difference,
    describe_joined,
    describe_miss,
    describe_omitted,
)
from fundstelle.cli.checking.documents import Document, read_document
from fundstelle.cli.terminal import escape
from fundstelle.cli.usage import WrongUsage
from fundstelle.lookup.verdicts.check import DraftCheck, JudgedPlace, check_draft
from fundstelle.lookup.verdicts.judge import IMPOSSIBLE, Verdict
from fundstelle.lookup.verdicts.quoted import FAILED
from fundstelle.portal.reasons import tell
from fundstelle.settings import Settings
from fundstelle.tools.answers.verdicts import build_verdict

_MOST = 100_000  # citations of a draft
_MOST_UNITS = 1_000_000
_WORDS = {
    "ok": "in Ordnung",
    "wrong": "falsch",
    "repealed": "weggefallen",
    "void": "nichtig",
    "not_held": "nicht im Bestand",
    "unclear": "unklar",
}
_COLOURS = {"ok": "green", "wrong": "red", "repealed": "red", "void": "red"}
_STATUSES = {
    "void": "Vom Bundesverfassungsgericht für nichtig erklärt.",
    "partly_void": "Teilweise für nichtig erklärt.",
    "incompatible": "Für mit dem Grundgesetz unvereinbar erklärt.",
    "partly_incompatible": "Teilweise für mit dem Grundgesetz unvereinbar erklärt.",
    "removed": "Das Gesetz steht nicht mehr im Inhaltsverzeichnis des Herausgebers.",
    IMPOSSIBLE: "Tag, Gericht, Aktenzeichen oder ECLI können so nicht stimmen.",
}
_MOST_DIFFERENCES = 3
_EXCERPT = 50
_MOST_PLACES = 50


@click.command()
@click.argument("draft", type=click.Path(allow_dash=True))
@click.option("--as-of", metavar="DATE", help="The day whose law is meant, YYYY-MM-DD.")
@click.option("--quiet", is_flag=True, help="Leave out what is in order.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines.")
@click.pass_obj
def check(settings: Settings, draft: str, as_of: str | None, quiet: bool, as_json: bool) -> None:
    """Check every citation and quotation of a DRAFT: .md, .txt, .docx or .pdf; - is stdin.

    Each is printed with its line or page and a verdict. Word documents and PDF need
    pip install 'fundstelle[drafts]'. In JSON, lines with "unread" look like a citation and were
    not read as one, "unowned" are quotations compared with nothing, "silent" are pages without
    text, "unchecked" is how many citations more there are.

    Exit code 0: nothing is wrong. 1: a citation is wrong, repealed or void, or a quotation
    differs. 2: the draft cannot be read.
    """
    on = _read_day(as_of)
    document = read_document(draft)
    found = check_draft(
        open_library(settings),
        document.text,
        on,
        most=_MOST,
        most_units=_MOST_UNITS,
        shared=False,
    )
    shown = [each for each in found.judged if not quiet or not _is_fine(each.verdict)]
    if as_json:
        _print_json(document, found, shown, on)
    else:
        _print(document, found, shown)
    if any(each.verdict.is_bad for each in found.judged):
        sys.exit(1)


def _read_day(written: str | None) -> date:
    try:
        return date.fromisoformat(written) if written else date.today()  # noqa: DTZ011 the reader's
    except ValueError:
        raise WrongUsage("--as-of must be a day such as 2026-01-31") from None


def _is_fine(verdict: Verdict) -> bool:
    check = verdict.check
    is_doubtful = check is not None and (verdict.is_bad or check.omitted)
    return verdict.verdict == "ok" and not (verdict.correct or verdict.note or is_doubtful)


def _print_json(
    document: Document, found: DraftCheck, shown: Sequence[JudgedPlace], on: date
) -> None:
    """A line for each citation, and one for each thing that has no verdict."""
    for each in shown:
        verdict = each.verdict
        line: dict[str, Any] = {"place": document.name_place(each.start)}
        line |= {"citation": verdict.citation, **build_verdict(verdict, on)}
        click.echo(orjson.dumps(line))
    for name, places in (("unread", found.unread), ("unowned", found.unowned)):
        for at in places:
            line = {"place": document.name_place(at), name: _excerpt(document, at)}
            click.echo(orjson.dumps(line))
    for part in document.silent:
        click.echo(orjson.dumps({"place": part, "silent": True}))
    if left := found.total - len(found.judged):
        click.echo(orjson.dumps({"unchecked": left}))


def _print(document: Document, found: DraftCheck, shown: Sequence[JudgedPlace]) -> None:
    for each in shown:
        _print_verdict(document.name_place(each.start), each.verdict)
    bad = sum(each.verdict.is_bad for each in found.judged)
    left = found.total - len(found.judged)
    click.secho(f"{len(found.judged)} Zitate geprüft, {bad} zu berichtigen.", bold=True)
    if left:
        click.secho(f"{left} weitere wurden nicht geprüft.", fg="yellow")
    for part in document.silent[:1]:
        more = f" und {len(document.silent) - 1} weitere" if len(document.silent) > 1 else ""
        click.secho(f"Ohne lesbaren Text: {part}{more}.", fg="yellow")
    _print_places(document, "Nicht als Zitat gelesen", found.unread)
    _print_places(
        document,
        "Zu keinem Zitat gehörig oder zu lang, daher nicht verglichen",
        found.unowned,
    )


def _print_places(document: Document, said: str, places: Sequence[int]) -> None:
    """Places of the draft that there is no verdict on: how many, and where the first are."""
    if places:
        click.secho(f"{said}: {len(places)}", fg="yellow")
    for at in places[:_MOST_PLACES]:
        click.echo(f"  {document.name_place(at)}: {escape(_excerpt(document, at))}")


def _excerpt(document: Document, at: int) -> str:
    return " ".join(document.text[at : at + _EXCERPT].split())


def _print_verdict(place: str, verdict: Verdict) -> None:
    word = _WORDS[verdict.verdict]
    colour = _COLOURS.get(verdict.verdict, "yellow")
    if verdict.check is not None:
        word += f", Zitat {QUOTES[verdict.check.status]}"
        colour = "yellow" if verdict.check.omitted else colour
        colour = "red" if verdict.check.status in FAILED else colour
    citation = escape(" ".join(verdict.citation.split()))
    click.echo(f"{place}: {citation}: " + click.style(word, fg=colour))
    for text in _explain(verdict):
        for line in wrap(escape(text), find_width(), "    "):
            click.echo(line)


def _explain(verdict: Verdict) -> list[str]:
    lines = []
    if verdict.status in _STATUSES:
        lines.append(_STATUSES[verdict.status])
    elif verdict.miss is not None:
        lines += describe_miss(verdict.miss)
    elif verdict.note:
        lines.append(tell(verdict.note, "de").text)
    if verdict.check is not None:
        if verdict.check.omitted:
            lines.append(describe_omitted(verdict.check.omitted))
        if joined := describe_joined(verdict.check):
            lines.append(joined)
        differences = verdict.check.differences[:_MOST_DIFFERENCES]
        lines += map(describe_difference, differences)
    if verdict.correct:
        lines.append(f"Richtig wäre: {verdict.correct}")
    elif verdict.check is not None and verdict.check.elsewhere and verdict.is_bad:
        found = verdict.check.elsewhere[0]
        lines.append(f"Der Wortlaut steht in {found.citation} (am {format_day(found.day)}).")
    return lines
