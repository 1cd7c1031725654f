import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  openGatewaySeenFile,
  openSessionFile,
  type SessionRecord,
  sessionPath,
} from '../../src/state-files/session-file.ts'

const record: SessionRecord = {
  version: 1,
  session: {
    layout: 'chart',
    isZoomed: true,
    symbol: 'ETH-USD',
    symbol2: null,
    groupTicks: 5,
    groupTicks2: 1,
    prices: 'mid',
    prices2: 'absolute',
    theme: 'light',
    chart: { view: 'price', style: 'candles', dots: 'blocks', length: '1h', width: 2 },
    tables: { orders: { sort: { column: 'price', direction: 'up' }, hiddenColumns: ['age'] } },
  },
  configured: { symbol: 'BTC-USD', layout: null, theme: null },
}

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pitdesk-session-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a session is read as it was kept, a file for each profile', async () => {
  await openSessionFile(folder, 'prod/main').write(record)
  expect(await openSessionFile(folder, 'prod/main').read()).toEqual({ ok: true, value: record })
  expect(await openSessionFile(folder, 'prod_main').read()).toEqual({ ok: true, value: null })
})

test('a symbol of any exchange comes back', async () => {
  const symbol = `${'X'.repeat(64)}$-USD`
  const odd = { ...record, session: { ...record.session, symbol, symbol2: symbol, sizes: { [symbol]: '1' } } }
  const wholly = { ...odd, configured: { ...record.configured, symbol } }
  await openSessionFile(folder, 'main').write(wholly)
  expect(await openSessionFile(folder, 'main').read()).toEqual({ ok: true, value: wholly })
})

test('a profile of any name has a file of its own inside the folder', () => {
  const names = ['practice', 'prod/main', 'prod_main', '..', '../../x', 'a'.repeat(500), 'ä', '']
  const paths = names.map((name) => sessionPath(folder, name))
  expect(new Set(paths).size).toBe(names.length)
  for (const path of paths) expect(path).toBe(join(folder, 'sessions', basename(path)))
  expect(sessionPath(folder, 'practice')).toBe(join(folder, 'sessions', 'practice.json'))
})

test.each([
  ['a grouping of nothing', { ...record, session: { ...record.session, groupTicks: 0 } }],
  ['a symbol with control characters', { ...record, session: { ...record.session, symbol: 'A\u001b[2J' } }],
  ['no version', { ...record, version: 0 }],
])('%s is a damaged file: a sentence, and it is kept when it is written over', async (_, value) => {
  const file = openSessionFile(folder, 'practice')
  await file.write(record)
  writeFileSync(sessionPath(folder, 'practice'), JSON.stringify(value))
  const read = await file.read()
  expect(read.ok ? '' : read.error).toMatch(/is damaged: the last session cannot be read\. Whatever/)
  expect(readdirSync(join(folder, 'sessions'))).toEqual(['practice.json'])
  await file.write(record)
  expect(readdirSync(join(folder, 'sessions'))).toEqual(['practice.json', 'practice.json.damaged-1'])
})

test('a session that a newer program kept is left alone, and nothing is written over it', async () => {
  const file = openSessionFile(folder, 'practice')
  await file.write(record)
  const newer = JSON.stringify({ ...record, version: 2 })
  writeFileSync(sessionPath(folder, 'practice'), newer)
  const read = await file.read()
  expect(read.ok ? '' : read.error).toMatch(
    /was written by a newer pitdesk\. It is left alone, and the last session with it/,
  )
  expect([file.isNewer(), (await file.write(record)).ok]).toEqual([true, false])
  expect(readFileSync(sessionPath(folder, 'practice'), 'utf8')).toBe(newer)
})

test('the read marks of the inbox are kept for a profile of any name, in a file of its own', async () => {
  const names = ['main', 'a/b', '\u672c'.repeat(26), '\u672c'.repeat(27), '\u672c'.repeat(30)]
  for (const [sequence, name] of names.entries())
    expect(await openGatewaySeenFile(folder, name).write({ version: 1, sequence })).toEqual({ ok: true, value: null })
  for (const [sequence, name] of names.entries())
    expect(await openGatewaySeenFile(folder, name).read()).toEqual({ ok: true, value: { version: 1, sequence } })
  // Those of before are found again.
  const escaped = names.slice(0, 3).map((name) => `${encodeURIComponent(name)}.json`)
  expect(readdirSync(join(folder, 'gateway-seen'))).toEqual(expect.arrayContaining(escaped))
})
