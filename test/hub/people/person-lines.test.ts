import { expect, test } from 'vitest'
import { createPersonLines } from '../../../src/hub/people/person-lines.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'

/** Lines, and the work that waits in them; `begun` tells in which order it began, `end` ends it. */
function someLines(limits: Partial<Parameters<typeof createPersonLines>[1]> = {}) {
  const clock = new FakeClock(1_000)
  const lines = createPersonLines(clock, { each: 2, all: 4, keptForFirst: 1, patienceMs: 4_000, ...limits })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (what: string, isUrgent = false) => {
    const [who = ''] = what.split(' ')
    const work = () =>
      new Promise<string>((resolve) => {
        begun.push(what)
        ends.set(what, () => resolve('done'))
      })
    return lines.run(who, work, () => Promise.resolve('late'), isUrgent).answer
  }
  const end = async (what: string) => {
    ends.get(what)?.()
    await settle()
  }
  return { clock, begun, ask, end }
}

test('however much a few ask for, who has nothing under way is the next, and a place is kept for the first of theirs', async () => {
  const { begun, ask, end } = someLines()
  for (let at = 1; at <= 10; at += 1) {
    void ask(`anna ${at}`)
    void ask(`ben ${at}`)
  }
  expect(begun).toEqual(['anna 1', 'ben 1', 'anna 2'])
  void ask('cleo 1')
  expect(begun.slice(3)).toEqual(['cleo 1'])
  void ask('dora 1')
  void ask('emil 1')
  await end('anna 1')
  expect(begun.slice(4)).toEqual(['dora 1'])
  // Of those who have nothing under way the first is who waits the longest since their last turn.
  await end('ben 1')
  expect(begun.slice(5)).toEqual(['emil 1'])
  await end('cleo 1')
  expect(begun.slice(6)).toEqual(['ben 2'])
})

test('three that ask without end have their turns one after the other', async () => {
  const { begun, ask, end } = someLines({ each: 1, all: 1, keptForFirst: 0 })
  for (const who of ['anna', 'ben', 'cleo']) for (let at = 1; at <= 3; at += 1) void ask(`${who} ${at}`)
  for (let at = 0; at < 8; at += 1) await end(begun.at(-1) ?? '')
  expect(begun.map((what) => what.split(' ')[0])).toEqual([
    ...['anna', 'ben', 'cleo', 'anna', 'ben', 'cleo', 'anna', 'ben', 'cleo'],
  ])
})

test('what is urgent goes before whatever else its person waits for, and before nobody else', async () => {
  const { begun, ask, end } = someLines()
  for (const what of ['anna 1', 'anna 2', 'anna 3', 'ben 1', 'ben 2']) void ask(what)
  void ask('anna all', true)
  expect(begun).toEqual(['anna 1', 'anna 2', 'ben 1'])
  await end('anna 1')
  await end('anna 2')
  expect(begun.slice(3)).toEqual(['anna all', 'ben 2'])
})

test('who waits too long is told so at once, whatever the others do, and their work never begins', async () => {
  const { clock, begun, ask, end } = someLines()
  const asked = ['anna 1', 'anna 2', 'anna 3'].map((what) => ask(what))
  await clock.advance(3_999)
  const later = ask('anna 4')
  await clock.advance(1)
  expect(await asked[2]).toBe('late')
  await end('anna 1')
  expect(begun).toEqual(['anna 1', 'anna 2', 'anna 4'])
  await end('anna 2')
  await end('anna 4')
  expect([await asked[0], await asked[1], await later]).toEqual(['done', 'done', 'done'])
  expect(clock.sleeperCount).toBe(0)
})

test('after a stop of the process whoever waited too long is turned away, whichever timer comes first', async () => {
  const { clock, begun, ask, end } = someLines()
  const asked = ['anna 1', 'anna 2', 'anna 3'].map((what) => ask(what))
  clock.standStill(60_000)
  await end('anna 1')
  expect(begun).toEqual(['anna 1', 'anna 2'])
  expect(await asked[2]).toBe('late')
})

test('work that fails frees its place', async () => {
  const lines = createPersonLines(new FakeClock(1_000), { each: 1, all: 1, keptForFirst: 0, patienceMs: 1 })
  const late = () => Promise.resolve('late')
  const first = lines.run('anna', () => Promise.reject(new Error('down')), late).answer
  const second = lines.run('anna', () => Promise.resolve('done'), late).answer
  await expect(first).rejects.toThrow('down')
  expect(await second).toBe('done')
})
