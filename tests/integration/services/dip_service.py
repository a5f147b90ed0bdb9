"""The Bundestag's documentation system on a loopback port, as its description has it."""

import tarfile
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jsonschema
import orjson
import pytest
import yaml
import zstandard

from tests.integration.corpora.gii_archive import CORPUS
from tests.integration.services.loopback import Answer, Service

DESCRIPTION = CORPUS.parent / "history" / "official-interfaces.tar.zst"
PATH = "/api/v1/vorgang"


def make_vorgang(number: int, changed: str, *days: tuple[str, str], **more: Any) -> dict[str, Any]:
    """Of the act of 19 July 2024; each day with its remark."""
    return {
        "id": str(number),
        "typ": "Vorgang",
        "vorgangstyp": "Gesetzgebung",
        "wahlperiode": 20,
        "aktualisiert": changed,
        "titel": "Gesetz über erfundene Dinge",
        "datum": "2024-07-24",
        # required by the description, and defined nowhere in it
        **dict.fromkeys(("dokumentnummer", "dokumentart", "herausgeber", "urheber"), ""),
        "verkuendung": [
            {
                "jahrgang": "2024",
                "heftnummer": "234",
                "seite": "1",
                "ausfertigungsdatum": "2024-07-19",
                "verkuendungsdatum": "2024-07-24",
                "einleitungstext": "Verkündung",
                "fundstelle": "BGBl I 2024, Nr. 234",
                "verkuendungsblatt_kuerzel": "BGBl I",
            }
        ],
        "inkrafttreten": [
            {"datum": day, **({"erlaeuterung": remark} if remark else {})} for day, remark in days
        ],
        **more,
    }


@dataclass
class Dip:
    """What it lists, in pages of so many; ``Service.answers`` is made of it for each request."""

    service: Service
    documents: list[dict[str, Any]] = field(default_factory=list)
    size: int = 100
    instead: dict[str, Answer] = field(default_factory=dict)  # by cursor; "" is the first page
    claimed: int = 0  # documents that it says there are beside those that it lists

    def __post_init__(self) -> None:
        self.service.answers = _Pages(self)

    def page(self, target: str) -> Answer | None:
        asked = urlsplit(target)
        query = {name: values[0] for name, values in parse_qs(asked.query).items()}
        if asked.path != PATH:
            return None
        cursor = query.get("cursor", "")
        if cursor in self.instead:
            return self.instead[cursor]
        since = query["f.aktualisiert.start"]
        listed = [one for one in self.documents if one["aktualisiert"] >= since[:10]]
        begins = int(cursor.removeprefix("at-") or 0)
        some = listed[begins : begins + self.size]
        body = orjson.dumps(
            {
                "numFound": len(listed) + self.claimed,
                "cursor": f"at-{begins + len(some)}",
                "documents": some,
            }
        )
        _validate(body)
        return Answer(body, etag=f'"{hash(body)}"', kind="application/json")


class _Pages(dict[str, Answer]):
    def __init__(self, dip: Dip) -> None:
        super().__init__()
        self._dip = dip

    def get(self, target: str, default: Any = None) -> Any:
        return self._dip.page(target) or default


def _validate(page: bytes) -> None:
    """What this service says is what the description allows."""
    validator = _read_description()
    if validator is not None:
        validator.validate(orjson.loads(page))


@cache
def _read_description() -> Any:
    if not DESCRIPTION.exists():
        return None
    with DESCRIPTION.open("rb") as file:
        data = zstandard.ZstdDecompressor().stream_reader(file).read()
    with tarfile.open(fileobj=BytesIO(data)) as packed:
        [member] = [one for one in packed.getmembers() if one.name.endswith("dip/openapi.yaml")]
        described = yaml.safe_load(packed.extractfile(member) or "")
    schema = {
        "$ref": "#/components/schemas/VorgangListResponse",
        "components": described["components"],
    }
    return jsonschema.Draft202012Validator(schema)


def require_description() -> None:
    """Skip what shows nothing without the description."""
    if not DESCRIPTION.exists():
        pytest.skip(f"{DESCRIPTION.name} is not there")
