import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { type Journey, keys, quoteAndCenter, startJourney } from './journey.tsx'

async function say(journey: Journey, line: string): Promise<void> {
  await journey.press(':')
  await journey.press(line)
  await journey.sees('does it on the practice exchange')
  await journey.press(keys.enter)
}
/** What the exchange answers to a token. */
async function statusWith({ sandbox }: Journey, token: string): Promise<number> {
  const { statusCode, body } = await request(`${sandbox.exchangeUrl}/fees`, { headers: { 'X-API-Token': token } })
  await body.dump()
  return statusCode
}
const noticeOf = ({ store }: Journey) => store.getState().notice?.text ?? ''

test('the symbol is halted and opened again from the palette', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  await quoteAndCenter(journey)
  await say(journey, 'practice symbol status btc-usd halt')
  await journey.until(() => noticeOf(journey).startsWith('Practice symbol status btc-usd halt: '))
  await journey.until((screen) => /\bHALT\b/.test(screen))
  await say(journey, 'practice symbol status btc-usd open')
  await journey.until((screen) => !/\bHALT\b/.test(screen.split('\n').slice(1, -3).join('\n')))
})

test('a deposit is started, shown with its id, confirmed by it, and on the balance', async () => {
  const journey = await startJourney({ columns: 120, rows: 40 })
  await quoteAndCenter(journey)
  const bitcoin = () => journey.store.getState().balances.value?.find(({ currency }) => currency === 'BTC')?.balance
  await journey.until(() => bitcoin() !== undefined)
  const before = bitcoin()?.plus('0.5')
  await say(journey, 'practice deposit start trader BTC 0.5')
  await journey.until(() => /^Practice deposit start trader BTC 0\.5: .*\bd-\d+/.test(noticeOf(journey)))
  const id = /\bd-\d+/.exec(noticeOf(journey))?.[0] ?? ''
  await say(journey, `practice deposit confirm ${id}`)
  await journey.until(() => noticeOf(journey).startsWith(`Practice deposit confirm ${id}: `))
  expect(before).toBeDefined()
  await journey.until(() => bitcoin()?.toFixed() === before?.toFixed())
})

test('two-factor authentication is turned off; what the exchange refuses is said in its words', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  await say(journey, 'practice 2fa off trader')
  await journey.until(() => noticeOf(journey).startsWith('Practice 2fa off trader: '))
  expect(journey.store.getState().notice?.level).toBe('good')
  await say(journey, 'practice withdrawal complete w-77')
  await journey.until(() => /^Practice withdrawal complete w-77: unknown withdrawal\.$/i.test(noticeOf(journey)))
  expect(journey.store.getState().notice?.level).toBe('warn')
})

test('the token of a key that is added is told neither on a screen nor in the log, nor kept by the desk', async () => {
  const made: string[] = []
  const tokenBytes = (count: number) => {
    const bytes = randomBytes(count)
    made.push(bytes.toString('base64url'))
    return bytes
  }
  const journey = await startJourney({ columns: 120, rows: 40 }, false, { tokenBytes })
  await quoteAndCenter(journey)
  made.length = 0
  await say(journey, 'practice key add trader')
  await journey.until(() => noticeOf(journey).includes('token not shown in a desk'))
  const screens = [journey.screen()]
  await journey.press('7')
  screens.push(await journey.until((screen) => (screen.split('7 Log')[1] ?? '').includes('Practice key add trader')))
  const keyId = Number(/key id (\d+)/.exec(noticeOf(journey))?.[1])
  await journey.admin('/key/verify', { keyId })
  const [token = '', ...others] = made
  expect([token.length, others]).toEqual([32, []])
  // It is the token: the exchange knows it, and would refuse another.
  expect([await statusWith(journey, token), await statusWith(journey, `${token.slice(1)}A`)]).toEqual([200, 401])
  const everything = inspect([journey.store.getState(), screens], {
    ...{ depth: null, maxArrayLength: null, maxStringLength: null, breakLength: Number.POSITIVE_INFINITY },
  })
  expect(everything).toContain('token not shown in a desk')
  // Also not in pieces, as a narrow pane would wrap it.
  for (const piece of [token.slice(0, 8), token.slice(-8)]) expect(everything).not.toContain(piece)
})

test('found by what it does, begun by Enter, completed by Tab', async () => {
  const journey = await startJourney({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  await journey.press(':')
  await journey.press('answers late')
  await journey.sees('practice fault latency', 'makes answers late')
  await journey.press(keys.enter)
  await journey.sees('practice fault latency _', 'delay')
  await journey.press(keys.clear)
  await journey.press('practice 2fa off tra')
  await journey.press(keys.tab)
  await journey.sees('practice 2fa off trader _')
})
