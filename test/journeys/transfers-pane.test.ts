import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { type Journey, keys, startJourney } from './journey.tsx'

const size = { columns: 120, rows: 40 }

/** A withdrawal of the desk's account, made from elsewhere; gives the exchange's id of it. */
async function withdrawn({ trader }: Journey, amount: string): Promise<string> {
  const [entry] = (await trader.fetchWhitelistOf('BTC')).entries
  if (entry === undefined) throw new Error('nobody is on the whitelist')
  const request = { currency: 'BTC', beneficiary: entry.whitelistId, amount: new Decimal(amount) }
  const { withdrawalId } = await trader.createWithdrawal(request)
  if (withdrawalId === null) throw new Error('a withdrawal without an id')
  return withdrawalId
}

/** The row of a transfer, by its id; what stands beside it in another list is not of it. */
const lineWith = (screen: string, id: string): string =>
  screen.split(/[\n┃│]/).find((line) => line.includes(`${id} BTC`)) ?? ''

test('a withdrawal is followed to its end, its history tells the way, and the next one says how long such ones took', async () => {
  const journey = await startJourney(size)
  await journey.press('5')
  await journey.sees('No withdrawals yet')
  const first = await withdrawn(journey, '0.05')
  await journey.sees('Withdrawals (1 pending)', 'PENDING')
  await journey.passes(20_000)
  await journey.admin('/withdrawal/complete', { withdrawalId: first })
  await journey.until((screen) => lineWith(screen, first).includes('COMPLETED'))
  expect(journey.screen()).not.toContain('pending)')

  await journey.press('j')
  await journey.press(keys.enter)
  const details = await journey.sees('which means', 'the money has left the account', 'history')
  expect(details).toMatch(/PENDING,/)
  await journey.press(keys.escape)

  const second = await withdrawn(journey, '0.01')
  const screen = await journey.until((text) => lineWith(text, second).includes('PENDING'))
  expect(lineWith(screen, second)).toMatch(/usual 2\ds/)
  await journey.passes(40_000)
  expect(lineWith(journey.screen(), second)).toContain('LATE')
})

test.each(['fail', 'refund', 'reject'] as const)(
  'one that does not arrive says where the money is: %s',
  async (verb) => {
    const journey = await startJourney(size)
    await journey.press('5')
    const id = await withdrawn(journey, '0.05')
    await journey.sees('(1 pending)')
    if (verb === 'refund') {
      await journey.admin('/withdrawal/complete', { withdrawalId: id })
      await journey.until((screen) => lineWith(screen, id).includes('COMPLETED'))
    }
    await journey.admin(`/withdrawal/${verb}`, { withdrawalId: id })
    const word = { fail: 'FAILED', refund: 'REFUNDED', reject: 'REJECTED' }[verb]
    await journey.until((screen) => lineWith(screen, id).includes(word))
    await journey.press('j')
    await journey.press(keys.enter)
    await journey.sees('which means', 'the money is')
  },
)

test('deposits: on top until credited; the list sorts, filters and is written to a file like any other', async () => {
  const journey = await startJourney(size)
  await journey.press('5')
  await journey.press(keys.right)
  await journey.sees('>Deposits', 'COMPLETED')
  await journey.admin('/deposit/start', { account: 'trader', currency: 'BTC', amount: '0.3' })
  const screen = await journey.sees('>Deposits (1 unconfirmed)', 'UNCONFIRMED')
  const id = /(d-\d+) .*UNCONFIRMED/.exec(screen)?.[1] ?? ''
  await journey.admin('/deposit/confirm', { depositId: id })
  await journey.until((text) => lineWith(text, id).includes('COMPLETED'))

  await journey.press('/')
  for (const key of 'state:rej') await journey.press(key)
  await journey.sees('/state:rej_', '0 of ')
  await journey.press(keys.escape)
  await journey.press('o')
  await journey.press('i')
  await journey.press(keys.escape)
  await journey.sees('ID▲')
  await journey.press('e')
  await journey.sees('.csv')
  const [name = ''] = readdirSync(journey.exportsFolder)
  expect(name).toContain('deposits')
  expect(readFileSync(join(journey.exportsFolder, name), 'utf8')).toContain(
    `COMPLETED,credited to the balance,${id},BTC,0.3`,
  )
})

test('the whitelist shows whom money may go to, and a new entry as it is added', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await journey.press('5')
  await journey.press(keys.left)
  await journey.sees('>Whitelist', 'NAME', 'BTC')
  await journey.admin('/whitelist/add', { account: 'trader', currency: 'ETH', name: 'cold seven' })
  await journey.sees('cold seven')
})
