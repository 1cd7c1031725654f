import type { TableSet } from '../../../base/postgres/tables.ts'
import { forwardSchema } from './forward-schema.ts'

/** The notification channel for commits. */
export const channel = 'pitdesk_inbox'

const columns = `keys text[], long_ids text[], order_keys text[], long_order_ids text[], states text[],
  stamps numeric[],
  reasons text[], arrivals bigint[], sources text[], starts integer[], lengths integer[], bodies bytea`

/**
 * Writing as database functions: a batch is one query and one commit, so a receiver that is cut off midway never keeps
 * the others waiting for its lock. The lock serializes receivers; so numbers become visible in ascending order, and
 * readers that continue from a place miss nothing. Each statement after the lock sees the previous writer's commit.
 * `inbox_record` returns one letter per body, in order: n new, k known, c conflict, q quarantined. A body is an event
 * when it has a key; bodies are sent in one piece with the offset (from 1) and length of each.
 */
const recordFunctions = (lock: string): string => `
CREATE FUNCTION inbox_record(${columns}) RETURNS text LANGUAGE plpgsql SET enable_seqscan TO off AS $$
DECLARE
  fresh bigint[];
  unread bigint := 0;
  answer text;
  copy_count bigint := 0;
  conflict_count bigint := 0;
BEGIN
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  PERFORM pg_advisory_xact_lock(${lock});
  WITH firsts AS (
    SELECT DISTINCT ON (key) * FROM unnest(keys, long_ids, order_keys, long_order_ids, states, stamps,
      arrivals, sources, starts, lengths)
      WITH ORDINALITY AS came(key, long_id, order_key, long_order_id, state, stamp, arrival, source, start,
        length, place)
    WHERE key IS NOT NULL ORDER BY key, place
  ), made AS (
    INSERT INTO inbox_event (event_key, long_event_id, order_key, long_order_id, order_state, updated_at_ns,
      received_at_ms, source, body)
    SELECT key, long_id, order_key, long_order_id, state, stamp, arrival, source, substring(bodies
      FROM start FOR length)
    FROM firsts ORDER BY place
    ON CONFLICT (event_key) DO NOTHING RETURNING event_key
  )
  SELECT coalesce(array_agg(place), '{}') INTO fresh FROM firsts JOIN made ON event_key = key;

  IF cardinality(fresh) = cardinality(keys) THEN
    answer := repeat('n', cardinality(keys));
  ELSE
    INSERT INTO inbox_quarantine (received_at_ms, source, reason, body)
    SELECT arrival, source, reason, substring(bodies FROM start FOR length)
    FROM unnest(keys, reasons, arrivals, sources, starts, lengths) WITH ORDINALITY AS came(key, reason,
      arrival, source, start, length, place)
    WHERE key IS NULL ORDER BY place;
    GET DIAGNOSTICS unread = ROW_COUNT;

    WITH came AS (
      SELECT * FROM unnest(keys, arrivals, sources, starts, lengths) WITH ORDINALITY AS each(key, arrival,
        source, start, length, place)
    ), again AS MATERIALIZED (
      SELECT place, arrival, came.source, sequence, substring(bodies FROM start FOR length) AS body,
        body = substring(bodies FROM start FOR length) AS is_same
      FROM came JOIN inbox_event ON event_key = key
      WHERE NOT EXISTS (SELECT FROM unnest(fresh) AS made(place) WHERE made.place = came.place)
    ), beside AS (
      INSERT INTO inbox_conflict (event_sequence, digest, received_at_ms, source, body)
      SELECT sequence, sha256(body), arrival, source, body FROM again WHERE NOT is_same ORDER BY place
      ON CONFLICT (event_sequence, digest) DO NOTHING RETURNING 1
    ), copied AS (
      INSERT INTO inbox_copy AS kept (event_sequence, copies)
      SELECT sequence, count(*) FROM again WHERE is_same GROUP BY sequence ORDER BY sequence
      ON CONFLICT (event_sequence) DO UPDATE SET copies = kept.copies + excluded.copies
    )
    SELECT string_agg(CASE WHEN key IS NULL THEN 'q' WHEN is_same THEN 'k'
      WHEN NOT is_same THEN 'c' ELSE 'n' END, '' ORDER BY place),
      count(*) FILTER (WHERE is_same), (SELECT count(*) FROM beside)
    INTO answer, copy_count, conflict_count
    FROM came LEFT JOIN again USING (place);
  END IF;

  UPDATE inbox_total SET events = events + cardinality(fresh), copies = copies + copy_count,
    conflicts = conflicts + conflict_count, quarantined = quarantined + unread;
  PERFORM pg_notify('${channel}', '');
  RETURN answer;
END $$;

CREATE FUNCTION inbox_release(body_sequence bigint, at_ms bigint, ${columns}) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(${lock});
  UPDATE inbox_quarantine SET replayed_at_ms = at_ms WHERE sequence = body_sequence;
  IF NOT FOUND THEN RETURN NULL; END IF;
  RETURN inbox_record(keys, long_ids, order_keys, long_order_ids, states, stamps, reasons, arrivals, sources,
    starts, lengths, bodies);
END $$;`

/** `inbox_forget` deletes at most that many of the oldest events and quarantined bodies, and returns the number. */
const forgetFunction = (
  lock: string,
  beside: readonly string[] = [],
  young = 'received_at_ms >= before_ms',
): string => `CREATE FUNCTION inbox_forget(before_ms bigint, most integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  event_count bigint;
  copy_count bigint;
  conflict_count bigint;
  body_count bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(${lock});
  WITH oldest AS (
    SELECT sequence, ${young} OR EXISTS (
      SELECT FROM inbox_conflict WHERE event_sequence = e.sequence
        AND inbox_conflict.received_at_ms >= before_ms) AS is_young
    FROM inbox_event AS e ORDER BY sequence LIMIT most
  ), old AS (
    SELECT sequence FROM oldest WHERE sequence < coalesce((SELECT min(sequence) FROM oldest WHERE is_young),
      9223372036854775807)
  ), events AS (DELETE FROM inbox_event WHERE sequence IN (SELECT sequence FROM old) RETURNING 1
  ), copied AS (DELETE FROM inbox_copy WHERE event_sequence IN (SELECT sequence FROM old) RETURNING copies
  ), beside AS (DELETE FROM inbox_conflict WHERE event_sequence IN (SELECT sequence FROM old) RETURNING 1
  )${beside.map((each) => `, ${each}_gone AS (DELETE FROM ${each} WHERE event_sequence IN (SELECT sequence FROM old))`).join('')}
  SELECT (SELECT count(*) FROM events), (SELECT coalesce(sum(copies), 0) FROM copied), (SELECT count(*) FROM beside)
  INTO event_count, copy_count, conflict_count;

  WITH oldest AS (SELECT sequence, received_at_ms >= before_ms AS is_young
    FROM inbox_quarantine ORDER BY sequence LIMIT most)
  DELETE FROM inbox_quarantine WHERE sequence IN (
    SELECT sequence FROM oldest WHERE sequence < coalesce((SELECT min(sequence) FROM oldest WHERE is_young),
      9223372036854775807));
  GET DIAGNOSTICS body_count = ROW_COUNT;

  UPDATE inbox_total SET events = events - event_count, copies = copies - copy_count,
    conflicts = conflicts - conflict_count, quarantined = quarantined - body_count;
  IF event_count + body_count > 0 THEN PERFORM pg_notify('${channel}', ''); END IF;
  RETURN event_count + body_count;
END $$;`

/** The advisory lock for changing the tables or writing to them, held until commit; a number unique to this program. */
const writersLock = '7163519447266820'

/** Tables of forwarding with rows for an event. */
const forwardTables = ['inbox_waiting', 'inbox_attempt', 'inbox_dead']

/**
 * Statements that migrate version N to N + 1, oldest first; only ever appended to. An id too long for an index is found
 * by its digest (`event_key`, `order_key`) and stored in full beside it. `inbox_total` saves `count(*)` over millions
 * of rows; `inbox_copy` saves rewriting a whole body when only a number changes.
 */
const migrations: readonly string[] = [
  `CREATE TABLE inbox_event (
     sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     event_key text COLLATE "C" NOT NULL UNIQUE,
     long_event_id text,
     order_key text COLLATE "C" NOT NULL,
     long_order_id text,
     order_state text NOT NULL,
     updated_at_ns numeric NOT NULL,
     received_at_ms bigint NOT NULL,
     source text NOT NULL,
     body bytea NOT NULL
   );
   CREATE INDEX inbox_event_by_order ON inbox_event (order_key, sequence);
   CREATE TABLE inbox_copy (event_sequence bigint PRIMARY KEY, copies bigint NOT NULL) WITH (fillfactor = 50);
   CREATE TABLE inbox_conflict (
     sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     event_sequence bigint NOT NULL,
     digest bytea NOT NULL,
     received_at_ms bigint NOT NULL,
     source text NOT NULL,
     body bytea NOT NULL,
     UNIQUE (event_sequence, digest)
   );
   CREATE TABLE inbox_quarantine (
     sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     received_at_ms bigint NOT NULL,
     source text NOT NULL,
     reason text NOT NULL,
     replayed_at_ms bigint,
     body bytea NOT NULL
   );
   CREATE TABLE inbox_total (
     events bigint NOT NULL, copies bigint NOT NULL, conflicts bigint NOT NULL, quarantined bigint NOT NULL
   ) WITH (fillfactor = 10);
   INSERT INTO inbox_total VALUES (0, 0, 0, 0);
   ${recordFunctions(writersLock)}

${forgetFunction(writersLock)}`,
  `${forwardSchema(channel)}
   DROP FUNCTION inbox_forget(bigint, integer);
   ${forgetFunction(writersLock, forwardTables)}`,
  // What is younger by its own date stays: the receiver's clock may have been behind.
  `DROP FUNCTION inbox_forget(bigint, integer);
   ${forgetFunction(writersLock, forwardTables, 'received_at_ms >= before_ms OR updated_at_ns >= before_ms * 1000000.0')}`,
]

/** The tables of the inbox; see `EventStore.identity`. */
export const inboxTables: TableSet = { prefix: 'inbox', lock: writersLock, migrations }
