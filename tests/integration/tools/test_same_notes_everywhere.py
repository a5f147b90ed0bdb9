"""What is to be noted of a citation or quotation in order is said wherever it can be asked."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from fundstelle.bootstrap.library import open_library
from fundstelle.cli import cli
from fundstelle.settings import Settings
from tests.integration.builds.proving import call
from tests.integration.sites.law_site import Site

CITED = "§ 4 Abs. 1 DemoG"
CUT = "Die Aufsicht darf Personen unter 14 Jahren […] allein überlassen werden"
WHOLE = CUT.replace("[…]", "nicht")
HARMLESS = WHOLE.replace("Personen unter 14 Jahren", "[…]")
NOTHING_SEEN = "§ 4 Abs. 1 DemoG 2099"


def ask_tools(data: Path, citation: str, quote: str) -> Mapping[str, str]:
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    one = {"citation": citation, "quote": quote}
    batch = {"citations": [citation], "quotes": [quote]}
    draft = {"text": f"Nach {citation} gilt: „{quote}“."}
    calls: dict[str, tuple[str, Mapping[str, object]]] = {
        **{
            f"lookup {form}": ("legal_lookup", {**one, "response_format": form})
            for form in ("concise", "detailed")
        },
        **{
            f"batch {form}": ("legal_lookup_batch", {**batch, "response_format": form})
            for form in ("concise", "detailed", "verdict")
        },
        "draft": ("legal_lookup_batch", {**draft, "response_format": "verdict"}),
    }
    answers = {}
    for name, (tool, arguments) in calls.items():
        answer = call(library, tool, arguments)["result"]["structuredContent"]
        row = answer if tool == "legal_lookup" else answer["results"][0]
        shown = row.get("quote_check", row)
        told = shown.get("omitted") or "".join(re.findall(r"negation: (.*)", shown.get("why", "")))
        answers[name] = f"{told} {row.get('why', '')} {answer['warnings']}"
    library.close()
    return answers


def ask_people(data: Path, site: Site, folder: Path, citation: str, quote: str) -> dict[str, str]:
    draft = f"Nach {citation} gilt: „{quote}“."
    path = folder / "draft.md"
    path.write_text(draft, encoding="utf-8")

    def run(*arguments: str) -> str:
        done = CliRunner().invoke(cli, arguments, env={"FUNDSTELLE_DATA": str(data)})
        return " ".join(done.output.split())

    pages = {
        f"page {language}": " ".join(
            site.visit(language=language)
            .send(f"/check?lang={language}", draft=draft)
            .text.partition("<form method")[0]
            .split()
        )
        for language in ("de", "en")
    }
    return {
        "check": run("check", str(path)),
        "check --quiet": run("check", str(path), "--quiet"),
        "lookup": run("lookup", citation, "--quote", quote),
        **pages,
    }


PEOPLE = {
    "check": "lässt eine Verneinung aus: „nicht“",
    "check --quiet": "lässt eine Verneinung aus: „nicht“",
    "lookup": "lässt eine Verneinung aus: „nicht“",
    "page de": "Das Zitat lässt „nicht“ aus.",
    "page en": "The quotation leaves out “nicht”.",
}


@pytest.mark.parametrize(("quote", "is_told"), [(CUT, True), (WHOLE, False), (HARMLESS, False)])
def test_a_negation_left_out_is_said_everywhere(
    demonstration_data: Path, site: Site, tmp_path: Path, quote: str, *, is_told: bool
) -> None:
    for name, said in ask_tools(demonstration_data, CITED, quote).items():
        assert ("nicht" in said) is is_told, name
    for name, said in ask_people(demonstration_data, site, tmp_path, CITED, quote).items():
        assert (PEOPLE[name] in said) is is_told, (name, said)


def test_a_day_not_yet_seen_is_said_beside_what_a_quotation_leaves_out(
    demonstration_data: Path, site: Site, tmp_path: Path
) -> None:
    tools = ask_tools(demonstration_data, NOTHING_SEEN, CUT)
    assert "nicht" in tools["batch verdict"]
    assert "DemoG was last seen on" in tools["batch verdict"]
    people = ask_people(demonstration_data, site, tmp_path, NOTHING_SEEN, CUT)
    for name, said in people.items():
        assert PEOPLE[name] in said, name
    for name in ("check", "check --quiet", "page de"):
        assert "DemoG wurde zuletzt am" in people[name], name
    assert "DemoG was last seen on" in people["page en"]
