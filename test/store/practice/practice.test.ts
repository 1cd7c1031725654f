import { expect, test } from 'vitest'
import type { Mode } from '../../../src/domain/desk/mode.ts'
import { fieldsOf, verbName } from '../../../src/domain/desk/practice-verb.ts'
import { adminTable, gatewayRows } from '../../../src/sandbox/admin/verb-table.ts'
import {
  practiceAnswered,
  practiceRequestText,
  practiceWords,
  readPracticeLine,
} from '../../../src/store/practice/practice.ts'
import { completeSentence, readSentence, sentenceOffers } from '../../../src/store/sentences/sentences.ts'
import { aDesk } from '../desk.ts'

const practice = { verbs: adminTable, accounts: ['trader', 'counterparty', 'no2fa', 'Alice'] }
const practiceDesk = (mode: Mode['kind'] = 'ARMED') => aDesk(mode, { practice })
const state = practiceDesk().store.getState()

function fieldsIn(line: string) {
  const read = readPracticeLine(line, practice)
  if (!read.ok) throw new Error(read.error)
  return { verb: verbName(read.value.verb), fields: fieldsOf(read.value.given) }
}
const wrong = (line: string) => readSentence(line, state)?.lines.join(' ') ?? 'no sentence'

test.each([
  ['practice symbol status btc-usd halt', { symbol: 'BTC-USD', status: 'halt' }],
  ['practice deposit start trader BTC 0.5', { account: 'trader', currency: 'BTC', amount: '0.5' }],
  ['practice fault latency 2000', { ms: '2000' }],
  ["practice fault latency 2s --path '/l2/*' --rate 0.5", { ms: '2000', path: '/l2/*', rate: '0.5' }],
  ['practice clock advance 1h', { ms: '3600000' }],
  ['Practice 2FA off TRADER', { account: 'trader' }],
  ['practice 2fa off alice', { account: 'Alice' }],
  ['practice withdrawal complete w-1', { withdrawalId: 'w-1' }],
  ["practice whitelist add trader ltc 'new wallet'", { account: 'trader', currency: 'LTC', name: 'new wallet' }],
  ['practice account add bob --two-factor', { name: 'bob', twoFactor: true }],
  ['practice fault off', {}],
  ['practice reset surely', {}],
])('%s', (line, fields) => {
  expect(fieldsIn(line).fields).toEqual(fields)
})

test('every verb of the administration is a sentence, whatever is added to its table', () => {
  for (const verb of adminTable) {
    const line = `practice ${verbName(verb)} ${verb.example}${verb.isFinal === true ? 'surely' : ''}`
    expect(readSentence(line, state), line).toMatchObject({ kind: 'understood' })
    expect(fieldsIn(line).verb).toBe(verbName(verb))
  }
})

test('what was understood is said before anything is done', () => {
  const reading = readSentence('practice clock advance 1h', state)
  expect(reading?.lines).toEqual([
    "On the practice exchange, clock advance: moves the exchange's clock forward: whatever is due happens.",
    'ms 1h (3600000).',
  ])
  expect(reading).toMatchObject({ enter: 'does it on the practice exchange' })
  expect(readSentence('practice symbol status btc-usd halt', state)?.lines).toContain('symbol BTC-USD, status halt.')
})

test('what is missing or wrong says what would do', () => {
  expect(wrong('practice')).toContain('account, key, 2fa')
  expect(wrong('practice wi')).toContain('it may become withdrawal.')
  expect(wrong('practice symbl')).toContain('did you mean "symbol"?')
  expect(wrong('practice symbol')).toContain('next comes status, auction, add')
  expect(wrong('practice symbol stop')).toContain('Unknown command "symbol stop"')
  expect(wrong('practice symbol status BTC-USD')).toContain('next STATUS')
  expect(wrong('practice symbol status BTC-USD shut')).toContain('STATUS must be one of')
  expect(wrong('practice deposit start trader BTC 0')).toContain('AMOUNT must be an amount above 0')
  expect(wrong('practice 2fa off trader now')).toContain('too many arguments')
  expect(wrong('practice fault latency 2s --speed 3')).toContain('Unknown flag --speed')
  expect(wrong('practice fault latency 2s --rate')).toContain('--rate needs a value')
  expect(wrong('practice fault latency 2s --rate 0.1 --rate 0.2')).toContain('--rate is given twice')
})

test('what has no way back is not done by a held Enter: it needs a word more', () => {
  expect(readSentence('practice reset', state)).toMatchObject({ kind: 'wrong' })
  expect(wrong('practice reset')).toContain('say "surely" at the end')
})

test('Enter asks the exchange once', () => {
  const desk = practiceDesk()
  const reading = readSentence('practice deposit start trader btc 0.5', desk.store.getState())
  if (reading?.kind !== 'understood') throw new Error('not understood')
  reading.run(desk.commands, () => undefined)
  expect(desk.sent).toEqual(['practise deposit start trader btc 0.5'])
})

test('a desk on another exchange has no such sentence, and its commands refuse it', () => {
  const desk = aDesk()
  expect(readSentence('practice 2fa off trader', desk.store.getState())).toMatchObject({
    ...{ kind: 'wrong', lines: [expect.stringContaining('is for a desk on its own practice exchange')], instead: [] },
  })
  expect(sentenceOffers('pr', desk.store.getState(), 8)).toEqual([])
  expect(completeSentence('practice sy', desk.store.getState())).toBeNull()
  const request = readPracticeLine('practice 2fa off trader', practice)
  if (request.ok) desk.commands.runPractice(request.value)
  expect(desk.sent).toEqual([])
  expect(desk.store.getState().notice?.text).toContain('does not run a practice exchange')
})

test('a desk that only watches does nothing with it', () => {
  const desk = practiceDesk('MONITOR')
  expect(readSentence('practice 2fa off trader', desk.store.getState())).toMatchObject({ kind: 'wrong' })
  const request = readPracticeLine('practice 2fa off trader', practice)
  if (request.ok) desk.commands.runPractice(request.value)
  expect(desk.sent).toEqual([])
})

test('Tab completes nouns, verbs, accounts, symbols, currencies, choices and names of arguments', () => {
  expect(completeSentence('pra', state)).toBe('practice ')
  expect(completeSentence('practice sy', state)).toBe('practice symbol ')
  expect(completeSentence('practice symbol st', state)).toBe('practice symbol status ')
  expect(completeSentence('practice symbol status e', state)).toBe('practice symbol status eth-usd ')
  expect(completeSentence('practice symbol status eth-usd halt-', state)).toBe(
    'practice symbol status eth-usd halt-freeze ',
  )
  expect(completeSentence('practice 2fa off tr', state)).toBe('practice 2fa off trader ')
  expect(completeSentence('practice deposit start trader u', state)).toBe('practice deposit start trader usd ')
  expect(completeSentence('practice fault latency 2s --r', state)).toBe('practice fault latency 2s --rate ')
  expect(completeSentence('practice fault drop --when b', state)).toBe('practice fault drop --when before ')
  expect(sentenceOffers('practice fault s', state, 8)).toEqual(['practice fault status ', 'practice fault stall '])
})

test('the answer is the notice, its lists are in the log', () => {
  const request = readPracticeLine('practice account show trader', practice)
  if (!request.ok) throw new Error(request.error)
  expect(practiceRequestText(request.value)).toBe('account show trader')
  const desk = practiceDesk()
  desk.store.dispatchAll(practiceAnswered(request.value, { ok: true, value: ['two factor yes', 'keys: key id 1'] }, 1))
  const { notice, log } = desk.store.getState()
  expect(notice).toMatchObject({ level: 'good', text: 'Practice account show trader: two factor yes.' })
  expect(log.slice(-2).map(({ text }) => text)).toEqual([
    'keys: key id 1',
    'Practice account show trader: two factor yes.',
  ])
  const made = 'order id 5f0c1a22, partner default, order type BUY'
  desk.store.dispatchAll(practiceAnswered(request.value, { ok: true, value: [made] }, 1))
  expect(desk.store.getState().notice?.text).toBe(
    'Order id 5f0c1a22: practice account show trader: partner default, order type BUY.',
  )
  desk.store.dispatchAll(practiceAnswered(request.value, { ok: true, value: ['order id trader, two factor yes'] }, 1))
  expect(desk.store.getState().notice?.text).toBe('Practice account show trader: order id trader, two factor yes.')
  desk.store.dispatchAll(practiceAnswered(request.value, { ok: false, error: 'no account trader' }, 2))
  expect(desk.store.getState().notice).toMatchObject({
    level: 'warn',
    text: 'Practice account show trader: no account trader.',
  })
})

test('Tab completes what the gateway has: orders that have not ended, the partner’s currencies, choices', () => {
  const known = { symbols: [], currencies: ['BTC'], gatewayCurrencies: ['NGN'], gatewayOrders: ['ord-7', 'ord-8'] }
  const gateway = { verbs: [...gatewayRows], accounts: [] }
  expect(practiceWords('practice gateway-order advance ', gateway, known)).toEqual(['ord-7', 'ord-8'])
  expect(practiceWords('practice gateway-order create ', gateway, known)).toEqual(['BUY', 'SELL'])
  expect(practiceWords('practice gateway-order create buy --input-currency ', gateway, known)).toEqual(['NGN'])
  expect(practiceWords('practice eligibility set ', gateway, known)).toEqual(['currency', 'region', 'payment-method'])
})
