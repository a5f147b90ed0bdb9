"""The firm's logo: sent by an admin, in the head of every page, gone when it is removed."""

import re
import struct
import zlib
from pathlib import Path

import pytest

from fundstelle.accounts.logo import MOST_BYTES, Logos, read_image
from fundstelle.errors import InvalidArgument
from tests.integration.sites.law_site import Browser, Site, open_law_site
from tests.integration.sites.oauth_server import Http

LIMITS = "/admin/limits"
FIRM = "Muster & Kollegen"
PAGES = ("/", "/sign-in", "/laws", "/n/de/demog/1", "/nowhere")


def write_png(width: int = 120, height: int = 40) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" + b"\x80" * width for _ in range(height)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def write_jpeg(width: int, height: int, before: bytes = b"\xff\xe0\x00\x04ab\xff\xff") -> bytes:
    frame = b"\xc2\x00\x0b\x08" + struct.pack(">HH", height, width) + b"\x01\x11\x00"
    return b"\xff\xd8" + before + (b"" if before.endswith(b"\xff") else b"\xff") + frame


def send_logo(browser: Browser, image: bytes, name: str = FIRM, **more: str) -> int:
    hidden = dict(
        re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', browser.get(LIMITS).text)
    )
    answer = browser.http.post(
        "/admin/logo", data={**hidden, "name": name, **more}, files={"logo": ("a.svg", image)}
    )
    return answer.status_code


def test_it_is_in_the_head_of_every_page_until_it_is_removed(site: Site) -> None:
    browser, stranger = site.visit(site.admin), site.visit()
    assert "/logo/" not in stranger.get("/").text
    image = write_png()
    assert send_logo(browser, image) == 303
    for path in PAGES:
        page = stranger.get(path).text
        [shown] = re.findall(r'<img src="(/logo/\w+)" alt="Muster &amp; Kollegen" [^>]+>', page)
    answer = stranger.get(shown)
    assert answer.content == image
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert "immutable" in answer.headers["cache-control"]
    assert stranger.get("/logo/ffff").status_code == 404
    assert site.list_events()[-1] == "logo_changed"
    assert browser.send("/admin/logo/remove", LIMITS).status_code == 303
    assert "/logo/" not in stranger.get("/").text
    assert stranger.get(shown).status_code == 404
    assert site.list_events()[-1] == "logo_removed"


def test_every_replica_has_it_and_the_rules_stay_as_they_are(site: Site) -> None:
    rules = site.services.policies.read()
    assert send_logo(site.visit(site.admin), write_png()) == 303
    other = Logos(site.services.logos._store)
    logo = other.find()
    assert logo is not None
    assert (logo.name, logo.width, logo.height) == (FIRM, 120, 40)
    image = other.read(logo.mark)
    assert image is not None
    assert image.data == write_png()
    assert site.services.policies.read() == rules
    site.services.policies.write(rules)
    assert other.find() == logo


@pytest.mark.parametrize(
    "image",
    [
        b"",
        b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        b"GIF89a" + bytes(40),
        b"\x89PNG\r\n\x1a\n",
        write_png()[:8] + b"<html>" * 10,
        write_png(15, 40),
        write_png(40, 2_001),
        write_jpeg(2_001, 40),
        b"\xff\xd8\xff\xe0\x00\x00" * 9,
        write_png() + bytes(MOST_BYTES),
    ],
)
def test_nothing_else_is_taken_for_one(site: Site, image: bytes) -> None:
    browser = site.visit(site.admin)
    assert send_logo(browser, image) == 422
    assert site.services.logos.find() is None


def test_forms_that_no_page_sends_are_refused(site: Site) -> None:
    browser = site.visit(site.admin)
    assert send_logo(browser, write_png(), name="") == 422
    assert send_logo(browser, write_png() + bytes(300_000)) == 413
    assert send_logo(browser, write_png(), **{f"f{n}": "x" for n in range(120)}) == 413
    assert browser.send("/admin/logo", LIMITS, name=FIRM).status_code == 415
    kind = {"content-type": "multipart/form-data; boundary=x"}
    assert browser.http.post("/admin/logo", content=b"--y\r\n", headers=kind).status_code == 400
    assert send_logo(browser, write_png(), csrf="x") == 403
    hidden = dict(
        re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', browser.get(LIMITS).text)
    )
    as_text = {**hidden, "name": FIRM, "logo": "no file"}
    answer = browser.http.post("/admin/logo", data=as_text, files={"other": b"x"})
    assert answer.status_code == 422
    assert browser.http.post("/keys/new", files={"logo": b""}).status_code == 415
    member = site.visit(site.member)
    assert member.get(LIMITS).status_code == 403
    assert site.services.logos.find() is None


def test_the_size_of_a_jpeg_is_that_of_its_frame() -> None:
    assert read_image(write_jpeg(300, 100)) == ("image/jpeg", 300, 100)
    assert read_image(write_jpeg(300, 100, b"\xff\x01\xff\xff")) == ("image/jpeg", 300, 100)
    with pytest.raises(InvalidArgument):
        read_image(write_jpeg(300, 100)[:-6])


def test_strangers_who_guess_at_addresses_are_counted_and_the_image_costs_them_nothing(
    demonstration_data: Path, tmp_path: Path
) -> None:
    with open_law_site(demonstration_data, tmp_path, pages_per_minute="20") as site:
        assert send_logo(site.visit(site.admin), write_png()) == 303
        [shown] = re.findall(r'src="(/logo/\w+)"', site.visit().get("/sign-in").text)
        stranger = site.visit()
        asked = [stranger.get(f"/logo/{number:032x}").status_code for number in range(12)]
        assert set(asked) == {404, 429}
        other = Http(site.app, address="203.0.114.1")
        assert other.get(shown).status_code == 200
        assert stranger.get(shown).status_code == 200, "it is kept in memory from then on"


def test_forms_of_strangers_with_a_file_are_counted(
    demonstration_data: Path, tmp_path: Path
) -> None:
    with open_law_site(demonstration_data, tmp_path, pages_per_minute="8") as site:
        stranger = site.visit()
        statuses = [
            stranger.http.post("/admin/logo", files={"logo": ("a", b"x")}).status_code
            for _ in range(20)
        ]
        assert statuses[0] == 403, "there is no session that it could belong to"
        assert statuses[-1] == 429
        assert send_logo(site.visit(site.admin), write_png()) == 303
