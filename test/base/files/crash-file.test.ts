import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readBaseAddress } from '../../../src/api/base-address.ts'
import { createTransport } from '../../../src/api/call.ts'
import { createExchangeClient, exchangeKeyHeader } from '../../../src/api/exchange-client.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { writeCrashFile } from '../../../src/base/files/own-file.ts'
import { Secret } from '../../../src/base/secret.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'

const token = 'JP5cTb2yl8Zpzqbrkg-fHU1XuQFvm4xR'

function aFolder(): string {
  const folder = temporaryFolder('crash')
  return folder
}

test('a crash file tells the fault, for its owner alone, and never a key that the fault carries along', async () => {
  const base = readBaseAddress('http://127.0.0.1:9/v3')
  if (!base.ok) throw new Error(base.error)
  const key = new Secret(token)
  const options = {
    base: base.value,
    key,
    keyHeader: exchangeKeyHeader,
    clock: systemClock,
    random: () => 0.5,
    mayWrite: () => true,
  }
  const transport = createTransport(options)
  const client = createExchangeClient(transport)
  const failed = await client.fetchFees().catch((error: unknown) => error)
  await transport.close()
  const fault = Object.assign(new Error('a broken invariant', { cause: failed }), { options, client, transport })
  const folder = join(aFolder(), 'state')
  const path = writeCrashFile(folder, fault, Date.UTC(2026, 0, 5, 14))
  const text = readFileSync(path ?? '', 'utf8')
  expect(readdirSync(folder)).toEqual(['crash-2026-01-05T14-00-00.000Z.log'])
  expect(statSync(path ?? '').mode & 0o777).toBe(0o600)
  expect(text).toContain('a broken invariant')
  expect(text).toContain('•••')
  expect(text).not.toContain(token)
})

test('where no file can be written the crash is told without one', () => {
  const folder = join(aFolder(), 'taken')
  writeFileSync(folder, '')
  expect(writeCrashFile(join(folder, 'state'), new Error('x'), 0)).toBeNull()
})
