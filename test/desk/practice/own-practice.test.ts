import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { readSettings } from '../../../src/config/settings.ts'
import { beginPractice } from '../../../src/desk/practice/own-practice.ts'
import { newWorker } from '../../../src/sandbox/apart/start-practice-thread.ts'
import { quietIo } from '../../fakes/quiet-io.ts'

/** What a practice exchange of a desk's own is begun with, in a home folder of its own. */
function aPlan(variables: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'pitdesk-own-practice-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const environment = { HOME: home, ...variables }
  const settings = readSettings(environment, {})
  if (!settings.ok) throw new Error(settings.error.sentence)
  const said: string[] = []
  const io = { ...quietIo(environment), printError: (line: string) => said.push(line) }
  const tools = { clock: systemClock, random: () => 0.5, randomBytes, isOwnProcess: false }
  const quit = new AbortController()
  return { state: join(home, '.local/state/pitdesk'), said, plan: { settings: settings.value, io, tools, quit } }
}

/** A practice exchange that has begun, and the end of its thread by `event`, as it is told of outside. */
async function begun({ plan }: Pick<ReturnType<typeof aPlan>, 'plan'>) {
  const workers: Worker[] = []
  const practice = beginPractice(plan, (options) => {
    const worker = newWorker(options)
    workers.push(worker)
    return worker
  })
  if (practice === null) throw new Error('the desk would trade elsewhere')
  onTestFinished(practice.stop)
  const opened = await practice.opened
  if (!opened.ok) throw new Error(opened.error)
  const [worker] = workers
  if (worker === undefined) throw new Error('no thread was started')
  return { practice, worker }
}

test('a desk on an exchange of somebody else begins none', () => {
  const { plan } = aPlan({ PITDESK_EXCHANGE_BASE_URL: 'http://127.0.0.1:1/v3', PITDESK_API_TOKEN: 'token' })
  expect(beginPractice(plan)).toBe(null)
})

test('the end of its thread is told of as that of the practice exchange, also to who listens later', async () => {
  const { practice, worker } = await begun(aPlan())
  const told: string[] = []
  practice.listen((sentence) => told.push(sentence))
  await worker.terminate()
  practice.listen((sentence) => told.push(sentence))
  const sentence = 'The practice exchange has stopped. Its thread has ended: restart the desk.'
  expect(told).toEqual([sentence, sentence])
  await practice.stop()
})

test('a full disk and its end are both told of; who listens after that hears of neither', async () => {
  const { practice, worker } = await begun(aPlan())
  const told: string[] = []
  practice.listen(
    (sentence, isPassing) => told.push(`bad: ${sentence} ${isPassing}`),
    (sentence) => told.push(`good: ${sentence}`),
  )
  worker.emit('message', { kind: 'diskFailed', sentence: 'The disk is full.', isPassing: true })
  worker.emit('message', { kind: 'goesOn' })
  expect(told).toEqual([
    'bad: The practice exchange has stopped. The disk is full. It goes on by itself once there is room. true',
    'good: The practice exchange goes on: its disk has room again.',
  ])
  practice.listen((sentence) => told.push(sentence))
  expect(told).toHaveLength(2)
  const stopping = practice.stop()
  worker.emit('message', { kind: 'goesOn' })
  await stopping
  expect(told).toHaveLength(2)
})

test('a bug of it is in a crash file, and the sentence says where', async () => {
  const plan = aPlan()
  const { practice, worker } = await begun(plan)
  const told: string[] = []
  practice.listen((sentence) => told.push(sentence))
  worker.emit('error', new TypeError('a bug of the practice exchange'))
  await worker.terminate()
  const [name = ''] = readdirSync(plan.state).filter((each) => each.startsWith('crash-'))
  const path = join(plan.state, name)
  expect(told).toEqual([expect.stringMatching(/^The practice exchange has stopped\. .* Details are in /)])
  expect(told[0]).toContain(path)
  expect(readFileSync(path, 'utf8')).toContain('TypeError: a bug of the practice exchange')
})

/** A clock by which all the time that anybody waits for is over. */
const overdue = { ...systemClock, sleep: () => Promise.resolve() }

test('an end waits no longer than it may for a thread that its disk holds, and says what is known', async () => {
  const { said, plan } = aPlan()
  const { practice, worker } = await begun({ plan: { ...plan, tools: { ...plan.tools, clock: overdue } } })
  const post = worker.postMessage.bind(worker)
  // What is held hears of nothing.
  worker.postMessage = () => undefined
  await practice.stop()
  expect(said).toEqual([
    'The practice exchange did not end within 15 s, as where its disk does not answer. What it has answered is on disk.',
  ])
  worker.postMessage = post
  await worker.terminate()
})

test('a quit waits no longer than it may for a thread that does not begin', async () => {
  const { plan } = aPlan()
  const held: Worker[] = []
  const practice = beginPractice({ ...plan, tools: { ...plan.tools, clock: overdue } }, () => {
    const worker = new Worker("require('node:worker_threads').parentPort.on('message', () => undefined)", {
      eval: true,
    })
    held.push(worker)
    return worker
  })
  plan.quit.abort()
  expect(await practice?.opened).toEqual({
    ok: false,
    error: 'The practice exchange did not start within 15 s, as where its disk does not answer.',
  })
  await practice?.stop()
  for (const worker of held) await worker.terminate().catch(() => undefined)
})
