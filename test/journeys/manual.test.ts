import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { readMarkdown } from '../../src/manual/markdown.ts'
import { pages } from '../../src/manual/pages.ts'
import { freshMs } from '../../src/ui/console/console.tsx'
import { aDraft } from '../fakes/orders.ts'
import { type Journey, keys, startJourney } from './journey.tsx'
import { openGateway } from './practice-gateway.ts'

// The walks that the README and the manual lead through, key by key: a step that says something else fails here.

/** What is set as code in each step of the first numbered list. */
function stepsOf(text: string): string[][] {
  const list = readMarkdown(text).find((block) => block.kind === 'list' && block.isNumbered)
  if (list?.kind !== 'list') throw new Error('no numbered list')
  return list.items.map((item) => item.flatMap((span) => (span.kind === 'code' ? [span.text] : [])))
}

const say = async (journey: Journey, sentence: string) => {
  expect(sentence.slice(0, 2)).toBe(': ')
  await journey.press(':')
  await journey.press(sentence.slice(2))
  await journey.press(keys.enter)
}

test('the first order of the README, from the cursor to the fills', async () => {
  const steps = stepsOf(readFileSync('README.md', 'utf8'))
  expect(steps).toEqual([
    ['npm start', 'PRACTICE', 'ARMED'],
    ['j', 'k', 'c'],
    ['b', 's', '0.05'],
    ['Enter', 'Enter'],
    ['OWN', 'x', '2', '3'],
  ])
  const journey = await startJourney({ columns: 80, rows: 24 })
  const price = (text: string) => new Decimal(text)
  const quotes = [
    aDraft({ side: 'BUY', limitPrice: price('64210.00'), orderQuantity: price('0.03') }),
    aDraft({ side: 'SELL', limitPrice: price('64210.50'), orderQuantity: price('0.4') }),
  ]
  for (const [index, order] of quotes.entries())
    await journey.counterparty.placeOrder({ ...order, clientOrderId: `quote${index}` })
  await journey.sees('PRACTICE', 'ARMED', '64210.50')
  await journey.press('c')
  for (const key of ['j', 'j', 'k', 'j']) await journey.press(key)
  await journey.press('b')
  await journey.sees('Ticket BUY LIMIT')
  for (const key of [keys.clear, ...'0.05']) await journey.press(key)
  await journey.press(keys.enter)
  await journey.sees('REVIEW', 'BUY 0.0500 BTC-USD LIMIT')
  await journey.passes(2 * freshMs)
  await journey.press(keys.enter)
  await journey.sees('OWN', 'B.05', 'OPEN')
  await journey.press('x')
  await journey.sees('CANCELED')
  await journey.press('2')
  await journey.press('3')
  await journey.sees('[3 Fills]')
})

test('the walk through the gateway, to an expired delivery that comes in after all', async () => {
  const [, first, second, third, fourth] = stepsOf(pages.gateway)
  expect(stepsOf(pages.gateway)[0]).toEqual(['npm start', '6'])
  const journey = await startJourney({ columns: 200, rows: 60 }, false, { openGateway })
  const orders = () => journey.store.getState().gateway.inbox.orders
  const deliveries = () => journey.store.getState().gateway.deliveries?.value ?? []
  await journey.press('6')
  const [buy = '', advance = ''] = first ?? []
  await say(journey, buy)
  await journey.sees('BUY  PENDING')
  // The page shows the start of some id: here it is that of the order that was begun, which the desk has named.
  const id = orders()[0]?.orderId ?? ''
  expect(journey.store.getState().log.some(({ text }) => text.startsWith(`Order id ${id}`))).toBe(true)
  expect(advance).toBe(': gateway advance 5f0c failed')
  await say(journey, advance.replace('5f0c', id.slice(0, 4)))
  await journey.sees('BUY  FAILED')
  const [stop = '', sell = '', list = ''] = second ?? []
  await say(journey, stop)
  await journey.sees('The inbox is stopped')
  await say(journey, sell)
  await say(journey, list)
  await journey.until(() => deliveries().some(({ attemptCount }) => attemptCount >= 2))
  await say(journey, third?.[0] ?? '')
  await journey.sees('EXPIRED')
  const before = orders().length
  const [open = '', ...typed] = fourth ?? []
  expect(typed).toEqual(['/', 'expired', 'j', 'R'])
  await say(journey, open)
  await journey.sees('The inbox listens at')
  await journey.press('/')
  await journey.press('expired')
  await journey.press(keys.enter)
  await journey.press('j')
  await journey.press('R')
  await journey.until(() => orders().length > before)
})
