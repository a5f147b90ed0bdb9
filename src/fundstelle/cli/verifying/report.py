"""Checks a saved answer against the release that it names, without the server. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from fundstelle.cli.verifying.facts import list_facts, say_what
from fundstelle.cli.verifying.odd import list_odd
from fundstelle.cli.verifying.opening import Unit, list_units, list_without_units, read_answer
from fundstelle.cli.verifying.words import FullTexts, has_words
from fundstelle.corpus.proof.leaf import DecisionLeaf, NormLeaf, load_leaf
from fundstelle.corpus.proof.signing import is_signed
from fundstelle.corpus.proof.tree import HASH_BYTES, compute_root, hash_leaf

_DEEPEST = 64  # nodes of a path: more leaves than there can be


@dataclass(frozen=True, slots=True)
class Trust:
    """What the reader has from elsewhere: the root of the release, the key of its operator."""

    root: str | None = None
    key: Ed25519PublicKey | None = None
    texts: tuple[str, ...] = ()  # full stored texts, of which an answer may show parts


@dataclass(slots=True)
class Report:
    """What fits, what does not, and what could not be checked; each with its place."""

    proved: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)  # of the words: nothing says they are right
    unknown: list[str] = field(default_factory=list)  # what this version does not know
    uncovered: list[str] = field(default_factory=list)  # what no proof is about


def check_answer(data: bytes, trust: Trust) -> Report:
    """Check every text of an answer.

    Raises:
        InvalidInput: it is no answer.
    """
    report = Report()
    opened = read_answer(data)
    answer = opened.answer
    for odd in (*opened.odd, *list_odd(answer)):
        (report.unknown if odd.is_unknown else report.wrong).append(str(odd))
    units = list(list_units(answer))
    leaves = {unit.place: _check_proof(unit, trust, report) for unit in units}
    shared = {(leaf.id, leaf.text_sha256): leaf for leaf in leaves.values() if leaf is not None}
    texts = FullTexts([*trust.texts, *_list_contents(units)])
    for unit in units:
        leaf = leaves[unit.place]
        if leaf is None and "proof" not in unit.provenance:
            named = str(unit.fields.get("norm_id")), str(unit.provenance.get("text_sha256"))
            leaf = shared.get(named)
            if leaf is None and shared:
                report.unchecked.append(f"{unit.place}: it has no proof")
        if leaf is not None:
            _check_unit(unit, leaf, texts, report)
    if any(leaves.values()) and answer.get("found") is False:
        report.wrong.append("found: the answer gives a text, so something was found")
    beside = list_without_units(answer, frozenset(leaves))
    report.uncovered += [place for place in beside if place != "found"]
    return report


def _list_contents(units: Iterable[Unit]) -> Iterator[str]:
    contents = (unit.fields.get("content") for unit in units)
    return (content for content in contents if isinstance(content, str))


def _check_proof(unit: Unit, trust: Trust, report: Report) -> NormLeaf | DecisionLeaf | None:
    """The leaf of a unit, if its proof leads to what the reader trusts."""
    if "proof" not in unit.provenance:
        return None
    place = f"{unit.place}.provenance.proof"
    proof = unit.provenance["proof"]
    found = _read_proof(proof)
    if found is None:
        report.wrong.append(f"{place}: it is not whole")
        return None
    leaf, root = found
    if root != proof["root"]:
        report.wrong.append(f"{place}: leaf, place and path do not lead to its root")
        return None
    if trust.root is not None and root != trust.root:
        report.wrong.append(f"{place}.root: it is the proof of another root, {root}")
        return None
    if trust.key is not None:
        signature = proof.get("signature")
        if not isinstance(signature, str) or not is_signed(
            trust.key, signature, root, proof["tree_size"]
        ):
            report.wrong.append(f"{place}.signature: root and size are not signed by this key")
            return None
    return leaf


def _read_proof(proof: Any) -> tuple[NormLeaf | DecisionLeaf, str] | None:
    """The leaf of a proof, and the root that it leads to."""
    try:
        written, index, size = proof["leaf"], proof["leaf_index"], proof["tree_size"]
        nodes = [bytes.fromhex(node) for node in proof["path"][:_DEEPEST]]
        is_whole = (type(index), type(size), type(proof["root"])) == (int, int, str)
        if not is_whole or any(len(node) != HASH_BYTES for node in nodes):
            return None
        if [node.hex() for node in nodes] != proof["path"]:
            return None
        leaf = load_leaf(written)
        root = compute_root(hash_leaf(written.encode()), index, size, nodes)
    except (TypeError, KeyError, ValueError):
        return None
    return leaf, "" if root is None else root.hex()


def _check_unit(
    unit: Unit, leaf: NormLeaf | DecisionLeaf, texts: FullTexts, report: Report
) -> None:
    wrong = [f"{unit.place}.{problem}" for problem in texts.list_problems(unit.fields, leaf)]
    facts = list_facts(unit.fields, leaf)
    wrong += [f"{unit.place}.{name}: {problem}" for name, problem in facts.wrong]
    report.wrong += wrong
    report.uncovered += [f"{unit.place}.{name}" for name in facts.uncovered]
    if not has_words(unit.fields):
        return
    unsure = texts.find_doubt(unit.fields, leaf)
    if unsure is not None:
        report.unchecked.append(f"{unit.place}.content: {unsure}")
    elif not wrong:
        report.proved.append(f"{unit.place}: {say_what(leaf)}")
