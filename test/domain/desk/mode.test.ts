import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  defaultIdleRules,
  idleStep,
  type Mode,
  type ModeEvent,
  mayCancel,
  mayPlace,
  nextMode,
  safeInMs,
} from '../../../src/domain/desk/mode.ts'

const modes: readonly Mode[] = [{ kind: 'MONITOR' }, { kind: 'SAFE' }, { kind: 'ARMED' }, { kind: 'HALTED' }]
const events: readonly ModeEvent[] = ['arm', 'makeSafe', 'halt', 'lock', 'idle']

test('what may go out in each mode', () => {
  expect(modes.filter(mayPlace)).toEqual([{ kind: 'ARMED' }])
  expect(modes.filter(mayCancel)).toEqual([{ kind: 'SAFE' }, { kind: 'ARMED' }, { kind: 'HALTED' }])
})

test('only arming leads to ARMED, nothing leads out of MONITOR, only arming lifts a halt', () => {
  fc.assert(
    fc.property(fc.constantFrom(...modes), fc.array(fc.constantFrom(...events), { maxLength: 20 }), (start, steps) => {
      let mode = start
      for (const event of steps) {
        const next = nextMode(mode, event)
        if (next.kind === 'ARMED' && mode.kind !== 'ARMED') expect(event).toBe('arm')
        if (mode.kind === 'MONITOR') expect(next).toBe(mode)
        if (mode.kind === 'HALTED' && next.kind !== 'HALTED') expect(event).toBe('arm')
        mode = next
      }
    }),
  )
})

test('idle time counts down from the last key, in ARMED alone', () => {
  const rules = { safeAfterMs: 300_000, lockAfterMs: null }
  expect(safeInMs({ kind: 'ARMED' }, rules, 1_000, 241_000)).toBe(60_000)
  expect(safeInMs({ kind: 'ARMED' }, rules, 1_000, 999_999_999)).toBe(0)
  // A clock that was set back does not lengthen it.
  expect(safeInMs({ kind: 'ARMED' }, rules, 1_000, 0)).toBe(300_000)
  expect(safeInMs({ kind: 'HALTED' }, rules, 1_000, 241_000)).toBeNull()
  expect(safeInMs({ kind: 'ARMED' }, { ...rules, safeAfterMs: null }, 1_000, 241_000)).toBeNull()
  // With play money that is so unless it is set.
  expect(defaultIdleRules.practice.safeAfterMs).toBeNull()
})

test('however the clock ticks, an idle desk is warned once at most and is SAFE in the end', () => {
  const rules = { safeAfterMs: 300_000, lockAfterMs: null }
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 5, maxLength: 400 }), (pauses) => {
      let nowMs = 0
      let warned = 0
      for (const pause of [...pauses, 300_000]) {
        const step = idleStep({ kind: 'ARMED' }, rules, 0, nowMs, nowMs + pause)
        nowMs += pause
        if (step === 'warned') warned += 1
        expect(step === 'safe').toBe(nowMs >= 300_000)
        if (step === 'safe') break
      }
      expect(warned).toBeLessThanOrEqual(1)
    }),
  )
})
