import { Entries } from '../../src/journal/entries.ts'
import { isOpen, type JournalEntry, keysOf, type WriteJournal } from '../../src/journal/entry.ts'
import type { JournalRecord } from '../../src/journal/record.ts'

/** A journal in memory: it keeps what a test asks for. It forgets everything with its process. */
export function createMemoryJournal(): WriteJournal & { readonly entries: readonly JournalEntry[] } {
  const entries = new Entries()
  let count = 0
  const add = (record: JournalRecord) => {
    entries.add(record)
    return Promise.resolve()
  }
  return {
    run: 'memory',
    get entries() {
      return entries.all()
    },
    async begin(intent, atMs) {
      count += 1
      const id = `memory${count}`
      await add({ record: 'begin', at: atMs, id, intent })
      return {
        id,
        step: (step, at) => add({ record: 'step', at, id, step }),
        end: (outcome, at) => add({ record: 'outcome', at, id, outcome }),
      }
    },
    settle: (id, settlement, at) => add({ record: 'settled', at, id, settlement }),
    open: () => entries.all().filter(isOpen),
    adopt: () => Promise.resolve([]),
    openElsewhere: () => Promise.resolve([]),
    history: (sinceMs) => Promise.resolve(entries.all().filter(({ atMs }) => atMs >= sinceMs)),
    find: ({ kind, id }) => {
      const isSame = ({ intent }: JournalEntry) => keysOf(intent).some((each) => each.kind === kind && each.id === id)
      return Promise.resolve({ entries: entries.all().filter(isSame), gap: null })
    },
    alone: (run) => run(),
    listen: () => {},
    close: () => Promise.resolve(),
  }
}
