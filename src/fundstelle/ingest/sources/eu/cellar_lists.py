"""Lists of EU documents by SPARQL: what was adopted since a day, and consolidated texts of an act.

Source: Publications Office, Common Data Model (``http://publications.europa.eu/ontology/cdm``),
and SPARQL 1.1 Query Results JSON Format. The end point ends a query after 60 s, so lists come in
pages.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from urllib.parse import urlencode

import orjson

from fundstelle.ingest.sources.files.cache import WrongContent
from fundstelle.ingest.sources.files.download import Downloader

CELEX = re.compile(r"\d{5}[A-Z]{1,2}(?:\d{4}(?:\(\d\d\))?(?:R\(\d\d\))?(?:-\d{8})?|/TXT)")

REGULATION = "REG"
DIRECTIVE = "DIR"

_MOST_BYTES = 16 * 2**20
_PAGE = 1_000  # rows
_MOST_PAGES = 100
_ACTS_A_QUERY = 50
_JSON = {"Accept": "application/sparql-results+json"}
_TYPE = "<http://publications.europa.eu/resource/authority/resource-type/{}>"
_PREFIXES = """\
PREFIX cdm: <http://publications.europa.eu/ontology/cdm#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""
_ADOPTED = """\
SELECT DISTINCT ?celex WHERE {{
  VALUES ?type {{ {types} }}
  ?act cdm:work_has_resource-type ?type ;
       cdm:work_date_document ?day ;
       cdm:resource_legal_id_celex ?celex .
  FILTER (?day >= "{since}"^^xsd:date)
}} ORDER BY ?celex LIMIT {limit} OFFSET {offset}"""
_CONSOLIDATED = """\
SELECT DISTINCT ?act ?celex WHERE {{
  VALUES ?act {{ {acts} }}
  ?work cdm:resource_legal_id_celex ?act .
  ?version cdm:act_consolidated_based_on_resource_legal ?work ;
           cdm:resource_legal_id_celex ?celex .
}} ORDER BY ?celex LIMIT {limit} OFFSET {offset}"""


def list_acts(
    base_url: str, client: Downloader, since: date, types: Sequence[str] = (REGULATION, DIRECTIVE)
) -> list[str]:
    """CELEX numbers of the acts of these types dated ``since`` or later, in order.

    Raises:
        SourceError: the end point cannot be reached, or answers with something else.
    """
    words = " ".join(_TYPE.format(one) for one in types)
    rows = _iter_rows(base_url, client, _ADOPTED, types=words, since=since.isoformat())
    return [celex for row in rows if (celex := row.get("celex")) and celex.startswith("3")]


def list_consolidated(
    base_url: str, client: Downloader, acts: Sequence[str]
) -> dict[str, list[str]]:
    """CELEX numbers of the consolidated texts of each of ``acts`` that has one.

    Raises:
        SourceError: the end point cannot be reached, or answers with something else.
    """
    found: dict[str, list[str]] = {}
    for first in range(0, len(acts), _ACTS_A_QUERY):
        words = " ".join(f'"{act}"^^xsd:string' for act in acts[first : first + _ACTS_A_QUERY])
        for row in _iter_rows(base_url, client, _CONSOLIDATED, acts=words):
            act, celex = row.get("act", ""), row.get("celex", "")
            if act in acts and celex.startswith("0"):
                found.setdefault(act, []).append(celex)
    return found


def _iter_rows(
    base_url: str, client: Downloader, query: str, **values: str
) -> Iterator[dict[str, str]]:
    """Every row, page by page, without what is no CELEX number: it becomes part of addresses."""
    for page in range(_MOST_PAGES):
        text = _PREFIXES + query.format(limit=_PAGE, offset=page * _PAGE, **values)
        rows = _ask(f"{base_url}/webapi/rdf/sparql?{urlencode({'query': text})}", client)
        if len(rows) > _PAGE:  # all pages are held in memory
            raise WrongContent(f"{base_url} answers with a longer list than was asked for")
        for row in rows:
            yield {name: value for name, value in row.items() if CELEX.fullmatch(value)}
        if len(rows) < _PAGE:
            return


def _ask(url: str, client: Downloader) -> list[dict[str, str]]:
    fetched = client.fetch(url, _MOST_BYTES, wanted=_JSON)
    try:
        rows = orjson.loads(fetched.data or b"")["results"]["bindings"]
        return [{name: str(cell["value"]) for name, cell in row.items()} for row in rows]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        place = url.partition("?")[0]
        raise WrongContent(f"{place} answers with no list ({fetched.content_type})") from error
