import { expect, test } from 'vitest'
import { err, ok, type Result } from '../../../src/base/result.ts'
import type { DueRules } from '../../../src/domain/notify/due.ts'
import {
  type Delivery,
  type KeptMessages,
  type MessageKind,
  messageKinds,
  type News,
} from '../../../src/domain/notify/message.ts'
import { createNotifier } from '../../../src/services/notify/notifier.ts'
import { type Attempt, type Target, waitingMax } from '../../../src/services/notify/queue.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'

const news = (text: string, kind: MessageKind = 'fill'): News => ({
  kind,
  level: 'good',
  text,
  bareText: `bare ${text}`,
})
const refused: Attempt = { kind: 'refused', reason: 'the answer was 503' }

/** A target that answers as the test says, and takes note of what it was sent. */
function aTarget(name: string, kinds: readonly MessageKind[] = messageKinds) {
  const sent: Delivery[] = []
  const state: { answer: (delivery: Delivery, signal: AbortSignal) => Attempt | Promise<Attempt>; isClosed: boolean } =
    {
      answer: () => ({ kind: 'taken' }),
      isClosed: false,
    }
  const target: Target = {
    name,
    kinds: new Set(kinds),
    async send(delivery, signal) {
      sent.push(delivery)
      return await state.answer(delivery, signal)
    },
    async close() {
      state.isClosed = true
    },
  }
  const texts = () => sent.map(({ messages }) => messages.map(({ text }) => text).join('+'))
  return { target, sent, state, texts }
}

/** A disk that outlives notifiers, and refuses while the test says so. A busy one takes some turns for each write. */
function aDisk({ isBusy = false } = {}) {
  const disk: { kept: KeptMessages | null; full: string | null; unreadable: string | null; writes: KeptMessages[] } = {
    kept: null,
    full: null,
    unreadable: null,
    writes: [],
  }
  const file = {
    read: async (): Promise<Result<KeptMessages | null>> =>
      disk.unreadable === null ? ok(disk.kept) : err(disk.unreadable),
    async write(kept: KeptMessages) {
      if (isBusy) await rest(3)
      if (disk.full !== null) return err(disk.full)
      disk.kept = structuredClone(kept)
      disk.writes.push(disk.kept)
      return ok(null)
    },
  }
  return { disk, file }
}

let ids = 0

function setting(
  targets: readonly Target[],
  more: { rules?: Partial<DueRules>; hasAmounts?: boolean; isBusyDisk?: boolean } = {},
) {
  const clock = new FakeClock(1_000_000)
  const { disk, file } = aDisk({ isBusy: more.isBusyDisk ?? false })
  const lines: string[] = []
  const begin = (given = targets) => {
    return createNotifier({
      targets: given,
      rules: { digestMs: 0, quiet: null, urgent: new Set(), ...more.rules },
      hasAmounts: more.hasAmounts ?? true,
      file,
      clock,
      random: () => 0.5,
      newId: () => {
        ids += 1
        return `msg_${ids}`
      },
      tell: (level, sentence) => lines.push(`${level}: ${sentence}`),
    })
  }
  return { clock, disk, lines, begin }
}

async function rest(turnCount = 30): Promise<void> {
  for (let turns = 0; turns < turnCount; turns += 1) await settle()
}

test('each target gets its kinds, in order, and nothing is left on the disk', async () => {
  const [all, fills] = [aTarget('notify_url'), aTarget('notify_command', ['fill'])]
  const { disk, begin } = setting([all.target, fills.target])
  const notifier = begin()
  notifier.tell(news('before the start'))
  await notifier.start()
  notifier.tell(news('one'))
  notifier.tell(news('blind', 'stale'))
  await rest()
  expect(all.texts()).toEqual(['before the start', 'one', 'blind'])
  expect(fills.texts()).toEqual(['before the start', 'one'])
  await notifier.stop()
  const nothing = { waiting: [], sending: null, droppedCount: 0 }
  expect(disk.kept).toEqual({ notify_url: nothing, notify_command: nothing })
  expect([all.state.isClosed, fills.state.isClosed]).toEqual([true, true])
})

test('no message leaves before its id is on the disk', async () => {
  const one = aTarget('notify_url')
  const { disk, begin } = setting([one.target])
  const seen: (string | undefined)[] = []
  one.state.answer = ({ id }) => {
    seen.push(disk.kept?.notify_url?.sending?.id)
    expect(seen.at(-1)).toBe(id)
    return { kind: 'taken' }
  }
  const notifier = begin()
  await notifier.start()
  notifier.tell(news('one'))
  notifier.tell(news('two'))
  await rest()
  expect(seen).toHaveLength(2)
  await notifier.stop()
})

test('a message leaves also while more are told than the disk is fast to take', async () => {
  const one = aTarget('notify_url')
  const { begin } = setting([one.target], { isBusyDisk: true })
  const notifier = begin()
  await notifier.start()
  for (let count = 0; one.sent.length < 3; count += 1) {
    notifier.tell(news(`news ${count}`))
    expect(count).toBeLessThan(100)
    await settle()
  }
  expect(one.texts()).toEqual(['news 0', 'news 1', 'news 2'])
  await notifier.stop()
})

test('what is not taken is sent again under its id with growing pauses, told once, and holds up its own target alone', async () => {
  const [bad, good] = [aTarget('notify_url'), aTarget('notify_command')]
  const { clock, lines, begin } = setting([bad.target, good.target])
  bad.state.answer = () => refused
  const notifier = begin()
  await notifier.start()
  notifier.tell(news('one'))
  notifier.tell(news('two'))
  await rest()
  expect(good.texts()).toEqual(['one', 'two'])
  // Again after 1 s, 2 s and 4 s.
  for (const [ms, count] of [
    [999, 1],
    [1, 2],
    [1_999, 2],
    [1, 3],
    [3_999, 3],
    [1, 4],
  ] as const) {
    await clock.advance(ms)
    expect(bad.sent, `after ${ms}`).toHaveLength(count)
  }
  expect(new Set(bad.sent.map(({ id }) => id)).size).toBe(1)
  expect(notifier.status()[0]).toMatchObject({
    ...{ name: 'notify_url', waitingCount: 2, oldestAtMs: 1_000_000, takenCount: 0, failedCount: 4 },
    trouble: 'the answer was 503',
  })
  bad.state.answer = () => ({ kind: 'taken' })
  await clock.advance(8_000)
  await rest()
  expect(bad.texts().slice(4)).toEqual(['one', 'two'])
  expect(lines).toEqual([
    'warn: notify_url: delivery failed, the answer was 503; 2 waiting, retrying.',
    'info: notify_url: delivering again, 1 waiting.',
  ])
  expect(notifier.status()[0]).toMatchObject({ waitingCount: 0, oldestAtMs: null, takenCount: 2, trouble: null })
  await notifier.stop()
})

test('a Retry-After longer than the own pause counts, up to an hour', async () => {
  const one = aTarget('notify_url')
  const { clock, begin } = setting([one.target])
  one.state.answer = () => ({ ...refused, retryAfterMs: one.sent.length === 1 ? 30_000 : 86_400_000 })
  const notifier = begin()
  await notifier.start()
  notifier.tell(news('one'))
  await clock.advance(29_999)
  expect(one.sent).toHaveLength(1)
  await clock.advance(1)
  expect(one.sent).toHaveLength(2)
  await clock.advance(3_599_999)
  expect(one.sent).toHaveLength(2)
  await clock.advance(1)
  expect(one.sent).toHaveLength(3)
  await notifier.stop()
})

test('the next run goes on with what waited, under the same id, before what is new', async () => {
  const one = aTarget('notify_url')
  const { clock, disk, begin } = setting([one.target])
  one.state.answer = () => refused
  const first = begin()
  await first.start()
  first.tell(news('one'))
  first.tell(news('two'))
  await rest()
  await first.stop()
  const { id } = one.sent[0] ?? {}
  expect(disk.kept?.notify_url).toMatchObject({ sending: { id }, waiting: [{ text: 'two' }] })
  one.state.answer = () => ({ kind: 'taken' })
  one.sent.length = 0
  const second = begin()
  second.tell(news('three'))
  await second.start()
  await rest()
  expect(one.texts()).toEqual(['one', 'two', 'three'])
  expect(one.sent[0]?.id).toBe(id)
  await second.stop()
  expect(clock.sleeperCount).toBe(0)
})

test('a digest is one delivery, and stays the same one however often it is sent', async () => {
  const one = aTarget('notify_url')
  const { clock, begin } = setting([one.target], { rules: { digestMs: 60_000 } })
  one.state.answer = () => (one.sent.length < 3 ? refused : { kind: 'taken' })
  const notifier = begin()
  await notifier.start()
  notifier.tell(news('one'))
  await clock.advance(30_000)
  notifier.tell(news('two'))
  await clock.advance(29_999)
  expect(one.sent).toEqual([])
  await clock.advance(1)
  notifier.tell(news('three'))
  await clock.advance(3_000)
  expect(one.texts()).toEqual(['one+two', 'one+two', 'one+two'])
  await clock.advance(57_000)
  expect(one.texts().at(-1)).toBe('three')
  await notifier.stop()
})

test('in quiet hours only urgent ones go, and at their end the others as one, also when the clock jumps', async () => {
  const one = aTarget('notify_url')
  const quiet = { fromMinute: 0, toMinute: 600, zone: 'UTC' }
  const { clock, begin } = setting([one.target], { rules: { quiet, urgent: new Set<MessageKind>(['watch']) } })
  const notifier = begin()
  await notifier.start()
  for (const text of ['one', 'two']) notifier.tell(news(text))
  await clock.advance(3_600_000)
  notifier.tell(news('blind', 'watch'))
  await rest()
  expect(one.texts()).toEqual(['blind'])
  // The wall clock is set to noon: within a minute that is seen.
  clock.setWall(11 * 3_600_000)
  await clock.advance(60_000)
  expect(one.texts()).toEqual(['blind', 'one+two'])
  await notifier.stop()
})

test('what a full disk refused is on it soon after it has room, though nothing else changes', async () => {
  const one = aTarget('notify_url')
  one.state.answer = () => new Promise(() => undefined)
  const { clock, disk, lines, begin } = setting([one.target])
  disk.full = 'Not kept, the disk is full (ENOSPC): the waiting messages in /x.'
  const notifier = begin()
  await notifier.start()
  notifier.tell(news('one'))
  await rest()
  await clock.advance(60_000)
  await rest()
  expect([disk.kept, lines.length]).toEqual([null, 1])
  disk.full = null
  await clock.advance(10_000)
  await rest()
  expect(JSON.stringify(disk.kept)).toContain('"text":"one"')
  expect(lines.at(-1)).toBe('info: Queued messages are saved to disk again.')
  const writes = disk.writes.length
  await clock.advance(60_000)
  expect(disk.writes).toHaveLength(writes)
})

test('a disk that refuses is told of once, holds nothing up, and is told of again when it takes', async () => {
  const one = aTarget('notify_url')
  const { disk, lines, begin } = setting([one.target])
  disk.full = 'Not kept, the disk is full (ENOSPC): the waiting messages in /x.'
  const notifier = begin()
  await notifier.start()
  notifier.tell(news('one'))
  notifier.tell(news('two'))
  await rest()
  expect(one.texts()).toEqual(['one', 'two'])
  disk.full = null
  notifier.tell(news('three'))
  await rest()
  expect(lines).toEqual([
    'bad: Not kept, the disk is full (ENOSPC): the waiting messages in /x. Messages are sent from memory.',
    'info: Queued messages are saved to disk again.',
  ])
  await notifier.stop()
})

test('a file that cannot be used is told of, and what comes goes out', async () => {
  const one = aTarget('notify_url')
  const { disk, lines, begin } = setting([one.target])
  disk.unreadable = '/x is damaged: the desk starts without the waiting messages.'
  const notifier = begin()
  await notifier.start()
  notifier.tell(news('one'))
  await rest()
  expect(one.texts()).toEqual(['one'])
  expect(lines).toEqual(['warn: /x is damaged: the desk starts without the waiting messages.'])
  await notifier.stop()
})

test('where too many wait the oldest that is not urgent gives way, counted, and the next message says so', async () => {
  const one = aTarget('notify_url')
  const { disk, lines, clock, begin } = setting([one.target], { rules: { urgent: new Set<MessageKind>(['stale']) } })
  one.state.answer = () => refused
  const notifier = begin()
  await notifier.start()
  notifier.tell(news('first'))
  await rest()
  notifier.tell(news('urgent', 'stale'))
  for (let number = 0; number < waitingMax + 4; number += 1) notifier.tell(news(`${number}`))
  await rest()
  const { waiting = [], droppedCount } = disk.kept?.notify_url ?? {}
  expect(waiting).toHaveLength(waitingMax)
  expect(waiting.slice(0, 2).map(({ text }) => text)).toEqual(['urgent', '5'])
  expect([droppedCount, notifier.status()[0]?.droppedCount]).toEqual([5, 5])
  expect(lines.filter((line) => line.includes('oldest'))).toEqual([
    'bad: notify_url: more than 1000 messages wait, the oldest are dropped and counted.',
  ])
  one.state.answer = () => ({ kind: 'taken' })
  await clock.advance(2_000)
  await rest()
  expect(one.sent.slice(-2, -1)[0]?.droppedCount).toBe(0)
  expect(one.sent.find(({ messages }) => messages[0]?.text === 'urgent')?.droppedCount).toBe(5)
  await notifier.stop()
})

test('a target that wants nothing more gets nothing more until the next start, and what waited is counted', async () => {
  const one = aTarget('notify_url')
  const { disk, lines, clock, begin } = setting([one.target])
  one.state.answer = () => (one.sent.length < 2 ? refused : { kind: 'gone' })
  const first = begin()
  await first.start()
  first.tell(news('one'))
  first.tell(news('two'))
  await clock.advance(1_000)
  first.tell(news('three'))
  await clock.advance(600_000)
  expect(one.sent).toHaveLength(2)
  expect(first.status()[0]).toMatchObject({ waitingCount: 0, droppedCount: 3, trouble: expect.stringContaining('410') })
  expect(lines.at(-1)).toBe(
    'bad: notify_url: target gone (410), 2 messages dropped. Nothing more is sent there until the next start.',
  )
  await first.stop()
  expect(disk.kept?.notify_url?.waiting).toEqual([])
  one.state.answer = () => ({ kind: 'taken' })
  const second = begin()
  await second.start()
  second.tell(news('four'))
  await rest()
  expect(one.texts().at(-1)).toBe('four')
  await second.stop()
})

test('the end waits a moment for what is under way, then cuts it off, and keeps it for the next run', async () => {
  const one = aTarget('notify_url')
  const { clock, disk, lines, begin } = setting([one.target])
  one.state.answer = (_delivery, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'refused', reason: 'cut off' })))
  const notifier = begin()
  await notifier.start()
  notifier.tell(news('one'))
  await rest()
  const stopping = notifier.stop()
  await clock.reached(2_000)
  await clock.advance(2_000)
  await stopping
  expect(disk.kept?.notify_url?.sending).toMatchObject({ messages: [{ text: 'one' }] })
  // That is no failure of the other side.
  expect(lines).toEqual([])
})

test('what comes before the disk has answered does not take the place of what it holds', async () => {
  const one = aTarget('notify_url')
  const { disk, begin } = setting([one.target])
  one.state.answer = () => refused
  const first = begin()
  await first.start()
  first.tell(news('one'))
  await rest()
  await first.stop()
  const writeCount = disk.writes.length
  one.state.answer = () => ({ kind: 'taken' })
  one.sent.length = 0
  const second = begin()
  second.tell(news('two'))
  await rest()
  expect(disk.writes).toHaveLength(writeCount)
  await second.start()
  await rest()
  expect(one.texts()).toEqual(['one', 'two'])
  await second.stop()
})

test('what waited for a target that is not set any more is told and dropped', async () => {
  const [one, other] = [aTarget('notify_url'), aTarget('notify_command')]
  const { lines, disk, begin } = setting([one.target])
  one.state.answer = () => refused
  const first = begin()
  await first.start()
  for (const text of ['one', 'two']) first.tell(news(text))
  await rest()
  await first.stop()
  const second = begin([other.target])
  await second.start()
  second.tell(news('three'))
  await rest()
  await second.stop()
  expect(other.texts()).toEqual(['three'])
  expect(lines.at(-1)).toBe('warn: notify_url is no longer set: 2 messages for it dropped.')
  expect(Object.keys(disk.kept ?? {})).toEqual(['notify_command'])
})

test('without amounts the text without them is sent and kept; control characters never are', async () => {
  const one = aTarget('notify_url')
  const { disk, begin } = setting([one.target], { hasAmounts: false })
  const notifier = begin()
  await notifier.start()
  notifier.tell({ ...news('Fill 4242.5'), bareText: 'Fill\u001b[31m\nhere' })
  await rest()
  expect(one.texts()).toEqual(['Fill[31m here'])
  expect(JSON.stringify(disk.writes)).not.toContain('4242')
  await notifier.stop()
})

test('what is being sent already is tried again in quiet hours too, after two minutes at the longest', async () => {
  const one = aTarget('notify_url')
  // The wall clock begins at 00:16:40.
  const { clock, begin } = setting([one.target], { rules: { quiet: { fromMinute: 17, toMinute: 600, zone: 'UTC' } } })
  const sentAtMs: number[] = []
  one.state.answer = () => {
    sentAtMs.push(clock.now())
    return refused
  }
  const notifier = begin()
  await notifier.start()
  notifier.tell(news('before'))
  await rest()
  await clock.advance(60_000)
  notifier.tell(news('within'))
  for (let minutes = 0; minutes < 20; minutes += 1) await clock.advance(60_000)
  const pauses = sentAtMs.slice(1).map((atMs, at) => (atMs - (sentAtMs[at] ?? 0)) / 1_000)
  expect(pauses.slice(0, 10)).toEqual([1, 2, 4, 8, 16, 32, 64, 120, 120, 120])
  one.state.answer = () => ({ kind: 'taken' })
  await clock.advance(120_000)
  await rest()
  expect(new Set(one.texts())).toEqual(new Set(['before']))
  expect(notifier.status()[0]).toMatchObject({ waitingCount: 1, takenCount: 1 })
  await notifier.stop()
})

test('what is told right before the end goes out once; what is refused then, or rests, stays for the next run', async () => {
  const one = aTarget('notify_url')
  const first = setting([one.target])
  const notifier = first.begin()
  await notifier.start()
  notifier.tell(news('the watch ends', 'watch'))
  await notifier.stop()
  expect([one.texts(), first.disk.kept?.notify_url?.sending]).toEqual([['the watch ends'], null])
  const refusing = aTarget('notify_url')
  refusing.state.answer = () => refused
  const second = setting([refusing.target])
  const refusedNotifier = second.begin()
  await refusedNotifier.start()
  for (const text of ['one', 'two']) refusedNotifier.tell(news(text))
  await refusedNotifier.stop()
  expect(refusing.texts()).toEqual(['one'])
  expect(second.disk.kept?.notify_url).toMatchObject({ sending: expect.anything(), waiting: [{ text: 'two' }] })
  const resting = aTarget('notify_url')
  const third = setting([resting.target], { rules: { digestMs: 60_000 } })
  const digesting = third.begin()
  await digesting.start()
  digesting.tell(news('one'))
  await digesting.stop()
  expect([resting.texts(), third.disk.kept?.notify_url?.waiting]).toEqual([[], [expect.anything()]])
})
