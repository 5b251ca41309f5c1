-- What stood at a record of a log. It saves reading, may be deleted, and no audit looks at it.
CREATE TABLE bookmark (
    log TEXT PRIMARY KEY,
    number INTEGER NOT NULL CHECK (number > 0),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    sealed BLOB NOT NULL
) STRICT, WITHOUT ROWID;
