import type pg from 'pg'
import { z } from 'zod'
import { err, ok, type Result } from '../../base/result.ts'
import { Secret } from '../../base/secret.ts'
import { hourMs } from '../../base/text/time-text.ts'
import { approvalKeyOf, makeToken, tokenDigest } from '../../base/token-signature.ts'
import {
  noPersonLimits,
  type PersonLimits,
  type PersonLimitsChange,
  personLimitNames,
} from '../../domain/hub/person-limits.ts'
import { type Act, type Role, roles, rolesWith } from '../../domain/hub/roles.ts'
import { inTransaction, type Questions } from '../store/database.ts'
import { appendAudit } from './audit.ts'
import { limitColumns, limitsOf, wholeColumn } from './limit-rows.ts'
import { namePattern } from './schema.ts'

/** Default time that an old token stays valid beside the new one. */
export const usualOverlapMs = 24 * hourMs

const names = new RegExp(namePattern)

/**
 * Reads a person's name: 1 to 40 letters, digits, dots, `_` and `-`, starting with a letter or digit. The error is a
 * clause.
 */
export const readPersonName = (text: string): Result<string> =>
  names.test(text)
    ? ok(text)
    : err('a name has 1 to 40 letters, digits, dots, _ and -, and begins with a letter or a digit')

/** Who acts, for the audit list: the user and machine of a command. */
type Doer = { readonly by: string }

/** A new token. It is shown to its owner only, and not stored. */
export type NewToken = {
  /** The name in the hub's spelling; names are equal ignoring case. */
  readonly name: string
  readonly role: Role
  readonly token: Secret
  /** True when the person had been revoked and is back with the earlier limits. */
  readonly wasRevoked: boolean
  /** When older tokens end, in ms since 1970; null when none is valid beside this one. */
  readonly oldUntilMs: number | null
}

const personRow = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  revoked_at_ms: wholeColumn.nullable(),
})
type PersonRow = z.output<typeof personRow>

const personColumns = 'id, name, role, revoked_at_ms'
const byName = 'lower(name COLLATE "C") = $1'

/** Reads and locks a person's row until the transaction ends; null when there is none. */
async function lockPerson(client: Questions, name: string): Promise<PersonRow | null> {
  const text = `SELECT ${personColumns} FROM hub_person WHERE ${byName} FOR UPDATE`
  const { rows } = await client.query(text, [name.toLowerCase()])
  return rows[0] === undefined ? null : personRow.parse(rows[0])
}

/** Like `lockPerson`, but refuses a revoked person. The error is a sentence. */
async function lockActive(client: Questions, name: string): Promise<Result<PersonRow>> {
  const found = await lockPerson(client, name)
  if (found === null) return err(`The hub has nobody called ${name}: pitdesk hub user list shows everybody.`)
  if (found.revoked_at_ms === null) return ok(found)
  return err(`${found.name} is revoked: pitdesk hub user add ${found.name} --role ${found.role} takes them back.`)
}

/** Creates a token for a person, and stores its digest and the public half of its key. */
async function giveToken(client: Questions, personId: string, randomBytes: (count: number) => Buffer): Promise<Secret> {
  const token = new Secret(makeToken(randomBytes))
  await client.query(
    'INSERT INTO hub_token (person_id, digest, approval_key, made_at_ms) VALUES ($1, $2, $3, hub_now_ms())',
    [personId, tokenDigest(token.reveal()), approvalKeyOf(token)],
  )
  return token
}

/** Ends a person's tokens after this time, unless they end sooner. */
async function endTokens(client: Questions, personId: string, afterMs: number): Promise<void> {
  await client.query(
    `UPDATE hub_token SET expires_at_ms = hub_now_ms() + $2
      WHERE person_id = $1 AND (expires_at_ms IS NULL OR expires_at_ms > hub_now_ms() + $2)`,
    [personId, afterMs],
  )
}

/** Until when a token other than the newest is valid; null when none is. */
async function oldUntil(client: Questions, personId: string): Promise<number | null> {
  const { rows } = await client.query(
    'SELECT max(expires_at_ms) AS until FROM hub_token WHERE person_id = $1 AND expires_at_ms > hub_now_ms()',
    [personId],
  )
  return wholeColumn.nullable().parse(rows[0]?.until ?? null)
}

/**
 * Adds a person and returns their token. A revoked person is restored, with the requested role and the earlier limits.
 * The error is a sentence: the name is taken. When two add the same name at once, one succeeds.
 */
export function addPerson(
  pool: pg.Pool,
  { name, role, by }: { readonly name: string; readonly role: Role } & Doer,
  randomBytes: (count: number) => Buffer,
): Promise<Result<NewToken>> {
  return inTransaction(pool, async (client) => {
    const made = await client.query(
      `INSERT INTO hub_person (name, role, added_at_ms) VALUES ($1, $2, hub_now_ms())
        ON CONFLICT DO NOTHING RETURNING ${personColumns}`,
      [name, role],
    )
    const person = made.rows[0] === undefined ? await lockPerson(client, name) : personRow.parse(made.rows[0])
    if (person === null) throw new Error(`${name} is neither new nor there`)
    const wasRevoked = person.revoked_at_ms !== null
    if (made.rows.length === 0 && !wasRevoked)
      return err(
        `${person.name} is there already, as ${person.role}: pitdesk hub user rotate gives a new token. For another ` +
          'role revoke them first.',
      )
    if (wasRevoked)
      await client.query('UPDATE hub_person SET role = $2, revoked_at_ms = NULL WHERE id = $1', [person.id, role])
    const token = await giveToken(client, person.id, randomBytes)
    const detail = { role, wasRevoked, by }
    await appendAudit(client, { person: null, subject: person.name, action: 'personAdded', detail })
    return ok({ name: person.name, role, token, wasRevoked, oldUntilMs: null })
  })
}

/**
 * Gives a person a new token. Older ones stay valid for `overlapMs`; 0 ends them at once. The error is a sentence: no
 * such person, or revoked.
 */
export function rotateToken(
  pool: pg.Pool,
  { name, overlapMs, by }: { readonly name: string; readonly overlapMs: number } & Doer,
  randomBytes: (count: number) => Buffer,
): Promise<Result<NewToken>> {
  return inTransaction(pool, async (client) => {
    const found = await lockActive(client, name)
    if (!found.ok) return found
    const person = found.value
    await endTokens(client, person.id, overlapMs)
    const token = await giveToken(client, person.id, randomBytes)
    const oldUntilMs = await oldUntil(client, person.id)
    const detail = { overlapMs, by }
    await appendAudit(client, { person: null, subject: person.name, action: 'tokenRotated', detail })
    return ok({ name: person.name, role: person.role, token, wasRevoked: false, oldUntilMs })
  })
}

/** Ends all tokens of a person at once and returns their name. The error is a sentence. */
export function revokePerson(pool: pg.Pool, { name, by }: { readonly name: string } & Doer): Promise<Result<string>> {
  return inTransaction(pool, async (client) => {
    const found = await lockActive(client, name)
    if (!found.ok) return found
    const person = found.value
    await client.query('UPDATE hub_person SET revoked_at_ms = hub_now_ms() WHERE id = $1', [person.id])
    await endTokens(client, person.id, 0)
    await appendAudit(client, { person: null, subject: person.name, action: 'personRevoked', detail: { by } })
    return ok(person.name)
  })
}

/** The role of a person, revoked or not, and the plans of theirs that go on; null when there is nobody of that name. */
export async function leftBehind(
  questions: Questions,
  name: string,
): Promise<{ role: Role; planIds: readonly string[] } | null> {
  const { rows } = await questions.query(`SELECT ${personColumns} FROM hub_person WHERE ${byName}`, [
    name.toLowerCase(),
  ])
  if (rows[0] === undefined) return null
  const person = personRow.parse(rows[0])
  const open = 'SELECT number FROM hub_plan WHERE person = $1 AND ended_at_ms IS NULL ORDER BY number'
  const plans = (await questions.query(open, [person.name])).rows.map((row) =>
    z.object({ number: wholeColumn }).parse(row),
  )
  return { role: person.role, planIds: plans.map(({ number }) => `p${number}`) }
}

const limitColumnOf = { orderUsd: 'order_usd', dayUsd: 'day_usd', withdrawDayUsd: 'withdraw_day_usd' } as const

/** The changed limits as columns and texts. */
function changedLimits(change: PersonLimitsChange) {
  const named = personLimitNames.flatMap((name) => {
    const value = change[name]
    return value === undefined ? [] : [{ name, column: limitColumnOf[name], text: value?.toFixed() ?? null }]
  })
  return {
    columns: named.map(({ column }) => column),
    texts: named.map(({ text }) => text),
    detail: Object.fromEntries(named.map(({ name, text }) => [name, text])),
  }
}

const returned = Object.values(limitColumnOf).join(', ')

/** Changes a person's own limits; returns their name and all their limits. The error is a sentence. */
export function setPersonLimits(
  pool: pg.Pool,
  { name, change, by }: { readonly name: string; readonly change: PersonLimitsChange } & Doer,
): Promise<Result<{ name: string; role: Role; limits: PersonLimits }>> {
  return inTransaction(pool, async (client) => {
    const found = await lockActive(client, name)
    if (!found.ok) return found
    const person = found.value
    const { columns, texts, detail } = changedLimits(change)
    const set = columns.map((column, at) => `${column} = $${at + 2}`).join(', ')
    const { rows } = await client.query(
      set === ''
        ? `SELECT ${returned} FROM hub_person WHERE id = $1`
        : `UPDATE hub_person SET ${set} WHERE id = $1 RETURNING ${returned}`,
      [person.id, ...texts],
    )
    if (set !== '')
      await appendAudit(client, {
        ...{ person: null, subject: person.name, action: 'personLimits' },
        detail: { limits: detail, by },
      })
    return ok({ name: person.name, role: person.role, limits: limitsOf(z.object(limitColumns).parse(rows[0])) })
  })
}

/** Changes the limits of a role, which apply to its persons without their own; returns all of them. */
export function setRoleLimits(
  pool: pg.Pool,
  { role, change, by }: { readonly role: Role; readonly change: PersonLimitsChange } & Doer,
): Promise<PersonLimits> {
  return inTransaction(pool, async (client) => {
    const { columns, texts, detail } = changedLimits(change)
    if (columns.length > 0) {
      const places = columns.map((_, at) => `$${at + 2}`)
      await client.query(
        `INSERT INTO hub_role_limit (role, ${columns.join(', ')}) VALUES ($1, ${places.join(', ')})
          ON CONFLICT (role) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
        [role, ...texts],
      )
      await appendAudit(client, { person: null, action: 'roleLimits', detail: { role, limits: detail, by } })
    }
    return (await roleLimits(client)).get(role) ?? noPersonLimits
  })
}

const roleLimitRow = z.object({ role: z.enum(roles), ...limitColumns })

/** The limits of roles that have some. */
export async function roleLimits(questions: Questions): Promise<ReadonlyMap<Role, PersonLimits>> {
  const { rows } = await questions.query('SELECT * FROM hub_role_limit')
  return new Map(
    rows.map((row) => {
      const { role, ...limits } = roleLimitRow.parse(row)
      return [role, limitsOf(limits)] as const
    }),
  )
}

const listedRow = z
  .object({
    name: z.string(),
    role: z.enum(roles),
    ...limitColumns,
    added_at_ms: wholeColumn,
    revoked_at_ms: wholeColumn.nullable(),
    token_made_at_ms: wholeColumn.nullable(),
    old_until_ms: wholeColumn.nullable(),
  })
  .transform((row) => ({
    ...{ name: row.name, role: row.role, ownLimits: limitsOf(row) },
    ...{ addedAtMs: row.added_at_ms, revokedAtMs: row.revoked_at_ms },
    /** When the newest valid token was made; null when none is valid. */
    tokenMadeAtMs: row.token_made_at_ms,
    /** Until when an older token is valid beside it; null when none is. */
    oldUntilMs: row.old_until_ms,
  }))
export type ListedPerson = z.output<typeof listedRow>

/** All persons by name, including revoked ones. */
export async function listPersons(questions: Questions): Promise<readonly ListedPerson[]> {
  const { rows } = await questions.query(`SELECT p.*,
      (SELECT max(made_at_ms) FROM hub_token WHERE person_id = p.id
        AND (expires_at_ms IS NULL OR expires_at_ms > hub_now_ms())) AS token_made_at_ms,
      (SELECT max(expires_at_ms) FROM hub_token WHERE person_id = p.id AND expires_at_ms > hub_now_ms()) AS old_until_ms
    FROM hub_person AS p ORDER BY lower(name COLLATE "C")`)
  return rows.map((row) => listedRow.parse(row))
}

/** The role of a person; null when there is no such person, or they are revoked. */
export async function roleOf(questions: Questions, name: string): Promise<Role | null> {
  const { rows } = await questions.query(
    `SELECT ${personColumns} FROM hub_person WHERE ${byName} AND revoked_at_ms IS NULL`,
    [name.toLowerCase()],
  )
  return rows[0] === undefined ? null : personRow.parse(rows[0]).role
}

/** A person who asks, and the token that they ask with. */
export type Asker = { readonly name: string; readonly tokenDigest: string }

/**
 * True when a person may do this now, with this token, as the database says; until the transaction ends nobody takes
 * that from them. A hub hears of a revocation or rotation a moment after it was made, and a decision must not fall into
 * that moment.
 */
export async function mayNow(client: Questions, { name, tokenDigest: digest }: Asker, act: Act): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT id FROM hub_person WHERE ${byName} AND revoked_at_ms IS NULL AND role = ANY ($2) FOR SHARE`,
    [name.toLowerCase(), rolesWith(act)],
  )
  // Only now: whoever ends a token locks its person first, and the next query sees what they did.
  const valid = await client.query(
    `SELECT 1 FROM hub_token WHERE digest = $1 AND person_id = $2
      AND (expires_at_ms IS NULL OR expires_at_ms > hub_now_ms())`,
    [digest, rows[0]?.id ?? null],
  )
  return valid.rows.length > 0
}

/** The public keys of all tokens a person ever had, because signatures made with an ended token stay valid. */
export async function approvalKeysOf(questions: Questions, name: string): Promise<readonly string[]> {
  const { rows } = await questions.query(
    `SELECT approval_key FROM hub_token WHERE person_id = (SELECT id FROM hub_person WHERE ${byName}) ORDER BY id`,
    [name.toLowerCase()],
  )
  return rows.map((row) => z.object({ approval_key: z.string() }).parse(row).approval_key)
}
