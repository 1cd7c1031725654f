import { createTransport } from '../api/call.ts'
import { ExchangeError } from '../api/errors.ts'
import type { Clock } from '../base/clock.ts'
import { err, ok, type Result } from '../base/result.ts'
import { Secret } from '../base/secret.ts'
import { writeJson } from '../wire/exact-json.ts'
import type { AdminFields } from './sandbox-admin-flags.ts'
import { type AdminRow, flagsOf } from './sandbox-admin-table.ts'
import type { AdminTarget } from './sandbox-admin-target.ts'

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
    const flag = flagsOf(row).find(({ fields }) => fields.includes(field))
    return flag === undefined ? whole : `--${flag.name}`
  })
}
