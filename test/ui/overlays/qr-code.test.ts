import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { qrLines } from '../../../src/ui/overlays/deposit.tsx'

const address = 'bc1q6r3xk0q8v9p5dyjz2n4m7w0cfh8ta5ls3gue2y'

/** The modules that the lines draw, dark as true: what a camera would see of them on a dark ground. */
function modulesOf(lines: readonly string[], isInverted: boolean): boolean[][] {
  return lines.flatMap((line) => {
    const half = (drawn: string) => [...line].map((sign) => (sign === '█' || sign === drawn) === isInverted)
    return [half('▀'), half('▄')]
  })
}

test.each([false, true])('the drawn code is the text, with light around it (inverted: %s)', (isInverted) => {
  const lines = qrLines(address, isInverted)
  const modules = modulesOf(lines, isInverted)
  const { data, size } = encode(address, { ecc: 'L', border: 0 })
  const inner = modules.slice(2, 2 + size).map((row) => row.slice(2, 2 + size))
  expect(inner).toEqual(data)
  expect(modules.slice(0, 2).flat()).not.toContain(true)
  expect(new Set(lines.map(({ length }) => length))).toEqual(new Set([size + 4]))
})
