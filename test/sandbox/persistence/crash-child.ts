// A practice exchange as a process of its own, to be killed: the first line on stdout tells where it is.
import { randomBytes } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { systemClock } from '../../../src/base/clock.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'

const [data = '', market = '', statementsLeft = ''] = process.argv.slice(2)
if (statementsLeft !== '') dieAfter(Number(statementsLeft))

/** Ends this process as a power cut would, before the statement of its database that comes after so many others. */
function dieAfter(statements: number): void {
  let left = statements
  for (const [owner, names] of [
    [DatabaseSync.prototype, ['exec']],
    [StatementSync.prototype, ['run', 'get', 'all', 'iterate']],
  ] as const)
    for (const name of names) {
      const act: unknown = Reflect.get(owner, name)
      if (typeof act !== 'function') throw new Error(`a database without ${name}`)
      Reflect.set(owner, name, function (this: unknown, ...words: unknown[]): unknown {
        left -= 1
        if (left < 0) process.kill(process.pid, 'SIGKILL')
        return Reflect.apply(act, this, words)
      })
    }
}

try {
  const sandbox = await startSandbox(
    {
      port: 0,
      gatewayPort: 0,
      adminPort: 0,
      market: market === 'on' ? 'on' : 'off',
      wire: 'strings',
      data,
      snapshotEvery: 1_500,
    },
    { clock: systemClock, randomBytes, log: (line) => process.stderr.write(`${line}\n`) },
  )
  const { exchangeUrl, adminUrl, adminToken, accounts } = sandbox
  process.stdout.write(`${JSON.stringify({ exchangeUrl, adminUrl, adminToken, accounts })}\n`)
  // Whoever is killed leaves no cache: without this each of fifty starts compiles everything anew.
  flushCompileCache()
  process.once('SIGTERM', () => void sandbox.stop().then(() => process.exit(0)))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
