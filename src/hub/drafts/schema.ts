import { namePattern } from '../people/schema.ts'

/** Draft ids. */
const draftIdPattern = '^[A-Za-z0-9-]{1,64}$'

/**
 * Withdrawal drafts, and the approvals of their revisions. The outcome of a sent draft is only in the journal, under
 * its id: `hub_begin` and every change of a draft lock the draft's row, so exactly the approved terms are sent.
 * `hub_whitelist` has one row: the whitelist as known at the firm; its entries are null until it was read once.
 */
export const draftsSchema = `CREATE TABLE hub_draft (
     sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     id text COLLATE "C" NOT NULL UNIQUE CHECK (id ~ '${draftIdPattern}'),
     version bigint NOT NULL DEFAULT 1,
     revision bigint NOT NULL DEFAULT 1,
     made_by text NOT NULL CHECK (made_by ~ '${namePattern}'),
     created_at_ms bigint NOT NULL,
     currency text NOT NULL,
     beneficiary text NOT NULL,
     beneficiary_name text NOT NULL,
     amount text NOT NULL CHECK (amount = 'max' OR amount ~ '^[0-9]+([.][0-9]+)?$'),
     note text,
     key text COLLATE "C",
     wants_approval boolean NOT NULL,
     ended_as text CHECK (ended_as IN ('dropped', 'rejected')),
     ended_reason text,
     ended_at_ms bigint
   );
   CREATE UNIQUE INDEX hub_draft_by_key ON hub_draft (key) WHERE key IS NOT NULL AND ended_as IS NULL;
   CREATE TABLE hub_approval (
     draft_id text COLLATE "C" NOT NULL REFERENCES hub_draft (id),
     revision bigint NOT NULL,
     person text NOT NULL CHECK (person ~ '${namePattern}'),
     terms text NOT NULL,
     signature text NOT NULL,
     at_ms bigint NOT NULL,
     PRIMARY KEY (draft_id, revision)
   );
   CREATE TABLE hub_whitelist (is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), entries jsonb);
   INSERT INTO hub_whitelist DEFAULT VALUES`
