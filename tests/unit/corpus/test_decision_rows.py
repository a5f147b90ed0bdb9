import orjson

from fundstelle.corpus.decision_rows import decode_decision
from tests.unit.corpus.decision_values import DECISION


def test_of_a_decision_what_a_later_version_adds_is_passed_over() -> None:
    fields = orjson.loads(orjson.dumps(DECISION))
    for one in (fields, *fields["sources"], *fields["lower_instances"]):
        one["to_come"] = [{"value": 1}]
    assert decode_decision(orjson.dumps(fields).decode()) == DECISION
