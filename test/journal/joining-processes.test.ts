import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextTurn } from '../../src/base/clock.ts'
import { FolderReader } from '../../src/journal/folder-reader.ts'
import { aFolder, aJournal } from './scene.ts'

const busy = fileURLToPath(new URL('busy.ts', import.meta.url))

test('joining killed with -9 at random, again and again: nothing that was on record is missing, and nothing is there twice', async () => {
  const folder = aFolder()
  // Killed some lines after its start, and some turns of this process's loop after that: where it stands then is
  // chance.
  const rounds = fc.sample(fc.record({ lines: fc.integer({ min: 1, max: 40 }), turns: fc.nat(400) }), {
    numRuns: 12,
    seed: 5,
  })
  const ended: string[] = []
  for (const [round, { lines, turns }] of rounds.entries()) {
    const child = spawn(process.execPath, [busy, folder, `k${round}`, '500'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const seen: string[] = []
    child.stdout.on('data', (chunk) =>
      seen.push(
        ...String(chunk)
          .split('\n')
          .filter((line) => line !== ''),
      ),
    )
    const over = once(child, 'close')
    while (seen.length < lines && child.exitCode === null) await Promise.race([once(child.stdout, 'data'), over])
    for (let turned = 0; turned < turns; turned += 1) await nextTurn()
    child.kill('SIGKILL')
    await over
    ended.push(...seen)
  }
  const journal = await aJournal(folder)
  const history = await journal.history(0)
  const ids = history.flatMap(({ intent }) => (intent.kind === 'order' ? [intent.clientOrderId] : []))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(expect.arrayContaining(ended))
  for (const id of ended.filter((_, index) => index % 10 === 0))
    expect(await journal.find({ kind: 'order', id })).toMatchObject({ entries: [{ outcome: { id } }], gap: null })
})

test('commands that run at once join and read each other’s files, and each finds what it wrote', async () => {
  const folder = aFolder()
  const codes = await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      const child = spawn(process.execPath, [busy, folder, name, '80'], { stdio: ['ignore', 'ignore', 'inherit'] })
      const [code] = await once(child, 'close')
      return code
    }),
  )
  expect(codes).toEqual([0, 0, 0])
  const { entries, gaps } = await new FolderReader(folder).since(0)
  expect([entries.all().length, gaps]).toEqual([240, []])
  expect(readdirSync(join(folder, 'joined')).filter((name) => name.endsWith('.jsonl')).length).toBeGreaterThan(0)
})
