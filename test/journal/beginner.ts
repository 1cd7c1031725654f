// A process that begins each of twenty withdrawals unless it was begun before, and says which it began: `node
// beginner.ts FOLDER`.
import { randomBytes } from 'node:crypto'
import { Decimal } from '../../src/domain/money.ts'
import { openFileJournal } from '../../src/journal/file-journal.ts'

const [, , folder = ''] = process.argv
const journal = await openFileJournal({ folder, exchange: 'practice', now: () => 0, randomBytes })
const request = { currency: 'BTC', beneficiary: 'w', amount: new Decimal(1) }
const begun: string[] = []
for (let number = 0; number < 20; number += 1) {
  const key = `key ${number}`
  const write = await journal.alone(async () => {
    const { entries, gap } = await journal.find({ kind: 'key', id: key })
    if (gap !== null) throw new Error(gap)
    return entries.length > 0 ? null : await journal.begin({ kind: 'withdrawal', request, draftId: null, key }, 0)
  })
  if (write === null) continue
  begun.push(key)
  await write.end({ kind: 'accepted', id: null, status: null }, 0)
}
await journal.close()
process.stdout.write(JSON.stringify(begun))
