import { expect, test } from 'vitest'
import { type Answer, type Asked, type RewritingProxy, startRewritingProxy } from '../../fakes/rewriting-proxy.ts'
import { type Exchange, failureIn, openExchange, openShell, quotes, type Ran, type Shell } from '../harness.ts'

// A signal that comes while a write is on its way: its answer is waited for, and told.

const isWrite = ({ method }: Asked) => method !== 'GET'

type Scene = { exchange: Exchange; proxy: RewritingProxy; shell: Shell }

async function open(): Promise<Scene> {
  const exchange = await openExchange()
  await quotes(exchange)
  const proxy = await startRewritingProxy(exchange.environment().PITDESK_EXCHANGE_BASE_URL ?? '')
  const shell = openShell({ ...exchange.environment(), PITDESK_EXCHANGE_BASE_URL: proxy.url }, exchange.clock)
  return { exchange, proxy, shell }
}

/** Runs a write whose answer comes only after the signal. */
async function signaledInFlight(
  { proxy, shell }: Scene,
  line: string,
  answerOf: (answer: Answer) => Answer = (answer) => answer,
): Promise<Ran> {
  const answered = Promise.withResolvers<void>()
  let hasArrived = false
  proxy.rewrite = async (call, answer) => {
    if (!isWrite(call)) return answer
    hasArrived = true
    await answered.promise
    return answerOf(answer)
  }
  const running = shell.start(line)
  await running.until(() => hasArrived)
  running.signal('SIGTERM')
  answered.resolve()
  await running.until(() => running.ran.code !== -1)
  return running.ended
}

test.each(['order place buy 0.05 BTC-USD --limit 59000 --yes', 'order send $DRAFT --yes'])(
  'an order that is on its way at a signal is told with its answer, also by %s',
  async (line) => {
    const scene = await open()
    const place = 'order place buy 0.05 BTC-USD --limit 59000'
    const draft = line.includes('$DRAFT') ? await scene.shell.run(`${place} --draft --json`) : null
    const { draftId } = draft === null ? { draftId: '' } : JSON.parse(draft.stdout[0] ?? '')
    const ran = await signaledInFlight(scene, line.replace('$DRAFT', draftId))
    const [live] = await scene.exchange.working()
    expect(live).toBeDefined()
    expect({ code: ran.code, told: JSON.parse(ran.stdout.join('')) }).toMatchObject({
      code: 0,
      told: { exOrdId: Number(live?.orderId), ordStatus: 'OPEN' },
    })
    expect(ran.stderr.at(-1)).toMatch(/: SIGTERM came while it was under way\. Order \d+ is working: OPEN\.$/)
  },
)

test.each([
  ['order place buy 0.05 BTC-USD --limit 59000 --yes --csv', /,OPEN,/],
  ['order cancel-all --every-symbol --yes', /"canceled"/],
  ['withdraw BTC 0.01 --to $ENTRY --yes --accept repeat,soft-limit,new-beneficiary,fee', /"PENDING"/],
])('%s is told too', async (line, told) => {
  const scene = await open()
  const entry = await scene.exchange.bitcoinEntry()
  const ran = await signaledInFlight(scene, line.replace('$ENTRY', entry.whitelistId))
  expect({ code: ran.code, stdout: ran.stdout.join('\n') }).toEqual({ code: 0, stdout: expect.stringMatching(told) })
  expect(ran.stderr.at(-1)).toContain('SIGTERM came while it was under way. ')
})

const notSent = { kind: 'notSent', message: 'SIGTERM came before it was sent. Nothing was sent.' }
const unanswered = { kind: 'failed', message: 'ended before the answer came' }

test.each([
  ['order place buy 0.05 BTC-USD --limit 59000 --yes --json', notSent],
  ['withdraw BTC 0.01 --to cold --yes --json', notSent],
  ['order cancel-all --every-symbol --dry-run --json', unanswered],
  ['plan list --json', unanswered],
  ['doctor --json', unanswered],
  ['deposit-address BTC --json', { ...unanswered, todo: 'No money is at risk. Ask for the address again.' }],
])('a signal before anything is sent is told as such, and not as an exchange that is away: %s', async (line, told) => {
  const { proxy, shell } = await open()
  let hasArrived = false
  proxy.rewrite = async () => {
    hasArrived = true
    return await new Promise<never>(() => undefined)
  }
  const running = shell.start(line)
  await running.until(() => hasArrived)
  running.signal('SIGTERM')
  await running.until(() => running.ran.code !== -1)
  expect({ code: running.ran.code, told: failureIn(running.ran) }).toEqual({ code: 143, told })
})

test('an order without an answer at a signal is unknown, and that is said', async () => {
  const scene = await open()
  const line = 'order place buy 0.05 BTC-USD --limit 59000 --yes --client-order-id lost1'
  const ran = await signaledInFlight(scene, line, () => ({ status: 502, body: '' }))
  expect({ code: ran.code, told: failureIn(ran) }).toMatchObject({
    code: 6,
    told: { kind: 'unknown', clientOrderId: 'lost1' },
  })
})

test('a read that a signal ends before it is printed does not pass for done', async () => {
  const { shell, proxy } = await open()
  const running = shell.start('symbols')
  proxy.rewrite = (_call, answer) => {
    running.signal('SIGTERM')
    return answer
  }
  await running.until(() => running.ran.code !== -1)
  expect(running.ran.code).toBe(143)
})
