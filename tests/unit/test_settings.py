from dataclasses import fields
from pathlib import Path

import pytest

from fundstelle.errors import SettingsError
from fundstelle.settings import PREFIX, Settings

DOCS = Path(__file__).parents[2] / "docs" / "settings.md"


def test_an_empty_environment_gives_the_documented_defaults() -> None:
    settings = Settings.from_env({})
    assert settings.base_url == "http://127.0.0.1:8000"
    assert settings.data == Path("data")
    assert settings.rate_per_minute == 60
    assert settings.metrics_port is None


def test_every_setting_is_documented() -> None:
    documented = DOCS.read_text(encoding="utf-8")
    missing = [f.name for f in fields(Settings) if f"`{PREFIX}{f.name.upper()}`" not in documented]
    assert not missing


def test_every_problem_is_named_at_once() -> None:
    environ = {"FUNDSTELLE_BASE_URL": "law.example.com/x", "FUNDSTELLE_BURST": "many"}
    with pytest.raises(SettingsError) as caught:
        Settings.from_env(environ)
    assert len(caught.value.problems) == 2
    assert "FUNDSTELLE_BASE_URL" in str(caught.value)
    assert "FUNDSTELLE_BURST" in str(caught.value)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://Law.Example.com/", "https://law.example.com"),
        ("http://127.0.0.1:9000", "http://127.0.0.1:9000"),
    ],
)
def test_the_base_url_is_kept_without_slash_in_lower_case(given: str, kept: str) -> None:
    assert Settings.from_env({"FUNDSTELLE_BASE_URL": given}).base_url == kept


@pytest.mark.parametrize(
    ("name", "wrong", "right"),
    [
        ("FUNDSTELLE_AUDIT", "everything", "events"),
        ("FUNDSTELLE_QUOTA_URL", "127.0.0.1:6379", "redis://:geheim@127.0.0.1:6379/0"),
        ("FUNDSTELLE_QUOTA_URL", "memcached://geheim@x", "rediss://example.com"),
        ("FUNDSTELLE_DATABASE_URL", "mysql://a:geheim@b/c", "postgresql+psycopg://a:geheim@b/c"),
        ("FUNDSTELLE_CALLS_PER_MONTH", "-1", "50000"),
    ],
)
def test_words_and_services_are_checked_and_no_password_is_repeated(
    name: str, wrong: str, right: str
) -> None:
    with pytest.raises(SettingsError, match=name) as caught:
        Settings.from_env({name: wrong})
    assert "geheim" not in str(caught.value)
    settings = Settings.from_env({name: right})
    field = name.removeprefix("FUNDSTELLE_").lower()
    assert str(getattr(settings, field)) == right
    assert "geheim" not in repr(settings)
