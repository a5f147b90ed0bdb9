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

CREATE TABLE decisions (
    decision     INTEGER PRIMARY KEY,   -- from 0 in the order of decision_id; the search index
                                        -- counts on from the norms
    decision_id  TEXT NOT NULL UNIQUE,
    court        TEXT NOT NULL,
    court_level  INTEGER NOT NULL,      -- 1 = highest
    day          TEXT,                  -- ISO
    type         TEXT NOT NULL,
    jurisdiction TEXT NOT NULL,
    header       TEXT NOT NULL          -- law.decisions.Decision as JSON
);

CREATE TABLE decision_texts (
    decision     INTEGER PRIMARY KEY,
    text         TEXT NOT NULL,
    text_sha256  BLOB NOT NULL,
    parts        BLOB NOT NULL,         -- JSON
    passages     BLOB NOT NULL,         -- JSON
    headings     BLOB NOT NULL,         -- JSON
    source_chars INTEGER NOT NULL,
    kept_chars   INTEGER NOT NULL
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

-- What a decision is found by: keys of its dockets, its id and ECLI without case, and the pages
-- of collections and journals that decisions cite beside its docket, whether it is held or not.
CREATE TABLE decision_names (
    name         TEXT NOT NULL,
    decision     INTEGER NOT NULL,      -- of a page also: -1 - the row of citings that names it
    is_docket    INTEGER NOT NULL       -- 0 = id or ECLI, 1 = docket, 2 = page,
                                        -- 3 = docket without its end, 4 = printed citation
);

CREATE TABLE citings (
    citing         INTEGER PRIMARY KEY, -- citing decision * 1048576 + place in its text
    kind           TEXT NOT NULL,
    cited          INTEGER,             -- ordinal of a norm; -1 - statute
    cited_decision INTEGER,
    cited_path     TEXT NOT NULL,
    cited_text     TEXT NOT NULL,
    start_at       INTEGER NOT NULL,
    end_at         INTEGER NOT NULL,
    passage        TEXT,
    sentence_start INTEGER NOT NULL,
    sentence_end   INTEGER NOT NULL,
    inferred       INTEGER NOT NULL
);

-- Rows of citings that do not name what they cite: it lies between the ends of a range.
CREATE TABLE ranged (
    citing         INTEGER PRIMARY KEY
);

-- What decisions cite, counted once when the build is made: a norm or a part of one ("abs=1": that
-- Absatz or anything below it), a law, a decision.
CREATE TABLE cited_units (
    unit           INTEGER PRIMARY KEY,
    cited          INTEGER,             -- as in citings; one of the two is NULL
    cited_decision INTEGER,
    path           TEXT NOT NULL,       -- small letters; "" = any part; with "=" before it: named,
                                        -- where other decisions cite it within a range alone
    total          INTEGER NOT NULL     -- decisions that cite it
);

-- The decisions that cite a unit in both orders that pages come in, so that a page is a range of
-- places; with what they are filtered by, so that no filter looks anywhere else.
CREATE TABLE citers (
    unit         INTEGER NOT NULL,
    newest       INTEGER NOT NULL,      -- place, from 0: those that name it first, then newest
                                        -- first, those without a day last
    relevance    INTEGER NOT NULL,      -- place, from 0: court level, then how often, then newest
    decision     INTEGER NOT NULL,
    first        INTEGER NOT NULL,      -- its first row in citings that names the unit, else cites
    times        INTEGER NOT NULL,
    court        TEXT NOT NULL,
    type         TEXT NOT NULL,
    jurisdiction TEXT NOT NULL,
    day          TEXT,
    PRIMARY KEY (unit, newest)
) WITHOUT ROWID;
