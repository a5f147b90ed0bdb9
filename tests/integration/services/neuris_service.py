"""The federal legal information system on a loopback port, as its description has it."""

from dataclasses import dataclass, field
from urllib.parse import quote

import orjson

from tests.integration.services.loopback import Answer, Service, pack
from tests.unit.ingest.sources.neuris.law_files import LawText, write, write_annex, write_decision

JSON = "application/json"
ANNEX = "<akn:p>Eine Anlage.</akn:p>"


@dataclass
class Neuris:
    """What the service has, and what its changelogs say."""

    service: Service
    laws: dict[str, LawText] = field(default_factory=dict)  # by expression
    decisions: dict[str, bytes] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    all_changed: bool = False
    archives: dict[str, str] = field(default_factory=dict)  # name of a data set: address

    def publish(self, *laws: LawText, annex: bool = False) -> None:
        """Laws that are listed as changed."""
        for law in laws:
            self.laws[law.eli] = law
            files = {"regelungstext-1.xml": write(law), "bild.jpg": b"\xff\xd8"}
            if annex:
                files["anlage-regelungstext-1.xml"] = write_annex(law, 1, "Anlage 1", "", ANNEX)
            body = pack(files)
            self.service.answers[get_zip(law)] = Answer(body, etag=f'"{hash(body)}"')
            self.changed.append(law.eli)

    def decide(self, number: str, docket: str, words: str, ecli: str = "") -> None:
        """A decision that is listed as changed."""
        data = write_decision(number, docket, words, ecli)
        self.decisions[number] = data
        answer = Answer(data, etag=f'"{hash(data)}"', kind="application/xml")
        self.service.answers[f"/v1/case-law/{number}.xml"] = answer
        self.changed.append(number)

    def take_back(self, name: str) -> None:
        """A document that is no longer there."""
        law = self.laws.pop(name, None)
        self.decisions.pop(name, None)
        path = f"/v1/case-law/{name}.xml" if law is None else get_zip(law)
        self.service.answers.pop(path)
        self.changed = [one for one in self.changed if one != name]
        self.deleted.append(name)

    def go_on(self) -> None:
        """A new period begins, in which nothing has changed yet."""
        self.changed, self.deleted, self.all_changed = [], [], False

    def open(self) -> None:
        """Answer as things are now."""
        for kind in ("legislation", "case-law"):
            self._answer(f"/v1/{kind}/changelog", self._tell(kind))
        by_work: dict[str, list[LawText]] = {}
        for law in self.laws.values():
            by_work.setdefault(law.work, []).append(law)
        for work in {*by_work, *("/".join(name.split("/")[:5]) for name in self.deleted)}:
            target = f"/v1/legislation?eli={quote(work, safe='')}&size=300&pageIndex=0"
            self._answer(target, list_laws(*by_work.get(work, ())))
        self._answer("/v1/legislation", list_laws(*self.laws.values()))
        members = [{"item": {"documentNumber": number}} for number in self.decisions]
        self._answer("/v1/case-law", {"member": members, "totalItems": len(members)})
        sets = [
            {"name": name, "description": "", "distribution": {"contentUrl": address}}
            for name, address in self.archives.items()
        ]
        self._answer("/v1/bulk-zip-links", {"name": "catalogue", "dataSet": sets})

    def _tell(self, kind: str) -> dict[str, object]:
        def is_own(name: str) -> bool:
            return name.startswith("eli/") == (kind == "legislation")

        return {
            "changed": [
                {"@id": f"/v1/{kind}/{name}", "@type": "x", "contentUrl": f"/v1/{kind}/{name}.zip"}
                for name in self.changed
                if is_own(name)
            ],
            "deleted": [
                {"@id": f"/v1/{kind}/{name}", "@type": "x"} for name in self.deleted if is_own(name)
            ],
            "allChanged": self.all_changed,
        }

    def _answer(self, path: str, value: object) -> None:
        body = orjson.dumps(value)
        self.service.answers[path] = Answer(body, etag=f'"{hash(body)}"', kind=JSON)


def get_zip(law: LawText) -> str:
    """Where the archive of an expression lies."""
    return f"/v1/legislation/{law.address.rpartition('/')[0]}.zip"


def list_laws(*laws: LawText) -> dict[str, object]:
    """A page of the list of laws."""
    members = [
        {
            "item": {
                "@id": f"/v1/legislation/{law.eli}",
                "legislationIdentifier": law.eli,
                "encoding": [
                    {
                        "contentUrl": f"/v1/legislation/{law.address}",
                        "encodingFormat": "application/xml",
                    },
                    {"contentUrl": get_zip(law), "encodingFormat": "application/zip"},
                ],
            }
        }
        for law in laws
    ]
    return {"@type": "hydra:Collection", "member": members, "totalItems": len(members), "view": {}}
