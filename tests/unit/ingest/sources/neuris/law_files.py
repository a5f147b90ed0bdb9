"""Invented laws in LegalDocML.de 1.8.2, written for the tests."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from html import escape

from fundstelle.ingest.records import SourceFile

AKN = "http://Inhaltsdaten.LegalDocML.de/1.8.2/"
RIS = "http://MetadatenRIS.LegalDocML.de/1.8.2/"
WORK = "eli/bund/bgbl-1/2019/s77"


@dataclass(frozen=True)
class LawText:
    """One expression of an invented law."""

    point: date = date(2019, 3, 1)
    begins: date | None = date(2019, 4, 1)
    last: date | None = None  # its last day
    sections: Mapping[str, str] = field(default_factory=lambda: {"1": "Wer Moos pflanzt, gießt."})
    work: str = WORK
    version: int = 1
    abbreviation: str = "MoosG"
    title: str = "Gesetz über die Pflege der Moose"
    amended: bool = False
    body: str = ""  # in the place of the sections
    preface: str = ""
    preamble: str = ""
    conclusions: str = ""
    notes: str = ""
    periods: Mapping[str, date] = field(default_factory=dict)  # by section
    made_on: date | None = None

    @property
    def eli(self) -> str:
        return f"{self.work}/{self.point}/{self.version}/deu"

    @property
    def address(self) -> str:
        return f"{self.eli}/{self.made_on or self.point}/regelungstext-1.xml"


def write(law: LawText) -> bytes:
    """The file of an expression."""
    begins = f"<ris:inkraft date='{law.begins}'/>" if law.begins else ""
    last = f"<ris:ausserkraft date='{law.last}'/>" if law.last else ""
    official = f"<akn:inline refersTo='amtliche-abkuerzung'>{law.abbreviation}</akn:inline>"
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<akn:akomaNtoso xmlns:akn="{AKN}"><akn:act name="/akn/regelungstext-verkuendung"><akn:meta>
{_write_identification(law, law.address)}{_write_times(law)}
<akn:notes>{law.notes}</akn:notes>
<akn:proprietary><ris:legalDocML.de_metadaten xmlns:ris="{RIS}">
<ris:abkuerzung refersTo="interne-abkuerzung">{law.abbreviation}</ris:abkuerzung>{begins}{last}
<ris:standangabe type="stand">Zuletzt geändert durch ein erfundenes Gesetz</ris:standangabe>
</ris:legalDocML.de_metadaten></akn:proprietary></akn:meta>
<akn:preface eId="einleitung-n1"><akn:longTitle><akn:p><akn:docTitle>{law.title}</akn:docTitle>
<akn:shortTitle>(Moosgesetz – {official})</akn:shortTitle>
</akn:p></akn:longTitle>{law.preface}</akn:preface>
<akn:preamble>{law.preamble}</akn:preamble>
<akn:body eId="hauptteil-n1">{law.body or write_sections(law.sections, law.periods)}</akn:body>
<akn:conclusions>{law.conclusions}</akn:conclusions>
</akn:act></akn:akomaNtoso>""".encode()


def _write_times(law: LawText) -> str:
    amended = "<akn:eventRef eId='e0' date='2020-01-01' refersTo='ausfertigung' type='amendment'/>"
    events = "".join(
        f"<akn:eventRef eId='p{number}' date='{day}' refersTo='inkrafttreten' type='generation'/>"
        for number, day in law.periods.items()
    )
    groups = "".join(
        f"<akn:temporalGroup eId='g{number}'>"
        f"<akn:timeInterval refersTo='geltungszeit' start='#p{number}'/></akn:temporalGroup>"
        for number in law.periods
    )
    return f"""<akn:lifecycle>
<akn:eventRef eId="e1" date="2019-02-20" refersTo="ausfertigung" type="generation"/>
{amended if law.amended else ""}{events}</akn:lifecycle>
<akn:temporalData>{groups}</akn:temporalData>"""


def _write_identification(law: LawText, address: str) -> str:
    return f"""<akn:identification>
<akn:FRBRWork><akn:FRBRuri value="{law.work}"/></akn:FRBRWork>
<akn:FRBRExpression><akn:FRBRuri value="{law.eli}"/></akn:FRBRExpression>
<akn:FRBRManifestation><akn:FRBRuri value="{address}"/>
<akn:FRBRdate date="{law.made_on or law.point}" name="generierung"/></akn:FRBRManifestation>
</akn:identification>"""


def write_sections(sections: Mapping[str, str], periods: Mapping[str, date] | None = None) -> str:
    """§§ of one Absatz each."""
    written = ""
    for number, words in sections.items():
        period = f" period='#g{number}'" if number in (periods or {}) else ""
        written += (
            f"<akn:article eId='art-z{number}'{period}>"
            f"<akn:num>§ {number}</akn:num><akn:heading>Titel {number}</akn:heading>"
            f"<akn:paragraph><akn:num/><akn:content><akn:p>{escape(words)}</akn:p></akn:content>"
            "</akn:paragraph></akn:article>"
        )
    return written


def write_annex(law: LawText, number: int, label: str, scope: str, body: str) -> bytes:
    """A separate annex of an expression."""
    address = law.address.replace("regelungstext-1", f"anlage-regelungstext-{number}")
    return f"""<akn:akomaNtoso xmlns:akn="{AKN}">
<akn:doc name="/akn/ontology/de/concept/documenttype/bund/anlage-regelungstext"><akn:meta>
{_write_identification(law, address)}</akn:meta>
<akn:preface><akn:block><akn:docTitle>
<akn:inline refersTo="anlageregelungstext-num">{label}</akn:inline>
<akn:inline refersTo="anlageregelungstext-bezug">{scope}</akn:inline>
</akn:docTitle></akn:block></akn:preface><akn:mainBody>{body}</akn:mainBody>
</akn:doc></akn:akomaNtoso>""".encode()


def make_file(law: LawText) -> SourceFile:
    """As it lies in an archive."""
    return SourceFile(f"neuris/{law.address}", "neuris", write(law))


def write_decision(number: str, docket: str, words: str, ecli: str = "") -> bytes:
    """A decision of the Federal Court of Justice, invented."""
    return f"""<akn:akomaNtoso xmlns:akn="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"
 xmlns:ris="http://example.com/0.1/"><akn:judgment name="urteil"><akn:meta>
<akn:identification><akn:FRBRWork><akn:FRBRalias name="Dokumentnummer" value="{number}"/>
<akn:FRBRalias name="ECLI" value="{ecli}"/><akn:FRBRdate date="2023-05-04"/></akn:FRBRWork>
</akn:identification><akn:proprietary><ris:meta><ris:gerichtstyp>BGH</ris:gerichtstyp>
<ris:dokumenttyp>Urteil</ris:dokumenttyp>
<ris:aktenzeichenListe><ris:aktenzeichen>{docket}</ris:aktenzeichen></ris:aktenzeichenListe>
</ris:meta></akn:proprietary></akn:meta>
<akn:judgmentBody><akn:decision><akn:block><akn:p>{words}</akn:p></akn:block></akn:decision>
</akn:judgmentBody></akn:judgment></akn:akomaNtoso>""".encode()
