import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nextTurn } from '../../src/base/clock.ts'
import { recordsOf } from '../../src/journal/entries.ts'
import { FolderReader } from '../../src/journal/folder-reader.ts'
import { joinFiles, joinInTurn, joiningBy, joinOthers, keepUnjoined } from '../../src/journal/joining.ts'
import { recordLine, writeLine } from '../../src/journal/record.ts'
import { anEntry, closeFiles, filesIn, namesIn, reading } from './closed-files.ts'
import { diskCalls } from './disk-calls.ts'
import { aFolder, atMs } from './scene.ts'

const usual = { closedMin: 1, bytesMax: Number.POSITIVE_INFINITY, nowMs: atMs }

/** A closed file with one entry, of about so many bytes. */
function closeFile(folder: string, number: number, bytes: number): string {
  closeFiles(folder, number, number + 1, (each) => ({
    ...anEntry(each),
    settlement: { how: 'placed', by: 'person', id: null, evidence: 'x'.repeat(bytes) },
  }))
  return join(folder, 'closed', `run${String(99_999 - number).padStart(6, '0')}.0001.jsonl`)
}
const joinedNames = (folder: string) => filesIn(join(folder, 'joined'), '.jsonl')
const closedNames = (folder: string) => filesIn(join(folder, 'closed'), '.jsonl')

describe('how much is joined at once', () => {
  // Below 64 KiB, below 512 KiB, below 4 MiB.
  test.each([
    [60_000, 8, 1],
    [60_000, 7, 7],
    [70_000, 8, 1],
    [70_000, 7, 7],
    [600_000, 8, 1],
    [600_000, 7, 7],
  ])(
    'joined files of %i bytes each are joined again when there are eight of a size: %i',
    async (bytes, count, left) => {
      const folder = aFolder()
      for (let number = 0; number < count; number += 1) {
        closeFile(folder, number, bytes)
        await joinFiles({ folder, ...usual })
      }
      expect(joinedNames(folder)).toHaveLength(left)
      expect((await reading(folder)).ids).toHaveLength(count)
    },
  )

  test('files of several sizes are not joined for their number alone, nor are more bytes than may be read', async () => {
    const folder = aFolder()
    for (let number = 0; number < 7; number += 1) {
      closeFile(folder, number, 60_000)
      await joinFiles({ folder, ...usual })
    }
    closeFile(folder, 7, 70_000)
    await joinFiles({ folder, ...usual })
    expect(joinedNames(folder)).toHaveLength(8)
    const bytes = (names: readonly string[]) =>
      names.reduce((sum, name) => sum + statSync(join(folder, 'joined', name)).size, 0)
    closeFile(folder, 8, 60_000)
    const small =
      bytes(joinedNames(folder).slice(0, 7)) + statSync(join(folder, 'closed', closedNames(folder)[0] ?? '')).size
    await joinFiles({ folder, ...usual, bytesMax: small - 1 })
    expect(joinedNames(folder)).toHaveLength(9)
    await joinFiles({ folder, ...usual, bytesMax: small })
    expect(joinedNames(folder)).toHaveLength(2)
    expect((await reading(folder)).ids).toHaveLength(9)
  })

  test('a file that reaches eight megabytes is written, and the next begun', async () => {
    const folder = aFolder()
    for (let number = 0; number < 3; number += 1) closeFile(folder, number, 4_300_000)
    await joinFiles({ folder, ...usual })
    expect(joinedNames(folder)).toHaveLength(2)
    expect((await reading(folder)).ids).toHaveLength(3)
    expect(closedNames(folder)).toEqual([])
  })

  test('a command stops at what it may read, and the next goes on; where nobody could for long all are joined', async () => {
    const folder = aFolder()
    const size = statSync(closeFile(folder, 0, 1_000)).size
    for (let number = 1; number < 6; number += 1) closeFile(folder, number, 1_000)
    await joinFiles({ folder, ...usual, bytesMax: 2 * size })
    expect(closedNames(folder)).toHaveLength(4)
    await joinFiles({ folder, ...usual, bytesMax: 1 })
    expect(closedNames(folder)).toHaveLength(3)
    const crowded = aFolder()
    const name = (number: number) => join(crowded, 'closed', `run${number}.0001.jsonl`)
    mkdirSync(join(crowded, 'closed'), { recursive: true })
    for (let number = 0; number < 999; number += 1) writeFileSync(name(number), '')
    writeFileSync(name(0), recordsOf(anEntry(0)).map(recordLine).join(''))
    await joinFiles({ folder: crowded, ...usual, bytesMax: 1 })
    expect(closedNames(crowded)).toHaveLength(998)
    for (const number of [0, 999]) writeFileSync(name(number), recordsOf(anEntry(number)).map(recordLine).join(''))
    await joinFiles({ folder: crowded, ...usual, bytesMax: 1 })
    expect(closedNames(crowded)).toEqual([])
  })

  test('other work of the process gets its turn after every quarter of a megabyte, and costs nothing before', async () => {
    const turnsDuring = async (bytes: number) => {
      const folder = aFolder()
      for (let number = 0; number < 8; number += 1) closeFile(folder, number, bytes)
      let turns = 0
      let isOver = false
      const counting = (async () => {
        for (; !isOver; turns += 1) await nextTurn()
      })()
      await joinFiles({ folder, ...usual })
      isOver = true
      await counting
      return turns
    }
    expect(await turnsDuring(1_000)).toBe(1)
    expect(await turnsDuring(140_000)).toBe(5)
    expect(await turnsDuring(262_144)).toBe(9)
  })
})

describe('whose turn it is to join', () => {
  test('a command joins when there are 32, a desk when there are four', () => {
    expect(joiningBy).toEqual({
      command: { closedMin: 32, bytesMax: 4_194_304 },
      desk: { closedMin: 4, bytesMax: Number.POSITIVE_INFINITY },
    })
  })

  test('while another process joins, or reads a list that must not be short, nothing is joined', async () => {
    const folder = aFolder()
    mkdirSync(folder, { recursive: true })
    expect([keepUnjoined(folder), namesIn(folder)]).toEqual([null, []])
    closeFile(folder, 0, 10)
    await joinFiles({ folder, ...usual })
    closeFile(folder, 1, 10)
    const lock = keepUnjoined(folder)
    expect(await joinInTurn({ folder, ...usual })).toEqual({ ok: true, value: null })
    expect(closedNames(folder)).toHaveLength(1)
    lock?.release()
    expect(await joinInTurn({ folder, ...usual })).toEqual({ ok: true, value: null })
    expect(closedNames(folder)).toEqual([])
    // It was let go of.
    const again = keepUnjoined(folder)
    expect(again).not.toBeNull()
    again?.release()
  })

  test('what the disk says against it is a sentence, and the turn is another’s', async () => {
    const folder = aFolder()
    closeFile(folder, 0, 10)
    writeFileSync(join(folder, 'joined'), '')
    const said = (reason: string) => ({ ok: false, error: `Closed files of the journal cannot be joined: ${reason}` })
    // A folder that is there and is none may be any of these.
    expect(await joinInTurn({ folder, ...usual })).toEqual(said('a file is in the place of a folder (ENOTDIR)'))
    rmSync(join(folder, 'joined'))
    expect(await joinInTurn({ folder, ...usual })).toEqual({ ok: true, value: null })
    rmSync(join(folder, 'join.lock'))
    mkdirSync(join(folder, 'join.lock'))
    expect(await joinInTurn({ folder, ...usual })).toEqual(said('join.lock: not a plain file (EFTYPE)'))
    expect(keepUnjoined(folder)).toBeNull()
  })
})

describe('what is not joined', () => {
  test('files that are gone meanwhile cost nothing, and where there is none nothing is made', async () => {
    const folder = aFolder()
    await joinOthers({ folder, ...usual }, [])
    await joinFiles({ folder, ...usual, closedMin: 0 })
    expect(existsSync(folder)).toBe(false)
    const path = closeFile(folder, 0, 10)
    await joinOthers({ folder, ...usual }, [{ path: `${path}-gone` }, { path }])
    expect((await reading(folder)).ids).toEqual(['entry0'])
    expect(statSync(join(folder, 'joined')).mode & 0o777).toBe(0o700)
    await joinOthers({ folder, ...usual }, [{ path: `${path}-gone` }])
    expect(joinedNames(folder)).toEqual(['000001.jsonl'])
  })

  test('what a newer program wrote stays as it is, and a last line without its end is copied whole', async () => {
    const folder = aFolder()
    const newer = closeFile(folder, 0, 10)
    writeFileSync(newer, writeLine({ at: new Date(atMs).toISOString(), record: 'of 2030', id: 'a' }), { flag: 'a' })
    const path = closeFile(folder, 1, 10)
    writeFileSync(path, readFileSync(path).subarray(0, -1))
    const torn = closeFile(folder, 2, 10)
    writeFileSync(torn, readFileSync(torn).subarray(0, -9))
    await joinFiles({ folder, ...usual })
    expect([closedNames(folder), namesIn(join(folder, 'damaged')).length]).toEqual([[basename(newer)], 1])
    rmSync(newer)
    const { ids, gaps } = await reading(folder)
    expect([new Set(ids), gaps]).toEqual([
      new Set(['entry1', 'entry2']),
      [`the last line of journal ${basename(torn)} cut off`],
    ])
    expect((await new FolderReader(folder).since(0)).entries.get('entry1')?.settlement?.how).toBe('placed')
  })

  test('a joined file of which something cannot be read stays, and the others are joined without it', async () => {
    const folder = aFolder()
    for (let number = 0; number < 7; number += 1) {
      closeFile(folder, number, 10)
      await joinFiles({ folder, ...usual })
    }
    writeFileSync(join(folder, 'joined', '000003.jsonl'), 'no line\n', { flag: 'a' })
    closeFile(folder, 7, 10)
    await joinFiles({ folder, ...usual })
    expect(joinedNames(folder)).toEqual(['000003.jsonl', '000009.jsonl'])
    const { ids, gaps } = await reading(folder)
    expect([ids.length, gaps]).toEqual([8, ['1 line of journal 000003.jsonl damaged']])
  })

  test('files leave when what they held is on disk in another, under its name, and not before', async () => {
    const folder = aFolder()
    closeFiles(folder, 0, 3)
    const closed = closedNames(folder)
    const calls = diskCalls()
    await joinFiles({ folder, ...usual })
    const leaves = closed.map((name) => calls.indexOf(`remove ${name}`))
    const named = calls.indexOf('name 000001.jsonl')
    expect(Math.min(...leaves)).toBeGreaterThan(calls.indexOf('sync joined'))
    expect(calls.indexOf('sync joined')).toBeGreaterThan(named)
  })
})
