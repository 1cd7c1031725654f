import { expect, test } from 'vitest'
import { ok } from '../../src/base/result.ts'
import { Decimal } from '../../src/domain/money.ts'
import { createMemoryDrafts } from '../fakes/memory-drafts.ts'
import { type Journey, keys, pasted, sizes, startJourney } from './journey.tsx'
import { typeKeys } from './keys/walk.ts'

/** Opens the form from the transfers pane and chooses currency and beneficiary by typing. */
async function chosen(journey: Journey): Promise<void> {
  if (journey.store.getState().focus !== 'transfers') await journey.press('5')
  await journey.press('w')
  await journey.sees('Withdraw', 'on the whitelist')
  for (const key of 'btc') await journey.press(key)
  await journey.press(keys.enter)
  await journey.press(keys.down)
  await journey.press(keys.enter)
}

const withdrawals = async ({ trader }: Journey) => (await trader.fetchWithdrawals({})).entries

test.each(sizes)(
  'w, currency, beneficiary, amount, review, the amount again: it is sent once, at $columns columns',
  async (size) => {
    const journey = await startJourney(size)
    await chosen(journey)
    await typeKeys(journey, '0.05')
    await journey.sees('0.05_ BTC', 'total')
    await journey.press(keys.enter)
    await journey.sees('Review: money leaves the account', 'Withdraw 0.05 BTC', 'PRACTICE', 'once more:')
    expect(await withdrawals(journey)).toEqual([])
    await journey.passes(1_000)
    await journey.press(keys.enter)
    await journey.sees('Not sent: type the amount once more')
    expect(journey.store.getState().log.map(({ text }) => text)).not.toContain('Sending: any key stops it.')
    await typeKeys(journey, '0.05')
    await journey.passes(1_000)
    await journey.press(keys.enter)
    await journey.until(() => journey.store.getState().drafts.some(({ state }) => state.kind === 'sent'))
    const sent = await withdrawals(journey)
    expect(sent.map(({ amount, currency }) => `${amount} ${currency}`)).toEqual(['0.05 BTC'])
    expect(journey.store.getState().overlay).toBeNull()
  },
)

test('everything is another choice than an amount, and is typed as all', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await chosen(journey)
  await journey.press('\u001b[Z')
  await journey.press(' ')
  await journey.sees('all available, less the fee')
  await journey.press(keys.enter)
  await journey.sees('Withdraw ALL available BTC', 'Type all once more')
  await typeKeys(journey, 'all')
  await journey.passes(1_000)
  await journey.press(keys.enter)
  await journey.until(() => journey.store.getState().drafts.some(({ state }) => state.kind === 'sent'))
  expect(await withdrawals(journey)).toHaveLength(1)
})

test('a held Enter, a paste and a halted desk send nothing', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await chosen(journey)
  await journey.press(pasted('0.05\r\r'))
  await journey.sees('0.05_ BTC')
  for (let repeat = 0; repeat < 5; repeat += 1) await journey.press(keys.enter)
  await journey.sees('Review: money leaves the account')
  await journey.press(pasted('0.05\r'))
  await journey.passes(1_000)
  await typeKeys(journey, '0.05')
  await journey.passes(1_000)
  await journey.press(`${keys.enter}${keys.enter}`)
  await journey.sees('Enter repeats')
  expect(await withdrawals(journey)).toEqual([])
  journey.store.dispatch({ type: 'modeChanged', mode: { kind: 'HALTED' }, atMs: journey.clock.now() })
  await journey.passes(1_000)
  await journey.press(keys.enter)
  await journey.sees('Not sent: HALTED. Ctrl-D saves it, then L arms')
  await journey.passes(500)
  expect(await withdrawals(journey)).toEqual([])
})

test('what is wrong is told rule by rule with what would be right, and is not reviewed', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await chosen(journey)
  await typeKeys(journey, '0.123456789')
  await journey.sees('BLOCK BTC has 8 decimals', '0.12345678 or', '0.12345679 ')
  await journey.press(keys.enter)
  await journey.sees('Blocked: BTC has 8 decimals')
  await journey.press(keys.clear)
  await typeKeys(journey, '99999')
  await journey.sees('more than the available')
  await journey.press(keys.escape)
  await journey.until(() => journey.store.getState().overlay === null)
})

test('drafts are kept, reviewed from the pane and sent one at a time; one is dropped', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  for (const amount of ['0.01', '0.02']) {
    await chosen(journey)
    await typeKeys(journey, amount)
    await journey.press('\u0004')
    await journey.sees('Saved as a draft: nothing was sent.')
    await journey.until(() => journey.store.getState().overlay === null)
  }
  await journey.until(() => journey.store.getState().drafts.length === 2)
  expect(await withdrawals(journey)).toEqual([])
  await journey.press('j')
  await journey.press('s')
  await journey.sees('Review: money leaves the account')
  const { overlay } = journey.store.getState()
  const amount = overlay?.kind === 'withdrawReview' ? overlay.form.amountText : ''
  await typeKeys(journey, amount)
  await journey.passes(1_000)
  await journey.press(keys.enter)
  await journey.until(() => journey.store.getState().drafts.some(({ state }) => state.kind === 'sent'))
  expect((await withdrawals(journey)).map((each) => each.amount.toFixed())).toEqual([amount])
  const left = journey.store.getState().drafts.find(({ state }) => state.kind === 'draft')?.draftId ?? ''
  for (let row = 0; row < 5 && journey.store.getState().tables.views.withdrawals.selectedKey !== left; row += 1)
    await journey.press(row < 3 ? 'k' : 'j')
  await journey.press('x')
  await journey.until(() => journey.store.getState().drafts.some(({ state }) => state.kind === 'dropped'))
  expect(await withdrawals(journey)).toHaveLength(1)
})

test('a desk that only watches opens no form', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 }, true)
  await journey.press('5')
  await journey.press('w')
  await journey.sees('MONITOR is read only')
  await journey.press('d')
  await journey.passes(500)
  expect(journey.store.getState().overlay).toBeNull()
})

/** Of a desk whose withdrawals Mona approves by the word agree. */
const monas = {
  method: 'none',
  open: () => Promise.resolve({ kind: 'opened' as const }),
  renew: () => Promise.resolve(ok('none' as const)),
  approver: 'Mona',
  approve: (text: string) =>
    Promise.resolve(text === 'agree' ? { kind: 'approved' as const, by: 'Mona' } : { kind: 'same' as const }),
} as const

test('a withdrawal that wants approval goes once the second person has agreed, and not before', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 }, false, { lock: monas })
  journey.store.dispatch({ type: 'withdrawalRulesChanged', rules: { approver: 'Mona' } })
  await chosen(journey)
  await typeKeys(journey, '0.05')
  await journey.press(keys.tab)
  await journey.press(' ')
  await journey.sees('Mona has to approve')
  await journey.press(keys.enter)
  await journey.sees('Mona has to approve it first')
  await typeKeys(journey, '0.05')
  await journey.passes(1_000)
  await journey.press(keys.enter)
  await journey.sees('Mona: approve this?', '0.05 BTC', 'cold storage (wl-1)')
  await typeKeys(journey, 'mine')
  await journey.press(keys.enter)
  await journey.sees("opens the desk's lock as well")
  expect(await withdrawals(journey)).toEqual([])
  await typeKeys(journey, 'agree')
  await journey.press(keys.enter)
  await journey.until(() => journey.store.getState().drafts.some(({ state }) => state.kind === 'sent'))
  expect(await withdrawals(journey)).toHaveLength(1)
  expect(journey.store.getState().drafts[0]?.approval).toMatchObject({ kind: 'given', by: 'Mona' })
})

test.each([
  ['while the second person types', 'agr', 'ee'],
  ['before the second person types', '', 'agree'],
])('what another desk changes %s does not go as it was reviewed before', async (_when, before, after) => {
  const drafts = createMemoryDrafts()
  const journey = await startJourney({ columns: 80, rows: 24 }, false, { lock: monas, drafts })
  journey.store.dispatch({ type: 'withdrawalRulesChanged', rules: { approver: 'Mona' } })
  await chosen(journey)
  await typeKeys(journey, '0.05')
  await journey.press(keys.tab)
  await journey.press(' ')
  await journey.press(keys.enter)
  await typeKeys(journey, '0.05')
  await journey.passes(1_000)
  await journey.press(keys.enter)
  await journey.sees('Mona: approve this?', '0.05 BTC')
  await typeKeys(journey, before)
  await drafts.update((kept) => ok(kept.map((draft) => ({ ...draft, amount: new Decimal('0.07') }))))
  await journey.sees('Mona: approve this?', '0.07 BTC')
  await typeKeys(journey, after)
  await journey.press(keys.enter)
  await journey.sees('The draft was changed meanwhile')
  expect(await withdrawals(journey)).toEqual([])
  expect(drafts.drafts).toMatchObject([{ state: { kind: 'draft' }, approval: { kind: 'wanted' } }])
})

test('an approver whose draft was changed as they typed agrees to what is shown with the next try', async () => {
  const drafts = createMemoryDrafts()
  const journey = await startJourney({ columns: 80, rows: 24 }, false, { lock: monas, drafts })
  journey.store.dispatch({ type: 'withdrawalRulesChanged', rules: { approver: 'Mona' } })
  await chosen(journey)
  await typeKeys(journey, '0.05')
  await journey.press(keys.tab)
  await journey.press(' ')
  await journey.press('\x04')
  await journey.until(() => journey.store.getState().drafts.length === 1)
  await journey.press('j')
  await journey.press('a')
  await journey.sees('Mona: approve this?', '0.05 BTC')
  await typeKeys(journey, 'agr')
  await drafts.update((kept) => ok(kept.map((draft) => ({ ...draft, amount: new Decimal('0.07') }))))
  await journey.sees('Mona: approve this?', '0.07 BTC')
  await typeKeys(journey, 'ee')
  await journey.press(keys.enter)
  await journey.sees('0.07 BTC', 'The draft was changed meanwhile: review it again.')
  expect(drafts.drafts).toMatchObject([{ approval: { kind: 'wanted' } }])
  await typeKeys(journey, 'agree')
  await journey.press(keys.enter)
  await journey.sees('Approved: it may be sent now.')
  expect(drafts.drafts).toMatchObject([{ amount: new Decimal('0.07'), approval: { kind: 'given', by: 'Mona' } }])
})

test('at 40x12 the review scrolls, and sends nothing before its last line was on screen', async () => {
  const journey = await startJourney({ columns: 40, rows: 12 })
  await journey.press('5')
  await journey.press('w')
  await journey.sees('Withdraw', '>currency')
  await typeKeys(journey, 'btc')
  for (const key of [keys.enter, keys.down, keys.enter]) await journey.press(key)
  await typeKeys(journey, '0.05')
  await journey.sees('0.05_ BTC')
  await journey.press(keys.enter)
  await journey.sees('Withdraw 0.05 BTC', 'more below: Down', 'Once more: _', 'Nothing is sent')
  await typeKeys(journey, '0.05')
  await journey.passes(1_000)
  await journey.press(keys.enter)
  await journey.sees('Not sent: Down shows')
  expect(await withdrawals(journey)).toEqual([])
  const seen: string[] = []
  for (let step = 0; step < 30; step += 1) {
    seen.push(...journey.screen().split('\n'))
    await journey.press(keys.down)
  }
  for (const text of ['to ', 'address', 'as in whitelist', 'arrives   0.05 BTC', 'fee ', 'total', 'remains'])
    expect(seen.some((line) => line.includes(text))).toBe(true)
  await journey.passes(3_000)
  await journey.press(keys.enter)
  await journey.until(() => journey.store.getState().drafts.some(({ state }) => state.kind === 'sent'))
  expect(await withdrawals(journey)).toHaveLength(1)
})
