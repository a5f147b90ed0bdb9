"""Misses and quote checks in words for a reader at the terminal."""

import re
from collections.abc import Iterator
from datetime import date

import click

from fundstelle.cli.asking.reading import find_width, format_day, wrap
from fundstelle.lookup.answers import WITHHELD, Evidence, Miss, Suggestion
from fundstelle.lookup.comparing.differences import Difference
from fundstelle.lookup.comparing.quotes import QuoteCheck
from fundstelle.lookup.verdicts.quoted import is_negation, say_joined, shorten_omitted
from fundstelle.portal.reasons import tell

_HEADINGS = {
    "not_parseable": "nicht als Zitat lesbar",
    "ambiguous": "mehrdeutig",
    "law_unknown": "unbekanntes Gesetz",
    "norm_does_not_exist": "gibt es nicht",
    "subunit_does_not_exist": "gibt es nicht",
    "repealed": "weggefallen",
    "not_yet_in_force": "noch nicht in Kraft",
    "not_seen_yet": "noch nicht gesehen",
    "not_in_corpus": "nicht im Bestand",
    "known_missing": "bekannt, aber nicht im Bestand",
    "outside_coverage": "außerhalb des Bestands",
    WITHHELD: "diesem Schlüssel vorenthalten",
}
_MEANINGS = {
    "not_parseable": "Lesbar sind Zitate wie „§ 823 Abs. 1 BGB“, „Art. 6 DSGVO“ oder „BGH VI ZR"
    " 175/22“; nach Stichwörtern sucht fundstelle search.",
    "ambiguous": "Was gemeint ist, wird nicht geraten.",
    "law_unknown": "Ein Gesetz dieses Namens ist hier nicht bekannt.",
    "norm_does_not_exist": "Das Gesetz liegt vollständig vor und enthält keine solche Vorschrift.",
    "subunit_does_not_exist": "Die Vorschrift gibt es, diesen Teil von ihr nicht.",
    "repealed": "Die Vorschrift gilt an diesem Tag nicht mehr.",
    "not_yet_in_force": "Die Vorschrift gilt an diesem Tag noch nicht.",
    "not_seen_yet": "Ob die Vorschrift an diesem Tag schon galt, ist hier nicht bekannt.",
    "not_in_corpus": "Ob es die Fundstelle gibt, ist damit nicht gesagt.",
    "known_missing": "Das Gesetz gibt es; sein Text liegt hier nicht vor.",
    "outside_coverage": "Dafür hat dieser Bestand keine Texte.",
    WITHHELD: "Dieser Schlüssel erreicht keine Gerichtsentscheidungen.",
}
_AMBIGUOUS = "Gemeint sein kann:"
_NEARBY = "Vielleicht gemeint (nicht das Gefragte):"
_ADDRESS = re.compile(r"https?://\S+")
_ISO_DAY = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_WHYS = (
    ("neighbour: ", "benachbart: "),
    ("the section as a whole", "die Vorschrift im Ganzen"),
    ("the part of that name in another place", "so bezeichnet, an anderer Stelle"),
    ("the last that exists", "der letzte vorhandene Teil"),
    ("next provision of the law", "die nächste Vorschrift des Gesetzes"),
    ("the provision as it is now", "die geltende Fassung"),
    ("the oldest text held, as of ", "älteste Fassung im Bestand: "),
    ("older text, last seen on ", "ältere Fassung, zuletzt gesehen am "),
    ("first seen on ", "zuerst gesehen am "),
    ("another law of that name: ", "anderes Gesetz dieses Namens: "),
    ("the decision as a whole", "die Entscheidung im Ganzen"),
    ("printed on that page, not held here", "dort abgedruckt, nicht im Bestand"),
    ("printed on that page", "dort abgedruckt"),
    ("cites the page", "zitiert die Seite"),
    ("as of ", "ab "),
)
QUOTES = {
    "verbatim": "wörtlich",
    "normalised": "wörtlich bis auf Leerzeichen, Anführungszeichen, Striche oder Tausenderzeichen",
    "altered": "weicht ab",
    "not_found": "steht dort nicht",
    "no_text": "kein Text zum Vergleichen",
}
_MOST_DIFFERENCES = 20


def print_miss(miss: Miss) -> None:
    """What is not there, what is known about the place, and what may have been meant."""
    width = find_width()
    for line in wrap(f"{miss.citation}: {_HEADINGS[miss.status]}", width, following="    "):
        click.secho(line, bold=True)
    for text in (_MEANINGS[miss.status], *_describe(miss.evidence, miss.status)):
        for line in wrap(text, width):
            click.echo(line)
    if miss.last_seen:
        day = format_day(miss.last_seen)
        click.echo(f"Das Gesetz wurde zuletzt am {day} gesehen; spätere Änderungen fehlen hier.")
    if address := _ADDRESS.search("".join(miss.advice)):
        click.echo(f"Nachzusehen: {address.group()}")
    if miss.successors:
        click.echo(f"An seine Stelle trat: {', '.join(each.citation for each in miss.successors)}.")
    if miss.suggestions:
        click.echo()
        click.echo(_AMBIGUOUS if miss.status == "ambiguous" else _NEARBY)
    for suggestion in miss.suggestions:
        for line in wrap(_describe_suggestion(suggestion), width, "  - ", "    "):
            click.echo(line)


def _describe(evidence: Evidence, status: str) -> Iterator[str]:
    first, last = evidence.first, evidence.last
    if first and last:
        whole = "Vorhanden:" if status == "subunit_does_not_exist" else "Das Gesetz reicht"
        only = first.citation == last.citation
        yield (
            f"Vorhanden ist nur {first.citation}."
            if only
            else (f"{whole} von {first.citation} bis {last.citation}.")
        )
    before, after = evidence.nearest_before, evidence.nearest_after
    if before:
        yield f"Davor steht {before.citation}" + (f", danach {after.citation}." if after else ".")
    elif after:
        yield f"Danach steht {after.citation}."
    if evidence.repealed_on:
        yield f"Weggefallen am {format_day(evidence.repealed_on)}."
    if evidence.last_seen:
        yield f"Der Text wurde zuletzt am {format_day(evidence.last_seen)} gesehen."
    if evidence.cited_by_count:
        yield f"Vorschriften, die noch darauf verweisen: {evidence.cited_by_count}."
    if evidence.archive_floor:
        yield f"Der Bestand beginnt am {format_day(evidence.archive_floor)}."


def _describe_suggestion(suggestion: Suggestion) -> str:
    why = suggestion.why
    for english, german in _WHYS:
        if why.startswith(english):
            why = german + why.removeprefix(english)
            break
    why = _ISO_DAY.sub(lambda found: format_day(date(*map(int, found.groups()))), why)
    return f"{suggestion.citation} – {why}"


def describe_miss(miss: Miss) -> list[str]:
    """What a miss means, and what is known about the place."""
    return [_MEANINGS[miss.status], *_describe(miss.evidence, miss.status)]


def describe_difference(difference: Difference) -> str:
    """Words that differ; whether a negation or a number did."""
    quoted = f"zitiert „{difference.quoted}“" if difference.quoted else "im Zitat fehlt"
    stored = f"„{difference.stored}“" if difference.stored else "nicht im Text"
    link = {"replaced": ", im Text ", "removed": ": ", "added": ", "}[difference.kind]
    turned = " (Verneinung)" if difference.negation else " (Zahl)" if difference.number else ""
    return f"{quoted}{link}{stored}{turned}"


def describe_omitted(words: str) -> str:
    """That a quotation leaves out a negation or an exception."""
    what = "Verneinung" if is_negation(words) else "Ausnahme"
    return f"Das Zitat lässt eine {what} aus: „{shorten_omitted(words)}“"


def describe_joined(check: QuoteCheck) -> str:
    """That a list item is quoted with the words around its list, though others stand between."""
    return tell(say_joined(check), "de").text


def print_quote_check(check: QuoteCheck) -> None:
    """Whether a quote stands in the cited unit, what differs, and where it stands instead."""
    width = find_width()
    place = f" ({check.segment})" if check.segment else ""
    click.secho(f"Zitat: {QUOTES[check.status]}{place}", bold=True)
    if check.omitted:
        for line in wrap(describe_omitted(check.omitted), width, "  - ", "    "):
            click.secho(line, fg="yellow")
    joined = [describe_joined(check)] if check.joins else []
    different = map(describe_difference, check.differences[:_MOST_DIFFERENCES])
    for said in filter(None, (*joined, *different)):
        for line in wrap(said, width, "  - ", "    "):
            click.echo(line)
    if check.elsewhere:
        click.echo("Der Wortlaut steht in:")
    for found in check.elsewhere:
        for line in wrap(f"{found.citation} (am {format_day(found.day)})", width, "  - ", "    "):
            click.echo(line)
