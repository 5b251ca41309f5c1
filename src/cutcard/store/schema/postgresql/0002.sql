-- A batch is written by one call, so that a writer waits for the server once and not once a table;
-- and what the triggers ask is asked row by row, of an index. A join may be planned otherwise: a
-- plan that was made while a table was small went through the whole of it, however large it grew.

-- --- checks that cost the same however much is kept ------------------------------------------------

CREATE OR REPLACE FUNCTION record_follows() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM (
            SELECT log, number, previous, lag(number) OVER one AS before, lag(hash) OVER one AS end
            FROM fresh WINDOW one AS (PARTITION BY log ORDER BY number)
        ) AS follows
        WHERE CASE WHEN follows.before IS NULL
            THEN (
                SELECT follows.number = log.count + 1 AND follows.previous = log.hash
                FROM log WHERE log.log = follows.log
            )
            ELSE follows.number = follows.before + 1 AND follows.previous = follows.end
        END IS NOT TRUE
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

CREATE OR REPLACE FUNCTION entry_posted() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    touched BIGINT;
    changed BIGINT;
BEGIN
    IF EXISTS (
        SELECT 1 FROM (SELECT DISTINCT log, number FROM fresh) AS cause
        WHERE (
            SELECT true FROM record WHERE record.log = cause.log AND record.number = cause.number
        ) IS NOT TRUE
    ) THEN
        CALL refuse('entry', 'an entry is caused by a record');
    END IF;

    IF EXISTS (
        SELECT 1 FROM (
            SELECT source, event, place,
                lag(event) OVER one AS last_event, lag(place) OVER one AS last_place
            FROM fresh WINDOW one AS (PARTITION BY source ORDER BY seq)
        ) AS counted
        WHERE CASE WHEN counted.last_event IS NULL
            THEN (
                SELECT (counted.event, counted.place) <= (source.event, source.place)
                FROM source WHERE source.source = counted.source
            )
            ELSE (counted.event, counted.place) <= (counted.last_event, counted.last_place)
        END
    ) THEN
        CALL refuse('entry', 'the entries of a source come in order, each once');
    END IF;

    IF EXISTS (
        SELECT 1 FROM fresh WHERE completes IS NOT NULL AND (
            SELECT promised.kind = 'pending' AND promised.seq < fresh.seq
                AND promised.held = -fresh.held
                AND promised.debit = fresh.debit AND promised.credit = fresh.credit
            FROM entry AS promised WHERE promised.id = fresh.completes
        ) IS NOT TRUE
    ) THEN
        CALL refuse('entry', 'only a pending transfer is completed');
    END IF;

    IF EXISTS (
        SELECT 1 FROM (SELECT DISTINCT debit, credit FROM fresh) AS pair
        WHERE (SELECT patron FROM account WHERE id = pair.debit)
            <> (SELECT patron FROM account WHERE id = pair.credit)
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
        DELETE FROM promise WHERE id = ANY (
            ARRAY(SELECT completes FROM fresh WHERE completes IS NOT NULL)
        );
    END IF;
    INSERT INTO source AS one
    SELECT DISTINCT ON (source) source, event, place FROM fresh ORDER BY source, seq DESC
    ON CONFLICT (source) DO UPDATE SET event = excluded.event, place = excluded.place;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION played_ended() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM (SELECT DISTINCT log, number FROM fresh) AS ending
        WHERE (
            SELECT true FROM record WHERE record.log = ending.log AND record.number = ending.number
        ) IS NOT TRUE
    ) THEN
        CALL refuse('played', 'a round is ended by a record');
    END IF;
    RETURN NULL;
END $$;

-- --- a batch ---------------------------------------------------------------------------------------

-- What is given of a row; the rest of it the database adds.
CREATE TYPE given_record AS (
    log TEXT, number BIGINT, previous BYTEA, hash BYTEA, record BYTEA, at BIGINT, mark TEXT
);
CREATE TYPE given_account AS (
    id TEXT, kind TEXT, patron TEXT, floor BIGINT, ceiling BIGINT
);
CREATE TYPE given_entry AS (
    id TEXT, source TEXT, event BIGINT, place BIGINT, kind TEXT, debit TEXT, credit TEXT,
    moved BIGINT, held BIGINT, completes TEXT, reason TEXT, log TEXT, number BIGINT
);
CREATE TYPE given_significant AS (
    at BIGINT, kind TEXT, who TEXT, "where" TEXT, why TEXT, "before" TEXT, "after" TEXT
);

-- Refuses a writer who has lost one of the logs, or never had it. Whoever takes a log over waits
-- for a batch that is under way, and the other way round.
CREATE PROCEDURE check_fence(held TEXT[], epochs BIGINT[], now BIGINT) LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
    lost TEXT;
BEGIN
    PERFORM 1 FROM log WHERE log.log = ANY (held) ORDER BY log.log FOR UPDATE;
    SELECT given.log INTO lost FROM unnest(held, epochs) AS given (log, epoch)
    WHERE (
        SELECT log.epoch = given.epoch AND log.until > now FROM log WHERE log.log = given.log
    ) IS NOT TRUE
    ORDER BY given.log LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'somebody else has "%"', lost
        USING ERRCODE = 'object_not_in_prerequisite_state', TABLE = 'log', DETAIL = lost;
    END IF;
END $$;

CREATE FUNCTION write_batch(
    held TEXT[], epochs BIGINT[], now BIGINT,
    records given_record[], accounts given_account[], entries given_entry[], answers answer[],
    heads signed_head[], shoes secret_shoe[], papers paper[], rounds played[],
    notes given_significant[]
) RETURNS VOID LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    one paper;
BEGIN
    CALL check_fence(held, epochs, now);
    -- A trigger for the whole statement asks its questions of no rows, too.
    IF cardinality(records) > 0 THEN
        INSERT INTO record SELECT * FROM unnest(records);
    END IF;
    IF cardinality(entries) > 0 THEN
        INSERT INTO account SELECT * FROM unnest(accounts) ON CONFLICT (id) DO NOTHING;
        -- Entries are numbered after their accounts are locked, so of two that meet on an account
        -- the one that came first has the lower number; and nobody waits in a circle.
        PERFORM 1 FROM account WHERE id = ANY (ARRAY(
            SELECT debit FROM unnest(entries) UNION SELECT credit FROM unnest(entries)
        )) ORDER BY id FOR UPDATE;
        INSERT INTO entry (
            id, source, event, place, kind, debit, credit, moved, held, completes, reason, log,
            number
        ) SELECT * FROM unnest(entries);
    END IF;
    INSERT INTO answer SELECT * FROM unnest(answers);
    INSERT INTO signed_head SELECT * FROM unnest(heads);
    INSERT INTO secret_shoe SELECT * FROM unnest(shoes);
    -- One by one: a batch may move a voucher twice.
    FOREACH one IN ARRAY papers LOOP
        INSERT INTO paper SELECT one.* ON CONFLICT (number) DO UPDATE SET
            amount = excluded.amount, state = excluded.state, patron = excluded.patron,
            expires_at = excluded.expires_at, at = excluded.at;
    END LOOP;
    IF cardinality(rounds) > 0 THEN
        INSERT INTO played SELECT * FROM unnest(rounds);
    END IF;
    INSERT INTO significant (at, kind, who, "where", why, "before", "after")
    SELECT * FROM unnest(notes);
END $$;

-- --- bookmarks -------------------------------------------------------------------------------------

-- What stood at a record of a log. It saves reading, may be deleted, and no audit looks at it.
CREATE TABLE bookmark (
    log TEXT COLLATE "C" PRIMARY KEY,
    number BIGINT NOT NULL CHECK (number > 0),
    hash BYTEA NOT NULL CHECK (length(hash) = 32),
    sealed BYTEA NOT NULL
);
