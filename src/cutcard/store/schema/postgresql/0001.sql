-- The first schema. What it makes impossible need not be trusted to anybody's care, the owner's
-- of the tables included.
--
-- The rules of the hot tables are triggers for a whole statement, over all the rows that it wrote:
-- a batch costs a handful of queries, however many rows there are. Their functions must find rows
-- by index and nothing else, because a plan that was made while a table was small is kept.

-- --- what guards the others ----------------------------------------------------------------------

CREATE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what is in "%" is kept as it is, for ever', TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME;
END $$;

-- Only another trigger may write here, since it knows the row that gives the reason.
CREATE FUNCTION derived() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_trigger_depth() < 2 THEN
        RAISE EXCEPTION '"%" follows from the entries and is never written', TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME;
    END IF;
    RETURN NULL;
END $$;

CREATE PROCEDURE refuse(at_table TEXT, why TEXT) LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', why
    USING ERRCODE = 'integrity_constraint_violation', TABLE = at_table;
END $$;

-- --- logs ----------------------------------------------------------------------------------------

CREATE TABLE log (
    log TEXT COLLATE "C" PRIMARY KEY,
    start BYTEA NOT NULL CHECK (length(start) = 32),
    count BIGINT NOT NULL DEFAULT 0,
    hash BYTEA NOT NULL,
    owner TEXT NOT NULL DEFAULT '',
    epoch BIGINT NOT NULL DEFAULT 0,
    until BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE record (
    log TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL CHECK (number > 0),
    previous BYTEA NOT NULL,
    hash BYTEA NOT NULL CHECK (length(hash) = 32),
    record BYTEA NOT NULL,
    at BIGINT NOT NULL,
    mark TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (log, number)
);

CREATE INDEX record_by_mark ON record (log, mark, number) WHERE mark <> '';
CREATE INDEX record_marked ON record (log, number) WHERE mark <> '';

-- The head of a log moves with its records and with nothing else.
CREATE FUNCTION log_begins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.count <> 0 OR NEW.hash <> NEW.start THEN
        CALL refuse('log', 'a log begins empty');
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION log_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.log <> OLD.log OR NEW.start <> OLD.start OR NEW.epoch < OLD.epoch THEN
        CALL refuse('log', 'a log keeps its name and start, and epochs only grow');
    END IF;
    IF (NEW.count <> OLD.count OR NEW.hash <> OLD.hash) AND pg_trigger_depth() < 2 THEN
        CALL refuse('log', 'the head of a log moves with its records only');
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER log_begins BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION log_begins();
CREATE TRIGGER log_moves BEFORE UPDATE ON log FOR EACH ROW EXECUTE FUNCTION log_moves();
CREATE TRIGGER log_stays BEFORE DELETE OR TRUNCATE ON log EXECUTE FUNCTION kept();

CREATE FUNCTION record_follows() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM (
            SELECT log, number, previous, lag(number) OVER one AS before, lag(hash) OVER one AS end
            FROM fresh WINDOW one AS (PARTITION BY log ORDER BY number)
        ) AS follows LEFT JOIN log ON log.log = follows.log
        WHERE log.log IS NULL OR follows.number <> coalesce(follows.before, log.count) + 1
            OR follows.previous <> coalesce(follows.end, log.hash)
    ) THEN
        CALL refuse('record', 'a record follows on the last one of its log');
    END IF;
    UPDATE log SET count = last.number, hash = last.hash
    FROM (
        SELECT DISTINCT ON (log) log, number, hash FROM fresh ORDER BY log, number DESC
    ) AS last
    WHERE log.log = last.log;
    RETURN NULL;
END $$;

CREATE TRIGGER record_follows AFTER INSERT ON record
REFERENCING NEW TABLE AS fresh EXECUTE FUNCTION record_follows();
CREATE TRIGGER record_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON record EXECUTE FUNCTION kept();

CREATE TABLE signed_head (
    log TEXT COLLATE "C" NOT NULL,
    occasion TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    count BIGINT NOT NULL,
    hash BYTEA NOT NULL,
    at BIGINT NOT NULL,
    key BYTEA NOT NULL,
    signature BYTEA NOT NULL,
    PRIMARY KEY (log, occasion, name, count)
);

CREATE INDEX signed_head_by_count ON signed_head (log, count);

CREATE FUNCTION signed_head_true() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT 1 FROM record WHERE log = NEW.log AND number = NEW.count AND hash = NEW.hash
        UNION ALL
        SELECT 1 FROM log WHERE log = NEW.log AND NEW.count = 0 AND start = NEW.hash
    ) THEN
        CALL refuse('signed_head', 'the log never had this head');
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER signed_head_true BEFORE INSERT ON signed_head
FOR EACH ROW EXECUTE FUNCTION signed_head_true();
CREATE TRIGGER signed_head_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON signed_head
EXECUTE FUNCTION kept();

-- --- money ---------------------------------------------------------------------------------------

-- Filled from the ledger's own table of kinds when the store is opened.
CREATE TABLE account_kind (
    kind TEXT COLLATE "C" PRIMARY KEY,
    parts BIGINT NOT NULL,
    floor BIGINT NOT NULL,
    ceiling BIGINT NOT NULL,
    personal BIGINT NOT NULL
);

CREATE TRIGGER account_kind_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON account_kind
EXECUTE FUNCTION kept();

CREATE TABLE account (
    id TEXT COLLATE "C" PRIMARY KEY,
    kind TEXT NOT NULL,
    patron TEXT,
    floor BIGINT NOT NULL,
    ceiling BIGINT NOT NULL,
    posted BIGINT NOT NULL DEFAULT 0,
    held BIGINT NOT NULL DEFAULT 0,
    -- The entry that changed it last; 0 before the first.
    entry BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT held_something CHECK (held >= 0),
    CONSTRAINT above_the_floor CHECK (posted - held >= floor),
    CONSTRAINT below_the_ceiling CHECK (posted <= ceiling)
) WITH (fillfactor = 50);

-- An account is opened empty, as its kind says.
CREATE FUNCTION account_opens() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.posted <> 0 OR NEW.held <> 0 OR NEW.entry <> 0 OR NOT EXISTS (
        SELECT 1 FROM account_kind
        WHERE kind = NEW.kind AND floor = NEW.floor AND ceiling = NEW.ceiling
            AND parts = length(NEW.id) - length(replace(NEW.id, ':', ''))
            AND NEW.kind = split_part(NEW.id, ':', 1)
            AND NEW.patron IS NOT DISTINCT FROM
                CASE personal WHEN 1 THEN split_part(NEW.id, ':', -1) END
    ) THEN
        CALL refuse('account', 'an account opens empty, as its kind says');
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER account_opens BEFORE INSERT ON account
FOR EACH ROW EXECUTE FUNCTION account_opens();
CREATE TRIGGER account_moves BEFORE UPDATE ON account EXECUTE FUNCTION derived();
CREATE TRIGGER account_stays BEFORE DELETE OR TRUNCATE ON account EXECUTE FUNCTION kept();

-- One row is a transfer (pending or not), a post or a void, and it says in full what it does:
-- `moved` goes from debit to credit, `held` is added to what is held on the debit side. So no
-- row can be out of balance, and one order of rows is the order of the ledger.
CREATE TABLE entry (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    source TEXT COLLATE "C" NOT NULL,
    event BIGINT NOT NULL CHECK (event >= 0),
    place BIGINT NOT NULL CHECK (place >= 0),
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('transfer', 'pending', 'post', 'void')),
    debit TEXT COLLATE "C" NOT NULL,
    credit TEXT COLLATE "C" NOT NULL,
    moved BIGINT NOT NULL,
    held BIGINT NOT NULL,
    completes TEXT COLLATE "C" UNIQUE,
    reason TEXT NOT NULL,
    log TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
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
);

CREATE INDEX entry_by_record ON entry (log, number);

-- Pending transfers that nothing has completed yet.
CREATE TABLE promise (
    id TEXT COLLATE "C" PRIMARY KEY,
    debit TEXT COLLATE "C" NOT NULL,
    credit TEXT COLLATE "C" NOT NULL,
    amount BIGINT NOT NULL
);

CREATE TRIGGER promise_follows BEFORE INSERT OR DELETE ON promise EXECUTE FUNCTION derived();
CREATE TRIGGER promise_stays BEFORE UPDATE OR TRUNCATE ON promise EXECUTE FUNCTION kept();

-- The latest entry of every source.
CREATE TABLE source (
    source TEXT COLLATE "C" PRIMARY KEY,
    event BIGINT NOT NULL,
    place BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE TRIGGER source_follows BEFORE INSERT OR UPDATE ON source EXECUTE FUNCTION derived();
CREATE TRIGGER source_stays BEFORE DELETE OR TRUNCATE ON source EXECUTE FUNCTION kept();

CREATE FUNCTION entry_posted() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    touched BIGINT;
    changed BIGINT;
BEGIN
    IF EXISTS (
        SELECT 1 FROM (SELECT DISTINCT log, number FROM fresh) AS cause
        WHERE NOT EXISTS (
            SELECT 1 FROM record WHERE record.log = cause.log AND record.number = cause.number
        )
    ) THEN
        CALL refuse('entry', 'an entry is caused by a record');
    END IF;

    IF EXISTS (
        SELECT 1 FROM (
            SELECT source, event, place,
                lag(event) OVER one AS last_event, lag(place) OVER one AS last_place
            FROM fresh WINDOW one AS (PARTITION BY source ORDER BY seq)
        ) AS counted LEFT JOIN source ON source.source = counted.source
        WHERE (counted.event, counted.place) <= (
            coalesce(last_event, source.event), coalesce(last_place, source.place)
        )
    ) THEN
        CALL refuse('entry', 'the entries of a source come in order, each once');
    END IF;

    IF EXISTS (
        SELECT 1 FROM fresh WHERE completes IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM entry AS promised
            WHERE promised.id = fresh.completes AND promised.kind = 'pending'
                AND promised.seq < fresh.seq AND promised.held = -fresh.held
                AND promised.debit = fresh.debit AND promised.credit = fresh.credit
        )
    ) THEN
        CALL refuse('entry', 'only a pending transfer is completed');
    END IF;

    IF EXISTS (
        SELECT 1 FROM (SELECT DISTINCT debit, credit FROM fresh) AS pair
        JOIN account AS debit ON debit.id = pair.debit
        JOIN account AS credit ON credit.id = pair.credit
        WHERE debit.patron <> credit.patron
    ) THEN
        CALL refuse('entry', 'money goes from patron to patron by no road');
    END IF;

    -- Entries are tried one after another, as the ledger tries them: what an account has must
    -- suffice at every step and not at the last one only. An account that is not there, or
    -- does not suffice, is not changed, and so is missed in the count.
    WITH leg AS (
        SELECT debit AS id, seq, -moved AS posted, held FROM fresh
        UNION ALL
        SELECT credit, seq, moved, 0 FROM fresh
    ), step AS (
        SELECT id, seq, posted, held,
            sum(posted) OVER one AS posted_so_far, sum(posted - held) OVER one AS free_so_far
        FROM leg WINDOW one AS (PARTITION BY id ORDER BY seq ROWS UNBOUNDED PRECEDING)
    ), total AS (
        SELECT id, max(seq) FILTER (WHERE posted <> 0 OR held <> 0) AS seq,
            sum(posted) AS posted, sum(held) AS held,
            min(free_so_far) AS lowest, max(posted_so_far) AS highest
        FROM step GROUP BY id
    ), moving AS (
        UPDATE account SET posted = account.posted + total.posted,
            held = account.held + total.held, entry = coalesce(total.seq, account.entry)
        FROM total WHERE account.id = total.id
            AND account.posted - account.held + total.lowest >= account.floor
            AND account.posted + total.highest <= account.ceiling
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM total), (SELECT count(*) FROM moving) INTO touched, changed;
    IF touched <> changed THEN
        CALL refuse('entry', 'an account is not open, or falls below its floor, or is full');
    END IF;

    IF EXISTS (SELECT 1 FROM fresh WHERE kind <> 'transfer') THEN
        INSERT INTO promise SELECT id, debit, credit, held FROM fresh WHERE kind = 'pending';
        DELETE FROM promise USING fresh WHERE promise.id = fresh.completes;
    END IF;
    INSERT INTO source AS one
    SELECT DISTINCT ON (source) source, event, place FROM fresh ORDER BY source, seq DESC
    ON CONFLICT (source) DO UPDATE SET event = excluded.event, place = excluded.place;
    RETURN NULL;
END $$;

CREATE TRIGGER entry_posted AFTER INSERT ON entry
REFERENCING NEW TABLE AS fresh EXECUTE FUNCTION entry_posted();
CREATE TRIGGER entry_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON entry EXECUTE FUNCTION kept();

-- Where a voucher stands. It is paid once, because nothing leaves its last state.
CREATE TABLE paper (
    number TEXT COLLATE "C" PRIMARY KEY CHECK (number ~ '^[0-9]{18}$'),
    amount BIGINT NOT NULL CHECK (amount > 0),
    state TEXT NOT NULL CHECK (state IN ('issued', 'pending', 'redeemed', 'voided', 'expired')),
    patron TEXT COLLATE "C" NOT NULL,
    expires_at BIGINT NOT NULL,
    at BIGINT NOT NULL
);

CREATE INDEX paper_by_patron ON paper (patron, at);

CREATE FUNCTION paper_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state IN ('redeemed', 'voided', 'expired') OR NEW.number <> OLD.number
        OR NEW.amount <> OLD.amount OR NEW.patron <> OLD.patron
    THEN
        CALL refuse('paper', 'a voucher keeps its amount, and its last state for ever');
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER paper_moves BEFORE UPDATE ON paper FOR EACH ROW EXECUTE FUNCTION paper_moves();
CREATE TRIGGER paper_stays BEFORE DELETE OR TRUNCATE ON paper EXECUTE FUNCTION kept();

-- --- answers, shoes, rounds, what happened -------------------------------------------------------

CREATE TABLE answer (
    actor TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    body BYTEA NOT NULL,
    answer BYTEA NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (actor, key)
);

CREATE INDEX answer_by_time ON answer (at);

CREATE TRIGGER answer_stays BEFORE UPDATE OR TRUNCATE ON answer EXECUTE FUNCTION kept();

CREATE TABLE secret_shoe (
    shoe TEXT COLLATE "C" PRIMARY KEY,
    "table" TEXT NOT NULL,
    number BIGINT NOT NULL,
    sealed BYTEA NOT NULL,
    at BIGINT NOT NULL
);

CREATE TRIGGER secret_shoe_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON secret_shoe
EXECUTE FUNCTION kept();

CREATE TABLE played (
    patron TEXT COLLATE "C" NOT NULL,
    log TEXT COLLATE "C" NOT NULL,
    round TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    staked BIGINT NOT NULL CHECK (staked >= 0),
    net BIGINT NOT NULL,
    ended TEXT NOT NULL CHECK (ended IN ('settled', 'void', 'corrected')),
    PRIMARY KEY (patron, log, round, number)
);

CREATE INDEX played_by_time ON played (patron, at);

CREATE FUNCTION played_ended() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM (SELECT DISTINCT log, number FROM fresh) AS ending
        WHERE NOT EXISTS (
            SELECT 1 FROM record WHERE record.log = ending.log AND record.number = ending.number
        )
    ) THEN
        CALL refuse('played', 'a round is ended by a record');
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER played_ended AFTER INSERT ON played
REFERENCING NEW TABLE AS fresh EXECUTE FUNCTION played_ended();
CREATE TRIGGER played_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON played EXECUTE FUNCTION kept();

CREATE TABLE significant (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    who TEXT NOT NULL,
    "where" TEXT NOT NULL,
    why TEXT NOT NULL,
    "before" TEXT NOT NULL,
    "after" TEXT NOT NULL
);

CREATE INDEX significant_by_time ON significant (at, seq);

CREATE TRIGGER significant_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON significant
EXECUTE FUNCTION kept();

-- --- people --------------------------------------------------------------------------------------

CREATE TABLE person (
    id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('patron', 'staff')),
    role TEXT NOT NULL,
    password TEXT NOT NULL,
    language TEXT NOT NULL,
    barred BIGINT NOT NULL CHECK (barred IN (0, 1))
);

CREATE TABLE session (
    token_hash BYTEA PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL REFERENCES person (id),
    csrf TEXT NOT NULL,
    began BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    ends BIGINT NOT NULL
);

CREATE INDEX session_by_person ON session (person);

-- --- rulebooks -----------------------------------------------------------------------------------

CREATE TABLE book (
    hash TEXT COLLATE "C" PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL,
    document BYTEA NOT NULL
);

CREATE TRIGGER book_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON book EXECUTE FUNCTION kept();
