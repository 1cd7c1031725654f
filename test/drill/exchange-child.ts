import { randomBytes } from 'node:crypto'
import { systemClock } from '../../src/base/clock.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'

/** What is asked of the exchange is no news; that it fails would be. */
const logErrors = (line: string) => {
  if (line.startsWith('error')) process.stderr.write(`${line}\n`)
}

/** The practice exchange in a process of its own; its first line says where it is. It ends when its stdin does. */
export async function runExchange(seed: number): Promise<void> {
  const sandbox = await startSandbox(
    { port: 0, gatewayPort: 0, adminPort: 0, market: 'off', seed },
    { clock: systemClock, randomBytes, log: logErrors },
  )
  const { exchangeUrl, adminUrl, adminToken, accounts } = sandbox
  const token = accounts.find(({ name }) => name === 'trader')?.token
  process.stdout.write(`${JSON.stringify({ exchangeUrl, adminUrl, adminToken, token })}\n`)
  process.stdin.resume()
  await new Promise((resolve) => process.stdin.once('end', resolve))
  await sandbox.stop()
}
