"""The SQL of the read path, and how ordinals become keys."""

from fundstelle.corpus.rows import HEADING_CODE

VERSIONS = 256  # most fassungen of a norm
EDGES = 1 << 20  # most references in a norm

NORM_COLUMNS = (
    "ordinal, norm_id, statute, kind, number, number_end, label, title, citation, level, place,"
    " status, publisher_id"
)
FASSUNG_COLUMNS = (
    "text, text_sha256, segments, tables, footnotes, notes, from_day, until_day, precision,"
    " stand, status"
)
NORM = f"SELECT {NORM_COLUMNS} FROM norms "  # noqa: S608 constants of this module
# Every column from the table: the one that is looked for would come from the index.
NORM_BY_ID = NORM + "WHERE ordinal = (SELECT ordinal FROM norms WHERE norm_id = ?)"  # noqa: S608
DOUBLES = "SELECT norm_id FROM norms WHERE norm_id LIKE '%~%' ORDER BY ordinal"
HAS_MISSING = "SELECT count(*) FROM sqlite_master WHERE name = 'missing'"
MISSING = "SELECT slug, title FROM missing ORDER BY slug"
PLACE = "SELECT parent_id, hierarchy FROM places WHERE place = ?"
NORM_BY_ORDINAL = NORM + "WHERE ordinal = ?"
NORMS_BETWEEN = NORM + "WHERE ordinal BETWEEN ? AND ?"
IDS = (
    "SELECT norm_id FROM norms WHERE ordinal BETWEEN ? AND ? AND substr(norm_id, 1, ?) = ?"
    " ORDER BY ordinal LIMIT ?"
)
OF_KIND = NORMS_BETWEEN + " AND kind = ? ORDER BY ordinal"
PROVISIONS = NORMS_BETWEEN + f" AND kind <> {HEADING_CODE}"
OUTLINE = (
    "SELECT ordinal, kind, number, place FROM norms WHERE ordinal BETWEEN ? AND ?"  # noqa: S608
    f" AND kind <> {HEADING_CODE} ORDER BY ordinal"
)
NUMBERED = NORM + "WHERE statute = ? AND sort_key "
OF_NUMBER = "SELECT norm_id FROM norms WHERE statute = ? AND sort_key = ?"
NUMBERS = (
    "SELECT kind, number, sort_key, ordinal FROM norms WHERE statute = ? AND sort_key IS NOT NULL"
)
RANGE = (
    NUMBERED + "<= ? AND range_key >= ? AND range_key IS NOT NULL ORDER BY sort_key DESC LIMIT 1"
)
FASSUNG = f"SELECT fassung, {FASSUNG_COLUMNS} FROM fassungen WHERE fassung BETWEEN ? AND ? "  # noqa: S608
NEWEST = FASSUNG + "ORDER BY fassung DESC LIMIT 1"
NEWEST_WORDS = NEWEST.replace("segments, tables, footnotes", "NULL, NULL, NULL")
ON_DAY = (
    FASSUNG + "AND coalesce(from_day, '') <= ? AND coalesce(until_day, '9999-99-99') > ?"
    " ORDER BY fassung DESC LIMIT 1"
)
NUMBER = (
    "SELECT fassung FROM fassungen WHERE fassung BETWEEN ? AND ? AND text_sha256 = ?"
    " AND from_day IS ? AND until_day IS ?"
)
NEWEST_KEY = "SELECT max(fassung) FROM fassungen WHERE fassung BETWEEN ? AND ?"
HAS_FORMER_HEADINGS = "SELECT count(*) FROM sqlite_master WHERE name = 'former_headings'"
FORMER_HEADINGS = "SELECT title, hierarchy FROM former_headings WHERE fassung = ?"
ALL_FORMER_HEADINGS = (
    "SELECT fassung, title, hierarchy FROM former_headings WHERE fassung BETWEEN ? AND ?"
)
HISTORIES = (
    f"SELECT fassung, {FASSUNG_COLUMNS} FROM fassungen"  # noqa: S608
    " WHERE fassung BETWEEN ? AND ? ORDER BY fassung"
)
ENDED = (
    f"SELECT fassungen.fassung, {FASSUNG_COLUMNS}, title, hierarchy FROM fassungen"  # noqa: S608
    " LEFT JOIN former_headings USING (fassung)"
    " WHERE until_day IS NOT NULL ORDER BY fassungen.fassung"
)
HEADS = (
    "SELECT from_day, until_day, precision, text_sha256, stand, status FROM fassungen"
    " WHERE fassung BETWEEN ? AND ?"
)
# The same for ``Leaves``, where there is a table of former headings.
TITLED_HEADS = (
    "SELECT f.fassung, from_day, until_day, precision, text_sha256, stand, status, h.fassung, title"
    " FROM fassungen f LEFT JOIN former_headings h USING (fassung)"
    " WHERE f.fassung BETWEEN ? AND ? ORDER BY f.fassung"
)
STAND = "SELECT stand FROM fassungen WHERE fassung = ?"
COUNT_LEAVES = "SELECT count(*) FROM leaves WHERE subject BETWEEN ? AND ?"
HEADS_OF_LAW = (
    "SELECT norm_id, from_day, until_day, precision, text_sha256, stand, fassungen.status"
    " FROM norms JOIN fassungen ON fassung BETWEEN ordinal * 256 AND ordinal * 256 + 255"
    " WHERE ordinal BETWEEN ? AND ? ORDER BY fassung"
)
# Its conditions are those of the index fassungen_by_day, which holds all that is asked for.
CHANGES = (
    "SELECT fassung, from_day, until_day, precision FROM fassungen"
    " WHERE (from_day IS NOT NULL OR until_day IS NOT NULL)"
    " AND fassung / 256 NOT IN (SELECT ordinal FROM headings)"
)
_HOLDS = (
    "fassung BETWEEN ordinal * 256 AND ordinal * 256 + 255 AND coalesce(from_day, '') <= ?"
    " AND coalesce(until_day, '9999-99-99') > ?"
)
_DAY_COLUMNS = (
    f"{NORM_COLUMNS.replace('status', 'norms.status')}, fassung, until_day, fassungen.status,"  # noqa: S608
    " (SELECT from_day FROM fassungen AS first WHERE first.fassung = ordinal * 256),"
    " (SELECT precision FROM fassungen AS first WHERE first.fassung = ordinal * 256)"
)
_EXCERPTS = (
    f"SELECT {_DAY_COLUMNS}, text, stand, text_sha256, notes, from_day, precision"  # noqa: S608
    f" FROM norms LEFT JOIN fassungen ON {_HOLDS} WHERE ordinal IN (%s) ORDER BY fassung"
)
NORMS_ON_DAY = (
    f"SELECT {_DAY_COLUMNS} FROM norms LEFT JOIN fassungen ON {_HOLDS}"  # noqa: S608
    " WHERE ordinal BETWEEN ? AND ? ORDER BY fassung"
)
EDGE = "SELECT edge, cited, cited_path, cited_text, start_at, end_at FROM edges "


def versions(ordinal: int) -> tuple[int, int]:
    """First and last key that the fassungen of a norm may have."""
    return ordinal * VERSIONS, ordinal * VERSIONS + VERSIONS - 1


def excerpts(count: int) -> str:
    """Norms by ordinal with the text of a day; its first two values are that day."""
    return _EXCERPTS % ",".join("?" * count)
