import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { DataFile, dataFileName } from '../../../src/sandbox/persistence/data-file.ts'
import { DurableExchange } from '../../../src/sandbox/persistence/durable-exchange.ts'
import { migrations } from '../../../src/sandbox/persistence/schema.ts'
import { UnusableData } from '../../../src/sandbox/persistence/unusable-data.ts'
import { busyDay, crashImage, established, newFolder, stateOf } from './scene.ts'

test('a commit waits for the disk in a folder that is kept, and in one that is removed in the end it does not', () => {
  const [off, full] = [0, 2]
  for (const [isTemporary, synchronous] of [
    [false, full],
    [true, off],
  ] as const) {
    const file = DataFile.open(newFolder(), isTemporary)
    expect(file.prepare('PRAGMA synchronous').get()).toEqual({ synchronous })
    file.close()
  }
})

/** What a person is told when the exchange in this folder is opened; fails when nothing is said. */
function complaint(folder: string): string {
  try {
    DurableExchange.open(folder).close()
  } catch (error) {
    expect(error).toBeInstanceOf(UnusableData)
    const { message } = error as UnusableData
    expect(message).toMatch(/^[A-Z][^\n]*\.$/)
    return message
  }
  throw new Error('it opened')
}

/** A folder with a snapshot and a journal, as a crash leaves it. */
async function crashed(): Promise<string> {
  const folder = newFolder()
  const exchange = established(folder)
  for (const [number, command] of busyDay(300, 21).entries()) {
    exchange.execute(command)
    if (number % 100 === 0) await exchange.settled()
  }
  const image = crashImage(folder)
  exchange.close()
  return image
}

/** Changes the file behind the exchange's back. */
function tamper(folder: string, sql: string): void {
  const database = new DatabaseSync(join(folder, dataFileName))
  database.exec(sql)
  database.close()
}

const advice = 'restore a copy, or move it away to start over.'

test('a folder that is in use is refused, within the process and outside, and free again after the end', () => {
  const folder = newFolder()
  const exchange = established(folder)
  expect(complaint(folder)).toBe(`The data folder ${folder} is in use by another practice exchange.`)
  const code = `new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec('SELECT * FROM note')`
  const other = spawnSync(process.execPath, ['-e', code, join(folder, dataFileName)], { encoding: 'utf8' })
  expect(other.stderr).toContain('database is locked')
  exchange.close()
  DurableExchange.open(folder).close()
})

test.each([
  ['a letter of a command', "UPDATE journal SET commands = replace(commands, 'BUY', 'SEL')", 'the journal is not as'],
  ['a number of events', 'UPDATE journal SET event_count = event_count + 1', 'commands up to 1 do not replay'],
  [
    'one transaction',
    'DELETE FROM journal WHERE last_sequence = (SELECT min(last_sequence) FROM journal)',
    'the journal lacks',
  ],
  [
    'the snapshot',
    'UPDATE snapshot_piece SET content = replace(content, 1, 2)',
    'the snapshot is not as it was written',
  ],
  ['a piece of the snapshot', 'DELETE FROM snapshot_piece', 'the snapshot is not whole'],
  ['a list of accounts', "UPDATE note SET value = 'x'", 'its notes are unreadable'],
  ['a table', 'DROP TABLE orders', 'no such table: orders'],
])('a file in which %s is not as it was written is not opened as if nothing were wrong', async (_, sql, reason) => {
  const folder = await crashed()
  tamper(folder, sql)
  const told = complaint(folder)
  expect(told.startsWith(`The data folder ${folder} is damaged (${reason}`)).toBe(true)
  expect(told.endsWith(`): ${advice}`)).toBe(true)
})

test('money that was made is found out at the start', () => {
  const folder = newFolder()
  established(folder).close()
  const database = new DatabaseSync(join(folder, dataFileName))
  const piece = String(database.prepare('SELECT content FROM snapshot_piece').get()?.content)
  const richer = piece.replace(/"balance":"1/, '"balance":"2')
  database.prepare('UPDATE snapshot_piece SET content = ?, checksum = ?').run(richer, crc32(richer))
  database.close()
  expect(complaint(folder)).toBe(`The data folder ${folder} is damaged (USD is off by 10000): ${advice}`)
})

test('a file whose pages are overwritten, or that is no database, is called damaged', async () => {
  const folder = await crashed()
  DurableExchange.open(folder).close()
  const file = openSync(join(folder, dataFileName), 'r+')
  writeSync(file, Buffer.alloc(20_000, 0x55), 0, 20_000, 4_096)
  closeSync(file)
  expect(complaint(folder)).toContain(`The data folder ${folder} is damaged (`)

  const other = newFolder()
  writeFileSync(join(other, dataFileName), 'this is a letter to my bank, and no database at all. '.repeat(40))
  expect(complaint(other)).toBe(`The data folder ${other} is damaged (file is not a database): ${advice}`)
})

test("another program's database, and a newer version's, are left alone", () => {
  const foreign = newFolder()
  tamper(foreign, 'CREATE TABLE bookmarks (url TEXT)')
  expect(complaint(foreign)).toBe(
    `The file ${dataFileName} in the data folder ${foreign} belongs to another program: choose another folder.`,
  )
  const newer = newFolder()
  established(newer).close()
  tamper(newer, 'PRAGMA user_version = 77')
  const before = readFileSync(join(newer, dataFileName))
  expect(complaint(newer)).toBe(
    `The data folder ${newer} was written by a newer version of this program (format 77; this one knows ${migrations.length}): use that version, or another folder.`,
  )
  expect(readFileSync(join(newer, dataFileName)).equals(before)).toBe(true)
})

test('an empty file, as an interrupted first start leaves it, is as good as none', () => {
  const folder = newFolder()
  writeFileSync(join(folder, dataFileName), '')
  const exchange = established(folder)
  const state = stateOf(exchange)
  exchange.close()
  const again = DurableExchange.open(folder)
  expect(stateOf(again)).toBe(state)
  again.close()
})

test('a file that others could read is closed to them', () => {
  const folder = newFolder()
  established(folder).close()
  chmodSync(join(folder, dataFileName), 0o644)
  DurableExchange.open(folder).close()
  expect(statSync(join(folder, dataFileName)).mode & 0o777).toBe(0o600)
})

test('a folder that cannot be made, or that is a file, is told in a sentence', () => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  const told = (folder: string, reason: string) =>
    `The data folder ${folder} cannot be written: ${reason}. Correct that, or choose another.`
  expect(complaint(file)).toBe(told(file, 'a file of this name is in the way'))
  expect(complaint(join(file, 'below'))).toBe(told(join(file, 'below'), 'a part of its path is not a folder'))
  if (existsSync('/proc/self')) expect(complaint('/proc/nowhere')).toBe(told('/proc/nowhere', 'it cannot be made'))
  const blocked = newFolder()
  mkdirSync(join(blocked, dataFileName))
  expect(complaint(blocked)).toContain(`The data folder ${blocked} cannot be written: `)
})
