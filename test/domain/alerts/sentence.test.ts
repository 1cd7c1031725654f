import { expect, test } from 'vitest'
import { durationText, readDuration } from '../../../src/base/text/time-text.ts'
import { isAlertSentence, readAlertSentence } from '../../../src/domain/alerts/sentence.ts'
import { watchText } from '../../../src/domain/alerts/watch.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { anInstrument } from '../../fakes/instruments.ts'

const instruments = new Map(
  [anInstrument(), anInstrument({ symbol: 'ETH-USD', base: 'ETH' })].map((each) => [each.symbol, each]),
)
const lastOf = (symbol: string) => (symbol === 'BTC-USD' ? new Decimal('64210.50') : null)
const read = (text: string) => {
  const reading = readAlertSentence(text, instruments, lastOf, '')
  return reading.ok ? reading.value : { act: null, lines: [reading.error] }
}
const watchOf = (text: string) => {
  const { act, lines } = read(text)
  if (act?.kind !== 'watch') return lines.join(' ')
  const { isAtOnce, repeats } = act.watch
  const line = watchText({ ...act.watch, id: 0, state: { kind: 'unseen' } })
  return `${line}${isAtOnce ? ' now' : ''}${repeats ? ' each' : ''}`
}

test.each([
  ['alert btc-usd > 70000', 'BTC-USD last > 70,000.00'],
  ['alert btc-usd bid < 64000', 'BTC-USD bid < 64,000.00'],
  ['alert eth-usd spread > 2.50', 'ETH-USD spread > 2.50'],
  ['  ALERT Btc-Usd>70,000.5 now', 'BTC-USD last > 70,000.50 now'],
  ['alert btc-usd mid below 64209.253 each', 'BTC-USD mid < 64,209.253 each'],
  ['alert btc > 70k', 'BTC-USD last > 70,000.00'],
  ['alert btc 70000', 'BTC-USD last >= 70,000.00'],
  ['alert me when btcusd hits 60k each', 'BTC-USD last <= 60,000.00 each'],
  ['alert me if btc goes to 60k', 'BTC-USD last <= 60,000.00'],
  ['alert if btc falls below 60k', 'BTC-USD last < 60,000.00'],
  ['alert me when the price of btc drops to 60000', 'BTC-USD last <= 60,000.00'],
  ['alert btc rises above 70k once', 'BTC-USD last > 70,000.00'],
  ['alert btc crosses 70k', 'BTC-USD last >= 70,000.00'],
  ['alert btc bid >= 70k now', 'BTC-USD bid >= 70,000.00 now'],
  ['alert btc<=60000', 'BTC-USD last <= 60,000.00'],
  ['alert btc ≥ 70000', 'BTC-USD last >= 70,000.00'],
  ['alert btc-usd ask over 1 each now', 'BTC-USD ask > 1.00 now each'],
])('%s', (text, understood) => {
  expect(isAlertSentence(text)).toBe(true)
  expect(watchOf(text)).toBe(understood)
})

test('what was understood is said before anything is done', () => {
  expect(read('alert btc-usd > 70000').lines).toEqual([
    'Alert when the last price of BTC-USD rises above 70,000.00.',
    'If it is there already, it must come back first; "now" after the price changes that.',
    'It fires once, and can be rearmed; "each" after the price makes it repeat.',
  ])
  expect(read('alert btc-usd > 70000 now each').lines).toEqual([
    'Alert when the last price of BTC-USD rises above 70,000.00.',
    'If it is there already, it fires at once (now).',
    'It rearms when the price is back, once in 1 min at most (each).',
  ])
  const [reached] = read('alert btc hits 70000').lines
  expect(reached).toBe('Alert when the last price of BTC-USD rises to 70,000.00 or above.')
})

test('a base alone means the symbol on screen, else the only one, else the one in dollars, as in an order', () => {
  const quotes = (...counters: string[]) =>
    new Map(
      counters.map((counter) => [`ETH-${counter}`, anInstrument({ symbol: `ETH-${counter}`, base: 'ETH', counter })]),
    )
  const meant = (counters: string[], shown: string) => {
    const reading = readAlertSentence('alert eth > 3000', quotes(...counters), lastOf, shown)
    if (!reading.ok) return reading.error
    return reading.value.act.kind === 'watch' ? reading.value.act.watch.symbol : reading.value.act.kind
  }
  expect(meant(['EUR', 'USD'], 'ETH-EUR')).toBe('ETH-EUR')
  expect(meant(['EUR'], '')).toBe('ETH-EUR')
  expect(meant(['EUR', 'USD'], '')).toBe('ETH-USD')
  expect(meant(['EUR', 'GBP'], '')).toBe('"eth" trades as ETH-EUR, ETH-GBP: say which')
})

test('which way is meant follows from the last price, and is said', () => {
  expect(read('alert btc 60000').lines.at(-1)).toBe('The last price is 64,210.50: the alert waits for it to fall.')
  expect(watchOf('alert btc 64210.5')).toContain('say which way')
  expect(watchOf('alert btc ask 70000')).toContain('say which way: alert btc ask > 70000, or alert btc ask < 70000')
})

test.each([
  ['above 70000', 'last > 70000'],
  ['spread > 2.5', 'spread > 2.5'],
  ['bid < 60k', 'bid < 60000'],
])('without a symbol alert %s is of the one on screen', (words, seen) => {
  const reading = readAlertSentence(`alert ${words}`, instruments, lastOf, 'BTC-USD')
  const act = reading.ok ? reading.value.act : null
  const watch = act?.kind === 'watch' ? act.watch : null
  expect(`${watch?.symbol} ${watch?.price} ${watch?.comparison} ${watch?.level.toFixed()}`).toBe(`BTC-USD ${seen}`)
})

test('a symbol whose name is that of a price is meant by it', () => {
  const withBid = new Map([...instruments, ['BID-USD', anInstrument({ symbol: 'BID-USD', base: 'BID' })]])
  const reading = readAlertSentence('alert bid > 5', withBid, lastOf, 'BTC-USD')
  expect(reading.ok && reading.value.lines[0]).toContain('the last price of BID-USD')
})

test.each([
  ['alert', { kind: 'list' }],
  ['alert list', { kind: 'list' }],
  ['alert fills', { kind: 'standing', rule: 'fill', isOn: true }],
  ['alert fill off', { kind: 'standing', rule: 'fill', isOn: false }],
  ['alert off stale', { kind: 'standing', rule: 'staleFeed', isOn: false }],
  ['alert orders on', { kind: 'standing', rule: 'orderEnded', isOn: true }],
  ['alert off 3', { kind: 'remove', id: 3 }],
  ['alert off #3', { kind: 'remove', id: 3 }],
  ['alert rearm 12', { kind: 'rearm', id: 12 }],
  ['snooze', { kind: 'snooze', forMs: 600_000 }],
  ['snooze 10m', { kind: 'snooze', forMs: 600_000 }],
  ['Snooze 1h30m', { kind: 'snooze', forMs: 5_400_000 }],
  ['snooze off', { kind: 'snooze', forMs: 0 }],
])('%s', (text, act) => {
  expect(read(text).act).toEqual(act)
  expect(read(text).lines.length).toBeGreaterThan(0)
})

test.each([
  ['alert btc-usb > 70000', 'unknown symbol BTC-USB, did you mean "BTC-USD"?'],
  ['alert btc-usd soon', 'say above or below which price'],
  ['alert btc-usd constructor 70000', 'say above or below which price'],
  ['alert btc falls 1000', 'say above or below which price'],
  ['alert of 3', 'unknown symbol OF'],
  ['alert eth-usd 3000', 'say which way: alert eth-usd > 3000, or alert eth-usd < 3000'],
  ['alert btc-usd > x', '"x" is not a price'],
  ['alert btc-usd >', '"" is not a price'],
  ['alert btc-usd > 0', 'above zero'],
  ['alert btc-usd > -5', 'above zero'],
  ['alert btc-usd > 1e5', '"1e5" is not a price'],
  ['alert btc-usd > 5 soon', '"soon" is not understood here'],
  ['alert off', 'takes the number of one alert'],
  ['alert off 1 2', 'takes the number of one alert'],
  ['alert rearm fills', 'takes the number of one alert'],
  ['alert fills maybe', 'takes on or off'],
  ['snooze later', '"later" is not a time'],
  ['snooze 0m', '"0m" is not a time'],
  ['snooze 25h', '24 h at most'],
  ['snooze 1 2', 'takes one time'],
  ['buy 1', 'not a sentence about alerts'],
])('%s is refused with what to write', (text, part) => {
  const reading = readAlertSentence(text, instruments, () => null, '')
  expect(reading.ok ? 'understood' : reading.error).toContain(part)
})

test('before the symbols are here a price cannot be watched, but the rest can be said', () => {
  const reading = readAlertSentence('alert btc-usd > 1', null, () => null, '')
  expect(reading.ok ? 'understood' : reading.error).toContain('not loaded yet')
  expect(readAlertSentence('alert fills off', null, () => null, '').ok).toBe(true)
})

test('other sentences are none about alerts', () => {
  expect(['buy 1 btc-usd', 'alerting', 'theme dark', ''].map(isAlertSentence)).toEqual([false, false, false, false])
})

test('times are read and written', () => {
  expect(['90s', '10', '1h', '2h5m', '', 'm', '1d', '10mm'].map(readDuration)).toEqual([
    90_000,
    600_000,
    3_600_000,
    7_500_000,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect([45_000, 60_000, 90_000, 600_000, 3_600_000, 5_400_000].map(durationText)).toEqual([
    '45 s',
    '1 min',
    '90 s',
    '10 min',
    '1 h',
    '1 h 30 min',
  ])
})

test.each(['alert on fills', 'alert when my order fills', 'alert if an order is filled', 'alert fills'])(
  '%s is the standing alert',
  (text) => {
    expect(read(text).act).toEqual({ kind: 'standing', rule: 'fill', isOn: true })
  },
)
