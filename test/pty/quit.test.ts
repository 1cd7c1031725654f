import { afterAll, expect, test } from 'vitest'
import { eventually } from '../fakes/eventually.ts'
import { aDraft } from '../fakes/orders.ts'
import { type DeskHome, isQuoted, openDeskHome } from './desk-home.ts'
import { holdingStoreThread } from './held-thread.ts'
import { builtForTests, program } from './program.ts'

const homes: DeskHome[] = []

builtForTests()
afterAll(() => Promise.all(homes.map((home) => home.stop())))

const stays = '2 orders stay working on PRACTICE: BTC-USD 2.'

/** A desk in a terminal that has two working orders, of which the shell tells how it ended. */
async function deskWithOrders(
  config = '',
  shell = '$DESK; echo "code $?"; read line',
  variablesOf: (folder: string) => Record<string, string> = () => ({}),
) {
  const home = await openDeskHome(program, config)
  homes.push(home)
  for (const clientOrderId of ['one', 'two']) await home.client.placeOrder({ ...aDraft(), clientOrderId })
  const terminal = home.start({ shell, variables: variablesOf(home.folder) })
  await terminal.until((text) => isQuoted(text) && text.includes('[2 Orders (2)]'))
  return { home, terminal }
}

test('q asks while orders work; Esc stays, Enter leaves them, and the shell has the same words', async () => {
  const { home, terminal } = await deskWithOrders()
  terminal.type('q')
  await terminal.until((text) => text.includes('Quit now?') && text.includes(stays))
  terminal.type('\u001b')
  await terminal.until((text) => !text.includes('Quit now?') && isQuoted(text))
  terminal.type('q')
  await terminal.until((text) => text.includes('Quit now?'))
  terminal.type('\r')
  const text = await terminal.until((screen) => screen.includes('code 0'))
  expect(terminal.isAlternate()).toBe(false)
  expect(text).toContain(stays)
  expect((await home.client.fetchOrders({})).entries).toHaveLength(2)
})

test('x cancels all first and leaves once the list shows none', async () => {
  const { home, terminal } = await deskWithOrders()
  terminal.type('q')
  const asked = await terminal.until((text) => text.includes('x CANCEL ALL, then quit'))
  // A key that comes within milliseconds of another one is taken for pasted: a hand is slower than this program.
  const clockOf = (text: string) => /\d\d:\d\d:\d\dZ/.exec(text)?.[0]
  await terminal.until((text) => clockOf(text) !== clockOf(asked))
  terminal.type('x')
  const text = await terminal.until((screen) => screen.includes('code 0'))
  expect(text).toContain('No working orders on PRACTICE.')
  expect((await home.client.fetchOrders({})).entries).toEqual([])
})

test('a signal that ends it, and Ctrl-C, tell the same', async () => {
  const { home, terminal } = await deskWithOrders('', 'echo $$ > shell; $DESK; echo "code $?"; read line')
  process.kill(home.childOf(Number(await home.read('shell'))), 'SIGTERM')
  expect(await terminal.until((screen) => screen.includes('code 143'))).toContain(stays)
  const again = home.start({ shell: '$DESK; echo "code $?"; read line' })
  await again.until((text) => isQuoted(text) && text.includes('[2 Orders (2)]'))
  again.type('\u0003')
  expect(await again.until((screen) => screen.includes('code 0'))).toContain(stays)
})

test('a signal after the person has quit, as a second Ctrl-C is, does not make it a failure', async () => {
  const { home, terminal } = await deskWithOrders('', 'echo $$ > shell; $DESK; echo "code $?"; read line')
  const desk = home.childOf(Number(await home.read('shell')))
  terminal.type('\u0003')
  await terminal.until(() => !terminal.isAlternate())
  try {
    process.kill(desk, 'SIGINT')
  } catch (error) {
    // It was done already.
    expect(error).toMatchObject({ code: 'ESRCH' })
  }
  expect(await terminal.until((screen) => /code \d/.test(screen))).toContain('code 0')
})

test('a second signal ends a desk that waits for a disk: it did nothing, and the shell never came back', async () => {
  const { home, terminal } = await deskWithOrders(
    '[inbox]\nin_desk = true\nport = 0',
    'echo $$ > shell; $DESK; echo "code $?"; read line',
    holdingStoreThread,
  )
  const desk = home.childOf(Number(await home.read('shell')))
  process.kill(desk, 'SIGTERM')
  await terminal.until(() => !terminal.isAlternate())
  await eventually(() => {
    if (terminal.text().includes('Ended by a second signal')) return
    // One that comes at once is the same.
    process.kill(desk, 'SIGINT')
    throw new Error('not yet')
  })
  const text = await terminal.until((screen) => screen.includes('code 143'))
  expect(text).toContain('Ended by a second signal: writes under way are checked at the next start.')
  expect(text).toContain(stays)
})

test.each([
  ['', stays],
  ['on_hangup = "cancel"', 'Hang-up: the exchange accepted the cancel of all orders (on_hangup).'],
])('a hang-up with %j is told where somebody kept what the desk says', async (config, sentence) => {
  const { home, terminal } = await deskWithOrders(config, 'trap "" HUP; $DESK 2> told; echo $? > code')
  terminal.hangUp()
  expect(await home.read('code')).toBe('129\n')
  expect(await home.read('told')).toContain(sentence)
})
