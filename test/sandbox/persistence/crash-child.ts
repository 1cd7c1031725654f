// A practice exchange as a process of its own, to be killed: the first line on stdout tells where it is.
import { randomBytes } from 'node:crypto'
import { systemClock } from '../../../src/clock.ts'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'

const [data = '', market = ''] = process.argv.slice(2)
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
  process.once('SIGTERM', () => void sandbox.stop().then(() => process.exit(0)))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
