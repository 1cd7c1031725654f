import { expect, test } from 'vitest'
import { clipboardSequence, createCopy } from '../../../src/ui/terminal/signals.ts'

test('a text goes to the clipboard as base64, so that nothing in it can steer the terminal', () => {
  expect(clipboardSequence('bc1q', { TERM: 'xterm-256color' })).toBe('\u001b]52;c;YmMxcQ==\u0007')
  expect(clipboardSequence('\u001b]0;x\u0007', { TERM: 'xterm' })).toBe('\u001b]52;c;G10wO3gH\u0007')
})

test('tmux is asked to pass it on', () => {
  expect(clipboardSequence('a', { TERM: 'tmux-256color', TMUX: '/tmp/t' })).toBe(
    '\u001bPtmux;\u001b\u001b]52;c;YQ==\u0007\u001b\\',
  )
})

test('a terminal that would print the sequence gets nothing, and whoever copies is told', () => {
  const written: string[] = []
  const copy = (TERM: string) => createCopy((bytes) => written.push(bytes), { TERM })('x')
  expect([copy('dumb'), copy('linux')]).toEqual([false, false])
  expect(written).toEqual([])
  expect(copy('xterm')).toBe(true)
  expect(written).toHaveLength(1)
})
