"""Which law a place of a statute means, where its words alone do not say it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from fundstelle.corpus.sqlite import SqliteBuild, SqliteCorpusWriter
from fundstelle.ingest.graph.references import Reference, ReferenceFinder, build_finder
from fundstelle.law.identifiers import build_norm_id
from fundstelle.law.norms import Norm, NormKind, StandNote, Statute
from tests.unit.corpus.values import STATUTE, make_fassung, make_norm


def make_law(
    abbreviation: str, title: str, issued_on: date, kind: str = "statute", page: str = "7"
) -> Statute:
    law_id = build_norm_id("de", abbreviation)
    return replace(
        STATUTE,
        statute_id=law_id,
        slug=abbreviation,
        abbreviation=abbreviation,
        abbreviations_juris=(abbreviation,),
        abbreviation_official=abbreviation,
        title=title,
        issued_on=issued_on,
        publication=f"BGBl. I {issued_on.year} S. {page}",
        document_kind=kind,
    )


WALD = make_law("WaldprobG", "Waldprobegesetz", date(2010, 3, 1))
OLD_WALD = make_law("WaldprobG 1950", "Waldprobegesetz", date(1950, 2, 3), page="99")
TREATY_LAW = make_law("MoosAbkG", "Gesetz zu dem Abkommen über Moose", date(1990, 5, 6), page="41")
TREATY = make_law("MoosAbk", "Abkommen über Moose", date(1989, 4, 5), page="42")
FIRST_PROTOCOL = make_law("FarnProt 1", "Protokoll über Farne in Tälern", date(1991, 2, 3))
PROTOCOL_LAW = make_law(
    "FarnProtG",
    "Gesetz zu dem Protokoll vom 3. Februar 1991 über Farne und zu dem Zusatzprotokoll vom 1. Mai"
    " 1992 über Pilze",
    date(1993, 5, 6),
)
SECOND_PROTOCOL = make_law("PilzProt", "Zusatzprotokoll über Pilze", date(1992, 5, 1))
ORDINANCE = replace(
    make_law("WaldprobV", "Verordnung zur Durchführung des Waldprobegesetzes", date(2012, 1, 2)),
    document_kind="regulation",
)
TRAINING = make_law("LaubAusbV", "Verordnung über Laub", date(1995, 1, 2), kind="regulation")
LATER = replace(
    make_law("RindenV", "Verordnung über Rinden", date(1995, 1, 2), kind="regulation"),
    stand_notes=(StandNote("Stand", "Zuletzt geändert durch Art. 3 G v. 5.6.2015 I 12"),),
)
NOTICE = make_law(
    "WaldprobG§5Bek", "Bekanntmachung der Beträge nach § 5 des Waldprobegesetzes", date(2015, 1, 2)
)
CHANGING = make_law(
    "WaldprobGÄndG", "Erstes Gesetz zur Änderung des Waldprobegesetzes", date(2015, 3, 4)
)
SHIPS = make_law("MooskahnG", "Mooskahngesetz 2002", date(2002, 5, 6))
CANALS = make_law("TeichschO", "Teichschiffahrtsordnung", date(1971, 5, 3), kind="regulation")
MANUAL = make_law("PilzhbV", "Verordnung über das Pilzhandbuch", date(2014, 1, 2), "regulation")
ENDING = replace(
    make_law("EndendeV", "Verordnung über Enden", date(1995, 1, 2), kind="regulation"),
    stand_notes=(StandNote("Aufh", "Die V tritt gem. § 2 am 31.7.2017 außer Kraft"),),
)
NUMBERS = ["1", "2", "2a", "3", "4", "5", "6", "7"]
LAWS = {
    LATER: ["1"],
    ENDING: ["1"],
    TRAINING: ["1", "2"],
    TREATY_LAW: ["art-1", "art-2"],
    TREATY: ["art-1", "art-2", "art-6"],
    PROTOCOL_LAW: ["art-1", "art-2"],
    FIRST_PROTOCOL: ["art-1", "art-3"],
    SECOND_PROTOCOL: ["art-1", "art-4"],
    WALD: NUMBERS,
    OLD_WALD: NUMBERS,
    ORDINANCE: ["1", "2", "anlage"],
    NOTICE: ["text"],
    CHANGING: ["art-1", "art-2", "inhaltsuebersicht"],
    SHIPS: ["1"],
    CANALS: ["1"],
    MANUAL: ["1", "anhang", "anhang-1", "anlage-1", "anlage-2", "anlage-3"],
}
EMPOWERED = "Auf Grund des § 4 des Waldprobegesetzes vom 1. März 2010 (BGBl. I S. 7)"
AMENDING = "Artikel 1 des Gesetzes vom 1. April 2011 (BGBl. I S. 3)"
REWORDED = "in der Fassung der Bekanntmachung vom 8. Juli 2014"


def make_norms(statute: Statute, numbers: Sequence[str]) -> list[Norm]:
    norms = []
    for place, number in enumerate(numbers):
        norm = make_norm(number, place, statute.statute_id)
        if number.startswith(("anlage", "anhang")):
            label = number.replace("-", " ").capitalize()
            norms.append(replace(norm, kind=NormKind.ANNEX, label=label))
            continue
        if number == "inhaltsuebersicht":
            norms.append(replace(norm, kind=NormKind.CONTENTS, label="Inhaltsübersicht"))
            continue
        label = f"Art {number[4:]}" if number.startswith("art-") else f"§ {number}"
        norms.append(replace(norm, label=label))
    formula = replace(
        make_norm("eingangsformel", len(numbers), statute.statute_id),
        kind=NormKind.FORMULA,
        label="Eingangsformel",
    )
    return [*norms, formula]


@pytest.fixture(scope="module")
def finder(tmp_path_factory: pytest.TempPathFactory) -> ReferenceFinder:
    path: Path = tmp_path_factory.mktemp("meaning") / "corpus.sqlite"
    writer = SqliteCorpusWriter(path)
    for statute, numbers in sorted(LAWS.items(), key=lambda item: item[0].statute_id):
        norms = make_norms(statute, numbers)
        writer.add_statute(statute, [(norm, [make_fassung(norm.norm_id, "")]) for norm in norms])
    writer.index()
    writer.finish()
    return build_finder(SqliteBuild(path))


def read(finder: ReferenceFinder, norm_id: str, text: str) -> list[Reference]:
    norm = finder.store.find_norm(norm_id)
    assert norm is not None
    return list(finder.read(norm, text))


def list_cited(finder: ReferenceFinder, norm_id: str, text: str) -> list[str | None]:
    """The ids that provisions lead to; laws named alone are left out."""
    store = finder.store
    assert isinstance(store, SqliteBuild)
    return [
        store.get_cited_id(one.ordinal)
        for reference in read(finder, norm_id, text)
        if reference.target.unit is not None
        for one in reference.cited
    ]


@pytest.mark.parametrize(
    ("norm_id", "text", "cited"),
    [
        # what an ordinance calls "the law" is the one that its title names
        ("de/waldprobv/1", "Wer nach § 3 des Gesetzes sucht", ["de/waldprobg/3"]),
        ("de/waldprobv/1", "nach § 2 dieser Verordnung", ["de/waldprobv/2"]),
        ("de/waldprobv/1", "nach § 2 des Abkommens", [None]),
        ("de/laubausbv/1", "nach § 2 des Gesetzes", [None]),
        # a law that consents to a treaty speaks of it
        ("de/moosabkg/art-1", "die in Artikel 2 des Abkommens genannten", ["de/moosabk/art-2"]),
        ("de/moosabkg/art-1", "das Abkommen nach seinem Artikel 6 Abs. 2 in Kraft tritt",
         ["de/moosabk/art-6"]),
        ("de/moosabkg/art-1", "das Abkommen nach seinem Artikel 9 in Kraft tritt", [None]),
        ("de/moosabkg/art-1", "der Vertrag nach seinem Artikel 2 in Kraft tritt", [None]),
        ("de/moosabk/art-1", "nach Artikel 2 des Abkommens", ["de/moosabk/art-2"]),
        ("de/farnprotg/art-1", "nach Artikel 4 des Zusatzprotokolls", ["de/pilzprot/art-4"]),
        ("de/farnprotg/art-1", "nach Artikel 1 des Protokolls", [None]),  # both are called so
        ("de/rindenv/1", "Artikel 2 des Abkommens vom 5. April 1989 gilt", ["de/moosabk/art-2"]),
        ("de/rindenv/1", "Artikel 2 des Vertrages vom 5. April 1989 gilt", [None]),
        # a law of a day and a page
        ("de/rindenv/1", "Artikel 2 des Gesetzes vom 6. Mai 1990 (BGBl. I S. 41)",
         ["de/moosabkg/art-2"]),
        ("de/rindenv/1", "Artikel 2 des Gesetzes vom 6. Mai 1990 (BGBl. I S. 40)", [None]),
        ("de/waldprobv/1", "Artikel 2 des Gesetzes vom 1. März 2010 (BGBl. I S. 7)", [None]),
        # the words that empower: what they name again is of the law they named
        ("de/waldprobv/eingangsformel", f"{EMPOWERED}, dessen § 2 durch {AMENDING} geändert ist",
         ["de/waldprobg/4", "de/waldprobg/2", None]),
        # a law that came later than the text is not meant
        ("de/laubausbv/1", "§ 3 des Waldprobegesetzes", ["de/waldprobg-1950/3"]),
        ("de/rindenv/1", "§ 3 des Waldprobegesetzes", ["de/waldprobg/3"]),
        ("de/rindenv/1", "§ 3 des Waldprobegesetzes vom 3. Februar 1950 (BGBl. I S. 99)",
         ["de/waldprobg-1950/3"]),
        ("de/rindenv/1", "§ 3 des Waldprobegesetzes vom 1. Februar 2010 (BGBl. I S. 7)",
         ["de/waldprobg/3"]),  # a slip: the page is that of the law
        ("de/endendev/1", "§ 3 des Waldprobegesetzes", ["de/waldprobg-1950/3"]),
        ("de/rindenv/1", f"§ 3 des Waldprobegesetzes {REWORDED}", ["de/waldprobg/3"]),
        ("de/rindenv/1", "§ 3 des am 1. Mai 2010 in Kraft getretenen Waldprobegesetzes",
         ["de/waldprobg/3"]),
        # the one annex of the statute itself
        ("de/waldprobv/1", "die in der Anlage näher bezeichneten Pilze", ["de/waldprobv/anlage"]),
        ("de/waldprobv/1", "die Pilze (Anlage) und Moose", ["de/waldprobv/anlage"]),
        ("de/waldprobv/1", "aus der Anlage austretende Stoffe", []),
        ("de/rindenv/1", "die in der Anlage enthaltenen Stoffe", []),  # it has none
        ("de/waldprobv/1", "die in der Anlage für das erste Jahr genannten Pilze",
         ["de/waldprobv/anlage"]),
        ("de/waldprobv/1", "Das Muster ergibt sich aus der Anlage.", ["de/waldprobv/anlage"]),
        ("de/waldprobv/1", "der dieser Verordnung als Anlage beigefügte Plan",
         ["de/waldprobv/anlage"]),
        ("de/waldprobv/1", "nach Spalte 2 der Anlage", ["de/waldprobv/anlage"]),
        ("de/waldprobv/1", "die in Anlage Abschnitt A und B genannten Pilze",
         ["de/waldprobv/anlage", "de/waldprobv/anlage"]),
        ("de/waldprobv/1", "Wer eine Anlage betreibt, hat Stoffe in der Anlage zu messen.", []),
        ("de/waldprobv/1", "Auswirkungen der Anlage auf Pilze", []),
        ("de/waldprobv/1", "Zinsen aus der Anlage von Vermögen", []),
        ("de/waldprobv/1", "sind im Anhang anzugeben", []),  # it has an Anlage, no Anhang
        # an Anhang is found as what it is called
        ("de/pilzhbv/1", "nach Maßgabe des Anhangs", ["de/pilzhbv/anhang"]),
        ("de/pilzhbv/1", "nach Anlage 1", ["de/pilzhbv/anlage-1"]),
        ("de/pilzhbv/1", "nach dem Muster der Anlagen 1 bis 3",
         ["de/pilzhbv/anlage-1", "de/pilzhbv/anlage-2", "de/pilzhbv/anlage-3"]),
        # the annexes of a law named before are its own only if the words behind say so
        ("de/rindenv/1", "nach § 1 der Verordnung über das Pilzhandbuch mit ihrer Anlage 2",
         ["de/pilzhbv/1", "de/pilzhbv/anlage-2"]),
        ("de/rindenv/1", "nach § 1 der Verordnung über das Pilzhandbuch und Muster 1 der Anlage 2",
         ["de/pilzhbv/1", None]),
        ("de/waldprobg-5bek/text",
         "§ 1 der WaldprobV gilt mit der Anlage zu dieser Verordnung",
         ["de/waldprobv/1", "de/waldprobv/anlage"]),
        ("de/waldprobv/1", "nach den Anforderungen der Anlage", ["de/waldprobv/anlage"]),
        # what a notice or an amending law lacks is of the law in its title
        ("de/waldprobg-5bek/text", "1. Der Betrag nach § 5 Absatz 2 ist 3 Euro.",
         ["de/waldprobg/5"]),
        ("de/waldprobg-5bek/text", "1. Der Betrag nach § 9 ist 3 Euro.", [None]),
        ("de/waldprobgaendg/art-1", "Die Frist des § 6 Abs. 3 beginnt", ["de/waldprobg/6"]),
        ("de/waldprobgaendg/art-1", "Artikel 2 tritt in Kraft", ["de/waldprobgaendg/art-2"]),
        ("de/waldprobgaendg/art-1", "In § 6 Abs. 3 wird ein Wort ersetzt", [None]),
        # in a table of contents the law above is not that of the line below
        ("de/waldprobgaendg/inhaltsuebersicht",
         "Artikel 1 | Änderung des Waldprobegesetzes\nArtikel 2 | Inkrafttreten",
         ["de/waldprobgaendg/art-1", "de/waldprobgaendg/art-2"]),
        ("de/waldprobgaendg/art-2", "1. Waldprobegesetz\n§ 2 | zehn Euro", ["de/waldprobg/2"]),
        # parts of an Artikel before the treaty
        ("de/moosabk/art-1", "nach Artikel 2 Abschnitt 3 des Abkommens über Moose", [None]),
        ("de/moosabk/art-1", "nach Artikel 2 Abschnitt 3 des Abkommens", ["de/moosabk/art-2"]),
        ("de/moosabkg/art-1", "nach Artikel 2 Abschnitt 3 des Vertrages", [None]),
        # a name without its year, and in another spelling
        ("de/waldprobv/1", "nach § 1 des Mooskahngesetzes", ["de/mooskahng/1"]),
        ("de/waldprobv/1", "nach § 1 der Teichschifffahrtsordnung", ["de/teichscho/1"]),
        # below "aus dem Waldprobegesetz:" up to the next item
        ("de/rindenv/1", "1. aus dem Waldprobegesetz:\na) nach § 5,\nb) nach § 1,\n2. nach § 1",
         ["de/waldprobg/5", "de/waldprobg/1", "de/rindenv/1"]),
        # what the statute does not have is of the law named before, in the same line
        ("de/waldprobv/1", "wer § 2 des Waldprobegesetzes kennt; § 7 gilt entsprechend",
         ["de/waldprobg/2", "de/waldprobg/7"]),
        ("de/waldprobv/1", "wer § 2 des Waldprobegesetzes kennt; § 1 gilt entsprechend",
         ["de/waldprobg/2", "de/waldprobv/1"]),
        ("de/waldprobv/1", "§ 2 des Waldprobegesetzes gilt\n§ 7 gilt", ["de/waldprobg/2", None]),
        # an Artikel is none of a law of sections
        ("de/waldprobv/1", "nach Artikel 2", [None]),
        ("de/moosabkg/art-1", "nach Artikel 2 und nach § 2", ["de/moosabkg/art-2", None]),
        # a list with a gap, whatever is behind it
        ("de/waldprobg/1", "nach den §§ 2, 3 und 5 Abs. 5 von dem Vertrag zurücktreten",
         ["de/waldprobg/2", "de/waldprobg/3", "de/waldprobg/5"]),
        ("de/waldprobg/1", "die Angaben nach § 3 des Antragstellers", ["de/waldprobg/3"]),
        # "the rules on" something have no name; a law heads the list below "über"
        ("de/waldprobg/1", "die §§ 2 und 3 der Vorschriften über die Waldhut", [None, None]),
        ("de/waldprobv/1", "die Vorschriften des Waldprobegesetzes über\n1. Moose (§ 7) und",
         ["de/waldprobg/7"]),
        # "nach seinem Artikel 2" is of what the sentence speaks of
        ("de/moosabkg/art-1",
         "das Protokoll zur Regelung von Pilzen in Tälern und auf Bergen nach seinem Artikel 2",
         [None]),
        ("de/moosabkg/art-1", "Dieses Gesetz tritt nach seinem Artikel 2 in Kraft",
         ["de/moosabkg/art-2"]),
        # the wording that an Artikel gave, and the words that empower some of its own sections
        ("de/waldprobgaendg/art-1",
         "§ 6 des Waldprobegesetzes in der Fassung des Artikels 2 dieses Gesetzes",
         ["de/waldprobg/6", "de/waldprobgaendg/art-2"]),
        ("de/waldprobv/eingangsformel", f"{EMPOWERED} und hinsichtlich des § 2 der Rat",
         ["de/waldprobg/4", "de/waldprobv/2"]),
        # a number behind the one annex without a number is of a part of it
        ("de/waldprobv/1", "Anlage Nummer 6 gilt nicht", ["de/waldprobv/anlage"]),
        ("de/pilzhbv/1", "Anlage Nummer 2 gilt nicht", ["de/pilzhbv/anlage-2"]),
        # every member
        ("de/rindenv/1", "§§ 2 bis 4 des Waldprobegesetzes",
         ["de/waldprobg/2", "de/waldprobg/2a", "de/waldprobg/3", "de/waldprobg/4"]),
        ("de/waldprobg/1", "1. nach § 3,\n4. nach § 5", ["de/waldprobg/3", "de/waldprobg/5"]),
        # what is not read stands before the law
        ("de/waldprobv/1", "nach § 2 Fallgruppe 3 des Waldprobegesetzes", [None]),
    ],
)  # fmt: skip
def test_a_place_means_a_law(
    finder: ReferenceFinder, norm_id: str, text: str, cited: list[str | None]
) -> None:
    assert list_cited(finder, norm_id, text) == cited


def test_a_range_below_a_section_gives_each_unit_and_says_which_are_named(
    finder: ReferenceFinder,
) -> None:
    (reference,) = read(finder, "de/waldprobg/1", "nach § 3 Abs. 2 bis 4 Satz 1")
    assert [(one.path, one.within) for one in reference.cited] == [
        ("abs=2/satz=1", False),
        ("abs=3/satz=1", True),
        ("abs=4/satz=1", False),
    ]


def test_what_stands_below_a_range_of_sections_is_of_the_last(finder: ReferenceFinder) -> None:
    (reference,) = read(finder, "de/waldprobg/1", "nach den §§ 3 bis 5 Abs. 1 und § 7 f.")[:1]
    assert [(one.path, one.within) for one in reference.cited] == [
        ("", False),
        ("", True),
        ("abs=1", False),
    ]


def test_what_leads_nowhere_keeps_its_words(finder: ReferenceFinder) -> None:
    text = "nach Artikel 3 und 5 des Übereinkommens und nach Artikel 7 des Übereinkommens"
    words = [each.words for each in read(finder, "de/waldprobg/1", text)]
    assert words == [
        "Art. 3 des Übereinkommens",
        "Art. 5 des Übereinkommens",
        "Artikel 7 des Übereinkommens",
    ]
