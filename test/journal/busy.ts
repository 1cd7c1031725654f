// A process that opens a journal, begins and ends a write and closes it, again and again, and looks up what it wrote
// before: as many commands one after the other. Each id is printed once its end is on record: `node busy.ts FOLDER NAME
// COUNT`.
import { randomBytes } from 'node:crypto'
import { openFileJournal } from '../../src/journal/file-journal.ts'
import { aDraft } from '../fakes/orders.ts'

const [, , folder = '', name = '', count = '0'] = process.argv
for (let number = 0; number < Number(count); number += 1) {
  const journal = await openFileJournal({ folder, exchange: 'practice', now: () => number * 1_000, randomBytes })
  const clientOrderId = `${name}-${number}`
  const write = await journal.begin({ kind: 'order', clientOrderId, draft: aDraft() }, number * 1_000)
  await write.end({ kind: 'accepted', id: clientOrderId, status: 'OPEN' }, number * 1_000)
  process.stdout.write(`${clientOrderId}\n`)
  const earlier = `${name}-${(number * 7) % (number + 1)}`
  const { entries, gap } = await journal.find({ kind: 'order', id: earlier })
  const isFound = entries.length === 1 && entries[0]?.outcome?.kind === 'accepted'
  if (!isFound || gap !== null) throw new Error(`${earlier} is found ${entries.length} times: ${gap}`)
  await journal.close()
}
