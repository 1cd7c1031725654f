import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { aFolder, aJournal } from './scene.ts'

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A process with one write in flight, and the id of its entry. */
async function aHolder(folder: string): Promise<{ child: ChildProcess; id: string }> {
  const child = spawn(process.execPath, [pathOf('holder.ts'), folder], { stdio: ['pipe', 'pipe', 'inherit'] })
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

test('a disk that is full takes no intent, and the sentence says so; what it took before is all there for the next desk', async () => {
  const folder = aFolder()
  // The shell's own limit on the size of a file stands for the disk: 4 KiB.
  const limited = 'ulimit -f 4; exec "$@"'
  const child = spawn('bash', ['-c', limited, '-', process.execPath, pathOf('filler.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += String(chunk)
  })
  await once(child, 'close')
  const said = JSON.parse(output)
  expect(said.reason).toMatch(/^JournalError: the journal cannot be written: the file may not grow any more \(EFBIG/)
  expect(said.count).toBeGreaterThan(5)
  // The one whose outcome could not be kept is closed for this desk, which knows it, and told of.
  expect(said.open).toBe(said.count - said.ended)
  expect(said.troubles).toEqual([
    expect.stringMatching(/^Not on record: order c\d+, accepted as 1; .*EFBIG.* Do not resubmit/),
    expect.stringMatching(/^Not on record: cancel of order 7, canceled; .*EFBIG/),
  ])
  const journal = await aJournal(folder)
  const troubles: string[] = []
  journal.listen((sentence) => troubles.push(sentence))
  // Every order without an end on record is taken up and looked for; of the line that did not fit nothing is left that
  // could be damaged.
  expect(journal.open().length).toBe(said.count - said.ended + 1)
  expect(troubles).toEqual([])
})
