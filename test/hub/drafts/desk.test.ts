import { afterAll, beforeAll, expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { DraftContent } from '../../../src/domain/transfers/draft.ts'
import { setHalt } from '../../../src/hub/people/halt.ts'
import { revokePerson } from '../../../src/hub/people/people.ts'
import { eventually } from '../../fakes/eventually.ts'
import { aDraft } from '../../fakes/orders.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { openFirm, ready } from '../harness.ts'
import { deskAt, until } from '../hub-desk.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

/** A hub, a trader's desk and an approver's, each on a machine of its own. */
async function desks() {
  const firm = await openFirm(cluster, {}, { kind: 'always' })
  await firm.quote()
  const [anna, vic] = [await firm.member('anna', 'trader'), await firm.member('vic', 'approver')]
  const hub = await firm.hub()
  await ready(anna.at(hub))
  const [trader, approver] = [deskAt(anna.token, [hub]), deskAt(vic.token, [hub])]
  const isOpen = ({ store }: typeof trader) => {
    const { hub: person, whitelist, balances, withdrawals, tickers, withdrawalRules } = store.getState()
    const feeds = [whitelist, balances, withdrawals, tickers]
    return person !== null && withdrawalRules.memory !== null && feeds.every(({ value }) => value !== null)
  }
  await until(() => isOpen(trader) && isOpen(approver))
  const entry = trader.store.getState().whitelist.value?.find(({ currency }) => currency === 'BTC')
  if (entry === undefined) throw new Error('no beneficiary in BTC')
  const content = (amount: string, more: Partial<DraftContent> = {}): DraftContent => ({
    ...{ currency: 'BTC', beneficiary: entry, amount: new Decimal(amount), note: null, wantsApproval: true },
    ...more,
  })
  return { firm, hub, anna, vic, trader, approver, content }
}

type Desk = ReturnType<typeof deskAt>
const draftsOf = ({ store }: Desk) => store.getState().drafts
const notesOf = ({ store }: Desk) => store.getState().log.map(({ text }) => text)
const typed = ({ commands }: Desk, text: string) => {
  commands.typeIntoWithdrawSecret(text)
  commands.submitWithdrawSecret()
}

test('an approver signs on their own desk what they are shown, and the trader sends it once and sees who agreed', async () => {
  const { trader, approver, content } = await desks()
  expect(approver.store.getState().mode).toEqual({ kind: 'MONITOR' })
  const { withdrawals } = trader.desk.trading
  const saved = await withdrawals.save('d1', content('0.05'))
  expect(saved).toMatchObject({ ok: true, value: { madeBy: 'anna', approval: { kind: 'wanted' } } })
  await approver.desk.trading.withdrawals.look()
  // Nobody at the trader's desk agrees, whatever is typed there.
  trader.commands.approveDraft('d1')
  expect(trader.store.getState().overlay).toBeNull()
  approver.commands.approveDraft('d1')
  const { overlay } = approver.store.getState()
  expect(overlay).toMatchObject({ purpose: { kind: 'decide', seen: { draftId: 'd1' } } })
  expect(JSON.stringify(overlay)).toContain('withdrawal draft')
  typed(approver, 'yes')
  expect(approver.store.getState().overlay).toMatchObject({ sentence: expect.stringContaining('Type approve') })
  typed(approver, 'approve')
  await until(() => approver.store.getState().overlay === null)
  expect(draftsOf(approver)[0]?.approval).toMatchObject({ kind: 'given', by: 'vic' })
  await withdrawals.look()
  expect(draftsOf(trader)[0]?.approval).toMatchObject({ kind: 'given', by: 'vic' })
  const outcomes = await Promise.all([withdrawals.send('d1', ['fee']), withdrawals.send('d1', ['fee'])])
  expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['accepted', 'notSent'])
  expect(draftsOf(trader)[0]?.state).toMatchObject({ kind: 'sent' })
  await until(() => trader.store.getState().withdrawals.value?.length === 1)
})

test('what another person changed meanwhile is said and shown anew, and what was seen before is neither sent nor signed', async () => {
  const { trader, approver, content, hub, anna } = await desks()
  const { withdrawals, firm } = trader.desk.trading
  await withdrawals.save('d1', content('0.05'))
  await approver.desk.trading.withdrawals.look()
  const [seen] = draftsOf(approver)
  const [mine] = draftsOf(trader)
  if (seen === undefined || mine === undefined) throw new Error('the draft is not listed')
  // At another desk of hers.
  const body = { currency: 'BTC', beneficiary: mine.beneficiary.whitelistId, amount: '0.06', wantsApproval: true }
  expect((await anna.at(hub)('PUT', '/hub/drafts/d1', { ...body, version: 1 })).status).toBe(200)
  expect(await approver.desk.trading.firm?.agree(seen)).toEqual({
    ok: false,
    error: expect.stringContaining('what was signed is not what the draft says now'),
  })
  expect(draftsOf(approver)[0]).toMatchObject({ version: 2, approval: { kind: 'wanted' } })
  expect(await approver.desk.trading.firm?.reject(seen, 'no')).toMatchObject({ ok: false })
  const late = await withdrawals.save('d1', content('0.04', { version: 1 }))
  expect(late).toEqual({ ok: false, error: 'the draft was changed meanwhile: look at it again' })
  expect(draftsOf(trader)[0]).toMatchObject({ version: 2, amount: new Decimal('0.06') })
  expect(await firm?.reject(mine, 'mine')).toMatchObject({ ok: false })
  approver.commands.dropDraft('d1')
  typed(approver, 'nobody knows them')
  await until(() => draftsOf(approver)[0]?.state.kind === 'refused')
  expect(await withdrawals.send('d1', ['fee'])).toMatchObject({
    kind: 'notSent',
    reason: expect.stringContaining('rejected by vic: nobody knows them'),
  })
})

test('a halt, another role and a token that ended reach a desk that runs; orders are refused in the words of the hub', async () => {
  const { firm, trader } = await desks()
  const { store, desk } = trader
  const { pool } = firm.database
  await setHalt(pool, 'a key is lost', { person: null, by: 'ops@host' })
  const sent = async () => {
    const draft = aDraft({ limitPrice: new Decimal('59000'), orderQuantity: new Decimal('0.01') })
    return await desk.trading.ordersUnder(() => []).submit(draft)
  }
  await eventually(async () =>
    expect(await sent()).toMatchObject({ reason: expect.stringContaining('the hub is halted (a key is lost)') }),
  )
  await eventually(() => expect(store.getState().hub?.halted).toBe('a key is lost'))
  expect(notesOf(trader)).toContain('Halted by the hub: a key is lost. Only cancels go out.')
  await setHalt(pool, null, { person: null, by: 'ops@host' })
  await pool.query("UPDATE hub_person SET role = 'viewer' WHERE name = 'anna'")
  await eventually(() => expect(store.getState().mode.kind).toBe('MONITOR'))
  expect(store.getState().hub?.halted).toBeNull()
  await pool.query("UPDATE hub_person SET role = 'trader' WHERE name = 'anna'")
  await eventually(() => expect(store.getState().mode.kind).toBe('SAFE'))
  trader.commands.toggleArmed()
  expect(store.getState().mode.kind).toBe('ARMED')
  await revokePerson(pool, { name: 'anna', by: 'ops@host' })
  await eventually(() => expect(notesOf(trader).join()).toContain('no longer accepts your token'))
  expect(store.getState().mode.kind).toBe('SAFE')
})
