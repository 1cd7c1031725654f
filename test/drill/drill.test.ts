import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('under lost, reset, stalled, failed and garbled answers, and killed again and again, nothing is doubled or forgotten', async () => {
  const counts = ['--writes', '60', '--withdrawals', '12', '--kills', '5', '--seed', '7']
  const drill = spawn(process.execPath, ['.tools/drill.mjs', 'orders', ...counts], { cwd: root })
  onTestFinished(() => void drill.kill('SIGTERM'))
  let output = ''
  for (const stream of [drill.stdout, drill.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const [code] = await once(drill, 'close')
  expect(output).toContain('"doubled":0,"forgotten":0,"disagreements":0')
  expect(code, output).toBe(0)
})
