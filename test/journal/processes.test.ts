import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { aFolder, aJournal, filesIn } from './scene.ts'

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

/** What a process says that fills the disk; the shell's own limit on the size of a file, in KiB, stands for it. */
async function limited(kib: number, folder: string): Promise<string> {
  const child = spawn(
    'bash',
    ['-c', `ulimit -f ${kib}; exec "$@"`, '-', process.execPath, pathOf('filler.ts'), folder],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += String(chunk)
  })
  await once(child, 'close')
  return output
}

test('a disk that is full takes no intent, and the sentence says so; what it took before is all there for the next desk', async () => {
  const folder = aFolder()
  const said = JSON.parse(await limited(4, folder))
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

test('a disk that takes nothing from the start: the journal opens for cancels alone, which are told to be on no record, and says why', async () => {
  const folder = aFolder()
  const { reason, troubles, count } = JSON.parse(await limited(0, folder))
  expect(count).toBe(0)
  expect(reason).toMatch(/^JournalError: the journal in .* cannot be opened: .*EFBIG/)
  expect(troubles).toEqual([
    expect.stringMatching(/^Only cancels are sent, and are not on record: the journal in .*EFBIG/),
    expect.stringMatching(/^Not on record: cancel of order 7, canceled; .*EFBIG/),
  ])
  // Nothing half made is left that the next desk would have to understand.
  expect(filesIn(folder)).toEqual([])
  const journal = await aJournal(folder)
  const later: string[] = []
  journal.listen((sentence) => later.push(sentence))
  expect([later, journal.open()]).toEqual([[], []])
})
