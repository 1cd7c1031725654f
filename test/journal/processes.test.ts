import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { aFolder, aJournal } from './scene.ts'

const holderPath = fileURLToPath(new URL('holder.ts', import.meta.url))

/** A process with one write in flight, and the id of its entry. */
async function aHolder(folder: string): Promise<{ child: ChildProcess; id: string }> {
  const child = spawn(process.execPath, [holderPath, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [output] = await once(child.stdout, 'data')
  return { child, id: String(output) }
}

test('the entry of a process killed with -9 is taken over, once, and not before its process is gone', async () => {
  const folder = aFolder()
  const [first, second] = await Promise.all([aHolder(folder), aHolder(folder)])
  const journal = await aJournal(folder)
  expect(journal.open()).toEqual([])
  const elsewhere = (await journal.openElsewhere()).map(({ id }) => id)
  expect(new Set(elsewhere)).toEqual(new Set([first.id, second.id]))
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  expect((await journal.adopt()).map(({ id }) => id)).toEqual([first.id])
  expect(journal.open()).toMatchObject([{ id: first.id, outcome: { kind: 'unknown' } }])
  expect(await journal.adopt()).toEqual([])
  expect((await journal.openElsewhere()).map(({ id }) => id)).toEqual([second.id])
})
