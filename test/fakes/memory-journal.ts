import { Entries } from '../../src/journal/entries.ts'
import {
  type Found,
  isOpen,
  type JournalEntry,
  keysOf,
  type WriteJournal,
  type WriteKey,
} from '../../src/journal/entry.ts'
import type { JournalRecord } from '../../src/journal/record.ts'

/** A journal in memory: it keeps what a test asks for. It forgets everything with its process. */
export function createMemoryJournal(): WriteJournal & { readonly entries: readonly JournalEntry[] } {
  const entries = new Entries()
  let count = 0
  const add = (record: JournalRecord) => {
    entries.add(record)
    return Promise.resolve()
  }
  const find = (keys: readonly WriteKey[]): Found => {
    const isAny = ({ kind, id }: WriteKey) => keys.some((key) => key.kind === kind && key.id === id)
    return { entries: entries.all().filter(({ intent }) => keysOf(intent).some(isAny)), gap: null }
  }
  return {
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
    retry: () => Promise.resolve(false),
    openElsewhere: () => Promise.resolve([]),
    history: (sinceMs) => Promise.resolve(entries.all().filter(({ atMs }) => atMs >= sinceMs)),
    find: (key) => Promise.resolve(find([key])),
    findAll: (keys) => Promise.resolve(find(keys)),
    alone: (run) => run(),
    listen: () => {},
    close: () => Promise.resolve(),
  }
}
