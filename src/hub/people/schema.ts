import { roles } from '../../domain/hub/roles.ts'

/** The notification channel for changes of persons, tokens, limits and the halt. */
export const peopleChannel = 'pitdesk_hub_people'

/** Names accepted by the database; `readPersonName` explains the rule in words. */
export const namePattern = '^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$'

const limitColumns = ['order_usd', 'day_usd', 'withdraw_day_usd']
  // Excludes NaN and infinity, which a numeric can be.
  .map((name) => `${name} numeric CHECK (${name} >= 0 AND ${name} < 'Infinity')`)
  .join(',\n     ')

const roleCheck = `role IN (${roles.map((role) => `'${role}'`).join(', ')})`

/**
 * The audit list. Each row's digest covers the previous digest and the row, and `hub_audit_head` has the row count, so
 * that changed and missing rows are detected (see `verifyAudit`, which computes the same). Rows are added one at a time
 * per database, so a transaction should add its row last.
 */
const auditSchema = `
   CREATE TABLE hub_audit (
     number bigint PRIMARY KEY,
     at_ms bigint NOT NULL,
     person text CHECK (person ~ '${namePattern}'),
     subject text CHECK (subject ~ '${namePattern}'),
     action text NOT NULL CHECK (action ~ '^[A-Za-z]{1,40}$'),
     detail text NOT NULL,
     previous bytea NOT NULL,
     digest bytea NOT NULL
   );
   CREATE INDEX hub_audit_by_time ON hub_audit (at_ms);
   CREATE TABLE hub_audit_head (
     is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
     count bigint NOT NULL,
     digest bytea NOT NULL
   ) WITH (fillfactor = 10);
   INSERT INTO hub_audit_head (count, digest) VALUES (0, decode(repeat('00', 32), 'hex'));

   CREATE FUNCTION hub_audit_chain() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     SELECT count + 1, digest INTO NEW.number, NEW.previous FROM hub_audit_head FOR UPDATE;
     NEW.at_ms := hub_now_ms();
     NEW.digest := sha256(NEW.previous || convert_to(concat_ws(E'\\n', NEW.number, NEW.at_ms,
       coalesce(NEW.person, ''), coalesce(NEW.subject, ''), NEW.action, NEW.detail), 'UTF8'));
     UPDATE hub_audit_head SET count = NEW.number, digest = NEW.digest;
     RETURN NEW;
   END $$;
   CREATE TRIGGER hub_audit_chained BEFORE INSERT ON hub_audit FOR EACH ROW EXECUTE FUNCTION hub_audit_chain();

   CREATE FUNCTION hub_audit_keep() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     RAISE EXCEPTION '% only grows: what is in it stays', TG_TABLE_NAME;
   END $$;
   CREATE TRIGGER hub_audit_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON hub_audit
     FOR EACH STATEMENT EXECUTE FUNCTION hub_audit_keep();
   CREATE TRIGGER hub_audit_head_kept BEFORE INSERT OR DELETE OR TRUNCATE ON hub_audit_head
     FOR EACH STATEMENT EXECUTE FUNCTION hub_audit_keep();
   CREATE TRIGGER hub_audit_head_moved BEFORE UPDATE ON hub_audit_head
     FOR EACH STATEMENT WHEN (pg_trigger_depth() < 1) EXECUTE FUNCTION hub_audit_keep();`

const changed = (table: string): string =>
  `CREATE TRIGGER ${table}_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table}
     FOR EACH STATEMENT EXECUTE FUNCTION hub_people_changed();`

/**
 * Persons, their tokens, limits and known addresses, the halt, and the audit list. Only a token's hash and the public
 * half of its derived key are stored; ended tokens stay, because approvals were signed with them.
 */
export const peopleSchema = `
   CREATE FUNCTION hub_now_ms() RETURNS bigint LANGUAGE sql VOLATILE
     AS $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

   CREATE TABLE hub_person (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     name text NOT NULL CHECK (name ~ '${namePattern}'),
     role text NOT NULL CHECK (${roleCheck}),
     ${limitColumns},
     added_at_ms bigint NOT NULL,
     revoked_at_ms bigint
   );
   CREATE UNIQUE INDEX hub_person_by_name ON hub_person (lower(name COLLATE "C"));
   CREATE TABLE hub_token (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     person_id bigint NOT NULL REFERENCES hub_person,
     digest text NOT NULL UNIQUE CHECK (digest ~ '^[0-9a-f]{64}$'),
     approval_key text NOT NULL,
     made_at_ms bigint NOT NULL,
     expires_at_ms bigint
   );
   CREATE INDEX hub_token_by_person ON hub_token (person_id);
   CREATE TABLE hub_role_limit (
     role text PRIMARY KEY CHECK (${roleCheck}),
     ${limitColumns}
   );
   CREATE TABLE hub_sign_in (
     person_id bigint NOT NULL REFERENCES hub_person,
     address text NOT NULL,
     first_at_ms bigint NOT NULL,
     PRIMARY KEY (person_id, address)
   );
   CREATE TABLE hub_halt (
     is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
     reason text CHECK (reason <> ''),
     at_ms bigint
   );
   INSERT INTO hub_halt DEFAULT VALUES;

   CREATE FUNCTION hub_people_changed() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM pg_notify('${peopleChannel}', '');
     RETURN NULL;
   END $$;
   ${['hub_person', 'hub_token', 'hub_role_limit', 'hub_halt'].map(changed).join('\n   ')}
   ${auditSchema}`
