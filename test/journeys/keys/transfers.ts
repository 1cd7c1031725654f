import { expect } from 'vitest'
import { ok } from '../../../src/base/result.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { becomes, emptiesSearch, kind, pause, pressKey, query, selected, shows, type Walk } from './walk.ts'

const field = ({ overlay }: DeskState) => (overlay?.kind === 'withdraw' ? overlay.field : null)
const currency = ({ overlay }: DeskState) => (overlay?.kind === 'withdraw' ? overlay.form.currency : null)
const amountText = ({ overlay }: DeskState) => (overlay?.kind === 'withdraw' ? overlay.form.amountText : null)
const note = ({ overlay }: DeskState) => (overlay?.kind === 'withdraw' ? overlay.form.note : null)
const how = ({ overlay }: DeskState) => (overlay?.kind === 'withdraw' ? overlay.form.how : null)
const retyped = ({ overlay }: DeskState) => (overlay?.kind === 'withdrawReview' ? overlay.retyped : null)
const typedLength = ({ overlay }: DeskState) => (overlay?.kind === 'withdrawSecret' ? overlay.length : null)
const draftKinds = ({ drafts }: DeskState) => drafts.map(({ state }) => state.kind).join()

/** Paying in: a currency is searched and chosen, its address shown, copied, its code inverted. */
export const depositWalk: Walk = async (start) => {
  const journey = await start({ columns: 80, rows: 24 })
  await journey.sees('BTC-USD open')
  await pressKey(journey, '5')
  await shows(journey, 'd', 'Deposit: which currency?', '>BTC')
  await becomes(journey, 'down', selected, 'DOGE')
  await becomes(journey, 'up', selected, 'BTC')
  await becomes(journey, 'tab', selected, 'DOGE')
  await becomes(journey, 'shift+tab', selected, 'BTC')
  await becomes(journey, 'x', query, 'X')
  await becomes(journey, 'backspace', query, '')
  await emptiesSearch(journey, query)
  await becomes(journey, 'esc', kind, null)
  await pressKey(journey, 'd')
  await pressKey(journey, 'x')
  await shows(journey, 'enter', 'TAG, needed as well', 'LOST', '▀')
  await shows(journey, 'y', 'takes no copies')
  const code = journey.screen()
  await pressKey(journey, 'i')
  await journey.until((screen) => screen !== code)
  for (const key of ['esc', 'q', 'enter']) {
    await becomes(journey, key, kind, null)
    await pressKey(journey, 'd')
    await pressKey(journey, 'b')
    await shows(journey, 'enter', 'No tag comes with it')
  }
}

/** The form by every key of it, a draft kept, changed and dropped, and another one sent. */
export const withdrawWalk: Walk = async (start) => {
  const journey = await start({ columns: 80, rows: 24 })
  await pressKey(journey, '5')
  await shows(journey, 'w', 'on the whitelist')
  // The currency in view is chosen already.
  await journey.sees('>BTC')
  await becomes(journey, 'e', currency, 'ETH')
  await pressKey(journey, 'backspace')
  await pressKey(journey, 'b')
  await pressKey(journey, 'backspace')
  await becomes(journey, 'down', currency, 'ETH')
  await becomes(journey, 'up', currency, 'BTC')
  await becomes(journey, 'right', currency, 'ETH')
  await becomes(journey, 'left', currency, 'BTC')
  await becomes(journey, 'tab', field, 'beneficiary')
  await becomes(journey, 'shift+tab', field, 'currency')
  await becomes(journey, 'enter', field, 'beneficiary')
  await shows(journey, 'down', '>cold storage (wl-1)')
  await becomes(journey, 'enter', field, 'amount')
  await becomes(journey, '5', amountText, '5')
  await becomes(journey, 'delete', amountText, '')
  await pressKey(journey, '7')
  await becomes(journey, 'ctrl+u', amountText, '')
  await pressKey(journey, 'shift+tab')
  await becomes(journey, 'space', how, 'all')
  await becomes(journey, 'down', how, 'amount')
  await pressKey(journey, 'tab')
  await pressKey(journey, '1')
  await pressKey(journey, 'tab')
  await becomes(journey, 'x', note, 'x')
  await becomes(journey, 'backspace', note, '')
  await becomes(journey, 'esc', kind, null)

  await pressKey(journey, 'w')
  for (const key of ['b', 'enter', 'down', 'enter', '.', '1']) await pressKey(journey, key)
  await becomes(journey, 'ctrl+d', kind, null)
  await journey.until(() => draftKinds(journey.store.getState()) === 'draft')
  await pressKey(journey, 'j')
  await becomes(journey, 'E', kind, 'withdraw')
  await becomes(journey, 'enter', kind, 'withdrawReview')
  await becomes(journey, 'ctrl+d', kind, null)
  await shows(journey, 'a', 'needs no approval')
  await pressKey(journey, 'x')
  await journey.until(() => draftKinds(journey.store.getState()) === 'dropped')

  await pressKey(journey, 'w')
  for (const key of ['b', 'enter', 'down', 'enter', '.', '2', 'ctrl+d']) await pressKey(journey, key)
  await journey.until(() => draftKinds(journey.store.getState()) === 'draft,dropped')
  await pressKey(journey, 'home')
  await becomes(journey, 's', kind, 'withdrawReview')
  await becomes(journey, 'esc', kind, 'withdraw')
  await becomes(journey, 'enter', kind, 'withdrawReview')
  const top = ({ overlay }: DeskState) => (overlay?.kind === 'withdrawReview' ? (overlay.top ?? 0) : null)
  journey.resize(40, 12)
  await journey.until(() => journey.store.getState().screen.columns === 40)
  await becomes(journey, 'down', top, 1)
  await becomes(journey, 'up', top, 0)
  await pressKey(journey, 'pgdn')
  await becomes(journey, 'pgup', top, 0)
  journey.resize(120, 40)
  await journey.until(() => journey.store.getState().screen.columns === 120)
  await becomes(journey, '9', retyped, '9')
  await becomes(journey, 'backspace', retyped, '')
  await pressKey(journey, '8')
  await becomes(journey, 'delete', retyped, '')
  await pressKey(journey, '8')
  await becomes(journey, 'ctrl+u', retyped, '')
  await pressKey(journey, '8')
  await becomes(journey, 'ctrl+w', retyped, '')
  await shows(journey, 'Y', 'No soft limit')
  await pressKey(journey, 'y')
  for (const key of '.2') await pressKey(journey, key)
  await pause(journey, 300)
  await pressKey(journey, 'enter')
  await journey.until(() => draftKinds(journey.store.getState()) === 'sent,dropped')
  expect((await journey.trader.fetchWithdrawals({})).entries).toHaveLength(1)
}

/** The second lock before the form: typed, erased, wrong, right. */
export const withdrawLockWalk: Walk = async (start) => {
  const lock = {
    method: 'passphrase',
    open: (typed: string) =>
      Promise.resolve(typed === 'open' ? { kind: 'opened' as const } : { kind: 'wrong' as const, waitMs: 0 }),
    renew: () => Promise.resolve(ok('passphrase' as const)),
    approver: null,
    approve: () => Promise.resolve({ kind: 'nobody' as const }),
  } as const
  const journey = await start({ columns: 80, rows: 24 }, { lock })
  await pressKey(journey, '5')
  await shows(journey, 'w', 'Unlock withdrawals', 'Passphrase:')
  await becomes(journey, 'o', typedLength, 1)
  await becomes(journey, 'backspace', typedLength, 0)
  await pressKey(journey, 'x')
  await becomes(journey, 'delete', typedLength, 0)
  await pressKey(journey, 'x')
  await becomes(journey, 'ctrl+u', typedLength, 0)
  await pressKey(journey, 'x')
  await becomes(journey, 'ctrl+w', typedLength, 0)
  await pressKey(journey, 'x')
  await shows(journey, 'enter', 'Wrong passphrase or code')
  await becomes(journey, 'esc', kind, null)
  await pressKey(journey, 'w')
  for (const key of 'open') await pressKey(journey, key)
  await pressKey(journey, 'enter')
  await journey.until(() => kind(journey.store.getState()) === 'withdraw')
  expect(JSON.stringify(journey.store.getState().overlay)).not.toContain('open')
}
