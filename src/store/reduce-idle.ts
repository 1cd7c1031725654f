import { keyOf } from '../domain/key-setting.ts'
import { idleStep, nextMode, safeInMs } from '../domain/mode.ts'
import { noted } from './log.ts'
import { covered } from './reduce-lock.ts'
import type { DeskState } from './state.ts'

const seconds = (ms: number): number => Math.round(ms / 1000)

function withModeAtRest(state: DeskState, nowMs: number): DeskState {
  const { mode, idleRules, lastKeyAtMs } = state
  switch (idleStep(mode, idleRules, lastKeyAtMs, state.nowMs, nowMs)) {
    case 'nothing':
      return state
    case 'warned': {
      const left = seconds(safeInMs(mode, idleRules, lastKeyAtMs, nowMs) ?? 0)
      return noted(state, 'warn', `No key for a while: ARMED becomes SAFE in ${left} s. Any key keeps it armed.`, nowMs)
    }
    case 'safe': {
      const key = keyOf(state.reboundKeys, 'toggleArmed', 'L')
      const text = `No key for ${seconds(idleRules.safeAfterMs ?? 0)} s: the desk is SAFE. Press ${key} to arm it.`
      return noted({ ...state, mode: nextMode(mode, 'idle') }, 'warn', text, nowMs)
    }
  }
}

/** What time without a key brings about: a warning, SAFE, the lock screen. */
export function withTimePassed(before: DeskState, nowMs: number): DeskState {
  const state = withModeAtRest(before, nowMs)
  const { lockAfterMs } = state.idleRules
  if (lockAfterMs === null || state.lock.kind !== 'open' || nowMs - state.lastKeyAtMs < lockAfterMs) return state
  return covered(state, `Nobody pressed a key for ${seconds(lockAfterMs)} s.`, nowMs)
}

/** A key comes too late for what was due before it: after a night asleep the first key finds the desk SAFE and locked. */
export const withKeyPressed = (state: DeskState, atMs: number): DeskState => ({
  ...withTimePassed(state, atMs),
  lastKeyAtMs: atMs,
})
