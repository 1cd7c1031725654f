import { beforeEach, expect, test } from 'vitest'
import { agentDraftsMax } from '../../../src/commands/mcp/draft-tools.ts'
import { agentTools } from '../../../src/commands/mcp/server.ts'
import { outputSchema } from '../../../src/commands/mcp/tool.ts'
import { faultBy } from '../conform.ts'
import { type Exchange, openExchange, openShell, quotes, type Shell } from '../harness.ts'
import { type Agent, openAgent, type Told } from './aids.ts'

let exchange: Exchange
let shell: Shell
let agent: Agent
let to: string

beforeEach(async () => {
  exchange = await openExchange()
  await quotes(exchange)
  shell = openShell(exchange.environment(), exchange.clock)
  agent = await openAgent(shell)
  to = (await exchange.bitcoinEntry()).whitelistId
})

const order = { side: 'BUY', quantity: '0.01', symbol: 'BTC-USD', limitPrice: '59000' }
type Drafted = { draft: { draftId: string; by?: string; madeBy?: string; reason?: string }; blocked?: string }
const draftIn = ({ value, text, isError }: Told): Drafted => {
  if (isError) throw new Error(text)
  return value.value as Drafted
}

test('an order is checked and drafted: nothing is sent, and a person sees whose it is', async () => {
  const told = await agent.call('draft_order', { ...order, reason: 'the dip\u001b[31m of\nthe day', minutes: 60 })
  const tool = agentTools.find(({ name }) => name === 'draft_order')
  if (tool === undefined) throw new Error('no tool')
  expect(faultBy(outputSchema(tool), told.value)).toBeNull()
  expect(told.value.value).toMatchObject({
    isSent: false,
    draft: { state: 'draft', by: 'mcp tester', price: '59000', orderQty: '0.01' },
    next: expect.stringContaining('A person reviews it in the desk'),
  })
  expect(draftIn(told).draft.reason).toBe('the dip[31m of the day')
  expect(draftIn(told)).not.toHaveProperty('blocked')
  expect(await exchange.working()).toEqual([])
  expect(shell.journalText()).toBe('')
  const listed = await agent.call('order_drafts')
  expect(listed.value.rows).toEqual([draftIn(told).draft])
})

test('a list asked for again right after a draft has it, or has it no more: nothing is reused from before', async () => {
  const states = async () =>
    ((await agent.call('order_drafts')).value.rows as { state: string }[]).map(({ state }) => state)
  const { draft } = draftIn(await agent.call('draft_order', order))
  expect(await states()).toEqual(['draft'])
  expect(await agent.call('discard_draft', { draftId: draft.draftId })).toMatchObject({ isError: false })
  expect(await states()).toEqual(['dropped'])
})

test('a person sends what an agent drafted, once, and is told whose it is', async () => {
  const { draft } = draftIn(await agent.call('draft_order', { ...order, reason: 'the dip' }))
  const sent = await shell.runThrough(`order send ${draft.draftId} --yes`)
  expect(sent.stderr.join('\n')).toContain('mcp tester')
  expect(sent.stderr.join('\n')).toContain('the dip')
  expect(JSON.parse(sent.stdout[0] ?? '')).toMatchObject({ ordStatus: 'OPEN', price: '59000' })
  expect(await exchange.working()).toHaveLength(1)
  expect((await agent.call('order_drafts')).value.rows).toEqual([expect.objectContaining({ state: 'sent' })])
  expect(await agent.call('discard_draft', { draftId: draft.draftId })).toMatchObject({ isError: true })
})

test('fields that are not those of the tool are told as every failure is, with the words that one may be', async () => {
  const wrong = await agent.call('draft_order', { ...order, side: 'buy' })
  expect([wrong.isError, JSON.parse(wrong.text)]).toEqual([
    true,
    { error: { kind: 'usage', message: 'side must be equal to one of the allowed values: BUY, SELL' } },
  ])
  const both = await agent.call('draft_order', { ...order, side: 'buy', limit: '64000' })
  expect(JSON.parse(both.text).error.message).toMatch(
    /^must NOT have additional properties: limit; it takes .*\blimitPrice\b.*; side must be equal to one of .*: BUY, SELL$/,
  )
  const two = await agent.call('draft_order', { ...order, limit: '64000', send: true })
  expect(JSON.parse(two.text).error.message.match(/additional properties: limit, send; it takes/g)).toHaveLength(1)
  const missing = await agent.call('draft_order', { symbol: 'BTC-USD' })
  expect(JSON.parse(missing.text).error).toMatchObject({ kind: 'usage', message: expect.stringContaining("'side'") })
  const more = await agent.call('draft_order', { ...order, send: true })
  expect(JSON.parse(more.text).error).toMatchObject({ kind: 'usage' })
  expect((await agent.call('order_drafts')).value.rows).toEqual([])
})

test('an order that could not be sent says so, and what it is not comes to no draft', async () => {
  const far = await agent.call('draft_order', { ...order, limitPrice: '90000', side: 'BUY', quantity: '1' })
  expect(draftIn(far).blocked).toContain('over the hard limit 5%')
  for (const [input, words] of [
    [{ ...order, symbol: 'NO-SUCH' }, 'rejected'],
    [{ side: 'BUY', quantity: '1', symbol: 'BTC-USD' }, 'price missing'],
    [{ ...order, market: true }, 'market takes neither'],
    [{ ...order, quantity: '1e5' }, 'quantity does not fit, it is quantity, in the base currency; plain digits'],
    [{ ...order, limitPrice: '59000.123' }, 'not drafted'],
    [{ ...order, send: true }, 'additional properties'],
    [{ ...order, side: 'GIVE' }, 'side'],
  ] as const) {
    const told = await agent.call('draft_order', input)
    expect(told, JSON.stringify(input)).toMatchObject({ isError: true, text: expect.stringContaining(words) })
  }
  expect((await agent.call('order_drafts')).value.rows).toHaveLength(1)
})

test('a withdrawal is drafted for an entry of the whitelist, and what a person knows of it stays as it was', async () => {
  const told = await agent.call('draft_withdrawal', { currency: 'btc', amount: '0.01', to, reason: 'rent' })
  expect(told.value.value).toMatchObject({
    isSent: false,
    draft: { madeBy: 'mcp tester', beneficiary: to, amount: '0.01', note: 'rent' },
  })
  expect(await exchange.withdrawn()).toEqual([])
  // The memory of the whitelist tells a person who is new: an agent's look is none of theirs.
  expect(shell.files().filter(({ path }) => path.includes('whitelist'))).toEqual([])
  const [listed] = JSON.parse((await shell.runThrough('withdrawals --drafts')).stdout.join(''))
  expect(listed).toEqual(draftIn(told).draft)
  for (const [input, words] of [
    [{ currency: 'BTC', amount: '0.01', to: 'nobody' }, 'the whitelist has no entry'],
    [{ currency: 'BTC', to }, 'give an amount, or max'],
    [{ currency: 'BTC', amount: '0.01', max: true, to }, 'give an amount, or max'],
    [{ currency: 'BTC', amount: '0.01', to, approval: 'given' }, 'additional properties'],
  ] as const)
    expect(await agent.call('draft_withdrawal', input)).toMatchObject({
      isError: true,
      text: expect.stringContaining(words),
    })
})

test('a person sends a withdrawal that an agent drafted, once, and is asked with whose it is', async () => {
  const { draft } = draftIn(
    await agent.call('draft_withdrawal', { currency: 'BTC', amount: '0.01', to, reason: 'rent' }),
  )
  const line = `withdraw --send ${draft.draftId}`
  const asked = await shell.runThrough(line, { isTerminal: true, answers: { 'the amount once more': 'no\n' } })
  expect(asked.code).toBe(3)
  expect(asked.stderr.join('\n')).toContain(`draft ${draft.draftId} made by mcp tester`)
  expect(await exchange.withdrawn()).toEqual([])
  for (const _ of [1, 2]) await shell.runThrough(`${line} --yes --accept fee`)
  expect(await exchange.withdrawn()).toHaveLength(1)
})

test('where the profile only watches nothing is drafted', async () => {
  const monitor = openShell({ ...exchange.environment(), PITDESK_MONITOR: 'true' }, exchange.clock)
  const watching = await openAgent(monitor)
  expect((await watching.call('status')).value.value).toMatchObject({ isReadOnly: true })
  for (const [name, input] of [
    ['draft_order', order],
    ['draft_withdrawal', { currency: 'BTC', amount: '0.01', to }],
  ] as const)
    expect(await watching.call(name, input)).toMatchObject({
      isError: true,
      text: expect.stringContaining('only watches: nothing is drafted'),
    })
})

test('drafts of agents are few, whatever they call themselves', async () => {
  for (let count = 0; count < agentDraftsMax / 2; count += 1)
    draftIn(await agent.call('draft_order', { ...order, limitPrice: `${59_000 - count}` }))
  const second = await openAgent(shell, 'another\u0007 name that is much longer than anybody needs it to be in a list')
  let last: Told | null = null
  for (let count = 0; count < agentDraftsMax / 2; count += 1)
    last = await second.call('draft_withdrawal', { currency: 'BTC', amount: `0.00${count + 1}`, to })
  expect(last?.isError).toBe(false)
  expect(last === null ? '' : draftIn(last).draft.madeBy).toBe('mcp another name that is much longer tha')
  for (const each of [agent, second])
    expect(await each.call('draft_order', order)).toMatchObject({
      isError: true,
      text: expect.stringContaining(`${agentDraftsMax} drafts of agents wait already`),
    })
})

test('an agent discards its own drafts, and nobody else’s', async () => {
  const own = draftIn(await agent.call('draft_order', order)).draft
  const saved = await shell.runThrough(`withdraw BTC 0.02 --to ${to} --draft`)
  const { draftId: ofPerson } = JSON.parse(saved.stdout[0] ?? '')
  const second = await openAgent(shell, 'other')
  const ofOther = draftIn(await second.call('draft_withdrawal', { currency: 'BTC', amount: '0.01', to })).draft
  for (const draftId of [ofPerson, ofOther.draftId])
    expect(await agent.call('discard_draft', { draftId })).toMatchObject({
      isError: true,
      text: expect.stringContaining('made by somebody else'),
    })
  expect(await agent.call('discard_draft', { draftId: 'nosuchdraft' })).toMatchObject({ isError: true })
  const gone = await agent.call('discard_draft', { draftId: own.draftId })
  expect(gone.value.value).toMatchObject({ draftId: own.draftId, state: 'dropped' })
  expect(await agent.call('discard_draft', { draftId: own.draftId })).toMatchObject({ isError: true })
  expect((await second.call('discard_draft', { draftId: ofOther.draftId })).value.value).toMatchObject({
    state: 'dropped',
  })
  const states = new Map(
    ((await agent.call('withdrawal_drafts')).value.rows as { draftId: string; state: string }[]).map((each) => [
      each.draftId,
      each.state,
    ]),
  )
  expect(states.get(ofPerson)).toBe('draft')
})
