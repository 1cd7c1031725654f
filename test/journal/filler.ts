// A process that begins orders until the journal takes no more, and says how many it took and why it ended: `node
// filler.ts FOLDER`.
import { randomBytes } from 'node:crypto'
import { openFileJournal } from '../../src/journal/file-journal.ts'
import { aDraft } from '../fakes/orders.ts'

const [, , folder = ''] = process.argv
const journal = await openFileJournal({ folder, exchange: 'practice', now: () => 0, randomBytes })
const troubles: string[] = []
journal.listen((sentence) => troubles.push(sentence))
const begun: Awaited<ReturnType<typeof journal.begin>>[] = []
let reason = ''
while (reason === '') {
  try {
    begun.push(await journal.begin({ kind: 'order', clientOrderId: `c${begun.length}`, draft: aDraft() }, 0))
  } catch (error) {
    reason = String(error)
  }
}
// An outcome that the disk does not take is known all the same.
let ended = 0
for (const write of begun) {
  ended += 1
  await write.end({ kind: 'accepted', id: '1', status: 'OPEN' }, 0)
  if (troubles.length > 0) break
}
// What takes risk out goes on record or not.
await (await journal.begin({ kind: 'cancel', orderId: '7' }, 0)).end({ kind: 'canceled' }, 0)
const open = journal.open().length
// A file whose ends are not all on record must stay where the next desk takes it up.
await journal.close()
process.stdout.write(JSON.stringify({ count: begun.length, ended, reason, open, troubles }))
process.exit(0)
