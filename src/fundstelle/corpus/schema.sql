-- One build of the corpus. Written once, then opened read-only and immutable.
-- Change a table and raise SCHEMA_VERSION in corpus/rows.py: a new schema is a new build.

CREATE TABLE statutes (
    statute      INTEGER PRIMARY KEY,   -- from 0, in the order of statute_id
    statute_id   TEXT NOT NULL UNIQUE,
    first        INTEGER NOT NULL,      -- its norms are norms.ordinal first .. last
    last         INTEGER NOT NULL,
    header       TEXT NOT NULL          -- law.norms.Statute as JSON
);

-- Laws that the publisher's table of contents names and no snapshot held.
CREATE TABLE missing (
    slug         TEXT PRIMARY KEY,      -- the folder in the publisher's address
    title        TEXT NOT NULL
) WITHOUT ROWID;

-- Where a norm stands: most norms share their place with their neighbours.
CREATE TABLE places (
    place        INTEGER PRIMARY KEY,
    parent_id    TEXT,
    hierarchy    TEXT NOT NULL          -- JSON array, outermost heading first
);

CREATE TABLE norms (
    ordinal      INTEGER PRIMARY KEY,   -- from 0 without gaps: the search index counts the same
    norm_id      TEXT NOT NULL,
    statute      INTEGER NOT NULL,
    kind         INTEGER NOT NULL,
    number       TEXT NOT NULL,
    number_end   TEXT,
    label        TEXT NOT NULL,
    title        TEXT,
    citation     TEXT NOT NULL,
    level        INTEGER NOT NULL,
    place        INTEGER NOT NULL,
    status       INTEGER NOT NULL,
    publisher_id TEXT NOT NULL,
    sort_key     TEXT,                  -- of number; sections and articles only
    range_key    TEXT                   -- of number_end
);

CREATE TABLE headings (
    ordinal      INTEGER PRIMARY KEY,
    folded       TEXT NOT NULL          -- label and title as law.identifiers.fold gives them
);

CREATE TABLE fassungen (
    fassung      INTEGER PRIMARY KEY,   -- norm's ordinal * 256 + version, oldest version 0
    text         TEXT NOT NULL,
    text_sha256  BLOB NOT NULL,
    segments     BLOB,                  -- JSON, six parallel arrays; NULL = none
    tables       BLOB,                  -- JSON
    footnotes    BLOB,                  -- JSON
    notes        BLOB,                  -- JSON
    from_day     TEXT,                  -- ISO; NULL = not known
    until_day    TEXT,                  -- ISO, exclusive; NULL = open
    precision    INTEGER NOT NULL,
    stand        TEXT NOT NULL,
    status       INTEGER NOT NULL
);

-- What stood above the words of a fassung that is not its norm's newest one.
CREATE TABLE former_headings (
    fassung      INTEGER PRIMARY KEY,
    title        TEXT,
    hierarchy    TEXT NOT NULL          -- JSON array, outermost heading first
);

-- Texts that a look showed to be new, by which acts they came, and what parliament's record says
-- of their commencement.
CREATE TABLE enactments (
    fassung      INTEGER PRIMARY KEY,
    acts         TEXT NOT NULL,         -- as the publisher names them, one a line
    without_day  TEXT NOT NULL,         -- ISO: the last look without the text
    seen_day     TEXT NOT NULL,         -- ISO: the first look with it
    said_day     TEXT                   -- ISO; NULL = no single day is said
);

-- Provisions that went on the day on which another came with most of their words.
CREATE TABLE heirs (
    ended        INTEGER PRIMARY KEY,   -- ordinal of the one that went
    heir         INTEGER NOT NULL,      -- ordinal of the one that came
    share        INTEGER NOT NULL       -- per cent of the words of the one that went
);

-- "references" is a word of SQL.
CREATE TABLE edges (
    edge         INTEGER PRIMARY KEY,   -- citing norm's ordinal * 1048576 + place in its text
    cited        INTEGER,               -- ordinal of a norm; -1 - statute; NULL = not resolved
    cited_path   TEXT NOT NULL,
    cited_text   TEXT NOT NULL,
    start_at     INTEGER NOT NULL,
    end_at       INTEGER NOT NULL
);

-- The Merkle tree over the texts (docs/proof.md), made of the tables above when all is written.
-- Builds that were made before there was one have neither table.
CREATE TABLE leaves (
    subject      INTEGER PRIMARY KEY,   -- fassung; -1 - decision
    leaf         INTEGER NOT NULL       -- its place: fassungen in their order, then decisions
);

CREATE TABLE tree (
    node         INTEGER PRIMARY KEY,   -- level * 1048576 + block, leaves are level 0
    hashes       BLOB NOT NULL          -- 60 nodes side by side, 32 bytes each; the last has fewer
);
