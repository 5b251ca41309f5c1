-- The first schema. What it makes impossible need not be trusted to anybody's care.
--
-- SQLite's REPLACE deletes rows without asking a DELETE trigger, so every table that is kept for
-- ever also looks, before an insert, whether the row is there already; and none of them has a
-- hidden rowid by which a row could be replaced. Foreign keys are off on a connection that does not
-- ask for them, so what must always hold is a trigger's business and not theirs.

-- --- logs ----------------------------------------------------------------------------------------

CREATE TABLE log (
    log TEXT PRIMARY KEY,
    start BLOB NOT NULL CHECK (length(start) = 32),
    count INTEGER NOT NULL DEFAULT 0,
    hash BLOB NOT NULL,
    owner TEXT NOT NULL DEFAULT '',
    epoch INTEGER NOT NULL DEFAULT 0,
    until INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE record (
    log TEXT NOT NULL,
    number INTEGER NOT NULL CHECK (number > 0),
    previous BLOB NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    record BLOB NOT NULL,
    at INTEGER NOT NULL,
    mark TEXT NOT NULL,
    PRIMARY KEY (log, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX record_by_mark ON record (log, mark, number) WHERE mark <> '';
CREATE INDEX record_marked ON record (log, number) WHERE mark <> '';

-- The head of a log moves with its records and with nothing else.
CREATE TRIGGER log_begins BEFORE INSERT ON log
WHEN NEW.count <> 0 OR NEW.hash <> NEW.start
    OR EXISTS (SELECT 1 FROM log WHERE log = NEW.log)
BEGIN SELECT RAISE(ABORT, 'a log begins once, and empty'); END;

CREATE TRIGGER log_moves BEFORE UPDATE ON log
WHEN NEW.log <> OLD.log OR NEW.start <> OLD.start OR NEW.epoch < OLD.epoch
BEGIN SELECT RAISE(ABORT, 'a log keeps its name and start, and epochs only grow'); END;

CREATE TRIGGER log_head BEFORE UPDATE OF count, hash ON log
WHEN NEW.count <> OLD.count + 1 OR NOT EXISTS (
    SELECT 1 FROM record WHERE log = NEW.log AND number = NEW.count AND hash = NEW.hash
)
BEGIN SELECT RAISE(ABORT, 'the head of a log moves with its records only'); END;

CREATE TRIGGER log_stays BEFORE DELETE ON log
BEGIN SELECT RAISE(ABORT, 'a log is kept for ever'); END;

CREATE TRIGGER record_follows BEFORE INSERT ON record
WHEN NOT EXISTS (
    SELECT 1 FROM log
    WHERE log = NEW.log AND count = NEW.number - 1 AND hash = NEW.previous
)
BEGIN SELECT RAISE(ABORT, 'a record follows on the last one of its log'); END;

CREATE TRIGGER record_heads AFTER INSERT ON record
BEGIN UPDATE log SET count = NEW.number, hash = NEW.hash WHERE log = NEW.log; END;

CREATE TRIGGER record_unchanged BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END;

CREATE TRIGGER record_stays BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'a record is kept for ever'); END;

CREATE TABLE signed_head (
    log TEXT NOT NULL,
    occasion TEXT NOT NULL,
    name TEXT NOT NULL,
    count INTEGER NOT NULL,
    hash BLOB NOT NULL,
    at INTEGER NOT NULL,
    key BLOB NOT NULL,
    signature BLOB NOT NULL,
    PRIMARY KEY (log, occasion, name, count)
) STRICT, WITHOUT ROWID;

CREATE INDEX signed_head_by_count ON signed_head (log, count);

CREATE TRIGGER signed_head_true BEFORE INSERT ON signed_head
WHEN NOT EXISTS (
    SELECT 1 FROM record WHERE log = NEW.log AND number = NEW.count AND hash = NEW.hash
    UNION ALL
    SELECT 1 FROM log WHERE log = NEW.log AND NEW.count = 0 AND start = NEW.hash
)
BEGIN SELECT RAISE(ABORT, 'the log never had this head'); END;

CREATE TRIGGER signed_head_once BEFORE INSERT ON signed_head
WHEN EXISTS (
    SELECT 1 FROM signed_head
    WHERE log = NEW.log AND occasion = NEW.occasion AND name = NEW.name AND count = NEW.count
)
BEGIN SELECT RAISE(ABORT, 'this head was signed already'); END;

CREATE TRIGGER signed_head_unchanged BEFORE UPDATE ON signed_head
BEGIN SELECT RAISE(ABORT, 'a signed head is never changed'); END;

CREATE TRIGGER signed_head_stays BEFORE DELETE ON signed_head
BEGIN SELECT RAISE(ABORT, 'a signed head is kept for ever'); END;

-- --- money ---------------------------------------------------------------------------------------

-- Filled from the ledger's own table of kinds when the store is opened.
CREATE TABLE account_kind (
    kind TEXT PRIMARY KEY,
    parts INTEGER NOT NULL,
    floor INTEGER NOT NULL,
    ceiling INTEGER NOT NULL,
    personal INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER account_kind_once BEFORE INSERT ON account_kind
WHEN EXISTS (SELECT 1 FROM account_kind WHERE kind = NEW.kind)
BEGIN SELECT RAISE(ABORT, 'this kind of account is known already'); END;

CREATE TRIGGER account_kind_unchanged BEFORE UPDATE ON account_kind
BEGIN SELECT RAISE(ABORT, 'a kind of account is never changed'); END;

CREATE TRIGGER account_kind_stays BEFORE DELETE ON account_kind
BEGIN SELECT RAISE(ABORT, 'a kind of account is kept for ever'); END;

CREATE TABLE account (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    patron TEXT,
    floor INTEGER NOT NULL,
    ceiling INTEGER NOT NULL,
    posted INTEGER NOT NULL DEFAULT 0,
    held INTEGER NOT NULL DEFAULT 0,
    -- The entry that changed it last; 0 before the first.
    entry INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT held_something CHECK (held >= 0),
    CONSTRAINT above_the_floor CHECK (posted - held >= floor),
    CONSTRAINT below_the_ceiling CHECK (posted <= ceiling)
) STRICT, WITHOUT ROWID;

-- One row is a transfer (pending or not), a post or a void, and it says in full what it does:
-- `moved` goes from debit to credit, `held` is added to what is held on the debit side. So no
-- row can be out of balance, and one order of rows is the order of the ledger.
CREATE TABLE entry (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    event INTEGER NOT NULL CHECK (event >= 0),
    place INTEGER NOT NULL CHECK (place >= 0),
    kind TEXT NOT NULL CHECK (kind IN ('transfer', 'pending', 'post', 'void')),
    debit TEXT NOT NULL,
    credit TEXT NOT NULL,
    moved INTEGER NOT NULL,
    held INTEGER NOT NULL,
    completes TEXT UNIQUE,
    reason TEXT NOT NULL,
    log TEXT NOT NULL,
    number INTEGER NOT NULL,
    CONSTRAINT named_by_its_order CHECK (id = source || ':' || event || '.' || place),
    CONSTRAINT two_accounts CHECK (debit <> credit),
    CONSTRAINT at_most_what_fits CHECK (
        moved <= 1000000000000000000
        AND held BETWEEN -1000000000000000000 AND 1000000000000000000
    ),
    CONSTRAINT an_amount CHECK (
        CASE kind
            WHEN 'transfer' THEN moved > 0 AND held = 0
            WHEN 'pending' THEN moved = 0 AND held > 0
            WHEN 'post' THEN moved > 0 AND held < 0 AND moved <= -held
            ELSE moved = 0 AND held < 0
        END
    ),
    CONSTRAINT completes_or_reasons CHECK (
        CASE WHEN kind IN ('transfer', 'pending')
            THEN completes IS NULL AND trim(reason) <> ''
            ELSE completes IS NOT NULL AND reason = ''
        END
    )
) STRICT;

CREATE INDEX entry_by_record ON entry (log, number);

-- Pending transfers that nothing has completed yet.
CREATE TABLE promise (
    id TEXT PRIMARY KEY,
    debit TEXT NOT NULL,
    credit TEXT NOT NULL,
    amount INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The latest entry of every source.
CREATE TABLE source (
    source TEXT PRIMARY KEY,
    event INTEGER NOT NULL,
    place INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER entry_in_order BEFORE INSERT ON entry
WHEN EXISTS (
    SELECT 1 FROM source
    WHERE source = NEW.source AND (event, place) >= (NEW.event, NEW.place)
) OR EXISTS (SELECT 1 FROM entry WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the entries of a source come in order, each once'); END;

CREATE TRIGGER entry_completes BEFORE INSERT ON entry
WHEN NEW.completes IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM promise
    WHERE id = NEW.completes AND debit = NEW.debit AND credit = NEW.credit AND amount = -NEW.held
)
BEGIN SELECT RAISE(ABORT, 'only a pending transfer is completed, and only once'); END;

CREATE TRIGGER entry_between_accounts BEFORE INSERT ON entry
WHEN NOT EXISTS (
    SELECT 1 FROM account AS debit, account AS credit
    WHERE debit.id = NEW.debit AND credit.id = NEW.credit
        AND (debit.patron = credit.patron) IS NOT FALSE
)
BEGIN SELECT RAISE(ABORT, 'money goes between open accounts, and to no other patron'); END;

CREATE TRIGGER entry_caused BEFORE INSERT ON entry
WHEN NOT EXISTS (SELECT 1 FROM record WHERE log = NEW.log AND number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'an entry is caused by a record'); END;

CREATE TRIGGER entry_posted AFTER INSERT ON entry
BEGIN
    UPDATE account SET posted = posted - NEW.moved, held = held + NEW.held, entry = NEW.seq
    WHERE id = NEW.debit;
    UPDATE account SET posted = posted + NEW.moved, entry = NEW.seq
    WHERE id = NEW.credit AND NEW.moved > 0;
    INSERT INTO promise SELECT NEW.id, NEW.debit, NEW.credit, NEW.held WHERE NEW.kind = 'pending';
    DELETE FROM promise WHERE id = NEW.completes;
    UPDATE source SET event = NEW.event, place = NEW.place WHERE source = NEW.source;
    INSERT INTO source SELECT NEW.source, NEW.event, NEW.place
    WHERE NOT EXISTS (SELECT 1 FROM source WHERE source = NEW.source);
END;

CREATE TRIGGER entry_unchanged BEFORE UPDATE ON entry
BEGIN SELECT RAISE(ABORT, 'an entry is never changed'); END;

CREATE TRIGGER entry_stays BEFORE DELETE ON entry
BEGIN SELECT RAISE(ABORT, 'an entry is kept for ever'); END;

-- An account is opened empty, as its kind says.
CREATE TRIGGER account_opens BEFORE INSERT ON account
WHEN NEW.posted <> 0 OR NEW.held <> 0 OR NEW.entry <> 0
    OR EXISTS (SELECT 1 FROM account WHERE id = NEW.id)
    OR NOT EXISTS (
        SELECT 1 FROM account_kind
        WHERE kind = NEW.kind AND floor = NEW.floor AND ceiling = NEW.ceiling
            AND parts = length(NEW.id) - length(replace(NEW.id, ':', ''))
            AND NEW.kind = substr(NEW.id || ':', 1, instr(NEW.id || ':', ':') - 1)
            AND (NEW.patron IS NOT NULL) = personal
            AND (NEW.patron IS NULL OR (
                substr(NEW.id, -length(':' || NEW.patron)) = ':' || NEW.patron
                AND instr(NEW.patron, ':') = 0
            ))
    )
BEGIN SELECT RAISE(ABORT, 'an account opens once, empty, as its kind says'); END;

-- A balance changes by an entry that it has not seen yet, and by exactly what that entry says.
-- Since every entry is posted as it is written, no entry is left for anybody else to use.
CREATE TRIGGER account_moves BEFORE UPDATE ON account
WHEN NEW.id <> OLD.id OR NEW.kind <> OLD.kind OR NEW.patron IS NOT OLD.patron
    OR NEW.floor <> OLD.floor OR NEW.ceiling <> OLD.ceiling OR NEW.entry <= OLD.entry
    OR NOT EXISTS (
        SELECT 1 FROM entry WHERE seq = NEW.entry AND (
            (debit = OLD.id AND NEW.posted = OLD.posted - moved AND NEW.held = OLD.held + held)
            OR (credit = OLD.id AND NEW.posted = OLD.posted + moved AND NEW.held = OLD.held)
        )
    )
BEGIN SELECT RAISE(ABORT, 'a balance changes by an entry only'); END;

CREATE TRIGGER account_stays BEFORE DELETE ON account
BEGIN SELECT RAISE(ABORT, 'an account is kept for ever'); END;

CREATE TRIGGER promise_made BEFORE INSERT ON promise
WHEN EXISTS (SELECT 1 FROM promise WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM entry WHERE completes = NEW.id)
    OR NOT EXISTS (
        SELECT 1 FROM entry WHERE id = NEW.id AND kind = 'pending'
            AND debit = NEW.debit AND credit = NEW.credit AND held = NEW.amount
    )
BEGIN SELECT RAISE(ABORT, 'a promise is made by a pending transfer only'); END;

CREATE TRIGGER promise_unchanged BEFORE UPDATE ON promise
BEGIN SELECT RAISE(ABORT, 'a promise is never changed'); END;

CREATE TRIGGER promise_kept BEFORE DELETE ON promise
WHEN NOT EXISTS (SELECT 1 FROM entry WHERE completes = OLD.id)
BEGIN SELECT RAISE(ABORT, 'a promise ends when it is completed'); END;

CREATE TRIGGER source_begins BEFORE INSERT ON source
WHEN EXISTS (SELECT 1 FROM source WHERE source = NEW.source) OR NOT EXISTS (
    SELECT 1 FROM entry WHERE id = NEW.source || ':' || NEW.event || '.' || NEW.place
)
BEGIN SELECT RAISE(ABORT, 'a source counts its entries only'); END;

CREATE TRIGGER source_counts BEFORE UPDATE ON source
WHEN NEW.source <> OLD.source OR (NEW.event, NEW.place) <= (OLD.event, OLD.place) OR NOT EXISTS (
    SELECT 1 FROM entry WHERE id = NEW.source || ':' || NEW.event || '.' || NEW.place
)
BEGIN SELECT RAISE(ABORT, 'a source counts its entries only'); END;

CREATE TRIGGER source_stays BEFORE DELETE ON source
BEGIN SELECT RAISE(ABORT, 'a source is kept for ever'); END;

-- Where a voucher stands. It is paid once, because nothing leaves its last state.
CREATE TABLE paper (
    number TEXT PRIMARY KEY CHECK (length(number) = 18 AND number NOT GLOB '*[^0-9]*'),
    amount INTEGER NOT NULL CHECK (amount > 0),
    state TEXT NOT NULL CHECK (state IN ('issued', 'pending', 'redeemed', 'voided', 'expired')),
    patron TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX paper_by_patron ON paper (patron, at);

CREATE TRIGGER paper_moves BEFORE UPDATE ON paper
WHEN OLD.state IN ('redeemed', 'voided', 'expired') OR NEW.number <> OLD.number
    OR NEW.amount <> OLD.amount OR NEW.patron <> OLD.patron
BEGIN SELECT RAISE(ABORT, 'a voucher keeps its amount, and its last state for ever'); END;

CREATE TRIGGER paper_once BEFORE INSERT ON paper
WHEN EXISTS (SELECT 1 FROM paper WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'this voucher was issued already'); END;

CREATE TRIGGER paper_stays BEFORE DELETE ON paper
BEGIN SELECT RAISE(ABORT, 'a voucher is kept for ever'); END;

-- --- answers, shoes, rounds, what happened -------------------------------------------------------

CREATE TABLE answer (
    actor TEXT NOT NULL,
    key TEXT NOT NULL,
    body BLOB NOT NULL,
    answer BLOB NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (actor, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX answer_by_time ON answer (at);

CREATE TRIGGER answer_once BEFORE INSERT ON answer
WHEN EXISTS (SELECT 1 FROM answer WHERE actor = NEW.actor AND key = NEW.key)
BEGIN SELECT RAISE(ABORT, 'this command was answered already'); END;

CREATE TRIGGER answer_unchanged BEFORE UPDATE ON answer
BEGIN SELECT RAISE(ABORT, 'an answer is never changed'); END;

CREATE TABLE secret_shoe (
    shoe TEXT PRIMARY KEY,
    "table" TEXT NOT NULL,
    number INTEGER NOT NULL,
    sealed BLOB NOT NULL,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER secret_shoe_once BEFORE INSERT ON secret_shoe
WHEN EXISTS (SELECT 1 FROM secret_shoe WHERE shoe = NEW.shoe)
BEGIN SELECT RAISE(ABORT, 'this shoe is kept already'); END;

CREATE TRIGGER secret_shoe_unchanged BEFORE UPDATE ON secret_shoe
BEGIN SELECT RAISE(ABORT, 'a committed shoe is never changed'); END;

CREATE TRIGGER secret_shoe_stays BEFORE DELETE ON secret_shoe
BEGIN SELECT RAISE(ABORT, 'a committed shoe is kept for ever'); END;

CREATE TABLE played (
    patron TEXT NOT NULL,
    log TEXT NOT NULL,
    round TEXT NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    staked INTEGER NOT NULL CHECK (staked >= 0),
    net INTEGER NOT NULL,
    ended TEXT NOT NULL CHECK (ended IN ('settled', 'void', 'corrected')),
    PRIMARY KEY (patron, log, round, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX played_by_time ON played (patron, at);

CREATE TRIGGER played_ended BEFORE INSERT ON played
WHEN NOT EXISTS (SELECT 1 FROM record WHERE log = NEW.log AND number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'a round is ended by a record'); END;

CREATE TRIGGER played_once BEFORE INSERT ON played
WHEN EXISTS (
    SELECT 1 FROM played
    WHERE patron = NEW.patron AND log = NEW.log AND round = NEW.round AND number = NEW.number
)
BEGIN SELECT RAISE(ABORT, 'this round is kept already'); END;

CREATE TRIGGER played_unchanged BEFORE UPDATE ON played
BEGIN SELECT RAISE(ABORT, 'a round played is never changed'); END;

CREATE TRIGGER played_stays BEFORE DELETE ON played
BEGIN SELECT RAISE(ABORT, 'a round played is kept for ever'); END;

CREATE TABLE significant (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    who TEXT NOT NULL,
    "where" TEXT NOT NULL,
    why TEXT NOT NULL,
    "before" TEXT NOT NULL,
    "after" TEXT NOT NULL
) STRICT;

CREATE INDEX significant_by_time ON significant (at, seq);

CREATE TRIGGER significant_once BEFORE INSERT ON significant
WHEN EXISTS (SELECT 1 FROM significant WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'a significant event is never changed'); END;

CREATE TRIGGER significant_unchanged BEFORE UPDATE ON significant
BEGIN SELECT RAISE(ABORT, 'a significant event is never changed'); END;

CREATE TRIGGER significant_stays BEFORE DELETE ON significant
BEGIN SELECT RAISE(ABORT, 'a significant event is kept for ever'); END;

-- --- people --------------------------------------------------------------------------------------

CREATE TABLE person (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('patron', 'staff')),
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

-- --- rulebooks -----------------------------------------------------------------------------------

CREATE TABLE book (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    document BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER book_once BEFORE INSERT ON book
WHEN EXISTS (SELECT 1 FROM book WHERE hash = NEW.hash)
BEGIN SELECT RAISE(ABORT, 'this book is kept already'); END;

CREATE TRIGGER book_unchanged BEFORE UPDATE ON book
BEGIN SELECT RAISE(ABORT, 'a book is never changed'); END;

CREATE TRIGGER book_stays BEFORE DELETE ON book
BEGIN SELECT RAISE(ABORT, 'a book is kept for ever'); END;
