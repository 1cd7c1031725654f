import { expect, test } from 'vitest'
import { emptyTicket } from '../../../src/domain/orders/ticket.ts'
import type { Commands } from '../../../src/store/commands.ts'
import { paneTable } from '../../../src/store/view/panes.ts'
import { findBinding, keymap } from '../../../src/ui/keys/keymap.ts'
import { scopeSets } from '../../../src/ui/keys/rebinding.ts'
import { footEntriesOf, sectionsOf } from '../../../src/ui/tables/key-bindings.ts'
import { activeScopes, type Scope } from '../../../src/ui/tables/key-scopes.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { everyPane, everyScopes } from '../../fakes/situations.ts'

const form = emptyTicket({ symbol: 'BTC-USD' }, 'BUY')
const situations = everyScopes()
const activeIn = (scopes: readonly Scope[]) => keymap.filter(({ scope }) => scopes.includes(scope))

/** Keys that two bindings of a situation have, the one that acts first. */
function keysMeantTwice(scopes: readonly Scope[]): string[] {
  const active = activeIn(scopes).toSorted((one, two) => scopes.indexOf(one.scope) - scopes.indexOf(two.scope))
  return active.flatMap((one, at) =>
    active.slice(at + 1).flatMap((two) => {
      const both = one.keys.filter((key) => two.keys.includes(key))
      return both.map((key) => `${key}: ${one.scope} ${one.action}, not ${two.scope} ${two.action}`)
    }),
  )
}

test('no key means two things in any situation but where a place goes before what is around it', () => {
  const found = new Set(situations.flatMap(({ scopes }) => keysMeantTwice(scopes)))
  expect(found).toEqual(
    new Set([
      '3: ladder toggleLadderView, not desk focusFills',
      'b: gateway onlyBuyAllowed, not desk buy',
      'b: ladder buy, not desk buy',
      'enter: oneKey sendAtOnce, not ticket review',
      's: ladder sell, not desk sell',
      's: transfers reviewDraft, not desk sell',
      'enter: tickers showSymbol, not list openDetails',
      'esc: filtered dropFilter, not desk dismissToasts',
      'esc: pointed removeCursor, not desk dismissToasts',
      'esc: crosshair dropCrosshair, not desk dismissToasts',
      'esc: held letGoOfRow, not desk dismissToasts',
      'm: ladder moveAtCursor, not desk moveOnly',
      'm: orders moveSelected, not desk moveOnly',
      'm: gateway markGatewaySeen, not desk moveOnly',
      'm: plans editPlan, not desk moveOnly',
    ]),
  )
})

test('every scope of the key table is that of a situation, and every pane has its own', () => {
  const reached = new Set(situations.flatMap(({ scopes }) => scopes))
  expect(keymap.filter(({ scope }) => !reached.has(scope))).toEqual([])
  expect(new Set(everyPane)).toEqual(new Set(paneTable.map(({ pane }) => pane)))
})

test('keys that are bound anew are held against every situation', () => {
  const sets = scopeSets(keymap)
  const isHeld = (scopes: readonly Scope[]) => sets.some((set) => scopes.every((scope) => set.includes(scope)))
  expect(situations.filter(({ scopes }) => !isHeld(scopes)).map(({ scopes }) => scopes.join())).toEqual([])
})

test('an action does one thing, wherever it has keys', () => {
  const differing = keymap.filter(({ action, run }) =>
    keymap.some((other) => other.action === action && other.run !== run),
  )
  expect(differing).toEqual([])
})

test('at most one field takes what is typed, in any situation', () => {
  const fields = situations.map(({ scopes }) => activeIn(scopes).filter(({ takesText }) => takesText === true).length)
  expect(Math.max(...fields)).toBe(1)
})

test('Ctrl-C leaves everywhere but behind a lock with a secret, and Esc leaves every overlay and the ticket', () => {
  for (const { situation, scopes } of situations) {
    const { lock, lockMethod } = situation
    const isShut = lock.kind !== 'open' && lockMethod !== 'none'
    expect([scopes, findBinding(scopes, 'ctrl+c', null)?.action]).toEqual([
      scopes,
      isShut ? 'refuseToLeave' : 'quitNow',
    ])
    const isDesk = scopes.includes('desk') || scopes.includes('small')
    const isCover = scopes.includes('lock') || lock.kind === 'checking'
    if (!(isDesk || isCover))
      expect([scopes, findBinding(scopes, 'esc', null)?.scope]).toEqual([
        scopes,
        scopes.find((scope) => scope !== 'oneKey'),
      ])
  }
})

test('no key that sends or takes back orders is a modified form of a harmless one', () => {
  const harmless = keymap.filter(({ danger }) => danger === undefined).flatMap(({ keys }) => keys)
  // `K` only asks; what acts at once is a plain key of its own.
  const acting = keymap.filter(({ danger, action }) => danger !== undefined && action !== 'askHalt')
  expect(acting.map(({ scope, action }) => `${scope} ${action}`)).toEqual(
    expect.arrayContaining([
      'ladder cancelAtCursor',
      'review send',
      'moveReview sendMove',
      'confirmQuit cancelAndQuit',
    ]),
  )
  for (const { keys } of acting) {
    for (const key of keys) {
      expect(key).not.toMatch(/^(ctrl|alt|shift)\+/)
      if (key.length === 1)
        expect(harmless).not.toContain(key.toLowerCase() === key ? key.toUpperCase() : key.toLowerCase())
    }
  }
})

test('in an open ticket letters and digits go to the field, but help, arming and halting keep their keys', () => {
  const scopes = activeScopes(deskState({ ticket: { stage: 'edit', form, field: 'quantity' } }), false)
  for (const key of ['1', '9', 'b', 's', 'x', 'q', 'g', 'j', '.'])
    expect(findBinding(scopes, key, key)?.action).toBe('typeInTicket')
  expect(findBinding(scopes, '?', '?')?.action).toBe('help')
  expect(findBinding(scopes, 'L', 'L')?.action).toBe('toggleArmed')
  expect(findBinding(scopes, 'K', 'K')?.action).toBe('askHalt')
})

test('a question takes the keys it names and nothing else', () => {
  const scopes = activeScopes(deskState({ overlay: { kind: 'confirmQuit', cancelSentAtMs: null } }), false)
  for (const key of ['enter', 'x', 'esc']) expect(findBinding(scopes, key, key)).toBeDefined()
  for (const key of ['K', 'y', 'q', '1', 'space']) expect(findBinding(scopes, key, key)).toBeUndefined()
})

test('every key is in the help', () => {
  const told = new Set(
    sectionsOf(keymap)
      .flatMap(({ entries }) => entries)
      .map(({ label }) => label),
  )
  for (const { label } of keymap) expect(told).toContain(label)
})

test('the foot line comes scope by scope from the same table', () => {
  expect(footEntriesOf(keymap, ['ticket']).map(({ keys, label }) => `${keys} ${label}`)).toEqual([
    'Enter review',
    'Esc close',
    'Tab field',
    'Up/Down step',
    '% share',
    '= money',
    'F4 stop+target',
    'Ctrl-U clear',
  ])
})

/** The commands that a row calls, on a desk where everything is as it comes. */
function calledBy({ run }: (typeof keymap)[number]): string[] {
  const called: string[] = []
  const noted = (name: string | symbol) => () => void called.push(String(name))
  const commands = new Proxy({} as Commands, { get: (_, name) => noted(name) })
  run({ commands, state: deskState(), text: '', bindings: keymap, run: () => undefined })
  return called
}

test('a row that sends an order or money says so: its key waits for a beat', () => {
  const sending = keymap.filter((row) => calledBy(row).some((name) => /^(send|confirmResume)/.test(name)))
  expect(sending.map(({ action }) => action)).toEqual([
    ...['sendMove', 'sendAtOnce', 'send', 'sendPlan', 'confirmResumePlan', 'sendWithdraw'],
  ])
  expect(keymap.filter(({ danger }) => danger === 'sends')).toEqual(sending)
  // What brings the review before it must not come from a key that was meant to send.
  const reviewing = keymap.filter((row) => calledBy(row).some((name) => /^review(Ticket|Move)$/.test(name)))
  for (const { caution } of reviewing) expect(caution).toBe('towardsSending')
  expect(reviewing).not.toEqual([])
})

test('every heading of the keys is words that people use', () => {
  const titles = sectionsOf(keymap).map(({ title }) => title)
  for (const title of ['QUIT', 'SMALL SCREEN', 'LOCK SCREEN']) expect(titles).toContain(title)
  for (const title of ['CONFIRMQUIT', 'SMALL', 'LOCKED']) expect(titles).not.toContain(title)
})
