import { createListeners } from '../../base/listeners.ts'
import type { Result } from '../../base/result.ts'
import type { InboxSource } from '../../domain/gateway/inbox-source.ts'
import type { EventStore } from '../../inbox/store/event-store.ts'

/** The inbox as a desk reads it, and the release of a quarantined body. */
export type DeskInbox = InboxSource & Pick<EventStore, 'release'>

/**
 * The inbox of a desk, whose store may not be there yet: until it is, each call tries to open it and rejects with the
 * error of `open`.
 */
export function createLateInbox(open: () => Promise<Result<EventStore>>) {
  const listeners = createListeners()
  let isClosed = false
  let opening: Promise<EventStore> | null = null
  let opened: EventStore | null = null

  const tryToOpen = async (): Promise<EventStore> => {
    const found = await open()
    if (!found.ok) throw new Error(found.error)
    if (isClosed) {
      await found.value.close()
      throw new Error('the inbox is closed')
    }
    opened = found.value
    opened.listen(listeners.tell)
    return opened
  }
  const store = async (): Promise<EventStore> => {
    if (opened !== null) return opened
    opening ??= tryToOpen().finally(() => {
      opening = null
    })
    return await opening
  }

  const inbox: DeskInbox = {
    events: async (query) => (await store()).events(query),
    conflictsOf: async (eventId) => (await store()).conflictsOf(eventId),
    quarantine: async (query) => (await store()).quarantine(query),
    counts: async () => (await store()).counts(),
    release: async (...given) => (await store()).release(...given),
    listen: listeners.add,
  }
  return {
    inbox,
    /** The store itself, for who receives. */
    store,
    /** Looks for it now; resolves with a sentence when it cannot be opened, or null. */
    async lookFor(): Promise<string | null> {
      try {
        await store()
        return null
      } catch (error) {
        if (!(error instanceof Error)) throw error
        return error.message
      }
    },
    async close(): Promise<void> {
      isClosed = true
      await opening?.catch(() => undefined)
      await opened?.close()
    },
  }
}
