import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { cacheOf, nodeArgv } from '../fakes/child-program.ts'
import { aDraft } from '../fakes/orders.ts'
import { type DeskHome, isQuoted, openDeskHome } from './desk-home.ts'
import { builtForTests, program } from './program.ts'

const homes: DeskHome[] = []

builtForTests()
afterAll(() => Promise.all(homes.map((home) => home.stop())))

/**
 * Two ways for a terminal to go: the kernel tells the desk, or it does not, because the desk is in a session of its
 * own.
 */
const ways = [
  ['with a signal', 'trap "" HUP; $DESK; echo $? > code'],
  ['without a signal', 'trap "" HUP; setsid -w $DESK; echo $? > code'],
] as const

/** What the journal has on every write, and whether a desk was in it that did not end. */
function journalOf({ folder }: DeskHome): string {
  const variables = { PATH: process.env.PATH, HOME: folder, PITDESK_PROFILE: 'paper', PITDESK_API_TOKEN: 'none' }
  const environment = {
    ...variables,
    XDG_CACHE_HOME: cacheOf(program),
    PITDESK_EXCHANGE_BASE_URL: 'http://127.0.0.1:1',
  }
  return execFileSync(process.execPath, nodeArgv(program, 'journal'), { env: environment, encoding: 'utf8' })
}

const stateFiles = ({ folder }: DeskHome): string[] => readdirSync(join(folder, '.local', 'state', 'pitdesk'))

async function deskWithOrder(config: string): Promise<DeskHome> {
  const home = await openDeskHome(program, config)
  homes.push(home)
  await home.client.placeOrder({ ...aDraft(), clientOrderId: 'mine' })
  return home
}

test.each(ways)('%s: a hang-up leaves the orders where they are', async (_, shell) => {
  const home = await deskWithOrder('')
  const terminal = home.start({ shell })
  await terminal.until((text) => isQuoted(text) && /BUY +LIMIT .*OPEN/.test(text))
  terminal.hangUp()
  expect(await home.read('code')).toBe('129\n')
  expect((await home.client.fetchOrders({})).entries).toHaveLength(1)
  expect(stateFiles(home).filter((name) => name.startsWith('crash'))).toEqual([])
})

test.each(ways)('%s: set so, a hang-up takes every order back, and the journal has it', async (_, shell) => {
  const home = await deskWithOrder('on_hangup = "cancel"')
  const terminal = home.start({ shell, columns: 200, rows: 40 })
  await terminal.until(
    (text) => isQuoted(text) && /BUY +LIMIT .*OPEN/.test(text) && text.includes('hang-up cancels all'),
  )
  terminal.hangUp()
  expect(await home.read('code')).toBe('129\n')
  expect((await home.client.fetchOrders({})).entries).toEqual([])
  expect(journalOf(home)).toMatch(/cancel.*every symbol/i)
  expect(stateFiles(home).filter((name) => name.startsWith('crash'))).toEqual([])
})

test('a terminal that takes nothing holds nothing up: the desk goes on, and a hang-up still takes the orders back', async () => {
  const home = await deskWithOrder('on_hangup = "cancel"')
  const terminal = home.start({ shell: 'trap "" HUP; echo $$ > shell; $DESK; echo $? > code', columns: 200, rows: 60 })
  await terminal.until((text) => isQuoted(text) && /BUY +LIMIT .*OPEN/.test(text))
  const desk = home.childOf(Number(await home.read('shell')))
  terminal.stall(true)
  // Whole pictures, many times what a terminal's line holds.
  for (const rows of [59, 60, 59, 60, 59, 60]) {
    terminal.resize(200, rows)
    await home.client.fetchFees()
  }
  process.kill(desk, 'SIGHUP')
  while ((await home.client.fetchOrders({})).entries.length > 0) await home.client.fetchFees()
  terminal.stall(false)
  expect(await home.read('code')).toBe('129\n')
  // The emulator has read all that was written by then.
  await terminal.ended()
  expect(terminal.isAlternate()).toBe(false)
})
