import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { ok, type Result } from '../../../src/base/result.ts'
import { createLateInbox } from '../../../src/desk/gateway/late-inbox.ts'
import type { EventStore } from '../../../src/inbox/store/event-store.ts'
import { openSqliteStore } from '../../../src/inbox/store/sqlite-store.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'

test('an inbox that is found while the desk ends is closed once, and the desk ends in order', async () => {
  const store = openSqliteStore({ path: join(temporaryFolder('inbox'), 'inbox.sqlite'), clock: systemClock })
  let closings = 0
  const counted: EventStore = {
    ...store,
    close() {
      closings += 1
      // As the pool of a database does.
      return closings === 1 ? store.close() : Promise.reject(new Error('closed more than once'))
    },
  }
  const found = Promise.withResolvers<Result<EventStore>>()
  const late = createLateInbox(() => found.promise)
  const looking = late.lookFor()
  const closing = late.close()
  found.resolve(ok(counted))
  expect(await looking).toBe('the inbox is closed')
  await closing
  expect(closings).toBe(1)
})
