-- The decisions of one build, and what they cite: a file of its own beside that of the laws, which
-- the next build shares where no decision is new and the laws have the same norms.
-- Change a table and raise SCHEMA_VERSION in corpus/rows.py: a new schema is a new build.

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

-- What would have to be read from end to end to be known: one row.
CREATE TABLE summary (
    decisions      INTEGER NOT NULL,
    citings        INTEGER NOT NULL,
    characters     INTEGER NOT NULL,    -- of all texts
    sha256         BLOB NOT NULL        -- of the rows above but those that are counted once
);

-- The leaves of the Merkle tree (docs/proof.md) that are decisions', as they are hashed.
CREATE TABLE leaf_hashes (
    block          INTEGER PRIMARY KEY, -- from 0
    hashes         BLOB NOT NULL        -- 32 bytes each, in the order of the decisions
);
