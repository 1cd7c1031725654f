import { namePattern } from '../people/schema.ts'

/**
 * The record of the firm's plans: `hub_plan` has a row per plan, `hub_plan_line` its lines, as in a desk's file. A line
 * has a unique id, so that it can be sent again after a lost answer, and is stored only under the current leader's
 * number. `asked_as` is the id chosen by the caller. `counted_usd` is what a line counts towards its owner's daily
 * limit. A person's action is on the audit list in the same commit.
 */
export const plansSchema = `CREATE TABLE hub_plan (
     number bigint PRIMARY KEY,
     person text NOT NULL CHECK (person ~ '${namePattern}'),
     asked_as text COLLATE "C" UNIQUE,
     ended_at_ms bigint
   );
   CREATE INDEX hub_plan_open ON hub_plan (number) WHERE ended_at_ms IS NULL;
   CREATE INDEX hub_plan_ended ON hub_plan (ended_at_ms) WHERE ended_at_ms IS NOT NULL;
   CREATE TABLE hub_plan_line (
     sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     id text COLLATE "C" NOT NULL UNIQUE,
     plan bigint NOT NULL REFERENCES hub_plan (number),
     fence bigint NOT NULL,
     at_ms bigint NOT NULL,
     counted_usd numeric,
     line jsonb NOT NULL
   );
   CREATE INDEX hub_plan_line_by_plan ON hub_plan_line (plan, sequence);
   CREATE INDEX hub_plan_line_counted ON hub_plan_line (at_ms) WHERE counted_usd IS NOT NULL`

/**
 * Appends a line. Older databases have one that only looked at the halt: it is replaced here, and a new one never has
 * it. A plan begins as a write does (`haltSchema`): the halt's row is the last lock, so that of the audit list comes
 * before it.
 */
export const planAppendSchema = `CREATE OR REPLACE FUNCTION hub_plan_append(own_fence bigint, own_id text,
     own_plan bigint, own_person text, own_asked text, own_at bigint, usd numeric, own_line jsonb,
     is_nothing boolean, doer text, whom text, act text, own_detail text)
     RETURNS text LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM 1 FROM hub_plan_line WHERE id = own_id;
     IF FOUND THEN RETURN NULL; END IF;
     PERFORM 1 FROM hub_lead WHERE fence = own_fence FOR KEY SHARE;
     IF NOT FOUND THEN RETURN 'fenced'; END IF;
     IF own_line->>'event' = 'begun' THEN
       PERFORM 1 FROM hub_plan WHERE asked_as = own_asked;
       IF FOUND THEN RETURN 'asked'; END IF;
       PERFORM 1 FROM hub_audit_head FOR UPDATE;
       PERFORM 1 FROM hub_halt WHERE reason IS NULL FOR SHARE SKIP LOCKED;
       IF NOT FOUND THEN RETURN 'halted'; END IF;
       INSERT INTO hub_plan (number, person, asked_as) VALUES (own_plan, own_person, own_asked);
     END IF;
     INSERT INTO hub_plan_line (id, plan, fence, at_ms, counted_usd, line)
       VALUES (own_id, own_plan, own_fence, own_at, usd, own_line);
     IF own_line->>'event' = 'ended' THEN
       UPDATE hub_plan SET ended_at_ms = own_at WHERE number = own_plan;
     END IF;
     IF is_nothing THEN UPDATE hub_plan_line SET counted_usd = 0 WHERE plan = own_plan AND counted_usd > 0; END IF;
     IF act IS NOT NULL THEN
       INSERT INTO hub_audit (person, subject, action, detail) VALUES (doer, whom, act, own_detail);
     END IF;
     RETURN NULL;
   END $$`
