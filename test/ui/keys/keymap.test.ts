import { expect, test } from 'vitest'
import { emptyTicket } from '../../../src/domain/ticket.ts'
import type { Overlay, PaneName, TicketState } from '../../../src/store/state.ts'
import type { Scope } from '../../../src/ui/keys/binding.ts'
import { findBinding, keymap } from '../../../src/ui/keys/keymap.ts'
import { activeScopes } from '../../../src/ui/keys/scopes.ts'
import { footEntries, keySections } from '../../../src/ui/keys/shown-keys.ts'
import { deskState } from '../../fakes/desk-state.ts'

const panes: PaneName[] = ['ladder', 'orders', 'fills', 'balances', 'tickers', 'log']
const form = emptyTicket({ symbol: 'BTC-USD' }, 'BUY')
const tickets: (TicketState | null)[] = [
  null,
  { stage: 'edit', form, field: 'quantity' },
  { stage: 'review', form, field: 'quantity', reviewedAtMs: 0, confirmed: [], retyped: '' },
  { stage: 'sending', form, field: 'quantity' },
]
const overlays: (Overlay | null)[] = [
  null,
  { kind: 'help', query: '', top: 0 },
  { kind: 'symbols', query: '', selected: 0 },
  { kind: 'halt', symbol: 'BTC-USD', typed: '' },
  { kind: 'confirmQuit', cancelSentAtMs: null },
]

/** The scopes of every situation a desk can be in. */
const situations: Scope[][] = [true, false].flatMap((isTooSmall) =>
  panes.flatMap((focus) =>
    tickets.flatMap((ticket) =>
      overlays.map((overlay) => activeScopes(deskState({ focus, ticket, overlay }), isTooSmall)),
    ),
  ),
)

/** Keys of a pane that go before the desk's own while the pane has the focus. */
const meantTwice: readonly string[] = ['ladder 3', 'tickers enter', 'tickers d']

test('no key means two things in any situation', () => {
  for (const scopes of situations) {
    const active = keymap.filter(({ scope }) => scopes.includes(scope))
    const keys = active.flatMap((binding) =>
      binding.keys.filter((key) => !meantTwice.includes(`${binding.scope} ${key}`)),
    )
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  }
})

test('at most one field takes what is typed, in any situation', () => {
  for (const scopes of situations) {
    expect(keymap.filter(({ scope, takesText }) => takesText && scopes.includes(scope)).length).toBeLessThanOrEqual(1)
  }
})

test('Ctrl-C leaves in every situation, and Esc leaves every overlay and the ticket', () => {
  for (const scopes of situations) {
    expect(findBinding(scopes, 'ctrl+c', null)?.action).toBe('quitNow')
    const isDesk = scopes.includes('desk') || scopes.includes('small')
    if (!isDesk) expect(findBinding(scopes, 'esc', null)).toBeDefined()
  }
})

test('no key that sends or takes back orders is a modified form of a harmless one', () => {
  const harmless = keymap.filter(({ danger }) => danger !== true).flatMap(({ keys }) => keys)
  // `K` only asks; what acts at once is a plain key of its own.
  const acting = keymap.filter(({ danger, action }) => danger === true && action !== 'askHalt')
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
  const told = new Set(keySections.flatMap(({ entries }) => entries).map(({ label }) => label))
  for (const { label } of keymap) expect(told).toContain(label)
})

test('the foot line comes scope by scope from the same table', () => {
  expect(footEntries(['ticket']).map(({ keys, label }) => `${keys} ${label}`)).toEqual([
    'Enter review',
    'Esc close',
    'Tab field',
    'Up/Down step',
    '% share',
    'Ctrl-U clear',
  ])
})
