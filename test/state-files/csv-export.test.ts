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
