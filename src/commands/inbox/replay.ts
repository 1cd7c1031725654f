import { plainText } from '../../base/text/plain-text.ts'
import { pagesFrom, type QuarantinedBody } from '../../domain/gateway/inbox-source.ts'
import { quarantinedBody, type Replay, replayBody } from '../../inbox/receiver/read-incoming.ts'
import type { EventStore } from '../../inbox/store/event-store.ts'
import type { Arguments } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Fields, failed, wrongUsage } from '../cli/exit-codes.ts'
import { amount, formOf, list, printOutcome, text } from '../cli/output.ts'
import { bodyNumberUsage, isBodyNumber } from './events.ts'
import { giveWay, withStore } from './store.ts'

const columns = [
  amount('number', 'NUMBER'),
  text('result', 'RESULT'),
  text('eventId', 'EVENT', 1),
  text('orderId', 'ORDER', 1),
  text('reason', 'REASON'),
]

/** Bodies recorded between two rests: what is only read holds nobody up. */
const atOnce = 50

/** Reads the quarantine again, and records every body that is an event. */
export const runInboxReplay: Run = async (given: Arguments, io, tools) => {
  const [word] = given.words
  if (word !== undefined && !isBodyNumber(word)) return wrongUsage(bodyNumberUsage)
  return withStore(given, { io, tools, use: 'change' }, async (store) => {
    const rows: Fields[] = []
    let isThere = word === undefined
    let recordedCount = 0
    for await (const body of wanted(store, word === undefined ? null : Number(word), io.signal)) {
      isThere = true
      const replayed = await replayBody(store, body, tools.clock.wallMs())
      rows.push(rowOf(body, replayed))
      if (replayed.kind !== 'recorded') continue
      recordedCount += 1
      if (recordedCount % atOnce === 0) await giveWay(tools)
    }
    if (!isThere) return failed(`no number ${plainText(word ?? '')} in the quarantine`)
    await printOutcome(list(rows), columns, formOf(given, io.stdout), io)
    return io.signal.aborted ? failed('ended before all was replayed') : done
  })
}

/** Quarantined bodies, oldest first: the one with this number, or all not yet replayed. */
async function* wanted(store: EventStore, number: number | null, signal: AbortSignal): AsyncGenerator<QuarantinedBody> {
  if (signal.aborted) return
  if (number !== null) {
    const body = await quarantinedBody(store, number)
    if (body !== null) yield body
    return
  }
  for await (const page of pagesFrom((query) => store.quarantine(query), { after: 0 })) {
    for (const body of page) if (body.replayedAtMs === null) yield body
    if (signal.aborted) return
  }
}

function rowOf({ sequence: number }: QuarantinedBody, replayed: Replay): Fields {
  const row = { number, eventId: null, orderId: null, reason: null }
  if (replayed.kind === 'before') return { ...row, result: 'taken up before' }
  if (replayed.kind === 'unreadable') return { ...row, result: 'still no event', reason: replayed.reason }
  const { eventId, orderId } = replayed
  return { ...row, result: results[replayed.as], eventId, orderId }
}

const results = {
  new: 'recorded',
  known: 'was recorded before',
  conflict: 'kept beside another body of the same id',
  quarantined: 'still no event',
} as const
