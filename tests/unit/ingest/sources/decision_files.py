"""Invented decisions in the formats of the publishers."""

from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.law.decisions import DecisionText

ECLI = "ECLI:DE:BGH:2022:150322UVIZR1.21.0"


def file(name: str, data: str | bytes) -> SourceFile:
    return SourceFile(name, "", data.encode() if isinstance(data, str) else data)


def rii(**fields: str) -> str:
    """A decision of the federal portal; each element can be replaced."""
    values = {
        "doknr": "KORE900012022",
        "ecli": ECLI,
        "gertyp": "BGH",
        "gerort": "",
        "spruchkoerper": "6. Zivilsenat",
        "entsch-datum": "20220315",
        "aktenzeichen": "VI ZR 1/21, VI ZR 2/21",
        "doktyp": "Urteil",
        "norm": "§ 1 MusterG",
        "vorinstanz": "vorgehend LG Köln, 2. Mai 2020, Az: 2 O 3/20, Urteil",
        "titelzeile": "<dl><dt/><dd><p>Haftung für einen Hund</p></dd></dl>",
        "leitsatz": "<div><dl><dt/><dd><p>Ein Hund ist kein Ding.</p></dd></dl></div>",
        "tenor": "<div><dl><dt/><dd><p>Die Revision wird zurückgewiesen.</p></dd></dl></div>",
        "tatbestand": f"<div>{rd(1, 'Der Hund biss.')}{rd(2, 'Die Klägerin klagt.')}</div>",
        "entscheidungsgruende": "<div><dl><dt/><dd><h2>I.</h2></dd></dl>"
        + rd(3, "Die Revision ist unbegründet.")
        + "<dl><dt/><dd><blockquote><p>Wörtlich zitiert.</p></blockquote></dd></dl></div>",
        "gruende": "",
    } | fields
    inner = "".join(f"<{name}>{value}</{name}>" for name, value in values.items())
    return (
        '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE dokument SYSTEM '
        f'"http://www.rechtsprechung-im-internet.de/dtd/v1/rii-dok.dtd"><dokument>{inner}</dokument>'
    )


def rd(number: int, text: str) -> str:
    return (
        f'<dl class="RspDL"><dt><a name="rd_{number}">{number}</a></dt><dd><p>{text}</p></dd></dl>'
    )


def page(body: str, head: str = "") -> str:
    """A page with the furniture that sites have."""
    return (
        f'<!DOCTYPE html><html lang="de"><head><meta charset="utf-8">{head}</head><body>'
        "<nav><ul><li>Startseite</li><li>Kontakt</li></ul></nav><script>let x = 1</script>"
        f"{body}<footer><p>Impressum</p></footer></body></html>"
    )


def bag(number: str = "1 AZR 1/23", body: str | None = None) -> str:
    details = {
        "Aktenzeichen": number,
        "ECLI": "ECLI:DE:BAG:2024:300124.U.1AZR1.23.0",
        "Art": "Urteil",
        "Datum": "30.01.2024",
        "Senat": "1. Senat",
    }
    rows = "".join(f"<li><strong>{k}</strong><p>{v}</p></li>" for k, v in details.items())
    text = body or (
        "<h3>Tenor</h3><div><blockquote><p>1. Die Klage wird abgewiesen.</p></blockquote></div>"
        "<h3>Tatbestand</h3><div>"
        '<dl class="content__dl"><dt><a href="#rd-1">1</a></dt><dd><p>Sie streiten.</p></dd></dl>'
        "<table class='Rsp'><tr><td> </td><td><p>die Klage abzuweisen.</p></td></tr></table></div>"
        "<h3>Entscheidungsgründe</h3><div>"
        '<dl class="content__dl"><dt><a href="#rd-2">2</a></dt><dd><p>Sie irren.</p></dd></dl>'
        "<table class='Rsp'><tr><td>Muster</td><td>Beispiel</td></tr></table></div>"
    )
    return page(
        '<header><p class="section__title--subheading">Streit - Ende</p>'
        f'<ul class="card__list is-details">{rows}</ul></header>'
        f'<main class="decision">{text}</main>',
        '<link rel="canonical" href="https://www.bundesarbeitsgericht.de/entscheidung/1-azr-1-23/">',
    )


def bverwg(*boxes: str) -> str:
    return page(
        '<div class="pm target hiddendata"><h2 class="h1">Pressemitteilung</h2><p>Neues.</p></div>'
        + "".join(boxes)
    )


def bverwg_box(kind: str = "Urteil", day: str = "01.02.2024", number: str = "2 A 7.23") -> str:
    ecli = f"ECLI:DE:BVerwG:2024:{day[:2]}{day[3:5]}24U{number.replace(' ', '')}.0"
    return (
        f'<span id="x" class="target"><div class="row"><h2 class="h1">{kind} vom {day} -<br> BVerwG'
        f' {number}<span class="inconsolata">{ecli}</span></h2><button>EN</button></div>'
        '<div class="row"><div class="col-xs-12"><h2 class="unline">Über Hunde</h2>'
        '<div class="entscheidung"><p><strong>Leitsatz:</strong><br></p><p>Hunde bellen.</p>'
        '<ul class="accordeon"><li><h5>Rechtsquellen</h5><table class="rq"><tr><td class="rq">HundG'
        '</td><td class="rq">§ 1</td></tr></table></li><li><h5>Zitiervorschlag</h5></li></ul></div>'
        '</div></div><div class="row entscheidung"><div class="entscheidung">'
        f'<h2 class="entscheidung-upper">{kind}</h2></div>'
        f'<div class="az"><p>BVerwG {number}</p><ul>'
        '<li><div class="instanz">VG Köln - 19.11.2021 - AZ: 9 K 45/21</div></li></ul></div>'
        '<div class="rubrum"><p>In der Sache hat der 2. Senat des Bundesverwaltungsgerichts<br>'
        'für Recht erkannt:</p></div><div class="tenor"><ol><li>Die Klage wird abgewiesen.</li>'
        "<li>Der Kläger trägt die Kosten.</li></ol></div>"
        '<h2 class="entscheidung-zwischen">Gründe</h2>'
        '<h2 class="entscheidung-zwischen-sub">I</h2>'
        '<div class="rdn" data-rdn="1"><p><span class="rdn">1</span> Der Hund bellte.<br>Oft.</p>'
        '</div><h2 class="entscheidung-zwischen">II</h2><div class="rdn" data-rdn="2"><p>'
        '<span class="rdn">2</span> Er darf das.</p></div></div></span>'
    )


BFH = page(
    '<div class="m-article__header"><h1><span>Urteil</span> vom 11. Januar 2024, IV R 24/21</h1>'
    '</div><div class="m-article__intro"><p>Steuer auf Hunde</p></div><div class="m-article__body">'
    '<p class="ecli">ECLI:DE:BFH:2024:U.110124.IVR24.21.0</p><p class="spruchkoerper">BFH IV. Senat'
    '</p><p class="norms">HundStG § 1</p><p class="vorinstanz">vorgehend Sächsisches Finanzgericht,'
    " 2. Mai 2020, Az: 4 K 3/20</p><h2>Leitsätze</h2><div><p>NV: Hunde zahlen nichts.</p></div>"
    "<h2>Tenor</h2><div><p>Die Revision wird zurückgewiesen.</p></div><h2>Tatbestand</h2><div>"
    '<h3>I.</h3><ol class="m-decisions__list"><li class="m-decisions__item" data-rd="1"><p>Es war'
    " einmal.</p><p>Ein Hund.</p></li></ol></div><h2>Entscheidungsgründe</h2><div><h3>II.</h3><ol"
    ' class="m-decisions__list"><li class="m-decisions__item" data-rd="2"><p>Er zahlt nicht.</p>'
    "</li></ol></div></div>"
)

BAYERN = page(
    '<div id="doc-metadata"><b>VGH München, Beschluss v. 26.07.2019 – 11 CS 19.1093</b></div>'
    '<div id="doc-toolbar"><button>Drucken</button></div><div class="cont"><div class="rsprbox">'
    '<div class="rsprboxueber">Titel:</div><h1 class="titelzeile">Leinenzwang</h1>'
    '<div class="rsprboxueber">Normenketten:</div><div class="rsprboxzeile">HundG § 1</div>'
    '<div class="rsprboxueber">Leitsatz:</div><div class="leitsatz">Hunde laufen frei.</div>'
    '<div class="rsprboxueber">Vorinstanz:</div><div class="rsprboxzeile">VG München vom 15.05.2019'
    ' – M 6 S 19.1168</div></div><h2 class="entsueber">Tenor</h2><div class="rdblock"><div '
    'class="rd"></div><div class="absatz tenor">I. Die Beschwerde wird verworfen.</div></div>'
    '<h2 class="entsueber">Gründe</h2><div class="rdblock"><div class="rd"></div><div '
    'class="absatz gruende">I.</div></div><div class="rdblock"><div class="rd">1</div><div '
    'class="absatz gruende">Der Hund lief.</div></div><dl><dt>-</dt><dd><div class="rd"></div>'
    '<div class="absatz gruende">weit</div></dd></dl></div>'
)


def read_parts(text: DecisionText) -> list[tuple[str, str]]:
    """Each part with its words; they must tile the text."""
    assert "".join(text.text[part.start : part.end] for part in text.parts) == text.text
    return [(p.kind.value, text.text[p.start : p.end].strip()) for p in text.parts]


def read_passages(text: DecisionText) -> dict[str, str]:
    for passage in text.passages:
        part = text.parts[passage.part]
        assert part.start <= passage.start <= passage.end <= part.end
    return {p.number: text.text[p.start : p.end] for p in text.passages}


def read_headings(text: DecisionText) -> list[tuple[str, int]]:
    return [(text.text[h.start : h.end], h.level) for h in text.headings]


def only(parsed: ParsedDecision | list[ParsedDecision]) -> ParsedDecision:
    if isinstance(parsed, ParsedDecision):
        return parsed
    (one,) = parsed
    return one
