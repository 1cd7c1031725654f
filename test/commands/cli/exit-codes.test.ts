import { expect, test } from 'vitest'
import { exitCodes, kindOfCode } from '../../../src/commands/cli/exit-codes.ts'

test('each exit code leads back to its kind, and any other one is a failure', () => {
  for (const [kind, code] of Object.entries(exitCodes)) expect(kindOfCode(code)).toBe(kind)
  expect(kindOfCode(130)).toBe('failed')
})
