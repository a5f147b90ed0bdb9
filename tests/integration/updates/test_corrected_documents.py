"""A document that its publisher corrected is held as it is now: in turn as at once."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path

import orjson
import pytest

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.snapshots import SourceEntry
from fundstelle.ingest.sources.by_hand import find_snapshots
from fundstelle.ingest.sources.neuris.documents import WITHDRAWN
from fundstelle.ingest.sources.registry import COURTS, NEURIS
from fundstelle.law.decisions import Decision
from tests.integration.corpora.building import build
from tests.integration.corpora.laws import write_snapshot
from tests.unit.ingest.sources.decision_files import rd, rii
from tests.unit.ingest.sources.neuris.law_files import LawText, make_file
from tests.unit.ingest.sources.neuris.law_files import write_decision as write_neuris


@dataclass(frozen=True)
class Given:
    """Files of one publisher."""

    files: tuple[tuple[str, bytes], ...]
    name: str = "decisions-1"
    url: str = "https://publisher.example/"
    retrieved_at: datetime = datetime(2025, 1, 31, tzinfo=UTC)

    def entries(self) -> Iterator[SourceEntry]:
        for name, data in self.files:
            yield SourceEntry(name, data)


@pytest.fixture
def laws(tmp_path: Path) -> Path:
    write_snapshot(tmp_path / "gii" / "gii-2025-01-01", laws=1)
    return tmp_path / "gii"


def build_first(data: Path, laws: Path, *collections: Collection) -> Manifest:
    return build(data, [*find_snapshots(laws), *collections])


def write_rii(number: str, **fields: str) -> tuple[str, bytes]:
    """A decision of the federal portal without an ECLI, unless it is said."""
    named = {"ecli": "", "entsch-datum": "20230504", "aktenzeichen": "IX ZR 1/23"} | fields
    return f"rii/{number}.xml", rii(doknr=number, **named).encode()


# document number: what it said, and what it says
CORRECTED: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "KORE1": ({"entsch-datum": "20230504"}, {"entsch-datum": "20230505"}),
    "KORE2": ({"doktyp": "Urteil"}, {"doktyp": "Beschluss"}),
    "KORE3": ({"aktenzeichen": "IX ZR 3/23"}, {"aktenzeichen": "IX ZR 33/23"}),
    "KORE4": ({"ecli": ""}, {"ecli": "ECLI:DE:BGH:2023:040523UIXZR4.23.0"}),
    "KORE5": (
        {"ecli": "ECLI:DE:BGH:2023:040523UIXZR5.23.0"},
        {"ecli": "ECLI:DE:BGH:2023:040523UIXZR5.23.1"},
    ),
    "KORE6": ({"aktenzeichen": "IX ZR 6/23"}, {"aktenzeichen": "IX ZR 66/23, IX ZR 6/23"}),
    "KORE7": ({"gertyp": "BGH"}, {"gertyp": "BAG"}),
    "KORE8": ({}, {"tatbestand": f"<div>{rd(1, 'Es war ein anderer Hund.')}</div>"}),
    "KORE9": ({"entsch-datum": "20241201"}, {"entsch-datum": "20241201"}),  # the Stand
}


def write_all(place: int, name: str) -> Given:
    files = [
        write_rii(number, **{"aktenzeichen": f"IX ZR {number[-1]}/23"} | both[place])
        for number, both in CORRECTED.items()
    ]
    return Given(tuple(files), name)


def list_decisions(data: Path) -> list[tuple[object, ...]]:
    with closing(builds.open_active(data)) as store:
        decisions = store.decisions
        return [
            (decision, text.text)
            for _, decision, text in decisions.iter_texts(0, decisions.count() - 1)
        ]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_decisions_corrected_in_turn_are_as_at_once(
    tmp_path: Path, laws: Path, order: tuple[int, int]
) -> None:
    before, after = (write_all(place, f"decisions-{n}") for n, place in enumerate(order))
    build_first(tmp_path / "turn", laws, Collection(COURTS, before))
    turn = build(tmp_path / "turn", [Collection(COURTS, after, adds=True)])
    both = Collection(COURTS, before), Collection(COURTS, after)
    once = build_first(tmp_path / "once", laws, *both)
    alone = build_first(tmp_path / "alone", laws, Collection(COURTS, after))
    assert turn.decisions == len(CORRECTED)
    assert list_decisions(tmp_path / "turn") == list_decisions(tmp_path / "alone")
    assert turn.release == once.release == alone.release
    counted = [[one.items for one in built.sources] for built in (turn, once, alone)]
    assert counted[0] == counted[1] == counted[2]


ECLI = "ECLI:DE:BGH:2023:040523UIXZR1.23.0"
SHORT, LONG = "Kurz.", "Der Text des neuen Portals, der länger ist. " * 20


@pytest.mark.parametrize("words", [SHORT, LONG])
@pytest.mark.parametrize(("of_rii", "of_neuris"), [(ECLI, ""), ("", ECLI)])
@pytest.mark.parametrize("rii_first", [True, False])
def test_a_decision_of_two_publishers_is_one_where_one_of_them_has_no_ecli(
    tmp_path: Path, laws: Path, *, of_rii: str, of_neuris: str, words: str, rii_first: bool
) -> None:
    files = write_neuris("KORE1", "IX ZR 1/23", words, of_neuris)
    own = Collection(COURTS, Given((write_rii("KORE1", ecli=of_rii),)), adds=True)
    other = Collection(NEURIS, Given((("neuris/KORE1.xml", files),), "neuris"), adds=True)
    first, second = (own, other) if rii_first else (other, own)
    build_first(tmp_path / "turn", laws, first)
    turn = build(tmp_path / "turn", [second])
    once = build_first(tmp_path / "once", laws, own, other)
    assert turn.decisions == 1
    assert list_decisions(tmp_path / "turn") == list_decisions(tmp_path / "once")
    assert turn.release == once.release


@pytest.mark.parametrize("words", ["Berichtigt.", "Eine berichtigte und längere Fassung. " * 20])
def test_a_decision_that_is_issued_under_another_number_has_its_new_words(
    tmp_path: Path, laws: Path, words: str
) -> None:
    """What was wrong may have been the longer."""

    def give(number: str, text: str, name: str) -> Collection:
        file = write_rii(number, ecli=ECLI, tatbestand=f"<div>{rd(1, text)}</div>")
        return Collection(COURTS, Given((file,), name), adds=True)

    before = give("JURE1", "Falsche Fassung. " * 10, "decisions-2023")
    after = give("KORE1", words, "decisions-2024")
    build_first(tmp_path / "turn", laws, before)
    turn = build(tmp_path / "turn", [after])
    once = build_first(tmp_path / "once", laws, before, after)
    ((decision, text),) = list_decisions(tmp_path / "turn")
    assert isinstance(decision, Decision)
    assert [one.publisher_id for one in decision.sources] == ["KORE1", "JURE1"]
    assert words.strip() in str(text)
    assert "Falsche" not in str(text)
    assert list_decisions(tmp_path / "turn") == list_decisions(tmp_path / "once")
    assert turn.release == once.release


def test_of_two_decisions_under_one_number_the_other_stays(tmp_path: Path, laws: Path) -> None:
    """Its publisher's slip; what is read anew is one of them, as its ECLI tells."""
    other = {"ecli": ECLI.replace("ZR1", "ZR2"), "aktenzeichen": "IX ZR 2/23"}
    one, two = write_rii("KORE1", ecli=ECLI), write_rii("KORE1", **other)
    both = Collection(COURTS, Given((one, ("rii/other.xml", two[1]))))
    first = build_first(tmp_path / "data", laws, both)
    held = list_decisions(tmp_path / "data")
    assert first.decisions == 2
    for number, file in enumerate((one, two)):
        found = Collection(COURTS, Given((file,), f"decisions-2{number}"), adds=True)
        assert build(tmp_path / "data", [found]).decisions == 2
        assert list_decisions(tmp_path / "data") == held


def test_a_decision_of_two_publishers_is_one_again_when_both_have_corrected_it(
    tmp_path: Path, laws: Path
) -> None:
    """Until then each says another day; the words of the first go with its own record."""
    of_neuris = write_neuris("KORE1", "IX ZR 1/23", SHORT)
    later = of_neuris.replace(b"2023-05-04", b"2023-05-05")
    own, other = (
        Collection(COURTS, Given((write_rii("KORE1", **{"entsch-datum": "20230505"}),)), adds=True),
        Collection(NEURIS, Given((("neuris/KORE1.xml", later),), "neuris"), adds=True),
    )
    for name, steps in (("own", (own, other)), ("other", (other, own))):
        build_first(
            tmp_path / name,
            laws,
            Collection(COURTS, Given((write_rii("KORE1"),))),
            Collection(NEURIS, Given((("neuris/KORE1.xml", of_neuris),), "neuris")),
        )
        assert [build(tmp_path / name, [step]).decisions for step in steps] == [2, 1]
    build_first(tmp_path / "alone", laws, own, other)
    for name in ("own", "other"):
        assert list_decisions(tmp_path / name) == list_decisions(tmp_path / "alone")


OLD = LawText(last=date(2021, 6, 30), abbreviation="MoosG", sections={"1": "Alte Moose."})
NEW = LawText(
    point=date(2021, 5, 5),
    begins=date(2021, 7, 1),
    amended=True,
    abbreviation="FlechtG",
    sections={"1": "Neue Flechten."},
)
OTHER = LawText(work="eli/bund/bgbl-1/2018/s5", abbreviation="FarnG")


def give(*laws: LawText) -> Collection:
    files = tuple((file.name, file.data) for file in map(make_file, laws))
    return Collection(NEURIS, Given(files, "neuris"), adds=True)


def test_a_law_that_goes_by_another_name_is_held_under_that_alone(
    tmp_path: Path, laws: Path
) -> None:
    build_first(tmp_path / "turn", laws, give(OLD, OTHER))
    turn = build(tmp_path / "turn", [give(OLD, NEW)])
    once = build_first(tmp_path / "once", laws, give(OLD, NEW, OTHER))
    held = []
    for name in ("turn", "once"):
        with closing(builds.open_active(tmp_path / name)) as store:
            held.append({one: store.list_histories(one) for one in store.statutes})
    assert held[0] == held[1]
    assert not any("moosg" in one for one in held[0])
    assert [one for one in held[0] if one.startswith("de/f")] == [
        "de/farng-2018-s5",
        "de/flechtg-2019-s77",
    ]
    assert turn.release == once.release
    assert [one.items for one in turn.sources] == [one.items for one in once.sources]


def test_a_law_that_was_renamed_and_of_which_a_text_was_taken_back_is_not_one_that_is_gone(
    tmp_path: Path, laws: Path
) -> None:
    """More than 30 % of the laws that are held are named as taken back, and none is."""
    many = [
        LawText(work=f"eli/bund/bgbl-1/2018/s{n}", abbreviation=f"Moos{n}G") for n in range(1, 6)
    ]
    renamed = [replace(law, abbreviation=f"Flecht{n}G") for n, law in enumerate(many)]
    build_first(tmp_path / "data", laws, give(*many))
    names = orjson.dumps([law.work for law in many])
    files = tuple((file.name, file.data) for file in map(make_file, renamed))
    taken_back = Given((*files, (f"neuris/{WITHDRAWN}", names)), "neuris")
    build(tmp_path / "data", [Collection(NEURIS, taken_back, adds=True)])
    with closing(builds.open_active(tmp_path / "data")) as store:
        held = [one for one in store.statutes.values() if one.source_type == NEURIS.source_type]
    assert [(one.abbreviation[:6], one.listed) for one in held] == [("Flecht", True)] * 5


def test_a_decision_of_a_day_to_come_is_not_the_stand_of_all(tmp_path: Path, laws: Path) -> None:
    dated = {"aktenzeichen": "IX ZR 2/23"}
    wrong, right = (
        write_rii("KORE2", **dated, **{"entsch-datum": day}) for day in ("22050114", "20240114")
    )
    build_first(tmp_path / "turn", laws, Collection(COURTS, Given((write_rii("KORE1"),))))
    stands = []
    for file in (wrong, right):
        manifest = build(tmp_path / "turn", [Collection(COURTS, Given((file,)), adds=True)])
        stands.append(manifest.sources[-1].stand)
    assert stands == [date(2023, 5, 4), date(2024, 1, 14)]
    files = Given((write_rii("KORE1"), right))
    once = build_first(tmp_path / "once", laws, Collection(COURTS, files))
    assert manifest.release == once.release
