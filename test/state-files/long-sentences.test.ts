import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createMessagesFile } from '../../src/state-files/messages-file.ts'
import { createWatchFile } from '../../src/state-files/watch-file.ts'

async function aPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pitdesk-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'kept.json')
}

const long = `Withdrawal ${'w'.repeat(5_000)} of 0.1 BTC is COMPLETED.`

test('a message longer than will be read is cut as it is written, waiting or on its way', async () => {
  const path = await aPath()
  const message = { kind: 'transfer', level: 'good', text: long, atMs: 7 } as const
  const sending = { id: 'a', messages: [message], droppedCount: 0 }
  await createMessagesFile(path).write({ phone: { waiting: [message], sending, droppedCount: 0 } })
  const cut = { ...message, text: `${long.slice(0, 999)}…` }
  expect(await createMessagesFile(path).read()).toEqual({
    ok: true,
    value: { phone: { waiting: [cut], sending: { ...sending, messages: [cut] }, droppedCount: 0 } },
  })
})

test('so is what troubles a watch', async () => {
  const path = await aPath()
  const status = {
    ...{ pid: 1, sinceMs: 2, beatMs: 3, hasDuties: true, isExchangeSilent: false, unsaid: 0 },
    ...{ does: ['polls'], troubles: [long] },
  }
  await createWatchFile(path).write(status)
  expect(await createWatchFile(path).read()).toEqual({ ...status, troubles: [`${long.slice(0, 499)}…`] })
})

test('a message of a kind that a newer pitdesk has goes out all the same, and costs none of those that wait', async () => {
  const path = await aPath()
  const message = { kind: 'transfer', level: 'good', text: 'COMPLETED', atMs: 7 } as const
  const waiting = [message, { ...message, kind: 'ofTomorrow', text: 'what is new' }]
  writeFileSync(path, JSON.stringify({ version: 1, targets: { phone: { waiting, sending: null, droppedCount: 0 } } }))
  expect(await createMessagesFile(path).read()).toMatchObject({
    ok: true,
    value: { phone: { waiting: [message, { kind: 'watch', text: 'what is new' }] } },
  })
})
