import { createOutput, type Output } from '../../src/base/process/output.ts'

export type FakeOutput = {
  output: Output
  print: (line: string) => Promise<void>
  /**
   * From now on every write fails as the system says it does: `EPIPE` when the reader has left, `ENOSPC` on a full
   * disk.
   */
  breakWith: (code: string) => void
}

/** Output that hands on what is written, as it is written. */
export function outputTo(take: (text: string) => void): FakeOutput {
  let broken: string | null = null
  const output = createOutput({
    write(bytes) {
      if (broken !== null) return Promise.reject(Object.assign(new Error('the write failed'), { code: broken }))
      take(Buffer.from(bytes).toString())
      return Promise.resolve()
    },
    close: () => Promise.resolve(),
  })
  return {
    output,
    print: (line) => output.write(`${line}\n`),
    breakWith(code) {
      broken = code
    },
  }
}

/** The same, line by line; what has no end yet waits. */
export function linesTo(take: (line: string) => void): FakeOutput {
  let begun = ''
  return outputTo((text) => {
    const lines = (begun + text).split('\n')
    begun = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
}
