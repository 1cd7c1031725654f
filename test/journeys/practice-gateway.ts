import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openPracticeGateway } from '../../src/desk/gateway/practice-gateway.ts'
import { openStore } from '../../src/inbox/store/open-store.ts'
import { practiceServices } from '../../src/sandbox/apart/practice-services.ts'
import type { JourneySettings } from './journey.tsx'

/** The desk's own practice gateway, and the real inbox that its events come in by. */
export const openGateway: NonNullable<JourneySettings['openGateway']> = async (sandbox, clock) => {
  const folder = await mkdtemp(join(tmpdir(), 'pitdesk-inbox-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const store = await openStore(`sqlite://${join(folder, 'inbox.sqlite')}`, { clock })
  if (!store.ok) throw new Error(store.error)
  const seen = { sequence: 0, keep: () => undefined }
  const practice = practiceServices(sandbox)
  const opened = await openPracticeGateway(practice, { store: store.value, clock, stuckAfterMs: 1_800_000, seen })
  return {
    gateway: opened.gateway,
    async stop() {
      await opened.stop()
      await store.value.close()
    },
  }
}
