import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../fakes/eventually.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
import { listenHere } from './loopback.ts'

const sender = fileURLToPath(new URL('sender.ts', import.meta.url))

/** One process at a time, and the numbers that it said are on the disk. */
function processes(folder: string, url: URL) {
  const kept = new Set<number>()
  const start = (first: number, limit = ''): ChildProcess => {
    const child = spawn(
      'bash',
      ['-c', `${limit} exec "$@"`, '-', process.execPath, sender, folder, url.href, `${first}`],
      {
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      for (const line of text.split('\n').slice(0, -1)) kept.add(Number(line))
    })
    return child
  }
  return { kept, start }
}

const textOf = (body: string): number[] =>
  JSON.parse(body).data.messages.map(({ text }: { text: string }) => Number(text))

test('killed with -9 at every kind of moment, nothing that was kept is lost, order is kept, doubles keep their id', async () => {
  const folder = temporaryFolder('notify-crash')
  let onPost: ((answer: () => void) => void) | null = null
  const { posts, url } = await listenHere((_posted, response) => {
    const answer = () => void response.writeHead(204).end()
    if (onPost === null) answer()
    else onPost(answer)
  })
  const { kept, start } = processes(folder, url)
  let next = 0
  for (const [killAfter, isAnswered] of [
    [1, false],
    [1, true],
    [4, false],
    [7, true],
    [3, true],
    [2, false],
  ] as const) {
    const child = start(next)
    next += 10
    const gone = once(child, 'close')
    let count = 0
    onPost = (answer) => {
      count += 1
      if (count < killAfter || isAnswered) answer()
      // Taken by then, and nobody there knows it.
      if (count === killAfter) child.kill('SIGKILL')
    }
    await gone
  }
  onPost = null
  const last = start(next)
  const gone = once(last, 'close')
  await eventually(() => expect(posts.flatMap(({ body }) => textOf(body))).toContain(next + 9))
  last.stdin?.end()
  await gone
  const arrived = posts.flatMap(({ body }) => textOf(body))
  const firsts = [...new Set(arrived)]
  expect([...kept].filter((number) => !firsts.includes(number))).toEqual([])
  expect(kept.size).toBeGreaterThan(20)
  expect(firsts).toEqual(firsts.toSorted((left, right) => left - right))
  // At least once, and some came twice; each under one id.
  const idsOf = Map.groupBy(posts, ({ body }) => textOf(body).join())
  for (const [, same] of idsOf) expect(new Set(same.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(arrived.length).toBeGreaterThan(firsts.length)
  expect(JSON.parse(readFileSync(join(folder, 'messages.json'), 'utf8')).targets.notify_url).toEqual({
    waiting: [],
    sending: null,
    droppedCount: 0,
  })
})

test('a disk that takes nothing is told of once, and every message goes out all the same', async () => {
  const folder = temporaryFolder('notify-full')
  const { posts, url } = await listenHere((_posted, response) => void response.writeHead(200).end())
  const { kept, start } = processes(folder, url)
  // The shell's own limit on the size of a file stands for a full disk.
  const child = start(0, 'ulimit -f 0;')
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const gone = once(child, 'close')
  await eventually(() => expect(posts).toHaveLength(10))
  child.stdin?.end()
  await gone
  expect(posts.flatMap(({ body }) => textOf(body))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect([...kept]).toEqual([])
  const lines = said.split('\n').filter((line) => line.includes('messages'))
  expect(lines).toEqual([expect.stringMatching(/^Not kept, .*EFBIG.*: the waiting messages in .* from memory\.$/)])
})
