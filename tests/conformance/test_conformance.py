"""The public conformance suite against the engine (layer A) and the whole application (layer B).

The baselines beside this file say what may fail and why; an entry that begins to pass fails the run
as a new failure does.
"""

import pytest

from tests.conformance.conftest import Report
from tests.conformance.suite import REVISIONS, run_suite

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_engine_fails_only_at_features_it_does_not_offer(
    revision: str, fixture_url: str, report: Report
) -> None:
    outcome = run_suite(fixture_url, f"fixture-{revision}", "--requirements", revision)
    report(f"engine with fixtures, {revision}", outcome)
    assert outcome.exit_code == 0, outcome.printed


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_application_fails_only_at_what_it_does_not_serve(
    revision: str, real_url: str, report: Report
) -> None:
    outcome = run_suite(real_url, f"baseline-{revision}", "--requirements", revision)
    report(f"application, {revision}", outcome)
    assert outcome.exit_code == 0, outcome.printed


# the suite has one scenario for 2025-03-26 and none for 2024-11-05: tests/protocol has those
@pytest.mark.parametrize("revision", ["2025-03-26", "2025-06-18"])
def test_the_application_speaks_the_older_wire(
    revision: str, real_url: str, report: Report
) -> None:
    options = ("--suite", "all", "--spec-version", revision)
    outcome = run_suite(real_url, f"baseline-{revision}", *options)
    report(f"application, {revision}", outcome)
    assert outcome.exit_code == 0, outcome.printed
