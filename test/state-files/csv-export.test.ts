import { readdirSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCsvExport } from '../../src/state-files/exports.ts'

const clock = { wallMs: () => Date.UTC(2026, 10, 20, 14, 2, 7, 123) }

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pitdesk-csv-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('rows go to a new file of their own, for its owner alone, and two in one second are two files', async () => {
  const folder = join(await aFolder(), 'deep', 'exports')
  const csv = createCsvExport(folder, clock)
  const rows = [
    ['0.10000000', 'a "b", c'],
    ['-5.4044', ''],
  ]
  const first = await csv.write({ name: 'orders', head: ['price', 'reason'], rows })
  const second = await csv.write({ name: 'orders', head: ['price'], rows: [] })
  const path = join(folder, 'orders-20261120T140207Z.csv')
  expect(first).toEqual({ ok: true, value: { path, rowCount: 2 } })
  expect(second).toEqual({ ok: true, value: { path: path.replace('.csv', '-2.csv'), rowCount: 0 } })
  expect(await readFile(path, 'utf8')).toBe('price,reason\n0.10000000,"a ""b"", c"\n-5.4044,\n')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

test('no row is made in the turn of the key that asks for the export', async () => {
  let made = 0
  function* rows() {
    for (; made < 5_000; made += 1) yield [String(made)]
  }
  const writing = createCsvExport(await aFolder(), clock).write({ name: 'fills', head: ['row'], rows: rows() })
  expect(made).toBe(0)
  expect(await writing).toMatchObject({ ok: true, value: { rowCount: 5_000 } })
})

test('a folder that cannot be written to is told in a sentence, and nothing is left', async () => {
  const folder = await aFolder()
  await writeFile(join(folder, 'exports'), 'a file in the way')
  const written = await createCsvExport(join(folder, 'exports'), clock).write({ name: 'log', head: ['a'], rows: [] })
  expect(written).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^The log could not be exported to .*Nothing was kept\.$/),
  })
})

test('until it is complete a file has another name: no half file of a desk that was killed looks like a whole', async () => {
  const folder = await aFolder()
  await writeFile(join(folder, 'fills-20261120T140207Z.csv'), 'earlier')
  await writeFile(join(folder, 'fills-20261120T140207Z-2.csv.part'), 'half, of one that was killed')
  const seen: string[][] = []
  function* rows() {
    for (let row = 0; row < 20_000; row += 1) {
      if (row % 10_000 === 9_999) seen.push(readdirSync(folder).toSorted())
      yield [String(row)]
    }
  }
  const written = await createCsvExport(folder, clock).write({ name: 'fills', head: ['row'], rows: rows() })
  const before = ['fills-20261120T140207Z-2.csv.part', 'fills-20261120T140207Z.csv']
  expect(seen).toEqual(Array(2).fill([before[0], 'fills-20261120T140207Z-3.csv.part', before[1]]))
  const path = join(folder, 'fills-20261120T140207Z-3.csv')
  expect(written).toEqual({ ok: true, value: { path, rowCount: 20_000 } })
  expect((await readdir(folder)).toSorted()).toEqual([before[0], 'fills-20261120T140207Z-3.csv', before[1]])
  expect(await readFile(join(folder, 'fills-20261120T140207Z.csv'), 'utf8')).toBe('earlier')
})

test('rows that fail on the way leave no half file', async () => {
  const folder = join(await aFolder(), 'exports')
  await mkdir(folder)
  await chmod(folder, 0o700)
  function* rows() {
    yield ['1']
    throw new Error('the row is broken')
  }
  const written = await createCsvExport(folder, clock).write({ name: 'log', head: ['a'], rows: rows() })
  expect(written).toMatchObject({ ok: false, error: expect.stringContaining('the row is broken') })
  expect(await readdir(folder)).toEqual([])
})
