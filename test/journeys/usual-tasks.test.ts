import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { availableOf } from '../../src/domain/balance.ts'
import { reviewArmedAfterMs } from '../../src/store/ticket/ticket.ts'
import { freshMs } from '../../src/ui/console/console.tsx'
import { burstMs } from '../../src/ui/terminal/key-reader.ts'
import { amount } from '../fakes/amounts.ts'
import { aDraft } from '../fakes/orders.ts'
import { type Journey, quoteAndCenter, startJourney } from './journey.tsx'
import { pressedKey } from './pressed-key.ts'

/** A key is pressed; what stands in quotes is typed: a number, or a sentence of the palette. */
type Way = { walk: string; seconds: string }

type Task = {
  task: string
  /** Orders of the same account that rest before. */
  resting?: readonly ('BUY 64200' | 'BUY 64190' | 'SELL 64300')[]
  /** The quickest way at commit 606de029, walked there by this same test. */
  before: Way
  now: Way
  /** What the exchange says in the end. */
  outcome: readonly string[]
  /** Why it takes more than four keys. */
  excess?: string
}

const keysMax = 4

const tasks: readonly Task[] = [
  {
    task: 'buy at the touch',
    before: { walk: ': "buy 0.05 btc @ 64210" Enter Enter Enter', seconds: '1.4' },
    now: { walk: 'b "0.05" Enter Enter', seconds: '1.4' },
    outcome: ['BUY LIMIT 0.05 @ 64210'],
  },
  {
    task: 'sell half',
    before: { walk: ': "sell 50% btc @ 64210.5" Enter Enter Enter', seconds: '1.4' },
    now: { walk: 's "50%" Enter Enter', seconds: '1.4' },
    outcome: ['SELL LIMIT 0.25 @ 64210.5'],
  },
  {
    task: 'stop under a position',
    before: { walk: ': "sell 0.5 btc stop 63000" Enter Enter Enter', seconds: '1.4' },
    now: { walk: ': "sell all stop 63000" Enter Enter Enter', seconds: '1.4' },
    outcome: ['SELL STOP', '0 BTC available'],
  },
  {
    task: 'move by two ticks',
    resting: ['BUY 64200'],
    before: { walk: '2 j m k k Enter Enter', seconds: '1.4' },
    now: { walk: 'm "+2t" Enter Enter', seconds: '1.4' },
    outcome: ['BUY LIMIT 0.01 @ 64201'],
  },
  {
    task: 'cancel one side, of two orders',
    resting: ['SELL 64300', 'BUY 64200', 'BUY 64190'],
    before: { walk: '2 j x x', seconds: '1.0' },
    now: { walk: 'Backspace b x', seconds: '0.0' },
    outcome: ['SELL LIMIT 0.01 @ 64300'],
  },
  {
    task: 'flatten',
    before: { walk: ': "sell 0.5 btc market" Enter Enter Enter', seconds: '1.4' },
    now: { walk: ': "sell all market" Enter Enter Enter', seconds: '1.4' },
    outcome: ['0 BTC available'],
  },
  {
    task: 'bracket by two orders',
    before: {
      walk: ': "sell 0.1 btc @ 66000" Enter Enter Enter : "sell 0.1 btc stop 63000" Enter Enter Enter',
      seconds: '2.8',
    },
    now: { walk: 's "0.1" Tab "66000" Enter Enter : "sell 0.1 stop 63000" Enter Enter Enter', seconds: '2.8' },
    outcome: ['SELL LIMIT 0.1 @ 66000', 'SELL STOP', '0.3 BTC available'],
    excess: 'four an order: each is reviewed and sent by itself',
  },
  {
    task: 'withdraw',
    before: { walk: ': "withdraw 0.05 btc to wl-1" Enter Enter "0.05" Enter', seconds: '0.3' },
    now: { walk: ': "withdraw 0.05 btc to wl-1" Enter Enter "0.05" Enter', seconds: '0.3' },
    outcome: ['withdrawal 0.05 BTC'],
  },
]

/** The steps of a walk: a key, or the text between quotes. */
const stepsOf = (walk: string): string[] => walk.match(/"[^"]*"|\S+/g) ?? []
const isTyped = (step: string): boolean => step.startsWith('"')
const keyCount = (walk: string): number => stepsOf(walk).filter((step) => !isTyped(step)).length

const sends = /^(?:review|moveReview|withdrawReview) enter$/
const sequence: Readonly<Record<string, string>> = { Enter: '\r', Tab: '\t', Backspace: '\u007f' }
/** After a cancel the cursor has come to the next order, which for so long is not canceled. */
const cancelAgainMs = 1_000
const stepMs = 10
const sendMaxMs = 3_000

/** No review is open any more: what was in it is on its way. */
function hasLeft({ store }: Journey): boolean {
  const { ticket, move, overlay } = store.getState()
  return ticket?.stage !== 'review' && move?.stage !== 'review' && overlay?.kind !== 'withdrawReview'
}

/** Presses every key as early as the desk takes it; typing takes no time. How long it took until the last act, in s. */
async function walked(journey: Journey, walk: string): Promise<number> {
  const { clock, store } = journey
  let minMs = 0
  let before = ''
  for (const step of stepsOf(walk)) {
    if (isTyped(step)) {
      for (const letter of step.slice(1, -1)) await journey.press(letter, 0)
      before = step
      continue
    }
    const key = sequence[step] ?? step
    const isSend = sends.test(pressedKey(key, store.getState()) ?? '')
    const fromMs = clock.now()
    const isAgain = before === step
    const isSecondCancel = step === 'x' && isAgain
    await clock.advance(isSend ? (isAgain ? freshMs : reviewArmedAfterMs) : isSecondCancel ? cancelAgainMs : burstMs)
    await journey.press(key, 0)
    for (let ms = 0; isSend && !hasLeft(journey) && ms < sendMaxMs; ms += stepMs) await clock.advance(stepMs)
    if (isSend || isSecondCancel) minMs += clock.now() - fromMs
    // The answer is not waited for by the clock of a person.
    if (isSend) await journey.passes(1_000)
    before = step
  }
  return minMs / 1_000
}

/** What the exchange says of the account: its working orders, its withdrawals, and what is left of its bitcoin. */
async function atExchange({ trader, store }: Journey): Promise<string[]> {
  const orders = (await trader.fetchOrders({})).entries.map(({ side, type, leavesQuantity, limitPrice }) =>
    limitPrice === null ? `${side} ${type}` : `${side} ${type} ${leavesQuantity} @ ${limitPrice}`,
  )
  const withdrawals = (await trader.fetchWithdrawals({})).entries.map(
    (each) => `withdrawal ${each.amount} ${each.currency}`,
  )
  // A pending stop reports no quantity: what it holds back of the balance tells it.
  const left = availableOf('BTC', store.getState().balances.value ?? [])
  const isTold = left.isZero() || orders.includes('SELL STOP')
  return [
    ...orders.toSorted((left, right) => left.localeCompare(right)),
    ...withdrawals,
    ...(isTold ? [`${left} BTC available`] : []),
  ]
}

/** The desk before each task: a market, what rests, and the keyboard in a pane that has nothing to do with orders. */
async function atBalances(resting: readonly string[]): Promise<Journey> {
  const journey = await startJourney({ columns: 120, rows: 40 })
  await quoteAndCenter(journey)
  // No cursor: orders join the touch.
  await journey.press('c')
  for (const [index, text] of resting.entries()) {
    const [side, price = ''] = text.split(' ')
    const order = aDraft({
      side: side === 'BUY' ? 'BUY' : 'SELL',
      limitPrice: amount(price),
      orderQuantity: amount('0.01'),
    })
    await journey.trader.placeOrder({ ...order, clientOrderId: `own${index}` })
  }
  await journey.press('4')
  await journey.passes(3_000)
  return journey
}

/** `TASKS_BEFORE=1` walks the other ways, in a worktree of that commit. */
const way = process.env.TASKS_BEFORE === '1' ? 'before' : 'now'

test.each(tasks)(
  '$task: by these keys, in this time, with this outcome',
  async ({ resting = [], outcome, ...task }) => {
    const journey = await atBalances(resting)
    const seconds = await walked(journey, task[way].walk)
    await journey.passes(5_000)
    expect(await atExchange(journey), journey.screen()).toEqual(outcome)
    expect(seconds.toFixed(1)).toBe(task[way].seconds)
  },
)

test('no task takes more than four keys beside what is typed, or the table says why', () => {
  const longer = tasks.filter(({ now, excess }) => keyCount(now.walk) > keysMax && excess === undefined)
  expect(longer.map(({ task }) => task)).toEqual([])
  for (const { task, before, now } of tasks) expect(keyCount(now.walk), task).toBeLessThanOrEqual(keyCount(before.walk))
})

const escaped = (walk: string) =>
  stepsOf(walk)
    .map((step) => (isTyped(step) ? step.slice(1, -1) : `\`${step}\``))
    .join(' ')
const cell = (walk: string) => `${escaped(walk)}: ${keyCount(walk)}`

test('the table in the page for contributors is this one', () => {
  const rows = tasks.map(
    ({ task, now, excess }) =>
      `| ${task}${excess === undefined ? '' : ` (${excess})`} | ${cell(now.walk)} | ${now.seconds} |`,
  )
  expect(readFileSync('src/README.md', 'utf8')).toContain(`${rows.join('\n')}\n`)
})

test('m from any pane takes no order where several rest, or none', async () => {
  const several = await atBalances(['BUY 64200', 'BUY 64190'])
  await several.press('m')
  await several.sees('You have 2 working orders in BTC-USD')
  expect(several.store.getState().move).toBeNull()
  const none = await atBalances([])
  await none.press('m')
  await none.sees('You have no order to move in BTC-USD')
})
