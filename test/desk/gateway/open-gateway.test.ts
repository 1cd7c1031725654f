import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { readSettings } from '../../../src/config/settings.ts'
import { openDeskGateway } from '../../../src/desk/gateway/open-gateway.ts'
import { openSqliteStore } from '../../../src/inbox/store/sqlite-store.ts'
import { quietIo } from '../../fakes/quiet-io.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
import { incoming } from '../../inbox/store/store-suite.ts'

/** The gateway of a desk with these variables, on an exchange that is not its own. */
async function gatewayWith(variables: Record<string, string>) {
  const environment = { HOME: temporaryFolder('open-gateway'), ...variables }
  const settings = readSettings({ ...environment, PITDESK_EXCHANGE_BASE_URL: 'http://127.0.0.1:9/v3' }, {})
  if (!settings.ok) throw new Error(settings.error.sentence)
  const tools = { clock: systemClock, random: Math.random, randomBytes, isOwnProcess: false }
  const opened = await openDeskGateway(settings.value, null, { io: quietIo(environment), tools })
  onTestFinished(() => opened.stop())
  return opened
}

test('a desk shows the inbox whose store is named, whoever receives there, and none without', async () => {
  const path = join(temporaryFolder('inbox'), 'inbox.sqlite')
  const received = openSqliteStore({ path, clock: systemClock })
  onTestFinished(() => received.close())
  await received.record([incoming('e1')])
  const { gateway, trouble } = await gatewayWith({ PITDESK_INBOX_STORE: `sqlite://${path}` })
  expect(trouble).toEqual([])
  expect(gateway.receiver).toMatchObject({ state: { kind: 'elsewhere' }, own: null })
  expect(await gateway.inbox?.events({ after: 0, count: 1 })).toMatchObject([{ eventId: 'e1' }])
  const without = await gatewayWith({})
  expect(without.gateway).toMatchObject({ inbox: null, receiver: { state: { kind: 'none' } } })
})

test('an inbox in the desk whose store is away at the start can be started once it is there', async () => {
  const path = join(temporaryFolder('inbox'), 'inbox.sqlite')
  mkdirSync(path)
  const inDesk = { PITDESK_INBOX_IN_DESK: 'true', PITDESK_INBOX_PORT: '0' }
  const { gateway, trouble } = await gatewayWith({ PITDESK_INBOX_STORE: `sqlite://${path}`, ...inDesk })
  expect(trouble).toEqual([expect.stringContaining(`The inbox cannot be opened at ${path}`)])
  expect(gateway.receiver.state).toEqual({ kind: 'failed', sentence: trouble[0] })
  expect(await gateway.receiver.own?.start()).toMatchObject({ kind: 'failed' })
  await expect(gateway.inbox?.counts()).rejects.toThrow('The inbox cannot be opened')
  rmdirSync(path)
  expect(await gateway.receiver.own?.start()).toMatchObject({ kind: 'listening' })
  expect(await gateway.inbox?.counts()).toMatchObject({ events: 0 })
})

test('a desk that only reads makes no inbox, says that there is none, and shows it once somebody receives', async () => {
  const path = join(temporaryFolder('inbox'), 'inbox.sqlite')
  const { gateway, trouble } = await gatewayWith({ PITDESK_INBOX_STORE: `sqlite://${path}` })
  expect(trouble).toEqual([expect.stringContaining(`There is no inbox at ${path}: nothing was received there yet`)])
  expect(gateway.receiver).toMatchObject({ state: { kind: 'elsewhere' }, own: null })
  await expect(gateway.inbox?.counts()).rejects.toThrow('There is no inbox')
  expect(existsSync(path)).toBe(false)
  const told = Promise.withResolvers<void>()
  gateway.inbox?.listen(told.resolve)
  const received = openSqliteStore({ path, clock: systemClock })
  onTestFinished(() => received.close())
  expect(await gateway.inbox?.counts()).toMatchObject({ events: 0 })
  await received.record([incoming('e1')])
  await told.promise
  expect(await gateway.inbox?.events({ after: 0, count: 1 })).toMatchObject([{ eventId: 'e1' }])
})
