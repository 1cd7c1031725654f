// A process that begins writes until the journal takes no more, and says how many it took and why it ended: `node filler.ts FOLDER`.
import { randomBytes } from 'node:crypto'
import { openFileJournal } from '../../src/journal/file-journal.ts'

const [, , folder = ''] = process.argv
const journal = await openFileJournal({ folder, exchange: 'practice', now: () => 0, randomBytes })
const troubles: string[] = []
journal.listen((sentence) => troubles.push(sentence))
const begun: Awaited<ReturnType<typeof journal.begin>>[] = []
let reason = ''
while (reason === '') {
  try {
    begun.push(await journal.begin({ kind: 'cancel', orderId: `${begun.length}` }, 0))
  } catch (error) {
    reason = String(error)
  }
}
// An outcome that the disk does not take is known all the same.
await begun[0]?.end({ kind: 'canceled' }, 0)
process.stdout.write(JSON.stringify({ count: begun.length, reason, open: journal.open().length, troubles }))
process.exit(0)
