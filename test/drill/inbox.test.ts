import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('an inbox that is killed again and again keeps all it said yes to, once, and hands all of it on', async () => {
  const counts = ['--orders', '300', '--kills', '3', '--seed', '5']
  const drill = spawn(process.execPath, ['.tools/drill.mjs', 'inbox', ...counts], { cwd: root })
  onTestFinished(() => void drill.kill('SIGTERM'))
  let output = ''
  for (const stream of [drill.stdout, drill.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const [code] = await once(drill, 'close')
  expect(output).toContain('"killed":3,"complaints":0')
  expect(code, output).toBe(0)
})
