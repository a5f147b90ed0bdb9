"""Later texts of EU acts that are held go on from their histories, as if all had come at once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.corpus.updates import Outcome
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.records import ParsedAct
from fundstelle.ingest.sources.adapter import Order
from fundstelle.ingest.sources.by_hand import find_collections, find_snapshots
from fundstelle.ingest.sources.eu import cellar, cellar_updates, editions
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.registry import EU_LAW, FEDERAL_LAW
from fundstelle.ingest.update import Updating, update
from fundstelle.law.norms import READ_ANEW, NormStatus
from tests.integration.corpora.building import Heard, build
from tests.integration.corpora.laws import write_snapshot
from tests.integration.corpora.stand_in import LinesEngine
from tests.integration.services.loopback import Answer, Service, pack, serve
from tests.integration.sources.test_fetch_cellar import FORMEX, add, get_path, list_rows

ACT = "32020R0007"
CODES = {"de": "deu", "en": "eng"}
ORIGINAL = {"1": "Eins.", "2": "Zwei.", "3": "Drei.", "4": "Vier."}
# What the articles say from each day on. Article 2 goes and comes back, 3a comes, 4 goes.
TEXTS: dict[date, dict[str, str]] = {
    date(2021, 5, 1): {"1": "Eins.", "3": "Drei, neu.", "3a": "Drei a.", "4": "Vier."},
    date(2022, 5, 1): {"1": "Eins.", "2": "Zwei.", "3": "Drei, neu.", "3a": "Drei a."},
    date(2023, 5, 1): {"1": "Eins, neu.", "2": "Zwei.", "3": "Drei, neu.", "3a": "Drei b."},
}
COMING = date(2031, 1, 1)
FIRST = date(2020, 6, 1)


def write_text(language: str, articles: Mapping[str, str], day: date | None = None) -> bytes:
    """The invented act as first published, or as consolidated to a day."""
    kind = "CONS.ACT" if day else "ACT"
    mark = f"<INFO.CONSLEG START.DATE='{day:%Y%m%d}'/>" if day else ""
    recital = "" if day else "<CONSID><NP><NO.P>(1)</NO.P><TXT>Grund.</TXT></NP></CONSID>"
    units = "".join(
        f"<ARTICLE IDENTIFIER='{number:0>3}'><TI.ART>Artikel {number}</TI.ART>"
        f"<STI.ART>Titel {number}</STI.ART><ALINEA>{language}: {text}</ALINEA></ARTICLE>"
        for number, text in articles.items()
    )
    titled = f"<DIVISION><TITLE><TI>Kapitel I</TI></TITLE>{units}</DIVISION>"
    return (
        f"<{kind}>{mark}<BIB.INSTANCE><LG.DOC>{language.upper()}</LG.DOC><DATE ISO='20200102'/>"
        "<NO.DOC><NO.CURRENT>7</NO.CURRENT><YEAR>2020</YEAR></NO.DOC></BIB.INSTANCE>"
        "<TITLE><TI><P>Verordnung (EU) 2020/7</P></TI></TITLE><PREAMBLE><GR.CONSID>"
        f"{recital}</GR.CONSID></PREAMBLE><ENACTING.TERMS>{titled}</ENACTING.TERMS></{kind}>"
    ).encode()


def get_number(day: date) -> str:
    return f"02020R0007-{day:%Y%m%d}"


@dataclass
class Publisher:
    """CELLAR with the texts of some days."""

    service: Service
    days: list[date] = field(default_factory=list)
    odd: tuple[str, ...] = ()  # numbers of no text

    def publish(self, day: date, *languages: str) -> None:
        """The text of a day, to be had in these languages alone."""
        self.days.append(day)
        for language in languages:
            text = write_text(language, TEXTS.get(day, ORIGINAL), day)
            file = pack({f"CL2020R0007{language.upper()}.xml": text})
            add(self.service, get_number(day), FORMEX, CODES[language], file)

    def answer(self, _query: str) -> Answer:
        numbers = [*map(get_number, self.days), *self.odd]
        return list_rows(*({"act": ACT, "celex": number} for number in numbers))

    def list_asked(self) -> list[str]:
        """The texts that were asked for, without a name twice."""
        return list(dict.fromkeys(path.rpartition("/")[2] for path in self.service.paths[:]))


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    with serve() as service:
        publisher = Publisher(service)
        service.ask = publisher.answer
        yield publisher


def write_source(folder: Path, languages: tuple[str, ...], *days: date) -> Path:
    """Federal law, and the act as published with the texts of these days."""
    write_snapshot(folder / "gii-2020-05-01", laws=1)
    for language in languages:
        for day in (None, *days):
            text = write_text(language, ORIGINAL if day is None else TEXTS[day], day)
            place = folder / "eurlex" / ACT / (day.isoformat() if day else "oj")
            place.mkdir(parents=True, exist_ok=True)
            (place / f"{language}.xml").write_bytes(text)
    return folder


def ingest(data: Path, source: Path) -> None:
    build(data, [*find_snapshots(source), *find_collections(source)])


def look(data: Path, publisher: Publisher, day: date) -> Outcome:
    """What an update on that day says of EU acts."""
    updating = Updating(
        data,
        {FEDERAL_LAW.source_type: publisher.service.url, EU_LAW.source_type: publisher.service.url},
        Downloader(pause=0, timeout=5, sleep=lambda _seconds: None),
        LinesEngine(),
        BuildOptions(processes=1),
        lambda: datetime.combine(day, time(12), UTC),
    )
    outcomes = update(updating, Heard()).outcomes
    return next(one for one in outcomes if one.source_type == EU_LAW.source_type)


def read_acts(data: Path) -> list[ParsedAct]:
    store = builds.open_active(data)
    acts = [
        ParsedAct(statute, tuple(store.list_histories(statute_id)))
        for statute_id, statute in sorted(store.statutes.items())
        if statute.source_type == EU_LAW.source_type
    ]
    store.close()
    return acts


@pytest.mark.parametrize("languages", [("de",), ("en",), ("de", "en")])
@pytest.mark.parametrize("held", [0, 1, 2])
def test_text_by_text_gives_what_all_texts_give_at_once(
    publisher: Publisher, tmp_path: Path, languages: tuple[str, ...], held: int
) -> None:
    days = list(TEXTS)
    data = tmp_path / "data"
    ingest(data, write_source(tmp_path / "begun", languages, *days[:held]))
    for day in days[:held]:
        publisher.publish(day, *languages)
    for day in days[held:]:
        publisher.publish(day, *languages)
        outcome = look(data, publisher, day)
        assert (outcome.new, outcome.problems, outcome.problem) == (len(languages), (), None)
    ingest(tmp_path / "batch", write_source(tmp_path / "all", languages, *days))
    acts = read_acts(data)
    assert acts == read_acts(tmp_path / "batch")
    assert [act.statute.language for act in acts] == list(languages)


def test_each_language_goes_on_by_itself(publisher: Publisher, tmp_path: Path) -> None:
    """Texts that have come together, of which one language lacks some."""
    first, second, third = TEXTS
    ingest(tmp_path / "data", write_source(tmp_path / "begun", ("de", "en")))
    publisher.publish(first, "de", "en")
    publisher.publish(second, "en")
    publisher.publish(third, "de")
    outcome = look(tmp_path / "data", publisher, third)
    assert outcome.new == 4
    german, english = read_acts(tmp_path / "data")
    assert (german.statute.stand, english.statute.stand) == (third, second)
    assert [problem.split(":")[0] for problem in outcome.problems] == [
        f"{ACT}/{second}",
        f"{ACT}/{third}",
    ]
    source = write_source(tmp_path / "all", ("de", "en"), *TEXTS)
    (source / "eurlex" / ACT / second.isoformat() / "de.xml").unlink()
    (source / "eurlex" / ACT / third.isoformat() / "en.xml").unlink()
    ingest(tmp_path / "batch", source)
    assert [german, english] == read_acts(tmp_path / "batch")


def test_what_goes_and_comes_back_was_not_there_between(
    publisher: Publisher, tmp_path: Path
) -> None:
    first, second, third = TEXTS
    ingest(tmp_path / "data", write_source(tmp_path / "begun", ("de",)))
    for day in TEXTS:
        publisher.publish(day, "de")
    look(tmp_path / "data", publisher, third)
    (act,) = read_acts(tmp_path / "data")
    norms = {norm.number: (norm, fassungen) for norm, fassungen in act.norms}
    days = {
        number: [(one.in_force_from, one.in_force_until) for one in fassungen]
        for number, (_, fassungen) in norms.items()
    }
    assert days["art_1"] == [(None, third), (third, None)]
    assert days["art_2"] == [(None, first), (second, None)]
    assert days["art_3"] == [(None, first), (first, None)]
    assert days["art_3a"] == [(first, third), (third, None)]
    assert days["art_4"] == [(None, second)]
    assert days["recital_1"] == [(None, None)]
    assert norms["art_4"][0].status is NormStatus.REPEALED
    assert all(a.position < b.position for a, b in pairwise(norm for norm, _ in act.norms))


def test_a_text_that_fails_keeps_those_after_it_waiting(
    publisher: Publisher, tmp_path: Path
) -> None:
    """Beyond it the act would never be asked for it again."""
    first, second, third = TEXTS
    data = tmp_path / "data"
    ingest(data, write_source(tmp_path / "begun", ("de",)))
    for day in TEXTS:
        publisher.publish(day, "de")
    path = f"{get_path(get_number(second))} {FORMEX} deu"
    publisher.service.answers[path].failures = [503] * 9
    outcome = look(data, publisher, third)
    assert (outcome.new, len(outcome.problems)) == (1, 1)
    assert read_acts(data)[0].statute.stand == first
    publisher.service.answers[path].failures = []
    assert look(data, publisher, third).new == 2
    ingest(tmp_path / "batch", write_source(tmp_path / "all", ("de",), *TEXTS))
    assert read_acts(data) == read_acts(tmp_path / "batch")


def name_program(patch: pytest.MonkeyPatch, name: str) -> None:
    """Let texts be read by a program of that name from now on."""
    for module in (editions, cellar_updates):
        patch.setattr(module, "hash_reader", lambda: name)


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("held", [0, 1])
def test_an_update_of_another_program_takes_its_own_reading_for_no_amendment(
    publisher: Publisher,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    held: int,
    *,
    is_there: bool,
) -> None:
    """What goes on is compared with the text before it as it is read now, if that is to be had."""
    data, days = tmp_path / "data", list(TEXTS)
    source = write_source(tmp_path / "begun", ("de",), *days[:held])
    for file in (source / "eurlex").rglob("*.xml"):
        file.write_bytes(file.read_bytes().replace(b"</ALINEA>", b" (alt)</ALINEA>"))
    name_program(monkeypatch, "older")
    ingest(data, source)
    name_program(monkeypatch, "newer")
    languages = ("de",) if is_there else ()
    for day in days[:held]:
        publisher.publish(day, *languages)
    if is_there:
        published = pack({"L_2020001.01000101.xml": write_text("de", ORIGINAL)})
        add(publisher.service, ACT, FORMEX, "deu", published)
    assert look(data, publisher, FIRST).new == 0
    assert not any("/celex/" in path for path in publisher.service.paths)
    assert read_acts(data)[0].statute.read_by == "older"  # nothing to compare it with
    next_ = days[held]
    publisher.publish(next_, "de")
    outcome = look(data, publisher, next_)
    assert (outcome.new, len(outcome.problems)) == (1, 0 if is_there else 1)
    (act,) = read_acts(data)
    assert (act.statute.read_by, act.statute.stand) == ("newer", next_)
    ingest(tmp_path / "batch", write_source(tmp_path / "all", ("de",), *days[: held + 1]))
    (whole,) = read_acts(tmp_path / "batch")
    is_noted = any(READ_ANEW in note.text for note in act.statute.stand_notes)
    assert is_noted == (not is_there or held > 0)
    assert (list_days(act) == list_days(whole)) == is_there
    if is_there and not held:
        assert act == whole
    elif is_there:  # the day before is read as it was
        assert [one[-1].text for _, one in act.norms] == [one[-1].text for _, one in whole.norms]
    asked = len(publisher.service.paths)
    look(data, publisher, next_ + timedelta(days=1))
    assert not any("/celex/" in path for path in publisher.service.paths[asked:])


def list_days(act: ParsedAct) -> list[tuple[str, list[tuple[date | None, date | None]]]]:
    return [
        (norm.number, [(one.in_force_from, one.in_force_until) for one in fassungen])
        for norm, fassungen in act.norms
    ]


def test_what_is_held_and_what_is_still_to_come_is_not_asked_for(
    publisher: Publisher, tmp_path: Path
) -> None:
    first, *_ = TEXTS
    data = tmp_path / "data"
    ingest(data, write_source(tmp_path / "begun", ("de",), first))
    publisher.publish(first, "de")
    publisher.publish(COMING, "de")
    publisher.odd = ("02020R0007", "02020R0007-20231399", "02020R0008-20230101", "0", "' OR 1=1")
    before = read_acts(data)
    outcome = look(data, publisher, date(2025, 1, 1))
    assert (outcome.asked, outcome.new, outcome.problems, outcome.problem) == (1, 0, (), None)
    assert not any("/celex/" in path for path in publisher.service.paths)
    assert read_acts(data) == before


SECOND = list(TEXTS)[1]
DEEP = b"<P>" * 60_000
NO_WORDS = dict.fromkeys(TEXTS[SECOND], "")


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (write_text("de", ORIGINAL, FIRST), "the text of 2020-06-01, asked for was 2022-05-01"),
        (write_text("de", ORIGINAL), "the text of the act as published"),
        (write_text("en", TEXTS[SECOND], SECOND), f"{ACT} in en, of which no text is held"),
        (write_text("de", {}, SECOND), "has 0 provisions with words, the text before it 4"),
        (write_text("de", {"1": "Eins."}, SECOND), "has 1 provisions with words"),
        (write_text("de", TEXTS[SECOND], SECOND)[:-30], "no build can use it"),
        (write_text("de", TEXTS[SECOND], SECOND).replace(b"<ALINEA>", DEEP, 1), "no build can"),
        (write_text("de", TEXTS[SECOND], SECOND).replace(b"<YEAR>2020", b"<YEAR>2019"), "2019"),
        (b"<html>one moment, please</html>", "no build can use it"),
    ],
    ids=["day", "published", "language", "empty", "one", "cut", "deep", "act", "page"],
)
def test_a_text_that_is_of_no_use_takes_nothing_away_and_is_asked_for_again(
    publisher: Publisher, tmp_path: Path, file: bytes, said: str
) -> None:
    first, second, third = TEXTS
    data = tmp_path / "data"
    ingest(data, write_source(tmp_path / "begun", ("de",), first))
    before = read_acts(data)
    publisher.publish(second, "de")
    publisher.publish(third, "de")
    right = publisher.service.answers[f"{get_path(get_number(second))} {FORMEX} deu"]
    right.body, body = pack({"CL2020R0007DE.xml": file}), right.body
    for _ in range(2):
        outcome = look(data, publisher, third)
        [problem] = outcome.problems
        assert said in problem
        assert (outcome.new, outcome.problem) == (0, None)
        assert read_acts(data) == before
    right.body, right.etag = body, '"2"'
    assert look(data, publisher, third).new == 2
    ingest(tmp_path / "batch", write_source(tmp_path / "all", ("de",), *TEXTS))
    assert read_acts(data) == read_acts(tmp_path / "batch")


def test_an_act_that_was_repealed_ends(publisher: Publisher, tmp_path: Path) -> None:
    first, second, _ = TEXTS
    data = tmp_path / "data"
    ingest(data, write_source(tmp_path / "begun", ("de",), first))
    publisher.publish(second, "de")
    right = publisher.service.answers[f"{get_path(get_number(second))} {FORMEX} deu"]
    text = write_text("de", TEXTS[first], second).decode()
    mark = "<?CLG.MDFO ID='O1' IDREF='C1' ACTION='REPEALED'?>"
    text = text.replace("<ENACTING.TERMS>", f"{mark}<ENACTING.TERMS>")
    text = text.replace("</ENACTING.TERMS>", "</ENACTING.TERMS><?CLG.MDFC ID='C1'?>")
    text = text.replace("<INFO.CONSLEG ", "<INFO.CONSLEG END='REPEALED' SOURCE.END='32022R0009' ")
    right.body = pack({"CL2020R0007DE.xml": text.encode()})
    outcome = look(data, publisher, second)
    assert (outcome.new, outcome.problems) == (1, ())
    [act] = read_acts(data)
    ends = {norm.number: fassungen[-1].in_force_until for norm, fassungen in act.norms}
    assert {ends[f"art_{number}"] for number in TEXTS[first]} == {second}
    assert [note.text for note in act.statute.stand_notes if note.kind == "Aufh"] == [
        "Aufgehoben zum 1.5.2022 durch 32022R0009."
    ]


def test_texts_that_are_not_there_keep_no_other_from_coming(
    publisher: Publisher, tmp_path: Path
) -> None:
    first, *_ = TEXTS
    data = tmp_path / "data"
    ingest(data, write_source(tmp_path / "begun", ("de",), first))
    for number in range(150):
        publisher.publish(first + timedelta(days=1 + number))
    publisher.publish(date(2024, 6, 1), "de")
    outcome = look(data, publisher, date(2025, 1, 1))
    assert (outcome.new, outcome.stand) == (1, date(2024, 6, 1))
    assert outcome.problems[0].startswith(f"{ACT}: the 51 oldest of its later texts")
    assert len(outcome.problems) == 1 + 99


@pytest.mark.parametrize("is_later", [True, False])
def test_an_act_that_is_fetched_by_hand_keeps_its_history(
    publisher: Publisher, tmp_path: Path, *, is_later: bool
) -> None:
    """The publisher's newest text goes on from what is held, or says nothing new."""
    first, second, third = TEXTS
    held = (first, second) if is_later else tuple(TEXTS)
    data = tmp_path / "data"
    ingest(data, write_source(tmp_path / "begun", ("de",), *held))
    for day in TEXTS:
        publisher.publish(day, "de")
    file = pack({"L_2020001.01000101.xml": write_text("de", ORIGINAL)})
    add(publisher.service, ACT, FORMEX, "deu", file)
    order = Order(tmp_path / "cache", publisher.service.url, (ACT,))
    files = cellar.fetch(order, Downloader(pause=0, timeout=5), Heard())
    assert files is not None
    build(data, [Collection(EU_LAW, files, adds=True)])
    ingest(tmp_path / "batch", write_source(tmp_path / "all", ("de",), *TEXTS))
    assert read_acts(data) == read_acts(tmp_path / "batch")
    assert read_acts(data)[0].statute.stand == third
