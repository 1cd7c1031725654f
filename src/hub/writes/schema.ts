/**
 * The tables of the hub's writes. `hub_lead` has one row: the leader, its number, and its last heartbeat; no write
 * begins under another number. `hub_write` is the journal: an intent is a row before anything is sent, its outcome a
 * column afterwards. An open write has neither a definite outcome nor a settlement. `counted_usd` is what a write
 * counts towards its person's daily limit: all of it, until less is certain. `hub_write_key` has the ids of writes that
 * may have been sent, each once; writes never sent release their ids. A draft's withdrawal begins only with the checked
 * version of the draft, and while `hub_halt` has a reason only cancels begin (`haltSchema`).
 */
export const writesSchema = `CREATE TABLE hub_lead (
     fence bigint NOT NULL, holder text NOT NULL, backend integer NOT NULL, beat timestamptz NOT NULL
   );
   INSERT INTO hub_lead VALUES (0, '', 0, 'epoch');
   CREATE TABLE hub_account (name text);
   INSERT INTO hub_account VALUES (NULL);
   CREATE TABLE hub_write (
     sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     id text COLLATE "C" NOT NULL UNIQUE,
     fence bigint NOT NULL,
     person text NOT NULL,
     begun_at_ms bigint NOT NULL,
     counted_usd numeric,
     intent jsonb NOT NULL,
     steps jsonb NOT NULL DEFAULT '[]',
     outcome jsonb,
     settlement jsonb,
     is_open boolean NOT NULL DEFAULT true
   );
   CREATE INDEX hub_write_open ON hub_write (sequence) WHERE is_open;
   CREATE INDEX hub_write_by_time ON hub_write (begun_at_ms);
   CREATE TABLE hub_write_key (key text COLLATE "C" PRIMARY KEY, write_id text COLLATE "C" NOT NULL);
   CREATE INDEX hub_write_key_by_write ON hub_write_key (write_id);
   CREATE FUNCTION hub_end(own_id text, own_outcome jsonb, own_settlement jsonb) RETURNS void LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE hub_write SET
       outcome = CASE WHEN own_outcome IS NULL OR (own_outcome->>'kind' = 'unknown' AND outcome IS NOT NULL)
         THEN outcome ELSE own_outcome END,
       settlement = coalesce(settlement, own_settlement)
     WHERE id = own_id;
     UPDATE hub_write SET is_open = false WHERE id = own_id AND is_open
       AND (settlement IS NOT NULL OR outcome->>'kind' <> 'unknown');
     DELETE FROM hub_write_key WHERE write_id = own_id AND EXISTS (
       SELECT FROM hub_write WHERE id = own_id AND settlement IS NULL AND outcome->>'kind' = 'notSent');
   END $$`

/**
 * Begins a write in the name of a person, who must be there now as when the write was checked: unrevoked, in one of
 * these roles, and unless null by the same token, under the same limits. Whoever approved its draft must still be an
 * approver. The rows are locked until the write is on record, so nothing begins after a revocation has returned.
 */
export const standingSchema = `CREATE FUNCTION hub_begin_as(own_roles text[], own_digest text, own_limits numeric[],
     own_approver text, approver_roles text[], own_fence bigint, own_id text, own_person text, at_ms bigint,
     own_keys text[], usd numeric, own_intent jsonb, own_draft text, own_version bigint)
     RETURNS text LANGUAGE plpgsql AS $$
   DECLARE
     own hub_person;
     of_role hub_role_limit;
   BEGIN
     IF own_roles IS NOT NULL THEN
       SELECT * INTO own FROM hub_person WHERE lower(name COLLATE "C") = lower(own_person COLLATE "C")
         AND revoked_at_ms IS NULL AND role = ANY (own_roles) FOR SHARE;
       IF NOT FOUND THEN RETURN 'person'; END IF;
     END IF;
     IF own_digest IS NOT NULL THEN
       PERFORM 1 FROM hub_token WHERE digest = own_digest AND person_id = own.id
         AND (expires_at_ms IS NULL OR expires_at_ms > hub_now_ms()) FOR SHARE;
       IF NOT FOUND THEN RETURN 'token'; END IF;
       SELECT * INTO of_role FROM hub_role_limit WHERE role = own.role;
       IF own_limits IS DISTINCT FROM ARRAY[coalesce(own.order_usd, of_role.order_usd),
         coalesce(own.day_usd, of_role.day_usd), coalesce(own.withdraw_day_usd, of_role.withdraw_day_usd)]
       THEN RETURN 'limits'; END IF;
     END IF;
     IF own_approver IS NOT NULL THEN
       PERFORM 1 FROM hub_draft AS d JOIN hub_approval AS a ON a.draft_id = d.id AND a.revision = d.revision
         WHERE d.id = own_draft AND a.person = own_approver;
       IF NOT FOUND THEN RETURN 'approver'; END IF;
       PERFORM 1 FROM hub_person WHERE lower(name COLLATE "C") = lower(own_approver COLLATE "C")
         AND revoked_at_ms IS NULL AND role = ANY (approver_roles) FOR SHARE;
       IF NOT FOUND THEN RETURN 'approver'; END IF;
     END IF;
     RETURN hub_begin(own_fence, own_id, own_person, at_ms, own_keys, usd, own_intent, own_draft, own_version);
   END $$`

/**
 * Makes the number of the lead a key, which heartbeats leave as it is: what holds the number for the time of a commit
 * holds up none of them, however many writes follow one another.
 */
export const leadKeySchema = 'CREATE UNIQUE INDEX hub_lead_fence ON hub_lead (fence)'

/**
 * Begins a write. Older databases have one that only looked at the halt, so that a write could be recorded after a halt
 * had returned, or one that held up heartbeats: it is replaced here, and a new one never has it. The halt's row is the
 * last lock, behind which nothing is waited for, so that a halt waits for no more than a commit. Nor does a write wait
 * for a halt that is on its way, as whoever halts may stop in the middle of it. It is halted.
 */
export const haltSchema = `CREATE OR REPLACE FUNCTION hub_begin(own_fence bigint, own_id text, own_person text,
     at_ms bigint, own_keys text[], usd numeric, own_intent jsonb, own_draft text, own_version bigint)
     RETURNS text LANGUAGE plpgsql AS $$
   DECLARE
     taken text;
   BEGIN
     PERFORM 1 FROM hub_lead WHERE fence = own_fence FOR KEY SHARE;
     IF NOT FOUND THEN RETURN 'fenced'; END IF;
     IF own_draft IS NOT NULL THEN
       PERFORM 1 FROM hub_draft WHERE id = own_draft AND version = own_version AND ended_as IS NULL FOR UPDATE;
       IF NOT FOUND THEN RETURN 'changed'; END IF;
     END IF;
     SELECT key INTO taken FROM hub_write_key WHERE key = ANY (own_keys) LIMIT 1;
     IF FOUND THEN RETURN 'taken ' || taken; END IF;
     IF own_intent->>'kind' IN ('order', 'move', 'withdrawal') THEN
       PERFORM 1 FROM hub_halt WHERE reason IS NULL FOR SHARE SKIP LOCKED;
       IF NOT FOUND THEN RETURN 'halted'; END IF;
     END IF;
     INSERT INTO hub_write (id, fence, person, begun_at_ms, counted_usd, intent)
       VALUES (own_id, own_fence, own_person, at_ms, usd, own_intent);
     INSERT INTO hub_write_key SELECT key, own_id FROM unnest(own_keys) AS each(key);
     RETURN NULL;
   END $$`
