import { expect, test } from 'vitest'
import { createRecording, troubleMs } from '../../../src/hub/writes/recording.ts'

test('that writes are not recorded is told once, and is over with one that is, or when nobody has tried for a while', () => {
  const log: string[] = []
  let nowMs = 0
  const recording = createRecording({ now: () => nowMs }, (line) => log.push(line))
  recording.tried(null)
  expect(recording.trouble()).toBeNull()
  recording.tried('the disk is full')
  recording.tried('the disk is full')
  expect(recording.trouble()).toBe('the disk is full')
  expect(log).toEqual(['ALARM writes are not recorded, and none but cancels go: the disk is full'])
  nowMs += troubleMs + 1
  expect(recording.trouble()).toBeNull()
  recording.tried(null)
  expect(log.slice(1)).toEqual(['writes are recorded again'])
})
