"""The words of the pages."""

import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import get_args

import pytest

from fundstelle.accounts.oauth.clients import CONFIDENTIAL, REGISTERED
from fundstelle.accounts.people.records import FIRST_ADMIN, INVITATION, PASSWORD
from fundstelle.law.decisions import PartKind
from fundstelle.law.norms import DatePrecision, NormStatus
from fundstelle.lookup.answers import CODES
from fundstelle.lookup.comparing import differences, quotes
from fundstelle.lookup.context import law_changes
from fundstelle.lookup.dating.days import BASES
from fundstelle.lookup.validity.bearing import About
from fundstelle.lookup.validity.notes import KINDS
from fundstelle.lookup.verdicts.judge import IMPOSSIBLE, VERDICTS
from fundstelle.portal import account
from fundstelle.portal.administration import audit_log, endings
from fundstelle.portal.connecting.guide import Group
from fundstelle.portal.frame import query
from fundstelle.portal.frame.texts import LANGUAGES, choose_language, load_texts
from fundstelle.portal.public import finding
from fundstelle.portal.sign_in import TOLD
from fundstelle.tools.answers.confidence import Confidence

_TEMPLATE = re.compile(r"""\bt\(\s*'([a-z_]+\.[a-z_]+)'\s*[,)]""")
_PREFIX = re.compile(r"""'([a-z_]+\.[a-z_]*)'\s*~""")
_QUOTED = re.compile(r"""['"]([a-z_]+\.[a-z_]+)['"]""")
_PLACE = re.compile(r"{(\w+)}")


def read_all(suffixes: tuple[str, ...]) -> str:
    folder = Path(str(files("fundstelle.portal")))
    found = (file for file in sorted(folder.rglob("*")) if file.suffix in suffixes)
    return "\n".join(file.read_text("utf-8") for file in found)


def test_every_text_that_a_template_asks_for_is_there() -> None:
    asked = set(_TEMPLATE.findall(read_all((".html",))))
    assert len(asked) > 100
    assert asked - set(load_texts()["de"]) == set()


def test_every_text_is_used() -> None:
    source = read_all((".html", ".py"))
    used = set(_QUOTED.findall(source))
    prefixes = tuple(set(_PREFIX.findall(source)) | set(re.findall(r'f"([a-z_]+\.)', source)))
    # recognised by their English words (``portal.reasons``)
    prefixes += ("reason.", "why.", "doubt.", "warning.")
    ends = ("_next",)  # of a problem's title
    unused = [
        key
        for key in load_texts()["de"]
        if key not in used and not key.startswith(prefixes) and not key.endswith(ends)
    ]
    assert unused == []


def test_both_languages_have_the_same_places_for_values() -> None:
    texts = load_texts()
    for key, german in texts["de"].items():
        english = texts["en"][key]
        assert set(_PLACE.findall(german)) == set(_PLACE.findall(english)), key


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [
        ("de-DE,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,en;q=0.9", "en"),
        ("fr-FR,fr;q=0.9,de;q=0.5,en;q=0.4", "de"),
        ("en;q=0.1,de;q=0.2", "de"),
        ("de;q=0,en;q=0.1", "en"),
        ("fr", "en"),
        ("", "en"),
        ("de;q=viel", "en"),
        (";;;,,,", "en"),
    ],
)
def test_the_language_follows_the_browser(accepted: str, expected: str) -> None:
    assert choose_language(accepted) == expected
    assert expected in LANGUAGES


# Keys that templates put together: of every value that may stand at the end there is a text.
COMPOSED: dict[str, Iterable[str]] = {
    "account.done_": account._DONE,
    "admin.ask_": endings._ACTIONS,
    "admin.kind_": (REGISTERED, CONFIDENTIAL),
    "admin.role_": ("admin", "member"),
    "admin.signing_": ("next", "active", "retired"),
    "audit.kind_": audit_log._KINDS,
    "check.difference_": differences.KINDS,
    "check.quote_": quotes.STATUSES,
    "check.status_": {*CODES, IMPOSSIBLE, *NormStatus},
    "check.verdict_": VERDICTS,
    "connect.group_": Group,
    "first.": ("account", "factor", "invite", "connect", "corpus", "backup"),
    "join.": [
        f"{purpose}{end}"
        for purpose in (FIRST_ADMIN, INVITATION, PASSWORD, "sign_up")
        for end in ("", "_lead", "_do")
    ],
    "keys.": ("live", "soon", "leaving", "expired", "revoked", "replaced"),
    "keys.was_": ("revoked", "shown"),
    "law.authentic_": ("eu", "de", "land"),
    "law.confidence_": Confidence,
    "law.kind_": finding.KINDS,
    "law.note_": ("Stand", "Neuf"),
    "part.": set(PartKind) - {PartKind.HEAD, PartKind.FULL_TEXT},  # shown without a name
    "provider.": TOLD,
    "query.": get_args(query.Why),
    "site.language_": LANGUAGES,
    "status.": set(NormStatus) - {NormStatus.IN_FORCE, NormStatus.REMOVED},  # a notice says so
    "times.": law_changes.KINDS,
    "times.basis_": BASES,
    "times.entry_": ("seen", "new", "version", "in_force"),
    "validity.": KINDS,
    "validity.about_": set(About) - {About.THIS},
}


def test_every_key_that_a_template_puts_together_is_there() -> None:
    asked = set(_PREFIX.findall(read_all((".html", ".xml"))))
    assert asked == set(COMPOSED)  # a new one needs the set of its values here
    wanted = {f"{prefix}{value}" for prefix, values in COMPOSED.items() for value in values}
    assert wanted - set(load_texts()["de"]) == set()


def test_every_miss_that_a_page_can_show_has_its_sentence() -> None:
    shown = {status for status, code in CODES.items() if code != "INVALID_CITATION"}
    assert {f"miss.{status}" for status in shown} - set(load_texts()["de"]) == set()


def test_a_basis_is_named_for_every_precision_that_is_a_day_in_force() -> None:
    said = {precision for precision in DatePrecision if precision.is_in_force}
    assert {each.value for each in said - {DatePrecision.EXACT}} <= set(BASES)
