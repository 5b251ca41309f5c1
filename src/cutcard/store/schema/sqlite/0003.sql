-- A terminal of an electronic table signs in as people do, under an account of its own kind. A
-- constraint cannot be changed here, so the tables are made again and their rows put back.
CREATE TABLE person_before AS SELECT * FROM person;
CREATE TABLE session_before AS SELECT * FROM session;
DROP TABLE session;
DROP TABLE person;

CREATE TABLE person (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('patron', 'staff', 'terminal')),
    role TEXT NOT NULL,
    password TEXT NOT NULL,
    language TEXT NOT NULL,
    barred INTEGER NOT NULL CHECK (barred IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE session (
    token_hash BLOB PRIMARY KEY,
    person TEXT NOT NULL REFERENCES person (id),
    csrf TEXT NOT NULL,
    began INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    ends INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX session_by_person ON session (person);

INSERT INTO person SELECT id, name, kind, role, password, language, barred FROM person_before;
INSERT INTO session SELECT token_hash, person, csrf, began, seen, ends FROM session_before;
DROP TABLE session_before;
DROP TABLE person_before;
