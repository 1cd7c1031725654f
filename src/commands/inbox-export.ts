import { plainText } from '../base/plain-text.ts'
import { done, failed, type Run, wrongUsage } from './command.ts'
import { exportColumns } from './inbox-columns.ts'
import { eventFields, readEventQuery, walkEvents } from './inbox-events.ts'
import { withStore } from './inbox-store.ts'
import { readingSignal } from './io.ts'
import { csvHead, csvRow, jsonLine } from './read-output.ts'

/** Writes every event as it is read, so that a store of any size goes out through little memory. */
export const runInboxExport: Run = async (given, io, tools) => {
  const query = readEventQuery(given)
  if (!query.ok) return wrongUsage(query.error)
  const isJson = given.has('json')
  const leftOut = (sentence: string) => io.complain(plainText(`Left out: ${sentence}.`))
  const signal = readingSignal(io)
  return withStore(given, { io, tools }, async (store) => {
    // One array over many lines: a row waits for the next one, because only the last goes without a comma.
    let held: string | null = null
    if (!isJson) await io.print(csvHead(exportColumns))
    for await (const received of walkEvents(store, query.value, 'oldest first', { signal, leftOut })) {
      const { event, sequence, receivedAtMs, source, copies, conflicts } = received
      if (query.value.state !== undefined && event.orderState !== query.value.state) continue
      const fields = { sequence, receivedAt: receivedAtMs, source, copies, conflicts, ...eventFields(event) }
      if (!isJson) {
        await io.print(csvRow(fields, exportColumns))
        continue
      }
      await io.print(held === null ? '[' : `${held},`)
      held = jsonLine(fields)
    }
    if (io.signal.aborted) return failed('ended before all was written')
    if (isJson) await io.print(held === null ? '[]' : `${held}\n]`)
    return done
  })
}
