-- A terminal of an electronic table signs in as people do, under an account of its own kind.
ALTER TABLE person DROP CONSTRAINT person_kind_check;
ALTER TABLE person ADD CONSTRAINT person_kind_check
CHECK (kind IN ('patron', 'staff', 'terminal'));
