"""The Merkle tree of a build: made of its rows when all are written, read by audit paths."""

from collections.abc import Iterator
from dataclasses import dataclass

from fundstelle.corpus.decision_rows import decode_decision
from fundstelle.corpus.ingestion import Root
from fundstelle.corpus.proof.leaf import NormLeaf, describe_decision, dump_leaf
from fundstelle.corpus.proof.tree import HASH_BYTES, build_levels, hash_leaf, list_siblings
from fundstelle.corpus.rows import Row, decode_precision, decode_status, decode_statute
from fundstelle.corpus.sqlite import queries
from fundstelle.corpus.sqlite.connection import DECIDED, Connection
from fundstelle.corpus.store import Inclusion
from fundstelle.law.norms import Statute, find_look_at_act

_BLOCK = 60  # nodes of a row: two rows fill a page of the file
_LEVEL = 1 << 20  # rows of a level
_KEPT = 60 * HASH_BYTES  # as many leaves in a row
_HAS_KEPT = "SELECT count(*) FROM pragma_table_info('leaf_hashes')"
_HAS_TREE = "SELECT count(*) FROM sqlite_master WHERE name = 'tree'"
# The last decision, or else the last fassung, without walking through all.
_LAST = (
    "SELECT max(leaf) FROM leaves"
    " WHERE subject IN ((SELECT min(subject) FROM leaves), (SELECT max(subject) FROM leaves))"
)
_NORMS = (
    "SELECT fassung, norm_id, citation, n.title, f.text_sha256, from_day, until_day, precision,"  # noqa: S608
    f" CASE WHEN fassung % {queries.VERSIONS} THEN"
    " (SELECT stand FROM fassungen b WHERE b.fassung = f.fassung - 1) END,"
    " stand, f.status, statute, h.fassung, h.title,"
    f" NOT EXISTS (SELECT 1 FROM fassungen a WHERE a.fassung = f.fassung + 1"
    f" AND a.fassung % {queries.VERSIONS})"
    f" FROM fassungen f JOIN norms n ON ordinal = fassung / {queries.VERSIONS}"
    " LEFT JOIN former_headings h USING (fassung)"
)
_HASH = (
    f"SELECT substr(hashes, leaf % {_BLOCK} * {HASH_BYTES} + 1, {HASH_BYTES})"  # noqa: S608
    f" FROM leaves JOIN tree ON node = leaf / {_BLOCK} WHERE subject = ?"
)
_DECISIONS = (
    "SELECT decision, header, text_sha256 FROM decisions JOIN decision_texts t USING (decision)"
)


def keep_decisions(database: Connection) -> None:
    """Keep the hashes of the decisions' leaves beside them, so that the next build has them."""
    hashes = b"".join(hash_leaf(leaf) for _, leaf in _iter_decisions(database))
    database.executemany(
        f"INSERT INTO {DECIDED}.leaf_hashes VALUES (?, ?)",  # noqa: S608 constants
        enumerate(hashes[at : at + _KEPT] for at in range(0, len(hashes), _KEPT)),
    )


def fill(database: Connection) -> None:
    """Make the tree of what a new build holds."""
    leaves, nodes = _grow(database, _read_kept(database))
    database.executemany("INSERT INTO leaves VALUES (?, ?)", leaves)
    database.executemany("INSERT INTO tree VALUES (?, ?)", nodes)


def find_inclusion(connection: Connection, subject: int) -> Inclusion | None:
    """The proof of a fassung by its key, or of a decision by -1 - its number.

    ``None`` where the build has no tree.
    """
    root = read_root(connection)
    if root is None:
        return None
    (index,) = connection.execute(
        "SELECT leaf FROM leaves WHERE subject = ?", (subject,)
    ).fetchone()
    path = [_read_node(connection, *place).hex() for place in list_siblings(index, root.size)]
    return Inclusion(_read_leaf(connection, subject).decode(), index, tuple(path))


def read_hash(connection: Connection, subject: int) -> bytes | None:
    """The hash of a leaf as it was written; ``None`` where the tree has no such leaf."""
    row = connection.execute(_HASH, (subject,)).fetchone()
    return None if row is None else bytes(row[0])


def read_root(connection: Connection) -> Root | None:
    """The root as it was stored; ``None`` where the build has no tree."""
    (known,) = connection.execute(_HAS_TREE).fetchone()
    if not known:
        return None
    (last,) = connection.execute(_LAST).fetchone()
    top = connection.execute("SELECT hashes FROM tree ORDER BY node DESC LIMIT 1").fetchone()
    return None if top is None else Root(top[0].hex(), 0 if last is None else last + 1)


def compute_root(connection: Connection) -> Root | None:
    """The root of the texts, worked out anew; ``None`` where the stored tree is another."""
    root = read_root(connection)
    if root is None:
        return None
    hashes = b"".join(hash_leaf(leaf) for _, leaf in _iter_decisions(connection))
    leaves, nodes = _grow(connection, hashes)
    (has_kept,) = connection.execute(_HAS_KEPT).fetchone()
    is_stored = (
        (not has_kept or _read_kept(connection) == hashes)
        and connection.execute("SELECT subject, leaf FROM leaves ORDER BY leaf").fetchall()
        == leaves
        and connection.execute("SELECT node, hashes FROM tree ORDER BY node").fetchall() == nodes
    )
    return root if is_stored else None


def _grow(
    connection: Connection, decided: bytes
) -> tuple[list[tuple[int, int]], list[tuple[int, bytes]]]:
    """The rows of both tables, of the texts of laws and the hashes of the decisions' leaves."""
    leaves: list[tuple[int, int]] = []
    hashes = bytearray()
    for subject, leaf in _iter_norms(connection):
        leaves.append((subject, len(leaves)))
        hashes += hash_leaf(leaf)
    first = len(leaves)
    leaves += ((-1 - number, first + number) for number in range(len(decided) // HASH_BYTES))
    hashes += decided
    nodes: list[tuple[int, bytes]] = []
    for level, row in enumerate(build_levels(bytes(hashes))):
        blocks = range(0, len(row), _BLOCK * HASH_BYTES)
        nodes += (
            (level * _LEVEL + block, row[at : at + _BLOCK * HASH_BYTES])
            for block, at in enumerate(blocks)
        )
    return leaves, nodes


def _read_node(connection: Connection, level: int, place: int) -> bytes:
    block, at = divmod(place, _BLOCK)
    (node,) = connection.execute(
        f"SELECT substr(hashes, ?, {HASH_BYTES}) FROM tree WHERE node = ?",  # noqa: S608
        (at * HASH_BYTES + 1, level * _LEVEL + block),
    ).fetchone()
    return bytes(node)


def _read_kept(connection: Connection) -> bytes:
    rows = connection.execute("SELECT hashes FROM leaf_hashes ORDER BY block")
    return b"".join(row[0] for row in rows)


def _iter_norms(connection: Connection) -> Iterator[tuple[int, bytes]]:
    """Key and leaf of every fassung, in their order."""
    laws = {
        number: _read_law(header)
        for number, header in connection.execute("SELECT statute, header FROM statutes")
    }
    for row in connection.execute(_NORMS + " ORDER BY fassung"):
        yield row[0], _describe(row, laws[row[11]])


def _iter_decisions(connection: Connection) -> Iterator[tuple[int, bytes]]:
    """Number and leaf of every decision, in their order: from 0, without gaps."""
    for number, header, digest in connection.execute(_DECISIONS + " ORDER BY decision"):
        yield number, dump_leaf(describe_decision(decode_decision(header), digest.hex()))


def _read_leaf(connection: Connection, subject: int) -> bytes:
    if subject < 0:
        asked = " WHERE decision = ?"
        _, header, digest = connection.execute(_DECISIONS + asked, (-1 - subject,)).fetchone()
        return dump_leaf(describe_decision(decode_decision(header), digest.hex()))
    row = connection.execute(_NORMS + " WHERE fassung = ?", (subject,)).fetchone()
    (header,) = connection.execute(
        "SELECT header FROM statutes WHERE statute = ?", (row[11],)
    ).fetchone()
    return _describe(row, _read_law(header))


@dataclass(frozen=True, slots=True)
class LawOfLeaf:
    """What the leaves of a law's norms say of it; days are ISO."""

    source_type: str
    stand: str
    look: str | None


def _read_law(header: str) -> LawOfLeaf:
    return describe_law(decode_statute(header))


def describe_law(statute: Statute) -> LawOfLeaf:
    """What the leaves of its norms say of a law."""
    look = find_look_at_act(statute)
    stand = statute.stand.isoformat()
    return LawOfLeaf(statute.source_type, stand, look.isoformat() if look else None)


def _describe(row: Row, law: LawOfLeaf) -> bytes:
    _, norm_id, citation, title, digest, *days, stand, status, _, former, former_title, newest = row
    # as ``Fassungen.find_headings`` says it
    title = former_title if former is not None else title if newest or not days[1] else None
    return describe_fassung((norm_id, citation, title), digest, (*days, stand, status), law)


def describe_fassung(
    names: tuple[str, str, str | None], digest: bytes, days: Row, law: LawOfLeaf
) -> bytes:
    """The leaf of a fassung as it is hashed.

    Args:
        names: id and citation of the norm, and the title that headed this fassung.
        digest: of its text.
        days: from_day, until_day, precision, stand of the fassung before, stand, status.
        law: what is said of its law.
    """
    norm_id, citation, title = names
    starts, ends, precision, before, stand, status = days
    leaf = NormLeaf(
        id=norm_id,
        citation=citation,
        title=title,
        text_sha256=digest.hex(),
        starts=starts,
        ends=ends,
        precision=decode_precision(precision).value,
        before=before,
        stand=stand,
        look=law.look if stand >= law.stand else None,
        status=decode_status(status).value,
        source=law.source_type,
    )
    return dump_leaf(leaf)
