"""Runs in the peers' own environment: what they read, as JSON from stdin to stdout."""

import json
import sys
import time

from bundesrecht import normalise
from refex.orchestrator import CitationExtractor


def read_bundesrecht(text: str) -> list[str]:
    """The canonical strings; it raises on what it cannot read."""
    try:
        return list(normalise(text))
    except Exception:  # noqa: BLE001 what it raises is not documented
        return []


def read_refex(extractor: CitationExtractor, text: str) -> list[dict[str, object]]:
    """Its citations with their spans."""
    found = []
    for one in extractor.extract(text, fmt="plain").citations:
        if one.type == "law":
            fields = {
                "type": "norm",
                "law": one.book,
                "unit": "Art" if one.unit == "article" else "§",
                "num": one.number,
                "num_end": one.range_end,
                "path": [list(step) for step in one.structure],
            }
        else:
            fields = {
                "type": "decision",
                "court": one.court,
                "docket": one.file_number,
                "date": str(one.date) if one.date else None,
                "ecli": one.ecli,
            }
        found.append({"start": one.span.start, "end": one.span.end, "target": fields})
    return found


def main() -> None:
    asked = json.load(sys.stdin)
    extractor = CitationExtractor()
    extractor.extract("§ 1 BGB", fmt="plain")
    begin = time.process_time()
    texts = [read_refex(extractor, text) for text in asked["texts"]]
    seconds = time.process_time() - begin
    json.dump(
        {
            "bundesrecht": [read_bundesrecht(text) for text in asked["inputs"]],
            "refex": [read_refex(extractor, text) for text in asked["inputs"]],
            "sentences": [read_refex(extractor, text) for text in asked["sentences"]],
            "refex_citations": sum(map(len, texts)),
            "refex_seconds": seconds,
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
