import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unitsOf } from '../domain/statement/books.ts'
import { keys, quoteAndCenter, startJourney } from './journey.tsx'

test('a statement asked for in words lies where the desk says, and its rows come to the balances', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  await quoteAndCenter(journey)
  for (const [form, count] of [
    ['csv', 1],
    ['json', 2],
  ] as const) {
    await journey.press(':')
    await journey.press(`statement 2020-01-01 2100-01-01 ${form}`)
    await journey.sees('added up by currency', 'file and says where it is')
    await journey.press(keys.enter)
    await journey.sees('Statement so far, ', `.${form}`)
    expect(readdirSync(journey.exportsFolder)).toHaveLength(count)
  }
  const names = readdirSync(journey.exportsFolder)
  const textOf = (ending: string) =>
    readFileSync(join(journey.exportsFolder, names.find((name) => name.endsWith(ending)) ?? ''), 'utf8')
  const rows = textOf('.csv')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','))
  const { currencies, missing } = JSON.parse(textOf('.json'))
  expect(missing).toEqual([])
  expect(currencies.length).toBeGreaterThan(0)
  const balances = (await journey.trader.fetchAccounts()).get('primary')?.entries ?? []
  expect(balances.map(({ currency }) => currency)).toEqual(expect.arrayContaining(['USD', 'BTC', 'ETH']))
  for (const { balance, currency } of balances) {
    const changes = rows.filter(([, , , of, , change]) => of === currency && change !== '')
    expect(changes.reduce((sum, [, , , , , change = '']) => sum + unitsOf(change), 0n)).toBe(unitsOf(balance))
  }
})
