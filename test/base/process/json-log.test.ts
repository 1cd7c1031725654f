import { expect, test } from 'vitest'
import { createJsonLog } from '../../../src/base/process/json-log.ts'
import { createOutput } from '../../../src/base/process/output.ts'
import { atRest } from '../../fakes/at-rest.ts'

/** A log whose reader takes nothing until it is told to. */
function aLog() {
  const reading = Promise.withResolvers<void>()
  const taken: string[] = []
  const output = createOutput({
    async write(bytes) {
      await reading.promise
      taken.push(Buffer.from(bytes).toString())
    },
    close: () => Promise.resolve(),
  })
  const log = createJsonLog({ output, printError: (line) => taken.push(`stderr ${line}`), wallMs: () => 0 })
  return {
    ...{ log, read: () => reading.resolve() },
    lines: (): { level: string; text: string }[] =>
      taken
        .join('')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  }
}

test('a reader that is too slow loses lines and holds nobody up; a line says how many, and the log goes on', async () => {
  const { log, read, lines } = aLog()
  const count = 5_000
  for (let line = 1; line <= count; line += 1) log.write('info', 'desk', `line ${line}`)
  const lost = log.leftOut()
  expect(lost).toBeGreaterThan(0)
  expect(lost).toBeLessThan(count)
  read()
  await log.written()
  log.write('info', 'desk', 'later')
  await log.written()
  const texts = lines().map(({ text }) => text)
  expect(texts.slice(0, count - lost)).toEqual(Array.from({ length: count - lost }, (_, at) => `line ${at + 1}`))
  expect(texts.slice(count - lost)).toEqual([`${lost} lines left out: the log was read too slowly.`, 'later'])
  expect(log.trouble()).toBeNull()
})

test('a disk that was full gets the log again once it has room, after a line of its own; meanwhile stderr has it', async () => {
  const [taken, told] = [[] as string[], [] as string[]]
  const disk = { isFull: true }
  const output = createOutput({
    async write(bytes) {
      if (disk.isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      taken.push(Buffer.from(bytes).toString())
    },
    close: () => Promise.resolve(),
  })
  const log = createJsonLog({ output, printError: (line) => told.push(JSON.parse(line).text), wallMs: () => 0 })
  const says = async (text: string) => {
    log.write('info', 'desk', text)
    await log.written()
  }
  await says('lost: it was on its way')
  await says('one')
  await says('two')
  expect([taken, told]).toEqual([[], ['stdout cannot be written: logging to stderr.', 'one', 'two']])
  expect(log.trouble()).toBe('stdout cannot be written: the log is on stderr')
  disk.isFull = false
  await says('three')
  await says('four')
  const lines = taken.join('').split('\n')
  // What was written last may lack its end: it gets one.
  expect([lines[0], lines.slice(1, -1).map((line) => JSON.parse(line).text)]).toEqual([
    '',
    ['stdout can be written again: it lacks what stderr had.', 'three', 'four'],
  ])
  expect([told.length, log.trouble()]).toEqual([3, null])
  // That something is missing is told at the end too.
  expect(await output.end()).toBe('the disk is full (ENOSPC)')
})

test('a reader that has left is not asked again', async () => {
  const tries: string[] = []
  const output = createOutput({
    async write(bytes) {
      tries.push(Buffer.from(bytes).toString())
      throw Object.assign(new Error('gone'), { code: 'EPIPE' })
    },
    close: () => Promise.resolve(),
  })
  const told: string[] = []
  const log = createJsonLog({ output, printError: (line) => told.push(line), wallMs: () => 0 })
  for (const text of ['one', 'two', 'three']) {
    log.write('info', 'desk', text)
    await log.written()
  }
  output.offer('four')
  expect([tries.length, told.length]).toEqual([1, 3])
})

test('what is offered after a full disk is a new try each time', async () => {
  const taken: string[] = []
  const disk = { isFull: true }
  const output = createOutput({
    async write(bytes) {
      if (disk.isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      taken.push(Buffer.from(bytes).toString())
    },
    close: () => Promise.resolve(),
  })
  for (const text of ['one\n', 'two\n']) {
    output.offer(text)
    await atRest()
  }
  disk.isFull = false
  output.offer('three\n')
  output.offer('four\n')
  await atRest()
  expect([taken.join(''), output.unread.aborted]).toEqual(['\nthree\nfour\n', false])
})
