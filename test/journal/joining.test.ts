import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entriesInOrder, recordsOf } from '../../src/journal/entries.ts'
import { isOpen } from '../../src/journal/entry.ts'
import { FolderReader } from '../../src/journal/folder-reader.ts'
import { joinFiles } from '../../src/journal/joining.ts'
import { type JournalRecord, recordLine } from '../../src/journal/record.ts'
import { runs } from '../fakes/runs.ts'
import { anEntry, closeFiles, filesIn, namesIn, reading } from './closed-files.ts'
import { aFolder, atMs } from './scene.ts'

const everything = { closedMin: 32, bytesMax: Number.POSITIVE_INFINITY, nowMs: atMs }
const accepted = { kind: 'accepted', id: 'later', status: 'OPEN' } as const

describe('closed files', () => {
  test('are joined into one with an index where there are many, and nothing of them is lost', async () => {
    const folder = aFolder()
    closeFiles(folder, 0, 31)
    await joinFiles({ folder, ...everything })
    expect(filesIn(join(folder, 'closed'), '.jsonl').length).toBe(31)
    closeFiles(folder, 31, 40)
    const before = await reading(folder)
    await joinFiles({ folder, ...everything })
    expect(filesIn(join(folder, 'closed'), '.jsonl')).toEqual([])
    expect(namesIn(join(folder, 'joined'))).toEqual(['000001.index', '000001.jsonl'])
    const after = await reading(folder)
    expect(new Set(after.ids)).toEqual(new Set(before.ids))
    expect(after.ids.length).toBe(40)
    for (const number of [0, 1, 20, 39]) expect(await after.isThere(number)).toEqual(anEntry(number))
    expect(await after.isThere(40)).toBeUndefined()
    // Lines are copied as they are, in the order of their entries' times.
    const lines = readFileSync(join(folder, 'joined', '000001.jsonl'), 'utf8').split('\n')
    const begins = lines.filter((line) => line.includes('"begin"')).map((line) => Date.parse(line.slice(7, 31)))
    expect(begins).toEqual([...begins].sort((left, right) => left - right))
    expect(lines).toContain(recordLine(recordsOf(anEntry(3))[1] as JournalRecord).trimEnd())
  })

  test('small joined files are joined again, so that a year of commands is few files', async () => {
    const folder = aFolder()
    for (let batch = 0; batch < 17; batch += 1) {
      closeFiles(folder, batch * 4, (batch + 1) * 4)
      await joinFiles({ folder, ...everything, closedMin: 4 })
      // Eight make one that is small as well: the eighth of those takes the seven after the first with it.
      expect(filesIn(join(folder, 'joined'), '.jsonl').length).toBe((batch % 7) + 1)
    }
    const { ids, gaps, isThere } = await reading(folder)
    expect([ids.length, gaps]).toEqual([68, []])
    expect(await isThere(50)).toEqual(anEntry(50))
  })

  test('are listed whole in the order of their times, each entry once, however often it was carried over', async () => {
    const folder = aFolder()
    const every10 = { folder, ...everything, closedMin: 10 }
    for (let batch = 0; batch < 11; batch += 1) {
      closeFiles(folder, batch * 10, (batch + 1) * 10)
      await joinFiles(every10)
    }
    // What was open was taken over: its end is in a later file, together with its beginning.
    closeFiles(folder, 500, 510, (number) => ({ ...anEntry((number - 500) * 7), outcome: accepted }))
    await joinFiles(every10)
    closeFiles(folder, 110, 120)
    const loose = (await new FolderReader(folder).loose()).entries.all()
    expect(loose.length).toBe(10)
    for (const from of [0, 7, 50, 115]) {
      const sinceMs = atMs + from * 60_000
      const listed = [...entriesInOrder(folder, loose, sinceMs)].flat()
      expect(listed.map(({ id }) => id)).toEqual(Array.from({ length: 120 - from }, (_, at) => `entry${from + at}`))
      const { entries } = await new FolderReader(folder).since(sinceMs)
      for (const entry of listed) expect(entry).toEqual(entries.get(entry.id))
    }
    // Every seventh was open, and those before the 70th are not any more.
    const open = (await new FolderReader(folder).open()).entries.all().filter(isOpen)
    const expected = Array.from({ length: 120 }, (_, number) => number).filter((each) => each % 7 === 0 && each >= 70)
    expect(new Set(open.map(({ id }) => id))).toEqual(new Set(expected.map((number) => `entry${number}`)))
  })

  test('of a joined file only what a time asks for is read', async () => {
    const folder = aFolder()
    closeFiles(folder, 0, 400)
    await joinFiles({ folder, ...everything })
    const { entries } = await new FolderReader(folder).since(atMs + 390 * 60_000)
    const read = entries.all().map(({ id }) => Number(id.slice(5)))
    for (let number = 390; number < 400; number += 1) expect(read).toContain(number)
    // One stretch of the index more at most.
    expect(read.length).toBeLessThan(100)
  })

  test('with something that cannot be read are set aside as they are, and stay a gap', async () => {
    const folder = aFolder()
    closeFiles(folder, 0, 33)
    const path = join(folder, 'closed', filesIn(join(folder, 'closed'), '.jsonl')[5] ?? '')
    const text = readFileSync(path, 'utf8').replace('"clientOrderId":"c', '"clientOrderId":"x')
    writeFileSync(path, text)
    await joinFiles({ folder, ...everything })
    const [damaged = ''] = namesIn(join(folder, 'damaged'))
    expect(readFileSync(join(folder, 'damaged', damaged), 'utf8')).toBe(text)
    const { gaps } = await reading(folder)
    expect(gaps).toEqual([`1 line of journal ${damaged} damaged`])
  })
})

describe('a crash at any instant of joining', () => {
  test('leaves every entry readable, once, and the next one tidies up', async () => {
    const before = aFolder()
    closeFiles(before, 0, 40)
    const after = aFolder()
    cpSync(before, after, { recursive: true })
    await joinFiles({ folder: after, ...everything })
    const closed = namesIn(join(before, 'closed'))
    const instant = fc.record({
      // What is there: half written files, the index, the file itself and, once that is there, fewer and fewer of those
      // it was made of.
      step: fc.constantFrom('half data', 'half index', 'index', 'all'),
      left: fc.nat(closed.length),
      cut: fc.nat(3_000),
    })
    await fc.assert(
      fc.asyncProperty(instant, async ({ step, left, cut }) => {
        const folder = aFolder()
        cpSync(step === 'all' ? after : before, folder, { recursive: true })
        const joined = join(folder, 'joined')
        mkdirSync(joined, { recursive: true })
        const bytesOf = (name: string) => readFileSync(join(after, 'joined', name))
        if (step.startsWith('half'))
          writeFileSync(join(joined, '000001.jsonl.7.new'), bytesOf('000001.jsonl').subarray(0, cut))
        if (step === 'half index')
          writeFileSync(join(joined, '000001.index.7.new'), bytesOf('000001.index').subarray(0, cut))
        if (step === 'index') writeFileSync(join(joined, '000001.index'), bytesOf('000001.index'))
        if (step === 'all') {
          mkdirSync(join(folder, 'closed'), { recursive: true })
          for (const name of closed.slice(closed.length - left))
            cpSync(join(before, 'closed', name), join(folder, 'closed', name))
        }
        for (const look of ['before', 'after'] as const) {
          const { ids, gaps, isThere } = await reading(folder)
          expect([look, ids.length, new Set(ids).size, gaps]).toEqual([look, 40, 40, []])
          expect(await isThere(11)).toEqual(anEntry(11))
          closeFiles(folder, 0, 0)
          await joinFiles({ folder, ...everything })
        }
        if (namesIn(join(folder, 'closed')).length === 0) expect(filesIn(joined, '.new')).toEqual([])
        rmSync(folder, { recursive: true })
      }),
      { numRuns: runs(20, 40) },
    )
  })
})

describe('the index of a joined file', () => {
  async function aJoinedFolder(): Promise<{ folder: string; index: string; data: string }> {
    const folder = aFolder()
    closeFiles(folder, 0, 120)
    await joinFiles({ folder, ...everything })
    return { folder, index: join(folder, 'joined', '000001.index'), data: join(folder, 'joined', '000001.jsonl') }
  }

  test('is a copy: gone, cut short or changed in any byte it is made anew, and says the same', async () => {
    const { folder, index } = await aJoinedFolder()
    const bytes = readFileSync(index)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('gone', 'cut', 'changed'),
        fc.nat(bytes.length - 1),
        fc.nat(119),
        async (how, at, number) => {
          const other = Buffer.from(bytes)
          other[at] = (other[at] ?? 0) ^ 1
          if (how === 'gone') rmSync(index, { force: true })
          else writeFileSync(index, how === 'cut' ? bytes.subarray(0, at) : other)
          const { isThere, gaps } = await reading(folder)
          expect(await isThere(number)).toEqual(anEntry(number))
          expect(await isThere(number + 120)).toBeUndefined()
          expect(gaps).toEqual([])
        },
      ),
      { numRuns: runs(30, 80) },
    )
  })

  test('knows an entry whose beginning can no longer be read: it is no entry that was never begun', async () => {
    const { folder, data } = await aJoinedFolder()
    const text = readFileSync(data, 'utf8')
    writeFileSync(data, text.replace('"clientOrderId":"c8"', '"clientOrderId":"x8"'))
    const found = await new FolderReader(folder).find([{ kind: 'order', id: 'c8' }])
    expect(found.gaps).toEqual(['1 line of journal 000001.jsonl damaged'])
  })

  test('of a file that lost something says so from then on', async () => {
    const { folder, data, index } = await aJoinedFolder()
    writeFileSync(data, readFileSync(data, 'utf8').replace('"clientOrderId":"c8"', '"clientOrderId":"x8"'))
    rmSync(index)
    const found = await new FolderReader(folder).find([{ kind: 'order', id: 'c9' }])
    expect(found.entries.get('entry9')).toEqual(anEntry(9))
    expect(found.gaps).toEqual(['1 line of journal 000001.jsonl damaged'])
  })
})
