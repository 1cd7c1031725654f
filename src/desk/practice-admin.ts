import { type BaseAddress, readBaseAddress } from '../api/base-address.ts'
import { createTransport } from '../api/call.ts'
import { ExchangeError } from '../api/errors.ts'
import type { Clock } from '../base/clock.ts'
import { err, ok, type Result } from '../base/result.ts'
import { Secret } from '../base/secret.ts'
import { fieldsOf, type Practice } from '../domain/desk/practice-verb.ts'
import type { AdminFields } from '../sandbox/admin/verb-row.ts'
import { type AdminRow, adminTable, verbArgumentsOf } from '../sandbox/admin/verb-table.ts'
import type { Sandbox } from '../sandbox/start-sandbox.ts'
import type { PracticeRequest } from '../store/practice/practice.ts'
import { writeJson } from '../wire/exact-json.ts'
import { answerWords, readAdminAnswer } from './practice-answer.ts'

/** A practice exchange of the desk's own: what can be done with it, and how. */
export type PracticeAdmin = Practice & {
  /**
   * Does it once: what the exchange says, single values first, then its lists; or a sentence about why it was not done.
   */
  carryOut(request: PracticeRequest, signal: AbortSignal): Promise<Result<readonly string[]>>
}

/** For a desk on another exchange. */
export const noPracticeAdmin: Pick<PracticeAdmin, 'carryOut'> = {
  carryOut: () => Promise.resolve(err('this desk does not run a practice exchange of its own')),
}

/**
 * The administration of a practice exchange that this process runs, for the desk on it: every verb of `pitdesk sandbox
 * admin`.
 */
export function openPracticeAdmin(sandbox: Sandbox, clock: Clock): PracticeAdmin {
  const token = new Secret(sandbox.adminToken)
  return {
    verbs: adminTable,
    accounts: sandbox.accounts.map(({ name }) => name),
    async carryOut({ verb, given }, signal) {
      const base = readBaseAddress(sandbox.adminUrl)
      if (!base.ok) return base
      const target = { base: base.value, token }
      const answered = await callAdmin({ row: verb, fields: fieldsOf(given), target, clock, signal })
      if (!answered.ok) return answered
      const answer = readAdminAnswer(answered.value)
      return answer.ok ? ok(answerWords(answer.value)) : answer
    },
  }
}

export type AdminCall = { row: AdminRow; fields: AdminFields; target: AdminTarget; clock: Clock; signal: AbortSignal }

// Commands answer at once; this is for a machine that is busy, and a person who has had enough presses Ctrl-C.
const patienceMs = 30_000

/** Sends one command to the administration, once: its answer's JSON text, or a sentence about why there is none. */
export async function callAdmin({ row, fields, target, clock, signal }: AdminCall): Promise<Result<string>> {
  const { base, token } = target
  const transport = createTransport({
    base,
    key: new Secret(`Bearer ${token.reveal()}`),
    keyHeader: 'authorization',
    clock,
    // Only reads are sent again, so that there is no pause to vary.
    random: () => 0,
    mayWrite: () => true,
    limits: { headersMs: patienceMs, bodyMs: patienceMs, totalMs: patienceMs },
  })
  const path = row.verb === '' ? `/${row.noun}` : `/${row.noun}/${row.verb}`
  try {
    return ok(await transport.send({ method: 'POST', path, body: writeJson(fields, 'strings'), signal }))
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    return err(token.redact(sentenceOf(error, row, base.origin)))
  } finally {
    await transport.close()
  }
}

function sentenceOf(error: ExchangeError, row: AdminRow, origin: string): string {
  if (error.kind === 'unauthorized')
    return `${origin} does not take this admin token: every start of an exchange may make another`
  switch (error.outcome) {
    case 'refused':
      return inFlags(error.reason, row)
    case 'notSent':
      return `nothing was done, for ${origin} gives no answer: ${error.reason}`
    default:
      return `${error.reason}: it may have been done all the same, so look before you ask again`
  }
}

/** A refusal names fields of the request; whoever typed the command knows them as flags. */
function inFlags(reason: string, row: AdminRow): string {
  return reason.replace(/^field "(\w+)"/, (whole, field: string) => {
    const flag = verbArgumentsOf(row).find(({ fields }) => fields.includes(field))
    return flag === undefined ? whole : `--${flag.name}`
  })
}

/** Where to send a command of the administration, and the token that goes with it. */
export type AdminTarget = { base: BaseAddress; token: Secret }
