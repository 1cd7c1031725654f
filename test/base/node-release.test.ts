import { expect, test } from 'vitest'
import { nodeComplaint } from '../../src/base/node-runtime.ts'

test.each(['24.0.0', '24.21.0', '24.22.0', '25.9.9', '26.0.0', '26.12.0'])(
  '%s lacks fixes, which are named',
  (version) => {
    expect(nodeComplaint(version)).toBe(
      `Node ${version} lacks the security fixes of 2026-10-21: use Node 24.22.1 or 26.12.1 or newer`,
    )
  },
)

test.each(['24.22.1', '24.23.0', '26.12.1', '26.13.0', '27.0.0', '28.1.0'])('nothing is known of %s', (version) => {
  expect(nodeComplaint(version)).toBeNull()
})
