import { expect } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { amount } from '../../fakes/amounts.ts'
import { aDraft } from '../../fakes/orders.ts'
import { type Journey, type JourneySettings, keys } from '../journey.tsx'

export type Start = (size?: { columns: number; rows: number }, settings?: JourneySettings) => Promise<Journey>

/** A journey that presses keys one at a time and sees what each of them does. */
export type Walk = (start: Start) => Promise<void>

const sequences: Readonly<Record<string, string>> = {
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  home: '\u001b[H',
  end: '\u001b[F',
  delete: '\u001b[3~',
  pgup: '\u001b[5~',
  pgdn: '\u001b[6~',
  f4: '\u001bOS',
  f5: '\u001b[15~',
  f6: '\u001b[17~',
  f7: '\u001b[18~',
  f8: '\u001b[19~',
  'shift+tab': '\u001b[Z',
  tab: '\t',
  enter: '\r',
  esc: '\u001b',
  backspace: '\u007f',
  space: ' ',
  'ctrl+c': '\u0003',
  'ctrl+z': '\u001a',
  'ctrl+l': '\u000c',
  'ctrl+u': '\u0015',
  'ctrl+d': '\u0004',
  'ctrl+a': '\u0001',
  'ctrl+e': '\u0005',
  'ctrl+k': '\u000b',
  'ctrl+w': '\u0017',
  'ctrl+left': '\u001b[1;5D',
  'ctrl+right': '\u001b[1;5C',
}

/** A key by its name in the key table. */
export const pressKey = (journey: Journey, key: string): Promise<void> => journey.press(sequences[key] ?? key)

/** What a value of the state is, as text that can be compared. */
const textOf = (value: unknown): string =>
  value instanceof Decimal ? value.toFixed() : (JSON.stringify(value) ?? 'undefined')

/** Presses one key, after which a value of the state is another one than before: the one that is wanted. */
export async function becomes(
  journey: Journey,
  key: string,
  look: (state: DeskState) => unknown,
  wanted: unknown,
): Promise<void> {
  expect(textOf(look(journey.store.getState())), `before ${key}`).not.toBe(textOf(wanted))
  await pressKey(journey, key)
  await journey.until(() => true)
  expect(textOf(look(journey.store.getState())), `after ${key}`).toBe(textOf(wanted))
}

/** Presses one key, which shows texts that were not all on screen before. */
export async function shows(journey: Journey, key: string, ...texts: readonly string[]): Promise<void> {
  const before = journey.screen()
  expect(
    texts.every((text) => before.includes(text)),
    `${texts.join(', ')} before ${key}`,
  ).toBe(false)
  await pressKey(journey, key)
  await journey.sees(...texts)
}

/** Presses one key, which takes a text from the screen. */
export async function hides(journey: Journey, key: string, text: string): Promise<void> {
  expect(journey.screen()).toContain(text)
  await pressKey(journey, key)
  await journey.until((screen) => !screen.includes(text))
}

/** Types a text key by key. */
export async function typeKeys(journey: Journey, text: string): Promise<void> {
  for (const key of text) await journey.press(key)
}

/** Says a sentence in the palette, which shows how it was understood before Enter. */
export async function say(journey: Journey, sentence: string, ...understood: readonly string[]): Promise<void> {
  await journey.press(':')
  await journey.press(sentence)
  await journey.sees(...understood)
  await journey.press(keys.enter)
}

/** Takes out what was typed into a search, by each key that does. */
export async function emptiesSearch(journey: Journey, query: (state: DeskState) => string | null): Promise<void> {
  for (const key of ['delete', 'ctrl+u', 'ctrl+w']) {
    await pressKey(journey, 'x')
    await becomes(journey, key, query, '')
  }
}

export const kind = ({ overlay }: DeskState) => overlay?.kind ?? null
export const focus = (state: DeskState) => state.focus
export const selected = ({ overlay }: DeskState) =>
  overlay !== null && 'selected' in overlay ? overlay.selected : null
export const query = ({ overlay }: DeskState) => (overlay !== null && 'query' in overlay ? overlay.query : null)

export async function pause(journey: Journey, ms: number): Promise<void> {
  const fromMs = journey.clock.now()
  await journey.until(() => journey.clock.now() - fromMs >= ms)
}

/** An own order that rests below the market, placed outside of the desk. */
export async function ownOrder(
  journey: Journey,
  clientOrderId: string,
  price: string,
  symbol = 'BTC-USD',
): Promise<void> {
  const order = aDraft({ symbol, orderQuantity: amount('0.01'), limitPrice: amount(price) })
  await journey.trader.placeOrder({ ...order, clientOrderId })
  await journey.until(() =>
    (journey.store.getState().orders.value ?? []).some((each) => each.clientOrderId === clientOrderId),
  )
}

/** What rests at the exchange for the desk's account. */
export const working = async ({ trader }: Journey): Promise<string[]> =>
  (await trader.fetchOrders({})).entries
    .map(({ limitPrice }) => limitPrice?.toFixed(2) ?? 'market')
    .toSorted((left, right) => left.localeCompare(right))
