"""What the command line says of a text's Stand is what the tools say."""

from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from fundstelle.bootstrap.library import open_library
from fundstelle.cli.asking.lookup import lookup
from fundstelle.cli.asking.reading import format_day
from fundstelle.law.norms import find_look_at_act
from fundstelle.settings import Settings
from tests.unit.tools.calling import call

pytestmark = pytest.mark.corpus


def test_the_look_that_is_named_is_the_one_at_this_act(every_source: Path) -> None:
    settings = Settings.from_env({"FUNDSTELLE_DATA": str(every_source)})
    library = open_library(settings)
    acts = [one for one in library.store.statutes.values() if one.jurisdiction == "eu"]
    named = set()
    for act in acts[::4]:
        norm = library.store.find_ends(act.statute_id)[0]
        assert norm is not None
        answer = call(library, "legal_lookup", citation=norm.norm_id)
        said = CliRunner().invoke(lookup, [norm.norm_id], obj=settings)
        day = date.fromisoformat(answer["norm"]["provenance"]["version_date"])
        assert f"Zuletzt gesehen am {format_day(day)}" in said.output, act.statute_id
        named.add(day)
    library.index.close()
    library.store.close()
    assert len(named) > 1


def test_no_source_is_said_to_be_newer_than_the_last_look_at_it(every_source: Path) -> None:
    """A consolidated text may be of a day to come, long after it was seen."""
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(every_source)}))
    acts = [one for one in library.store.statutes.values() if one.jurisdiction == "eu"]
    newest = max(find_look_at_act(act) or act.stand for act in acts)
    assert any(act.stand > newest for act in acts)
    (state,) = (one for one in library.store.manifest.sources if one.source_type == "eurlex")
    assert state.stand == newest
    library.index.close()
    library.store.close()
