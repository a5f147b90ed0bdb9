"""The page that checks a draft: verdicts for whoever may read, and nothing kept of the text."""

import logging
import re
from pathlib import Path

import pytest

from fundstelle.accounts.policies import Policy
from fundstelle.lookup.verdicts.check import MOST_SIGNS
from tests.integration.sites.law_site import Site, open_law_site

SECRET = "Mandant Zwirnkötter"
DRAFT = f"{SECRET} haftet nach § 1 DemoG. Falsch ist § 999 DemoG, und § 5 des Mietvertrags zählt."


def find_rows(page: str) -> list[str]:
    return re.findall(r'<li class="(\w+)', page)


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("is_signed_in", [True, False])
def test_every_citation_of_a_draft_is_judged(site: Site, language: str, is_signed_in: bool) -> None:
    browser = site.visit(site.member if is_signed_in else None, language)
    answer = browser.send(f"/check?lang={language}", draft=DRAFT)

    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert find_rows(answer.text) == ["ok", "wrong"]
    assert '<a href="/n/de/demog/1">§ 1 DemoG</a>' in answer.text
    assert "§ 5 des Mietvertrags" in answer.text.split("<form")[-2]
    assert f'<html lang="{language}">' in answer.text


@pytest.mark.parametrize(
    ("language", "said"),
    [("de", "31.02.2020 ist kein Tag des Kalenders."), ("en", "31.02.2020 is no day of the")],
)
def test_what_is_impossible_in_a_decision_is_named(site: Site, language: str, said: str) -> None:
    draft = "So BGH, Urteil vom 31.02.2020 - VI ZR 1/20."
    answer = site.visit(language=language).send(f"/check?lang={language}", draft=draft)

    assert find_rows(answer.text) == ["wrong"]
    assert said in answer.text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "die zu keinem Zitat gehören und nicht verglichen wurden: 1"),
        ("en", "that belong to no citation and were not compared: 1"),
    ],
)
def test_quotations_that_no_citation_has_are_named(site: Site, language: str, said: str) -> None:
    draft = "Es gilt § 1 DemoG.\nEr sagte: „Das hat noch nie jemand gesagt.“"
    answer = site.visit(language=language).send(f"/check?lang={language}", draft=draft)

    assert find_rows(answer.text) == ["ok"]
    place = answer.text.split(said)[1].split("</ul>")[0]
    assert re.search(r"(Zeile|Line) 2: „Das hat noch nie", place)


def test_a_draft_without_citations_says_so(site: Site) -> None:
    answer = site.visit().send("/check", draft="Kein Zitat.")

    assert answer.status_code == 200
    assert "No citation was found." in answer.text


@pytest.mark.parametrize(
    ("draft", "line"), [("§ 1 DemoG\n" * 151, 151), ("§ X\n" * (MOST_SIGNS + 500), MOST_SIGNS + 2)]
)
def test_how_far_a_long_draft_was_checked_is_said(site: Site, draft: str, line: int) -> None:
    answer = site.visit().send("/check", draft=f"Es gilt:\n{draft}")

    assert f"as far as line {line:,}." in answer.text


def test_markup_of_a_draft_is_shown_and_not_run(site: Site) -> None:
    answer = site.visit().send("/check", draft="<script>alert(1)</script> § 1 DemoG")

    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;alert" in answer.text


def test_nothing_of_a_draft_is_kept(
    demonstration_data: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with open_law_site(demonstration_data, tmp_path) as site:
        browser = site.visit(site.member)
        before = site.list_events()
        assert SECRET in browser.send("/check", draft=DRAFT).text
        assert site.list_events() == before
        assert "Zwirn" not in caplog.text
        assert SECRET not in browser.get("/check").text
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert kept
    assert not [path for path in kept if b"Zwirnk" in path.read_bytes()]


@pytest.mark.parametrize(
    ("draft", "status"),
    [
        ("Bürgschaft, § 1 (DemoG).\r\n" * 760, 200),
        ("§ 1 DemoG. " * 1_800, 200),
        ("x" * 20_000, 200),
        (("x" * 49 + "\r\n") * 400, 200),
        (" " * 100 + "x" * 20_000 + "\r\n" * 100, 200),
        ("x" * 20_001, 413),
        (("x" * 49 + "\r\n") * 400 + "xx", 413),
        ("x" * 20_300, 413),
        ("%" * 30_000, 413),
        ("ä" * 60_000, 413),
    ],
)
def test_a_draft_has_a_longest(site: Site, draft: str, status: int) -> None:
    assert site.visit(site.member).send("/check", draft=draft).status_code == status


def test_a_draft_that_is_too_long_is_not_cut_but_told_its_length(site: Site) -> None:
    """Cut, it might end within a citation, or before one."""
    answer = site.visit(site.member).send("/check", draft="x" * 20_100 + " § 1 DemoG")
    assert answer.status_code == 413
    assert "20,110 characters" in answer.text
    assert "No citation was found" not in answer.text
    assert find_rows(answer.text) == []


def test_other_forms_are_no_longer_than_before(site: Site) -> None:
    sent = site.visit().send("/sign-in", email="a@b.de", password="x" * 6_001)
    assert sent.status_code == 413


def test_where_pages_are_not_public_a_stranger_signs_in_first(
    demonstration_data: Path, tmp_path: Path
) -> None:
    with open_law_site(demonstration_data, tmp_path) as site:
        site.services.policies.write(Policy(public_pages=False))
        for answer in (site.visit().get("/check"), site.visit().send("/check", "/sign-in")):
            assert answer.status_code == 303
            assert answer.headers["location"].startswith("/sign-in")
        assert site.visit(site.member).get("/check").status_code == 200


def test_a_draft_without_the_token_of_its_session_is_refused(site: Site) -> None:
    assert site.visit().http.post("/check", data={"draft": DRAFT}).status_code == 403


def test_strangers_have_so_many_checks_and_no_more(
    demonstration_data: Path, tmp_path: Path
) -> None:
    with open_law_site(demonstration_data, tmp_path, pages_per_minute="60") as site:
        browser = site.visit()
        shown = browser.get("/check").text
        form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown))
        answers = [browser.http.post("/check", data={**form, "draft": "x"}) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 429, 429]
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert browser.get("/search?q=Leihe").status_code == 200
