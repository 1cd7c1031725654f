import { attemptsKept } from '../forward-store.ts'

/**
 * The tables of forwarding. `inbox_forward.fence` is the number of the newest lease: a writer names its lease, and an
 * older one changes nothing. The database's own clock decides whether a lease has expired. Moving the place does not
 * wait for the disk, because losing it only sends some events twice. Leases and a user's requests do wait.
 */
export const forwardSchema = (channel: string): string => `
CREATE TABLE inbox_forward (
  target text COLLATE "C" PRIMARY KEY,
  up_to bigint NOT NULL,
  fence bigint NOT NULL,
  holder text NOT NULL,
  lease_until timestamptz NOT NULL
) WITH (fillfactor = 10);
CREATE TABLE inbox_waiting (
  target text COLLATE "C" NOT NULL,
  event_sequence bigint NOT NULL,
  tries bigint NOT NULL DEFAULT 0,
  refusals bigint NOT NULL DEFAULT 0,
  is_asked boolean NOT NULL DEFAULT false,
  PRIMARY KEY (target, event_sequence)
);
CREATE INDEX inbox_waiting_asked ON inbox_waiting (target, event_sequence) WHERE is_asked;
CREATE TABLE inbox_attempt (
  event_sequence bigint NOT NULL,
  target text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  at_ms bigint NOT NULL,
  duration_ms bigint NOT NULL,
  status integer,
  reason text,
  answer text NOT NULL,
  PRIMARY KEY (event_sequence, target, number)
);
CREATE TABLE inbox_dead (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  target text COLLATE "C" NOT NULL,
  event_sequence bigint NOT NULL,
  at_ms bigint NOT NULL,
  tries bigint NOT NULL,
  reason text NOT NULL,
  UNIQUE (target, event_sequence)
);
CREATE INDEX inbox_dead_by_event ON inbox_dead (event_sequence);
CREATE INDEX inbox_waiting_by_event ON inbox_waiting (event_sequence);
CREATE INDEX inbox_quarantine_unread ON inbox_quarantine (sequence) WHERE replayed_at_ms IS NULL;

CREATE FUNCTION inbox_lease(wanted text, who text, lease_ms integer, first_up_to bigint, first_waiting bigint[])
RETURNS TABLE (fence bigint, up_to bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  INSERT INTO inbox_forward VALUES (wanted, first_up_to, 0, '', '-infinity') ON CONFLICT (target) DO NOTHING;
  IF FOUND THEN
    INSERT INTO inbox_waiting (target, event_sequence) SELECT wanted, sequence FROM inbox_event
      WHERE sequence = ANY (first_waiting);
  END IF;
  RETURN QUERY UPDATE inbox_forward AS f
    SET fence = f.fence + 1, holder = who, lease_until = clock_timestamp() + lease_ms * interval '1 ms'
    WHERE f.target = wanted AND f.lease_until < clock_timestamp() RETURNING f.fence, f.up_to;
END $$;

CREATE FUNCTION inbox_move_place(wanted text, own_fence bigint, new_up_to bigint,
  waiting bigint[], waiting_tries bigint[], waiting_refusals bigint[], done bigint[], answered bigint[],
  tried bigint[], tried_at bigint[], took bigint[], statuses integer[], reasons text[], answers text[],
  dead bigint[], dead_at bigint[], dead_tries bigint[], dead_reasons text[])
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE inbox_forward SET up_to = new_up_to WHERE target = wanted AND fence = own_fence;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM inbox_waiting WHERE target = wanted AND event_sequence = ANY (done) AND NOT is_asked;
  DELETE FROM inbox_waiting WHERE target = wanted AND event_sequence = ANY (answered);
  INSERT INTO inbox_waiting (target, event_sequence, tries, refusals)
  SELECT wanted, s, t, r FROM unnest(waiting, waiting_tries, waiting_refusals) AS each(s, t, r)
  ON CONFLICT (target, event_sequence)
    DO UPDATE SET tries = excluded.tries, refusals = excluded.refusals, is_asked = false;
  INSERT INTO inbox_attempt
  SELECT s, wanted, row_number() OVER (PARTITION BY s ORDER BY place) + coalesce((SELECT max(number)
    FROM inbox_attempt WHERE event_sequence = s AND target = wanted), 0), at_ms, ms, status, reason, answer
  FROM unnest(tried, tried_at, took, statuses, reasons, answers) WITH ORDINALITY
    AS each(s, at_ms, ms, status, reason, answer, place);
  DELETE FROM inbox_attempt AS old USING (SELECT event_sequence AS s, max(number) AS last FROM inbox_attempt
    WHERE event_sequence = ANY (tried) AND target = wanted GROUP BY event_sequence
    HAVING count(*) > ${attemptsKept}) AS many
  WHERE old.event_sequence = s AND target = wanted AND number <= last - ${attemptsKept};
  INSERT INTO inbox_dead (target, event_sequence, at_ms, tries, reason)
  SELECT wanted, s, a, t, r FROM unnest(dead, dead_at, dead_tries, dead_reasons) AS each(s, a, t, r)
  ON CONFLICT (target, event_sequence)
    DO UPDATE SET at_ms = excluded.at_ms, tries = excluded.tries, reason = excluded.reason;
  RETURN true;
END $$;

CREATE FUNCTION inbox_send_again(wanted text, sequences bigint[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  asked bigint;
BEGIN
  INSERT INTO inbox_waiting (target, event_sequence, is_asked)
  SELECT wanted, sequence, true FROM inbox_event WHERE sequence = ANY (sequences)
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS asked = ROW_COUNT;
  DELETE FROM inbox_dead WHERE target = wanted AND event_sequence = ANY (sequences);
  PERFORM pg_notify('${channel}', '');
  RETURN asked;
END $$;`
