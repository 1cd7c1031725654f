import { expect, test } from 'vitest'
import type { DeskState } from '../../../src/store/desk.ts'
import { completeSentence, readSentence, sentenceOffers } from '../../../src/store/sentences/sentences.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { withdrawData } from '../../fakes/withdraw-overlays.ts'
import { aDesk } from '../desk.ts'

const state = (more: Partial<DeskState> = {}) => deskState({ ...withdrawData(), ...more })
const lines = (line: string, of = state()) => readSentence(line, of)?.lines.join(' ')

test('a withdrawal in a sentence fills the form, with the id beside the name', () => {
  expect(lines('withdraw 0.5 btc to cold-1')).toBe('Withdraw 0.5 BTC to cold-1 (wl_8f2c).')
  expect(lines('withdraw all BTC to ops wallet')).toContain('all available BTC, less the fee, to ops wallet (wl_11ab)')
  expect(lines('withdraw 0.5 btc to wl_77')).toContain('hot-2 (wl_77)')
  const { store, commands, sent } = aDesk()
  store.dispatchAll([
    { type: 'whitelist', whitelist: state().whitelist.value ?? [], atMs: store.getState().nowMs },
    { type: 'withdrawals', withdrawals: [], atMs: store.getState().nowMs },
  ])
  const reading = readSentence('withdraw 0.1 btc to cold-1', store.getState())
  if (reading?.kind !== 'understood') throw new Error('not understood')
  reading.run(commands, () => undefined)
  expect(store.getState().overlay).toMatchObject({
    kind: 'withdraw',
    form: { currency: 'BTC', whitelistId: 'wl_8f2c', amountText: '0.1', how: 'amount' },
  })
  expect(sent).toEqual([])
})

test('a withdrawal has one reading however its words stand: joined, turned round, and with small words between', () => {
  const half = 'Withdraw 0.5 BTC to cold-1 (wl_8f2c).'
  for (const said of ['0.5btc', 'btc 0.5', '.5BTC', '0.5 of the btc', '0.5 of my btc'])
    expect(lines(`withdraw ${said} to cold-1`), said).toBe(half)
  const all = 'Withdraw all available BTC, less the fee, to cold-1 (wl_8f2c).'
  for (const said of ['all my btc', 'all of my btc', 'everything btc', 'btc all', 'btc max'])
    expect(lines(`withdraw ${said} to cold-1`), said).toBe(all)
  // No other number is made of them, and nobody is asked for an amount in a currency TO or OF.
  expect(lines('withdraw 1k btc to cold-1')).toContain('Type all digits of the amount')
  expect(lines('withdraw 0,5btc to cold-1')).toContain('write 0.5')
  expect(lines('withdraw all but 1 btc to cold-1')).toContain('No BUT to withdraw')
  expect(lines('withdraw 0.5 btc 0.6 to cold-1')).toContain('beneficiary missing')
  expect(lines('withdraw $500 to cold-1')).toContain('for USD')
  expect(lines('withdraw $500 of btc to cold-1')).toContain('type the amount in BTC.')
  expect(lines('withdraw to cold-1')).toContain('The amount is missing.')
  expect(lines('withdraw')).toBe('Open the withdrawal form.')
})

test('thousands of what orders are paid in have one reading, and a sign is a currency', () => {
  const whitelist = [{ whitelistId: 'wl_u', name: 'bank', currency: 'USD' }]
  const dollars = state({ whitelist: { value: whitelist, atMs: 0, failure: null } })
  for (const said of ['1k usd', '1kusd', '1000 usd', '$1000', '$1k', 'usd 1k', '1,000.00 usd'])
    expect(lines(`withdraw ${said} to bank`, dollars), said).toBe('Withdraw 1000 USD to bank (wl_u).')
  expect(lines('withdraw all usd', dollars)).toBe('Incomplete: beneficiary missing. Say: withdraw all usd to bank.')
  expect(lines('withdraw $1k btc to bank', dollars)).toContain('$1k')
  expect(lines('withdraw half usd to bank', dollars)).toContain('"half" of what is not certain')
})

test('what is missing or wrong is told, with what would be right', () => {
  expect(lines('withdraw 0.5 btc')).toContain('beneficiary missing')
  expect(lines('withdraw 0,5 btc to cold-1')).toContain('write 0.5')
  for (const none of ['-0.5', '0', 'btc -0.5 '])
    expect(lines(`withdraw ${none} ${none.includes('btc') ? '' : 'btc '}to cold-1`)).toContain('must be above zero')
  expect(lines('withdraw 0.5 btc to cold-9')).toContain('It has cold-1 (wl_8f2c)')
  expect(lines('withdraw 0.5 btc to vault')).toContain('No whitelist entry vault for BTC')
  expect(lines('withdraw 0.5 doge to cold-1')).toContain('No DOGE to withdraw')
  expect(lines('withdraw 0.5 btc to cold-1', state({ mode: { kind: 'MONITOR' } }))).toContain('read only')
})

test('two entries of one name are told apart by their ids', () => {
  const whitelist = ['wl_1', 'wl_2'].map((whitelistId) => ({ whitelistId, name: 'cold', currency: 'BTC' }))
  const twice = state({ whitelist: { value: whitelist, atMs: 0, failure: null } })
  expect(lines('withdraw 1 btc to cold', twice)).toContain('say the id, wl_1 or wl_2')
})

test('an accent counts the same, whether it was typed as one character or as two', () => {
  const whitelist = [{ whitelistId: 'wl_z', name: 'Z\u00fcrich', currency: 'BTC' }]
  const abroad = state({ whitelist: { value: whitelist, atMs: 0, failure: null } })
  for (const name of ['Z\u00fcrich', 'zu\u0308rich'])
    expect(lines(`withdraw 1 btc to ${name}`, abroad)).toBe('Withdraw 1 BTC to Z\u00fcrich (wl_z).')
})

test('a currency that is typed whole is not offered as another one that begins with it', () => {
  expect(sentenceOffers('withdraw all us', deskState(), 5)).toEqual(['withdraw all usd ', 'withdraw all usdc '])
  expect(sentenceOffers('withdraw all usd', deskState(), 5)).toEqual([])
})

test('Tab completes currency and beneficiary', () => {
  expect(completeSentence('withdraw 0.5 bt', state())).toBe('withdraw 0.5 btc ')
  expect(completeSentence('withdraw 0.5 btc to col', state())).toBe('withdraw 0.5 btc to cold-1 ')
})

test('paying in by a sentence asks for the address; not while the desk may not write', () => {
  expect(lines('deposit btc')).toBe('Show the deposit address of BTC.')
  expect(lines('deposit qqq')).toContain('Unknown currency QQQ')
  expect(lines('deposit btc', state({ mode: { kind: 'HALTED' } }))).toContain('HALTED')
  const { store, commands, sent } = aDesk()
  const reading = readSentence('deposit btc', store.getState())
  if (reading?.kind === 'understood') reading.run(commands, () => undefined)
  expect(sent).toEqual(['deposit address BTC'])
})
