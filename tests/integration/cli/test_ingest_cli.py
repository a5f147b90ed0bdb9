"""``fundstelle ingest`` and ``fundstelle corpus`` as a person uses them."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import click
import orjson
import pytest
from click.testing import CliRunner, Result

from fundstelle.cli.corpus import corpus
from fundstelle.cli.ingest import Lines, ingest
from fundstelle.cli.up import up
from fundstelle.corpus import builds
from fundstelle.corpus.manifest import FILE_NAME
from fundstelle.errors import CorpusError, SourceError
from fundstelle.ingest.sources import demonstration
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.settings import Settings
from tests.integration.builds.damaging import make_foreign
from tests.integration.corpora.building import build
from tests.integration.corpora.laws import write_law, write_snapshot

NOWHERE = "http://127.0.0.1:9"  # the port of nobody


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.from_env({"FUNDSTELLE_DATA": str(tmp_path / "data")})


def run(command: click.Command, settings: Settings, *arguments: str) -> Result:
    return CliRunner().invoke(command, arguments, obj=settings, catch_exceptions=True)


def test_ingest_builds_from_the_source_named_and_says_what_it_has(
    settings: Settings, tmp_path: Path
) -> None:
    source = write_snapshot(tmp_path / "source")
    result = run(ingest, settings, "--source", str(source))
    assert result.exit_code == 0, result.output
    release = builds.read_pointer(settings.data)
    assert release is not None
    assert result.stdout.startswith(f"{release}: 3 laws, ")
    assert "Stand 2025-01-01" in result.stdout
    # Not a terminal: plain lines, one at the start of each phase.
    assert "parse: 3 laws" in result.stderr
    assert "\x1b" not in result.output


def test_ingest_takes_its_source_from_the_settings(tmp_path: Path) -> None:
    source = write_snapshot(tmp_path / "source")
    environ = {"FUNDSTELLE_DATA": str(tmp_path / "data"), "FUNDSTELLE_SOURCE": str(source)}
    settings = Settings.from_env(environ)
    assert run(ingest, settings, "--law", "muster2g").exit_code == 0
    assert list(builds.open_active(settings.data).statutes) == ["de/muster2g"]


def test_rejected_files_are_told_and_allowed_on_demand(settings: Settings, tmp_path: Path) -> None:
    source = write_snapshot(tmp_path / "source")
    write_law(source / "laws", "badg", 9, {}).write_bytes(b"<dokumente")
    refused = run(ingest, settings, "--source", str(source))
    assert isinstance(refused.exception, CorpusError)
    allowed = run(ingest, settings, "--source", str(source), "--allow-rejects")
    assert allowed.exit_code == 0, allowed.output
    assert "rejected laws/badg/BJNR900000009.xml: " in allowed.stderr
    assert "1 files rejected" in allowed.stdout


def test_a_source_that_is_not_there_is_one_sentence(settings: Settings) -> None:
    result = run(ingest, settings, "--source", "/nowhere/gii.tar.zst")
    assert isinstance(result.exception, SourceError)
    assert "/nowhere/gii.tar.zst does not exist; name a folder" in str(result.exception)


@pytest.fixture
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A machine on which nothing was carried in and nobody answers."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fundstelle.cli.ingest._find_roots", lambda: (tmp_path / "nothing",))
    hasty = Downloader(pause=0, tries=1)
    monkeypatch.setattr("fundstelle.cli.ingest.Downloader", lambda **_options: hasty)
    environ = {"FUNDSTELLE_DATA": str(tmp_path / "data"), "FUNDSTELLE_SITE_URL": NOWHERE}
    return Settings.from_env(environ)


def spoil_manifest(data: Path, release: str) -> None:
    (data / "builds" / release / FILE_NAME).write_bytes(b"{")


def lose_builds(data: Path, _release: str) -> None:
    (data / "builds").rename(data / "elsewhere")


@pytest.mark.parametrize("spoil", [None, spoil_manifest, lose_builds])
@pytest.mark.parametrize("arguments", [(), ("--fresh",)])
def test_invented_law_takes_the_place_of_no_official_law(
    offline: Settings,
    tmp_path: Path,
    arguments: tuple[str, ...],
    spoil: Callable[[Path, str], None] | None,
) -> None:
    live = build(offline.data, write_snapshot(tmp_path / "source")).release
    if spoil is not None:
        spoil(offline.data, live)
    refused = run(ingest, offline, *arguments)
    assert isinstance(refused.exception, SourceError)
    assert "what is held stays as it was" in str(refused.exception)
    assert builds.read_pointer(offline.data) == live


def test_the_demonstration_that_is_named_as_a_folder_is_the_demonstration(
    offline: Settings, tmp_path: Path
) -> None:
    (laws,) = Path(demonstration.__file__).parent.glob("demonstration_data/2026-01-01")
    for folder in (laws, laws.parent):
        done = run(ingest, offline, "--source", str(folder), "--fresh")
        assert done.exit_code == 0, done.output
        assert "demonstration corpus: kein geltendes Recht" in done.output
    live = build(offline.data, write_snapshot(tmp_path / "source")).release
    refused = run(ingest, offline, "--source", str(laws))
    assert "the invented demonstration, and official law is live" in str(refused.exception)
    assert builds.read_pointer(offline.data) == live


@pytest.mark.parametrize("arguments", [(), ("--all",), ("--law", "bgb")])
def test_after_an_upgrade_the_site_is_not_asked_for_a_part_of_what_is_held(
    offline: Settings, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    source = write_snapshot(tmp_path / "source")
    live = build(offline.data, source).release
    make_foreign(offline.data, live)
    refused = run(ingest, offline, *arguments)
    assert isinstance(refused.exception, SourceError)
    assert "Gesetze im Internet of 2025-01-01" in str(refused.exception)
    assert "fundstelle ingest --fresh" in str(refused.exception)
    assert "the official site" not in refused.output + str(refused.exception)
    assert builds.read_pointer(offline.data) == live


def test_the_first_start_after_an_upgrade_serves_all_or_nothing(
    offline: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = list[tuple[object, ...]]()
    monkeypatch.setattr("fundstelle.cli.up.run_server", lambda *all_of, **_: started.append(all_of))
    monkeypatch.setenv("FUNDSTELLE_BASE_URL", "")
    source = write_snapshot(tmp_path / "source")
    live = build(offline.data, source)
    make_foreign(offline.data, live.release)
    refused = run(up, offline)
    assert (refused.exit_code, started) == (1, [])
    assert builds.read_pointer(offline.data) == live.release
    done = run(up, offline, "--source", str(source))
    assert (done.exit_code, len(started)) == (0, 1), done.output
    assert builds.open_active(offline.data).manifest.sources == live.sources


@pytest.mark.parametrize("command", [ingest, up])
def test_invented_law_is_a_first_beginning_and_goes_on_as_one(
    offline: Settings, command: click.Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fundstelle.cli.up.run_server", lambda *_args, **_options: None)
    monkeypatch.setenv("FUNDSTELLE_BASE_URL", "")
    for _ in range(2):
        result = run(command, offline)
        assert result.exit_code == 0, result.output
        assert "kein geltendes Recht" in result.output
    (manifest,) = builds.list_builds(offline.data)
    assert manifest.demonstration


@pytest.mark.parametrize(
    "arguments", [("--all", "--law", "bgb"), ("--all", "--source", "x"), ("--nonsense",), ("x",)]
)
def test_wrong_usage_ends_with_code_2(settings: Settings, arguments: tuple[str, ...]) -> None:
    assert run(ingest, settings, *arguments).exit_code == 2


def test_builds_are_listed_verified_activated_and_pruned(
    settings: Settings, tmp_path: Path
) -> None:
    source = write_snapshot(tmp_path / "source")
    run(ingest, settings, "--source", str(source))
    old = builds.read_pointer(settings.data)
    write_law(source / "laws", "neug", 9, {"§ 1": "Auch erfunden."})
    run(ingest, settings, "--source", str(source))
    new = builds.read_pointer(settings.data)
    assert old is not None
    assert new is not None

    listed = run(corpus, settings, "list").stdout.splitlines()
    assert [line.split()[:2] for line in listed] == [["*", new], [old, "Stand"]]
    rows = orjson.loads(run(corpus, settings, "list", "--json").stdout)
    assert [(row["manifest"]["release"], row["active"]) for row in rows] == [
        (new, True),
        (old, False),
    ]
    assert run(corpus, settings, "verify").stdout == f"{new} is sound\n"
    assert run(corpus, settings, "activate", old).stdout == f"{old} is live\n"
    assert builds.read_pointer(settings.data) == old
    assert run(corpus, settings, "prune", "--keep", "1").stdout == f"deleted {new}\n"
    assert run(corpus, settings, "prune").stdout == "nothing to delete\n"


def test_a_damaged_build_is_told(settings: Settings, tmp_path: Path) -> None:
    run(ingest, settings, "--source", str(write_snapshot(tmp_path / "source")))
    release = builds.read_pointer(settings.data)
    assert release is not None
    path = builds.get_folder(settings.data, release) / builds.DATABASE
    path.write_bytes(path.read_bytes().replace(b"Kein geltendes", b"Ein  geltendes"))
    result = run(corpus, settings, "verify", release)
    assert isinstance(result.exception, CorpusError)
    assert "the text of norm" in result.stderr


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE fassungen SET text = CAST(x'1b5b33316dff' AS TEXT)",
        "UPDATE fassungen SET text = x'1b5b33316d'",
        "UPDATE fassungen SET precision = 99",
    ],
)
def test_no_damaged_byte_gets_to_the_terminal(
    settings: Settings, tmp_path: Path, damage: str
) -> None:
    run(ingest, settings, "--source", str(write_snapshot(tmp_path / "source")))
    release = builds.read_pointer(settings.data)
    assert release is not None
    path = builds.get_folder(settings.data, release) / builds.DATABASE
    with closing(connect(path)) as connection, connection:
        connection.execute(damage)
    result = run(corpus, settings, "verify", release)
    assert isinstance(result.exception, CorpusError)
    said = f"{result.stdout}{result.stderr}{result.exception}"
    assert builds.DATABASE in said
    assert said.replace("\n", "").isprintable()


def test_without_builds_the_next_step_is_named(settings: Settings) -> None:
    assert "fundstelle ingest" in run(corpus, settings, "list").stderr
    assert "fundstelle ingest" in str(run(corpus, settings, "verify").exception)


def test_plain_lines_tell_rate_and_remaining_time(capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines()
    lines.start("parse", 1000, "laws")
    for _ in range(100):
        lines.advance(10)
    shown = capsys.readouterr().err.splitlines()
    assert shown[0] == "parse: 1,000 laws"
    assert len(shown) == 11
    assert shown[5].startswith("parse: 500 of 1,000 laws, ")
    assert shown[5].endswith(" s left")


def test_many_rejected_files_are_cut_to_a_few_lines(capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines()
    for number in range(50):
        lines.note(f"rejected {number}.xml: it is not XML")
    lines.note("another note")
    shown = capsys.readouterr().err.splitlines()
    assert shown[-2:] == ["… further rejected files are in manifest.json", "another note"]
    assert len(shown) == 22
