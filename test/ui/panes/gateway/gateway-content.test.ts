import { describe, expect, test } from 'vitest'
import { inboxOrder } from '../../../../src/domain/gateway/inbox-order.ts'
import type { DeskState } from '../../../../src/store/desk.ts'
import { emptyFeed, failed } from '../../../../src/store/feeds/feed.ts'
import { initialGateway, noGateway } from '../../../../src/store/gateway/gateway.ts'
import { emptyTables, plainView } from '../../../../src/store/tables/tables.ts'
import { type GatewayList, gatewayLists } from '../../../../src/store/view/lists.ts'
import {
  countText,
  gatewayContent,
  inboxNotes,
  placesFor,
  titleForms,
} from '../../../../src/ui/panes/gateway/gateway-pane.tsx'
import { listsTitle } from '../../../../src/ui/panes/lists-pane.tsx'
import { sourceOf } from '../../../../src/ui/tables/list-registry.ts'
import { rowText } from '../../../../src/ui/text/row.ts'
import { deskNowMs, deskState } from '../../../fakes/desk-state.ts'
import { aGatewayEvent, received } from '../../../fakes/gateway.ts'

const content = (list: GatewayList, state = deskState(), width = 118) =>
  gatewayContent(state, list, { width, rowCount: 12 })
const lines = (list: GatewayList, state = deskState(), width = 118): string[] =>
  content(list, state, width).rows.map((row) => rowText(row).trimEnd())
const note = (list: GatewayList, state = deskState()): string => rowText(content(list, state).note)
const told = (list: GatewayList, key: string, state = deskState()): Record<string, string> =>
  Object.fromEntries((sourceOf(list).details(state, key) ?? []).map(({ label, text }) => [label, text]))
const withGateway = (more: Partial<DeskState['gateway']>): DeskState => {
  const desk = deskState()
  return { ...desk, gateway: { ...desk.gateway, ...more } }
}
const withInbox = (more: Partial<DeskState['gateway']['inbox']>): DeskState =>
  withGateway({ inbox: { ...deskState().gateway.inbox, ...more } })
const filtered = (list: GatewayList, filter: string): DeskState =>
  deskState({ tables: { ...emptyTables, views: { ...emptyTables.views, [list]: { ...plainView, filter } } } })

describe('the inbox', () => {
  test('an order in its latest state, unread ones marked, with what is not as usual about it', () => {
    expect(lines('inbox', deskState(), 78)).toEqual([
      '  ORDER  TYPE STATE       IN->OUT                 REMARKS              AGE',
      ' *ord_19 BUY  WITHDRAWING 250 USD->0.0038 BTC                          12s',
      ' *ord_18 SELL COMPLETED   0.5 ETH->1380.25 EUR    PENDING late          3m',
      '  ord_17 BUY  FAILED      1200.5 USD->0.01831 BTC 1 CONFLICT, 2 copies 30m',
      '  ord_16 BUY  PENDING     90 USD->0.00137 BTC     STUCK                90m',
    ])
  })

  test('short of room the order, its state and what is unusual stay', () => {
    const [head = '', , late = '', wrong = ''] = lines('inbox', deskState(), 50)
    expect(head.split(/ +/)).toEqual(['', 'ORDER', 'TYPE', 'STATE', 'IN->OUT', 'REMARKS'])
    expect(late).toMatch(/ord_18 SELL COMPLETED +0\.5 ETH->EUR +late/)
    expect(wrong).toMatch(/ord_17 BUY +FAILED +1200\.5 USD->BTC +CONFL\+/)
  })

  test('a filter finds an order by any of its columns, and by what is unusual', () => {
    expect(lines('inbox', filtered('inbox', 'state:failed'))).toHaveLength(2)
    expect(lines('inbox', filtered('inbox', 'late'))[1]).toContain('ord_18')
    expect(lines('inbox', filtered('inbox', 'us-tx 250'))[1]).toContain('ord_19')
  })

  test('the details hold every field by its name, and each step as it came: late, again, contradicted', () => {
    const late = told('inbox', 'ord_18')
    expect(late).toMatchObject({ orderState: 'COMPLETED', inputAmount: '0.5 ETH', outputAmount: '1380.25 EUR' })
    expect(late['history 1']).toMatch(/^COMPLETED at 2026-11-20T13:58:27\.000451234Z, received .* from 127\.0\.0\.1/)
    expect(late['history 2']).toContain('late: a later state had come before')
    const again = told('inbox', 'ord_17')
    expect(again['history 1']).toContain('came 2 times more')
    expect(again['history 2']).toContain('1 other body under its id')
    for (const name of Object.keys(aGatewayEvent(0))) expect(late).toHaveProperty(name)
  })

  test('bodies that contradict an event stand in its details once they have been read, and why where they could not', () => {
    const conflict = { eventId: 'ev_766', receivedAtMs: deskNowMs, source: '127.0.0.1', text: '{"other":1}' }
    const detail = { orderId: 'ord_17', order: null, conflicts: [conflict], failure: null }
    expect(told('inbox', 'ord_17', withInbox({ detail }))['other body']).toContain('from 127.0.0.1: {"other":1}')
    const failing = withInbox({ detail: { ...detail, conflicts: [], failure: 'The inbox does not answer.' } })
    expect(told('inbox', 'ord_17', failing)['not all read']).toBe('The inbox does not answer.')
    expect(told('inbox', 'ord_18', withInbox({ detail }))['other body']).toBeUndefined()
  })

  test('the CSV has the fields without currencies, and the history in one cell', () => {
    const exported = sourceOf('inbox').export(deskState())
    const rows = [...(exported?.rows ?? [])]
    const at = (name: string) => exported?.head.indexOf(name) ?? -1
    expect(exported?.rowCount).toBe(4)
    expect(rows[1]?.[at('inputAmount')]).toBe('0.5')
    expect(rows[1]?.[at('history')]).toMatch(/^COMPLETED .* \| PENDING .*late/)
  })

  test('an id that is longer than its column is marked as cut: half of one reads as a whole', () => {
    const ids = {
      orderId: '3f2a9c1e-5b70-4d0c-9a53-0e8d1f6b7c21',
      eventId: '71c0de55-9e1f-4c55-8f0a-b1d2c3e4f506',
    }
    const order = inboxOrder([received(9, aGatewayEvent(deskNowMs, ids))])
    if (order === null) throw new Error('an order was expected')
    const state = withInbox({ orders: [order], seenSequence: 9 })
    const [, wide = ''] = lines('inbox', state, 200)
    expect(wide).toMatch(/^ +3f2a9c1e-5b70-4d0c… +BUY /)
    expect(wide).toContain(' 71c0de55-9e1… ')
    expect(lines('inbox', state, 50)[1]).toMatch(/^ +3f2a9c1e… BUY /)
  })

  test('text from outside cannot move the rows', () => {
    const order = inboxOrder([received(9, aGatewayEvent(deskNowMs, { orderId: '\u001b[2Jx\n東京' }))])
    if (order === null) throw new Error('an order was expected')
    const [, row = ''] = lines('inbox', withInbox({ orders: [order] }), 78)
    expect(row).not.toMatch(/\p{Cc}/u)
  })
})

describe('what an empty or failing list says', () => {
  const none = deskState({ gateway: initialGateway(noGateway) })

  test.each(gatewayLists.filter((list) => list !== 'deliveries'))('%s without a gateway: one sentence', (list) => {
    expect(lines(list, none).join(' ')).toMatch(/^ [A-Z].*\.$/)
  })

  test('an inbox that does not listen says so where orders are looked for, with orders and without', () => {
    const failedNow = { kind: 'failed', sentence: 'The port 40110 is taken.' } as const
    expect(lines('inbox', withInbox({ orders: [], receiver: failedNow }))[0]).toContain('The port 40110 is taken.')
    expect(note('inbox', withInbox({ receiver: failedNow }))).toContain('The port 40110 is taken.')
    expect(note('inbox', withInbox({ receiver: { kind: 'stopped' } }))).toContain('STOPPED')
    expect(note('inbox', withInbox({ failure: 'The file cannot be read.' }))).toContain('NOT READ: The file cannot')
    expect(note('inbox')).toBe('')
  })

  test.each(['inbox', 'sums', 'quarantine'] as const)(
    '%s of an inbox that was not read does not claim to be empty',
    (list) => {
      expect(lines(list, none).join(' ')).toContain('This desk shows no inbox')
      const failedNow = { kind: 'failed', sentence: 'The port 40110 is taken.' } as const
      const unread = { orders: [], sums: new Map(), quarantine: [], readAtMs: null }
      expect(lines(list, withInbox({ ...unread, receiver: failedNow }))[0]).toContain('The port 40110 is taken.')
      expect(lines(list, withInbox({ ...unread, receiver: { kind: 'elsewhere' } }))[0]).toContain(
        'Waiting for the inbox',
      )
      const read = withInbox({ ...unread, readAtMs: 0, receiver: { kind: 'elsewhere' } })
      expect(lines(list, read)[0]).toMatch(/No orders yet|No sums yet|Nothing is in quarantine/)
    },
  )

  test('rules that were never answered, and old ones', () => {
    const { eligibility } = deskState().gateway
    const sentence = 'The gateway does not answer.'
    const waiting = withGateway({ eligibility: { ...eligibility, regions: failed(emptyFeed, sentence, 0) } })
    expect(lines('regions', waiting)[0]).toContain(`Waiting for the gateway's regions: ${sentence}`)
    const old = { ...deskState(), nowMs: deskNowMs + 3_600_000 }
    expect(note('currencies', old)).toMatch(/STALE 60m/)
    expect(content('currencies', old).isStale).toBe(true)
  })
})

test('sums by day, currency and state: what comes in with its fees, and what goes out', () => {
  const [head = '', ...rows] = lines('sums')
  expect(head.trim().split(/ +/)).toEqual('DAY CUR SIDE STATE ORDERS AMOUNT PROCESSING PARTNER NETWORK'.split(' '))
  expect(rows.map((row) => row.trim().split(/ +/).slice(1, 6).join(' '))).toEqual([
    'ETH in COMPLETED 1 0.5',
    'USD in FAILED 1 1200.5',
    'USD in PENDING 1 90',
    'USD in WITHDRAWING 1 250',
    'BTC out FAILED 1 0.01831',
    'BTC out PENDING 1 0.00137',
    'BTC out WITHDRAWING 1 0.0038',
    'EUR out COMPLETED 1 1380.25',
  ])
})

test('where the store has more than the desk keeps, the lists and their counts say so', () => {
  const foot = (list: GatewayList, state = deskState()) => rowText(content(list, state).foot ?? [])
  const { counts, orders, quarantine } = deskState().gateway.inbox
  if (counts === null) throw new Error('no counts')
  const more = withInbox({ isCut: true, counts: { ...counts, quarantined: quarantine.length + 1 } })
  expect(foot('inbox')).toBe('')
  expect(foot('inbox', more)).toBe('older ones: pitdesk inbox ls orders')
  expect(foot('quarantine', more)).toBe('older ones: pitdesk inbox ls quarantine')
  expect(countText(more, 'quarantine')).toBe('(1+)')
  expect(inboxNotes(more)).toEqual(['unread 2', 'stuck 1', 'conflict 1', 'dup 2', 'late 1+'])
  const { length } = orders
  expect(inboxNotes(withInbox({ isCut: true, unreadCount: length }))[0]).toBe(`unread ${length}+`)
})

test('quarantine keeps bodies as they came, and says which a replay has read', () => {
  expect(lines('quarantine')[1]).toMatch(/3 KEPT +127\.0\.0\.1 +6m the field orderState/)
  expect(lines('quarantine')[2]).toMatch(/2 REPLAYED/)
  expect(told('quarantine', '3').body).toBe('{"eventId":"ev_750","orderState":"REFUNDED"}')
})

test('deliveries: the id of an order that is longer than its column is marked as cut', () => {
  const state = deskState()
  const { deliveries } = state.gateway
  const [first] = deliveries?.value ?? []
  if (deliveries === null || first === undefined) throw new Error('a delivery was expected')
  const value = [{ ...first, orderId: '3f2a9c1e-5b70-4d0c-9a53-0e8d1f6b7c21' }]
  expect(lines('deliveries', withGateway({ deliveries: { ...deliveries, value } }))[1]).toContain(' 3f2a9c1e… ')
})

test("deliveries: tries, when the next one is by the gateway's own clock, and how the last one went", () => {
  const [, pending = '', delivered = '', expired = ''] = lines('deliveries')
  expect(pending).toMatch(/ord_19 WITHDRAWING PENDING +2 in 18s 503/)
  expect(delivered).toMatch(/DELIVERED +1 +200/)
  expect(expired).toMatch(/EXPIRED +22 +timeout \(no answer within/)
  const ahead = deskState({ ahead: { wallMs: 0, exchangeMs: 10_200 } })
  expect(lines('deliveries', ahead)[1]).toContain('in 8s')
})

test('regions are countries and US states under the codes of orders; currencies tell what their kind has', () => {
  expect(
    lines('regions')
      .slice(1)
      .map((row) => row.trim().split(/ +/)[0]),
  ).toEqual(['DE', 'US', 'US-TX'])
  expect(lines('currencies')[1]).toMatch(/USD +FIAT +US Dollar +2 +20 +10000$/)
  expect(lines('currencies')[2]).toMatch(/BTC +CRYPTO +Bitcoin +8 +BTC +NO +yes CA TX/)
  expect(told('currencies', 'USD').network).toBe('for coins only')
  expect(lines('methods')[2]).toMatch(/BANK_TRANSFER_NIP +1 NGN/)
})

describe('the title', () => {
  const titleAt = (width: number) => {
    const forms = titleForms(deskState(), 'inbox', ['inbox', 'quarantine', 'methods'])
    return rowText(listsTitle('gateway', forms, { note: [], width, tabs: undefined, orderCount: '' }))
  }

  test('what waits is counted, and what there is none of is not', () => {
    expect(inboxNotes(deskState())).toEqual(['unread 2', 'stuck 1', 'conflict 1', 'dup 2', 'late 1'])
    expect(inboxNotes({ gateway: initialGateway(noGateway) })).toEqual([])
    expect(countText(deskState(), 'deliveries')).toBe('(1 pending, 1 expired)')
    expect(countText(deskState(), 'quarantine')).toBe('(1)')
    expect(countText(deskState(), 'regions')).toBe('(buying only)')
  })

  test('short of room the other lists go first, then what matters least', () => {
    expect(titleAt(118)).toBe(
      '6 >Gateway inbox  unread 2  stuck 1  conflict 1  dup 2  late 1  Quarantine (1)  Payment methods',
    )
    expect(titleAt(84)).toBe('6 >Gateway inbox  unread 2  stuck 1  conflict 1  dup 2  late 1  Quarantine (1)')
    expect(titleAt(50)).toBe('6 Gateway inbox  unread 2  stuck 1  conflict 1')
    expect(titleAt(30)).toBe('6 Gateway inbox  unread 2')
  })
})

test('the orders stay beside another list where there is room for two', () => {
  expect(placesFor(118, 'regions')).toEqual([{ list: 'regions', width: 118 }])
  expect(placesFor(160, 'regions').map(({ list }) => list)).toEqual(['inbox', 'regions'])
  expect(placesFor(160, 'inbox').map(({ list }) => list)).toEqual(['inbox', 'sums'])
})

test('the regions are named by what was asked for, not by what will be', () => {
  const { eligibility } = deskState().gateway
  expect(countText(withGateway({ onlyBuyAllowed: false }), 'regions')).toBe('(buying only)')
  const none = { value: { onlyBuyAllowed: false, countries: [], usStates: [] }, atMs: deskNowMs, failure: null }
  const state = withGateway({ onlyBuyAllowed: true, eligibility: { ...eligibility, regions: none } })
  expect(countText(state, 'regions')).toBe('(all)')
  expect(lines('regions', state).join()).toContain('The gateway names no region.')
  const unasked = { ...eligibility, regions: emptyFeed }
  expect(countText(withGateway({ onlyBuyAllowed: false, eligibility: unasked }), 'regions')).toBe('(all)')
})
