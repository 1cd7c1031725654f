import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nextTurn } from '../../src/base/clock.ts'
import { recordsOf } from '../../src/journal/entries.ts'
import type { JournalEntry, WriteKey } from '../../src/journal/entry.ts'
import { FolderReader, type Reading } from '../../src/journal/folder-reader.ts'
import { removeJoined } from '../../src/journal/joined-file.ts'
import { joinFiles } from '../../src/journal/joining.ts'
import { recordLine, writeLine } from '../../src/journal/record.ts'
import { diskCalls } from './disk-calls.ts'
import { aFolder, anIntent, atMs } from './scene.ts'

/** An entry that has ended, but the first one. */
const anEntry = (number: number, more: Partial<JournalEntry> = {}): JournalEntry => ({
  ...{ id: `e${number}`, atMs: atMs + number, intent: anIntent(`c${number}`), steps: [], settlement: null },
  ...{ outcome: number === 0 ? null : { kind: 'canceled' }, ...more },
})
const textOf = (entry: JournalEntry) => recordsOf(entry).map(recordLine).join('')
const keyOf = (number: number): WriteKey => ({ kind: 'order', id: `c${number}` })
const newerLine = writeLine({ at: new Date(atMs).toISOString(), record: 'of 2030', id: 'a' })

const nameOf = (number: number) => `run${number}.0001.jsonl`

type Place = '' | 'closed' | 'damaged'

/** Writes a file with one entry into one of the places where files lie. */
function put(folder: string, place: Place, number: number, text = textOf(anEntry(number))): string {
  mkdirSync(join(folder, place), { recursive: true })
  const path = join(folder, place, nameOf(number))
  writeFileSync(path, text)
  return path
}

const join4 = (folder: string) => joinFiles({ folder, closedMin: 1, bytesMax: Number.POSITIVE_INFINITY, nowMs: atMs })

/** An account's folder with an entry in each place: 0 written to, 1 closed, 2 damaged, 3 and 4 joined. */
async function aJournal() {
  const folder = aFolder()
  put(folder, 'closed', 3)
  put(folder, 'closed', 4)
  await join4(folder)
  put(folder, '', 0)
  put(folder, 'closed', 1)
  put(folder, 'damaged', 2)
  return { folder, reader: new FolderReader(folder) }
}

const ids = ({ entries }: Reading) => new Set(entries.all().map(({ id }) => id))

test('every place is read: what is written to, closed, damaged and joined, with the runs that are not joined', async () => {
  const { reader } = await aJournal()
  const all = await reader.since(0)
  expect([ids(all), all.gaps, all.runs]).toEqual([
    new Set(['e0', 'e1', 'e2', 'e3', 'e4']),
    [],
    new Set(['run0', 'run1', 'run2']),
  ])
  expect(ids(await reader.loose())).toEqual(new Set(['e0', 'e1', 'e2']))
  for (const number of [0, 1, 2, 3, 4]) {
    const found = await reader.find([keyOf(number)])
    expect(found.entries.get(`e${number}`)).toEqual(anEntry(number))
    expect([found.gaps, found.runs]).toEqual([[], new Set(['run0', 'run1', 'run2'])])
  }
  const several = await reader.find([keyOf(0), keyOf(4), keyOf(9)])
  expect(ids(several)).toEqual(new Set(['e0', 'e4']))
  expect(ids(await reader.find([keyOf(9)]))).toEqual(new Set([]))
  expect(ids(await new FolderReader(aFolder()).since(0))).toEqual(new Set([]))
})

test('what was begun since a time is read with all that came later, and nothing else is', async () => {
  const { reader } = await aJournal()
  expect(ids(await reader.since(atMs + 2))).toEqual(new Set(['e2', 'e3', 'e4']))
  const last = await reader.since(atMs + 4)
  expect(last.entries.get('e4')).toEqual(anEntry(4))
  expect(ids(await reader.since(atMs + 5))).toEqual(new Set([]))
})

test('what became later of an entry from before is no entry of since then', async () => {
  const folder = aFolder()
  const later = recordsOf(anEntry(1)).map((each) => ({ ...each, at: each.record === 'begin' ? atMs : atMs + 50 }))
  put(folder, '', 1, later.map(recordLine).join('') + textOf(anEntry(60)))
  expect(ids(await new FolderReader(folder).since(atMs + 20))).toEqual(new Set(['e60']))
})

test('an order whose id has letters that JSON writes otherwise is found in a file that is not joined', async () => {
  const folder = aFolder()
  const id = 'a "quoted" \\ é\n'
  put(folder, '', 0, textOf(anEntry(0, { intent: anIntent(id) })))
  expect(ids(await new FolderReader(folder).find([{ kind: 'order', id }]))).toEqual(new Set(['e0']))
})

test('entries without an end are told wherever they lie, and one whose end is in a later file has it', async () => {
  const folder = aFolder()
  const unknown = { kind: 'unknown', reason: 'reset' } as const
  put(folder, 'closed', 0, textOf(anEntry(0, { outcome: null })))
  put(folder, 'closed', 1, textOf(anEntry(1, { outcome: unknown })))
  put(folder, 'closed', 2)
  await join4(folder)
  put(folder, 'closed', 3, textOf(anEntry(1)))
  await join4(folder)
  put(folder, '', 4, textOf(anEntry(4, { outcome: null })))
  const { entries } = await new FolderReader(folder).open()
  expect([0, 1, 4].map((number) => entries.get(`e${number}`)?.outcome?.kind ?? null)).toEqual([null, 'canceled', null])
})

const damagedLine = 'no line of a journal\n'

test('what cannot be read is a gap of everything that is looked for, wherever it is', async () => {
  const { folder, reader } = await aJournal()
  appendFileSync(join(folder, 'run0.0001.jsonl'), damagedLine)
  appendFileSync(join(folder, 'damaged', 'run2.0001.jsonl'), `${damagedLine}${damagedLine}half a line`)
  appendFileSync(join(folder, 'closed', 'run1.0001.jsonl'), 'half a line')
  appendFileSync(join(folder, 'joined', '000001.jsonl'), damagedLine)
  const gaps = [
    '1 line of journal run0.0001.jsonl damaged',
    'the last line of journal run1.0001.jsonl cut off',
    '2 lines of journal run2.0001.jsonl damaged',
    '1 line of journal 000001.jsonl damaged',
  ]
  for (const number of [0, 1, 2, 3, 9]) expect((await reader.find([keyOf(number)])).gaps).toEqual(gaps)
  expect((await reader.loose()).gaps).toEqual(gaps)
  expect((await reader.since(0)).gaps).toEqual(gaps)
  expect(ids(await reader.since(0))).toEqual(new Set(['e0', 'e1', 'e2', 'e3', 'e4']))
  // Of what is older than what is asked for as well.
  expect((await reader.since(atMs + 4)).gaps).toEqual(gaps)
  expect((await reader.open()).gaps).toEqual(gaps)
})

test('a gap is as long there as the file has it, and no longer', async () => {
  const folder = aFolder()
  const path = put(folder, '', 0)
  const reader = new FolderReader(folder)
  const gaps = async () => (await reader.find([keyOf(9)])).gaps
  const whole = readFileSync(path)
  expect(await gaps()).toEqual([])
  appendFileSync(path, damagedLine)
  const told = ['1 line of journal run0.0001.jsonl damaged']
  expect([await gaps(), await gaps()]).toEqual([told, told])
  writeFileSync(path, whole)
  expect([await gaps(), await gaps()]).toEqual([[], []])
  writeFileSync(path, whole.subarray(0, -1))
  expect(await gaps()).toEqual([])
  // What has not grown is not reckoned again.
  writeFileSync(path, whole.subarray(0, -1).fill('x', 20, 40))
  expect(await gaps()).toEqual([])
})

test('the index of a joined file is read once, and anew where another file has its name', async () => {
  const { folder, reader } = await aJournal()
  const [path, index] = ['jsonl', 'index'].map((ending) => join(folder, 'joined', `000001.${ending}`)) as [
    string,
    string,
  ]
  await reader.loose()
  const calls = diskCalls()
  const whole = readFileSync(index)
  writeFileSync(index, Buffer.from(whole).fill('x', 2, 9))
  await reader.loose()
  expect(calls).toEqual([])
  await new FolderReader(folder).loose()
  expect(calls).toContain('name 000001.index')
  removeJoined(path)
  expect(ids(await reader.since(atMs + 3))).toEqual(new Set())
  put(folder, 'closed', 8)
  await join4(folder)
  expect(ids(await reader.since(atMs + 5))).toEqual(new Set(['e8']))
})

test('a last line without its end counts where it is whole, whatever else is asked for', async () => {
  const folder = aFolder()
  put(folder, '', 0, textOf(anEntry(0)) + textOf(anEntry(1)).trimEnd())
  const reader = new FolderReader(folder)
  expect((await reader.since(0)).entries.get('e1')).toEqual(anEntry(1))
  expect(ids(await reader.since(atMs + 1))).toEqual(new Set(['e1']))
  put(folder, '', 2, textOf(anEntry(2)) + textOf(anEntry(0)).trimEnd())
  expect(await reader.since(atMs + 1)).toMatchObject({ gaps: [] })
  expect(ids(await reader.since(atMs + 1))).toEqual(new Set(['e1', 'e2']))
})

test('files that do not say whose they are leave part of the journal unknown', async () => {
  const { folder } = await aJournal()
  const unknown = join(folder, 'unknown')
  const reader = new FolderReader(folder, unknown)
  expect((await reader.find([keyOf(0)])).gaps).toEqual([])
  mkdirSync(unknown)
  for (const name of ['a.0001.jsonl', 'b.0001.jsonl']) writeFileSync(join(unknown, name), '')
  expect((await reader.find([keyOf(0)])).gaps).toEqual([`2 journal files in ${unknown} of an unknown account`])
})

test.each<[string, (folder: string) => void]>([
  ['run0.0001.jsonl', (folder) => put(folder, '', 0, newerLine)],
  ['run0.0001.jsonl', (folder) => put(folder, 'closed', 0, newerLine)],
  ['000001.jsonl', (folder) => appendFileSync(join(folder, 'joined', '000001.jsonl'), newerLine)],
])('what a newer program wrote is read by none of the ways: %s', async (name, write) => {
  const { folder, reader } = await aJournal()
  write(folder)
  const error = { name: 'JournalError', message: `journal ${name} was written by a newer pitdesk: use that one` }
  for (const read of [
    ...[() => reader.since(0), () => reader.since(atMs + 4), () => reader.loose(), () => reader.open()],
    ...[() => reader.find([keyOf(9)]), () => reader.find([keyOf(4)]), () => reader.refuseNewer()],
  ])
    await expect(read()).rejects.toMatchObject({ ...error, isFinal: true })
})

test('what nobody newer wrote is not refused, empty files and damaged ones neither', async () => {
  const { folder, reader } = await aJournal()
  put(folder, '', 7, '')
  put(folder, '', 8, damagedLine)
  await reader.refuseNewer()
  // A later line of a newer program is seen by whoever reads the file, not by whoever begins beside it.
  put(folder, '', 9, textOf(anEntry(9)) + newerLine)
  await reader.refuseNewer()
})

/** All ways of reading, and what each must come to while files move on under it. */
const all = Array.from({ length: 12 }, (_, number) => number)
const ways: [string, (reader: FolderReader) => Promise<Reading>, string[]][] = [
  ['since', (reader) => reader.since(0), all.map((number) => `e${number}`)],
  ['find', (reader) => reader.find(all.map(keyOf)), all.map((number) => `e${number}`)],
  ['open', (reader) => reader.open(), ['e0']],
]

test.each(ways)(
  'what moves on at whatever moment of the reading is read where it went: %s',
  async (_, read, expected) => {
    for (let turns = 0; turns < 14; turns += 1) {
      const folder = aFolder()
      for (let number = 5; number < 12; number += 1) {
        put(folder, 'closed', number)
        await join4(folder)
      }
      for (const number of [0, 1, 2]) put(folder, '', number)
      put(folder, 'closed', 3)
      put(folder, 'damaged', 4)
      const reader = new FolderReader(folder)
      await read(reader)
      const reading = read(reader)
      for (let turn = 0; turn < turns; turn += 1) await nextTurn()
      for (const number of [0, 2]) renameSync(join(folder, nameOf(number)), join(folder, 'closed', nameOf(number)))
      // The eighth joined file, with which all of them become one.
      await join4(folder)
      expect(readdirSync(join(folder, 'joined')).filter((name) => name.endsWith('.jsonl'))).toHaveLength(1)
      const found = await reading
      expect([turns, found.gaps, [...ids(found)]]).toEqual([turns, [], expect.arrayContaining(expected)])
    }
  },
)

test('files that are joined again and again while they are read are no journal that was read', async () => {
  const { folder, reader } = await aJournal()
  put(folder, 'closed', 5)
  await join4(folder)
  const joined = (number: number) => join(folder, 'joined', `${String(number).padStart(6, '0')}.jsonl`)
  let number = 2
  let isOver = false
  const moving = async () => {
    while (!isOver) {
      renameSync(joined(number), joined(number + 1))
      number += 1
      await nextTurn()
    }
  }
  const reading = reader.since(0).finally(() => {
    isOver = true
  })
  const moved = moving()
  await expect(reading).rejects.toThrow('its files are joined too often to be read')
  await moved
  expect(number).toBeGreaterThan(20)
})

test('half a line that is whole a moment later was only being written', async () => {
  const { folder, reader } = await aJournal()
  const path = join(folder, 'run0.0001.jsonl')
  const whole = readFileSync(path)
  writeFileSync(path, whole.subarray(0, -20))
  const reading = reader.since(0)
  writeFileSync(path, whole)
  expect((await reading).gaps).toEqual([])
  writeFileSync(path, whole.subarray(0, -20))
  expect((await reader.since(0)).gaps).toEqual(['the last line of journal run0.0001.jsonl cut off'])
})
