"""A provision that goes with one look, and comes with it in another law, has its heir named."""

from pathlib import Path

from fundstelle.bootstrap.library import open_library
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.build.pipeline import build_corpus
from fundstelle.ingest.sources.by_hand import find_snapshots
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.settings import Settings
from tests.integration.corpora.building import NOW, Heard
from tests.integration.corpora.laws import write_law
from tests.unit.tools.calling import call

KEPT = (
    "Wer einen Drachen hält, hat ihn so zu verwahren, dass er weder Felder noch Scheunen in Brand"
    " setzt, und der Gemeinde jeden Umzug des Drachen binnen einer Woche anzuzeigen."
)
OWN = "Dieses Gesetz gilt für Drachen jeder Farbe und für alle, die mit ihnen zu tun haben müssen."


def test_the_heir_of_a_provision_is_named_with_the_share_of_its_words(tmp_path: Path) -> None:
    source, data = tmp_path / "source", tmp_path / "data"
    for day, old, new in (
        ("20250101", {"§ 1": OWN, "§ 2": KEPT}, {"§ 1": OWN}),
        ("20250601", {"§ 1": OWN}, {"§ 1": OWN, "§ 9": KEPT.replace("einer", "zwei")}),
    ):
        folder = source / f"gii-{day[:4]}-{day[4:6]}-{day[6:]}" / "laws"
        write_law(folder, "mg1", 1, old, name="MG1", day=day)
        write_law(folder, "mg2", 2, new, name="MG2", day=day)
    build_corpus(find_snapshots(source), data, TantivyEngine(), BuildOptions(now=NOW), Heard())
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))

    assert library.store.find_heir("de/mg1/2") == ("de/mg2/9", 88)
    assert library.store.find_heir("de/mg1/1") is None
    miss = call(library, "legal_lookup", citation="§ 2 MG1")
    assert miss["successor"] == [
        {"citation": "§ 9 MG2", "norm_id": "de/mg2/9", "basis": "text", "share": 88}
    ]
    library.index.close()
    library.store.close()
