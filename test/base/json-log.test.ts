import { expect, test } from 'vitest'
import { createJsonLog } from '../../src/base/json-log.ts'
import { createOutput } from '../../src/base/output.ts'

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
