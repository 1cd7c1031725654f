// A process that begins a write and then waits to be killed: `node holder.ts FOLDER`.
import { randomBytes } from 'node:crypto'
import { Decimal } from '../../src/domain/money.ts'
import { openFileJournal } from '../../src/journal/file-journal.ts'

const [, , folder = ''] = process.argv
const journal = await openFileJournal({ folder, exchange: 'practice', now: () => 0, randomBytes })
const request = { currency: 'BTC', beneficiary: 'w', amount: new Decimal(1) }
const { id } = await journal.begin({ kind: 'withdrawal', request, draftId: null }, 0)
process.stdout.write(id)
process.stdin.resume()
