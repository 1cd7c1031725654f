import { expect, test } from 'vitest'
import { newsOf } from '../../src/inbox/inbox-log.ts'

test('a line is news as it is called, or trouble where it has the mark that is paged by', () => {
  expect(newsOf('events are kept again', 'good')).toBe('good')
  expect(newsOf('events cannot be kept', 'bad')).toBe('bad')
  expect(newsOf('forward: ALARM event e1 given up')).toBe('bad')
  expect(newsOf('tls: a new certificate is in use')).toBeNull()
})
