"""Whose pages an address of a source may lead to: the publishers of law, each by its host.

Addresses come out of files that others made. One becomes a link only if it is https and of a host
in this table; whatever else it is, it is no link and is left out, on the way in and on the way out.
"""

import re
from functools import lru_cache

HOSTS = frozenset(
    (
        # laws and decisions of the federation
        "www.gesetze-im-internet.de",
        "www.rechtsprechung-im-internet.de",
        "testphase.rechtsinformationen.bund.de",
        "www.recht.bund.de",
        "www.bundesverfassungsgericht.de",
        "www.bundesgerichtshof.de",
        "juris.bundesgerichtshof.de",
        "www.bundesarbeitsgericht.de",
        "juris.bundesarbeitsgericht.de",
        "www.bundesfinanzhof.de",
        "juris.bundesfinanzhof.de",
        "www.bsg.bund.de",
        "www.bverwg.de",
        "www.bundespatentgericht.de",
        "juris.bundespatentgericht.de",
        # the Länder
        "www.landesrecht-bw.de",
        "lrbw.juris.de",
        "www.gesetze-bayern.de",
        "gesetze.berlin.de",
        "www.gerichtsentscheidungen.berlin-brandenburg.de",
        "gerichtsentscheidungen.brandenburg.de",
        "www.landesrecht-hamburg.de",
        "www.rv.hessenrecht.hessen.de",
        "www.lareda.hessenrecht.hessen.de",
        "www.landesrecht-mv.de",
        "www.rechtsprechung.niedersachsen.de",
        "voris.wolterskluwer-online.de",
        "www.justiz.nrw.de",
        "nrwe.justiz.nrw.de",
        "www.landesrecht.rlp.de",
        "recht.saarland.de",
        "www.justiz.sachsen.de",
        "www.landesrecht.sachsen-anhalt.de",
        "www.gesetze-rechtsprechung.sh.juris.de",
        "landesrecht.thueringen.de",
        "www.sozialgerichtsbarkeit.de",
        # Europe
        "eur-lex.europa.eu",
        "publications.europa.eu",
        "curia.europa.eu",
        "hudoc.echr.coe.int",
        # a collection of published decisions
        "de.openlegaldata.io",
    )
)

# RFC 3986 without what a reader of HTML or Markdown could take for the end of the address
_LINK = re.compile(r"https?://([a-z0-9.-]{1,100})(/[A-Za-z0-9._~:/?#@!$&()*+,;=%-]{0,2000})?")


@lru_cache(maxsize=4096)
def find_link(address: str | None) -> str | None:
    """The address as a link, ``None`` if it is none of a publisher's.

    One that was written with ``http`` is given with ``https``: every host of the table has it.
    """
    found = _LINK.fullmatch(address or "")
    if found is None or found[1] not in HOSTS:
        return None
    return f"https://{found[1]}{found[2] or '/'}"
