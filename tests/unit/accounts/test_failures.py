from sqlalchemy.exc import StatementError

from fundstelle.accounts.database.failures import describe


def test_what_cannot_be_made_a_parameter_is_no_failure_of_the_database() -> None:
    error = StatementError("it failed", "INSERT secret", {"name": "secret"}, TypeError("secret"))
    failure = describe(error, writing=True)
    assert (failure.refused, failure.away) == (True, False)
    assert "secret" not in f"{failure.kind} {failure.cause}"
