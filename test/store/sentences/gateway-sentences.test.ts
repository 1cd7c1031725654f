import { expect, test } from 'vitest'
import type { GatewayOrderState } from '../../../src/domain/gateway/event.ts'
import { inboxOrder } from '../../../src/domain/gateway/inbox-order.ts'
import { adminTable } from '../../../src/sandbox/admin/verb-table.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { initialGateway, noGateway } from '../../../src/store/gateway/gateway.ts'
import { practiceRequestText } from '../../../src/store/practice/practice.ts'
import { completeSentence, readSentence, sentenceOffers } from '../../../src/store/sentences/sentences.ts'
import { chosenRow, deskState } from '../../fakes/desk-state.ts'
import { aGatewayEvent, received } from '../../fakes/gateway.ts'
import { aDesk } from '../desk.ts'

const practice = { verbs: adminTable, accounts: ['trader'] }
const state = (more: Partial<DeskState> = {}) => deskState({ practice, ...more })
const lines = (line: string, of = state()) => readSentence(line, of)?.lines.join(' ')

/** What the practice gateway is asked for by a sentence. */
function asked(line: string, of = state()): string | undefined {
  const { commands } = aDesk()
  const reading = readSentence(line, of)
  if (reading?.kind !== 'understood') return undefined
  let request: string | undefined
  reading.run({ ...commands, runPractice: (wanted) => (request = practiceRequestText(wanted)) }, () => undefined)
  return request
}

test('an order in a few words: how much, what pays, what comes out, how it is paid', () => {
  const whole = 'gateway-order create buy --input-currency usd --input-amount 250 --output-currency btc'
  expect(asked('gateway order buy 250 usd btc')).toBe(whole)
  expect(asked('gateway order sell 0.01 btc eur bank_transfer_nip')).toBe(
    'gateway-order create sell --input-currency btc --input-amount 0.01 --output-currency eur --payment-method BANK_TRANSFER_NIP',
  )
  expect(asked('gateway order buy usd')).toBe('gateway-order create buy --input-currency usd')
  expect(asked('gateway order buy')).toBe('gateway-order create buy')
  expect(lines('gateway order buy 250 usd btc')).toMatch(/input currency USD, input amount 250, output currency BTC/)
})

test('the chosen order goes on, to its next state or to one that is named', () => {
  const tables = chosenRow('inbox', 'ord_19')
  expect(asked('gateway advance', state({ tables }))).toBe('gateway-order advance ord_19')
  expect(asked('gateway advance failed', state({ tables }))).toBe('gateway-order advance ord_19 failed')
  expect(lines('gateway advance lost', state({ tables }))).toContain('PENDING, WITHDRAWING, COMPLETED, FAILED')
})

test('without a chosen order the newest that has not ended goes on', () => {
  const gateway = (...states: GatewayOrderState[]) => {
    const orders = states.flatMap(
      (orderState, at) => inboxOrder([received(at, aGatewayEvent(1_000, { orderId: `ord_${at}`, orderState }))]) ?? [],
    )
    const { inbox, ...rest } = initialGateway(noGateway)
    return state({ gateway: { ...rest, inbox: { ...inbox, orders } } })
  }
  expect(asked('gateway advance failed', gateway('COMPLETED', 'PENDING', 'WITHDRAWING'))).toBe(
    'gateway-order advance ord_1 failed',
  )
  expect(lines('gateway advance', gateway('COMPLETED', 'FAILED'))).toContain('No order is under way')
  // Somebody else's may be the newest by the time it is said: an id, or its start, says which.
  const two = gateway('PENDING', 'PENDING')
  expect(asked('gateway advance ord_1 failed', two)).toBe('gateway-order advance ord_1 failed')
  expect(asked('gateway advance ORD_1', two)).toBe('gateway-order advance ord_1')
  expect(lines('gateway advance ord_ failed', two)).toBe('2 orders begin with ord_: say more of the id.')
  const one = gateway('PENDING')
  expect(asked('gateway advance ord_ failed', one)).toBe('gateway-order advance ord_0 failed')
  // Started a moment ago, and not in the inbox yet.
  expect(asked('gateway advance 5f0c8a11 failed', one)).toBe('gateway-order advance 5f0c8a11 failed')
  expect(lines('gateway advance lost', one)).toContain('PENDING, WITHDRAWING, COMPLETED, FAILED')
})

test('its lists, what is read, and the inbox of the desk', () => {
  const { store, commands } = aDesk()
  const say = (line: string) => {
    const reading = readSentence(line, store.getState())
    if (reading?.kind === 'understood') reading.run(commands, () => undefined)
    return store.getState()
  }
  expect(say('gateway sums')).toMatchObject({ focus: 'gateway', gateway: { list: 'sums' } })
  expect(lines('gateway read')).toContain('received so far as read')
  expect(lines('gateway stop')).toContain('deliveries of the gateway fail')
  expect(say('gateway stop').notice?.text).toContain('no inbox of its own')
})

test('what is missing, wrong or not possible here is told', () => {
  expect(lines('gateway order')).toContain('gateway order buy 250 usd btc')
  expect(lines('gateway order buy 250 usd btc card now')).toContain('too much')
  expect(lines('gateway nonsense')).toContain('After gateway comes order, advance, read, stop, start, inbox')
  expect(lines('gateway order buy', state({ mode: { kind: 'MONITOR' } }))).toContain(
    'read only: start without --monitor',
  )
  expect(lines('gateway order buy', deskState())).toContain('on its practice gateway only')
  // A desk on an exchange that is practice by its profile alone.
  expect(lines('practice symbol status btc-usd halt', deskState())).toContain('its own practice exchange')
  const elsewhere = deskState({ gateway: initialGateway(noGateway) })
  expect(lines('gateway deliveries', elsewhere)).not.toContain('Go to')
})

test('words are completed: what may be said, then currencies and ways to pay', () => {
  expect(completeSentence('gateway quar', state())).toBe('gateway quarantine ')
  expect(sentenceOffers('gateway order ', state(), 5)).toEqual(['gateway order buy ', 'gateway order sell '])
  expect(sentenceOffers('gateway order buy 250 u', state(), 5)).toEqual(['gateway order buy 250 usd '])
  expect(completeSentence('gateway order buy 250 usd btc app', state())).toBe(
    'gateway order buy 250 usd btc apple_pay ',
  )
  expect(sentenceOffers('gateway ad', deskState(), 5)).toEqual([])
})
