import type { CancelAllOutcome, CancelOutcome, NotSent } from '../domain/order-outcome.ts'
import { err, ok, type Result } from '../domain/result.ts'
import { done, failed, type Run, wrongUsage } from './command.ts'
import { confirmed, consentOf } from './confirm.ts'
import { ordersPaged, wholeOf } from './paging.ts'
import { readId, readSymbol } from './query-values.ts'
import { formOf, jsonLine } from './read-output.ts'
import { placeOf, type Session, withSession } from './session.ts'
import { withWriting } from './with-writing.ts'
import { ownPatienceMs } from './writing.ts'

function readIds(words: readonly string[]): Result<string[]> {
  if (words.length === 0) return err('which orders? give their ids, as pitdesk orders lists them')
  const ids: string[] = []
  for (const word of words) {
    const id = readId('an id', word)
    if (!id.ok) return id
    if (!ids.includes(id.value)) ids.push(id.value)
  }
  return ok(ids)
}

type Told = { line: string; outcome: string; isDone: boolean }

function outcomeOf(what: string, outcome: CancelOutcome | CancelAllOutcome | NotSent): Told {
  switch (outcome.kind) {
    case 'canceled':
      return { line: `${what}: cancelled.`, outcome: 'canceled', isDone: true }
    case 'ended':
      return { line: `${what}: not canceled, it is ${outcome.order.status}.`, outcome: 'ended', isDone: false }
    case 'left':
      return { line: `${what}: ${outcome.left.length} still working.`, outcome: 'left', isDone: false }
    case 'refused':
      return { line: `${what}: not cancelled, ${outcome.reason}.`, outcome: 'refused', isDone: false }
    case 'notSent':
      return { line: `${what}: not sent, ${outcome.reason}.`, outcome: 'notSent', isDone: false }
    case 'unknown':
      return {
        line: `${what}: no answer (${outcome.reason}). It may have been cancelled.`,
        outcome: 'unknown',
        isDone: false,
      }
  }
}

/** Cancels orders by their ids, one after the other. As in the console a single cancel is not asked about: it only lowers risk. */
export const runOrderCancel: Run = (given, io, tools) => {
  const ids = readIds(given.words)
  if (!ids.ok) return Promise.resolve(wrongUsage(ids.error))
  return withWriting({ given, io, tools }, async (_session, writing) => {
    const results: Array<{ exOrdId: bigint; outcome: string }> = []
    const wrong: string[] = []
    for (const orderId of ids.value) {
      if (io.signal.aborted) return failed('ended before every order was cancelled')
      const told = outcomeOf(`Order ${orderId}`, await writing.trading.orders.cancel(orderId))
      results.push({ exOrdId: BigInt(orderId), outcome: told.outcome })
      if (!told.isDone) wrong.push(told.line)
      else if (formOf(given, io.stdout) === 'table') await io.print(told.line)
    }
    if (formOf(given, io.stdout) !== 'table') await io.print(jsonLine(results))
    if (results.some(({ outcome }) => outcome === 'unknown')) await writing.settle(ownPatienceMs)
    return wrong.length === 0 ? done : failed(wrong.join(' '))
  })
}

/** Cancels every working order, of one symbol or of all, after a question. */
export const runCancelAll: Run = (given, io, tools) => {
  const symbol = readSymbol(given.value('symbol'))
  if (!symbol.ok) return Promise.resolve(wrongUsage(symbol.error))
  if ((symbol.value === undefined) !== given.has('every-symbol'))
    return Promise.resolve(wrongUsage('say which: --symbol SYMBOL, or --every-symbol'))
  const isDry = given.has('dry-run')
  const consent = isDry ? ok('given' as const) : consentOf(given, io)
  if (!consent.ok) return Promise.resolve(wrongUsage(consent.error))
  const of = symbol.value === undefined ? {} : { symbol: symbol.value }
  const scope = symbol.value ?? 'every symbol'
  const count = async ({ client }: Session) =>
    (await wholeOf(ordersPaged(client, of, { most: null, signal: io.signal, onPage: () => undefined }))).length
  if (isDry) {
    return withSession(given, { io, tools, mayWrite: false }, async (session) => {
      await io.print(`Would cancel ${await count(session)} working orders in ${scope}.`)
      return done
    })
  }
  return withWriting({ given, io, tools }, async (session, writing) => {
    const question = `Cancel all ${await count(session)} working orders in ${scope} on ${placeOf(session)}\nType yes to cancel them:`
    if (!(await confirmed(consent.value, io, { question, isYes: (typed) => typed === 'yes' })))
      return failed('left as it is: nothing was cancelled.')
    const told = outcomeOf(`All orders in ${scope}`, await writing.trading.orders.cancelAll(symbol.value ?? null))
    if (told.outcome === 'unknown') await writing.settle(ownPatienceMs)
    if (!told.isDone) return failed(told.line)
    await io.print(
      formOf(given, io.stdout) === 'table'
        ? told.line
        : jsonLine({ symbol: symbol.value ?? null, outcome: told.outcome }),
    )
    return done
  })
}
