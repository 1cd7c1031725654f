import { execFile } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unitsOf } from '../domain/statement/books.ts'
import { cacheOf, nodeArgv } from '../fakes/child-program.ts'
import { aHome, builtForTests, program } from './program.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'

const home = aHome('money')

let sandbox: SandboxProcess

builtForTests()

beforeAll(async () => {
  sandbox = await startSandboxProcess(program, home, '--market', 'off')
})

afterAll(async () => {
  await sandbox.stop()
})

const variables = () => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  XDG_CACHE_HOME: cacheOf(program),
  LANG: 'C.UTF-8',
  PITDESK_EXCHANGE_BASE_URL: sandbox.url,
  PITDESK_API_TOKEN: sandbox.token,
})

type Ran = { code: number; stdout: string; stderr: string }

/** The built program, as a script runs it. */
const run = (...argv: string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, nodeArgv(program, ...argv), { env: variables() }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
    child.stdin?.end()
  })

test('the built program prepares, sends and lists money out, and its statement agrees with the balances', async () => {
  const address = await run('deposit-address', 'xlm')
  expect(JSON.parse(address.stdout)).toMatchObject({ currency: 'XLM', tag: expect.stringMatching(/./) })
  const kept = await run('withdraw', 'btc', '0.01', '--to', 'cold storage', '--draft')
  expect({ code: kept.code, draft: JSON.parse(kept.stdout) }).toMatchObject({ code: 0, draft: { state: 'draft' } })
  const { draftId } = JSON.parse(kept.stdout)
  const sent = await run('withdraw', '--send', draftId, '--yes', '--accept', 'fee')
  expect({ code: sent.code, withdrawal: JSON.parse(sent.stdout) }).toMatchObject({
    code: 0,
    withdrawal: { amount: '0.01', currency: 'BTC', state: 'PENDING' },
  })
  const again = await run('withdraw', '--send', draftId, '--yes')
  expect({ code: again.code, ...JSON.parse(again.stdout) }).toMatchObject({ code: 0, amount: '0.01' })
  expect(again.stderr).toContain(`Draft ${draftId} was sent before, at `)
  expect(JSON.parse((await run('withdrawals')).stdout)).toHaveLength(1)
  expect(JSON.parse((await run('withdrawals', '--drafts')).stdout)).toMatchObject([{ draftId, state: 'sent' }])

  const { currencies, missing } = JSON.parse((await run('statement')).stdout)
  expect(missing).toEqual([])
  const rows = (await run('statement', '--csv')).stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','))
  expect(currencies.map(({ currency }: { currency: string }) => currency)).toEqual(
    expect.arrayContaining(['BTC', 'USD']),
  )
  for (const { currency, check } of currencies) {
    const [closing] = rows.filter(([, kind, , of]) => kind === 'closing' && of === currency)
    const changes = rows.filter(([, , , of, , change]) => of === currency && change !== '')
    expect(changes.reduce((sum, [, , , , , change = '']) => sum + unitsOf(change), 0n)).toBe(
      unitsOf(closing?.[4] ?? ''),
    )
    expect(check).toBe('agrees')
  }
})

test('completions know the new commands and flags', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await run('completions', shell)
    for (const word of ['statement', 'deposit-address', 'drafts', 'approve', 'drop']) expect(stdout).toContain(word)
  }
})
