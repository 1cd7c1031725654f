import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { diskReason } from '../base/disk-error.ts'
import { errorText } from '../base/error-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import { xdgFolders } from '../config/folders.ts'
import { checkpointSchema } from '../inbox/forward/checkpoint.ts'
import { type Forwarder, type ForwarderOptions, startForwarder } from '../inbox/forward/forwarder.ts'
import { createPoster } from '../inbox/forward/post.ts'
import type { EventStore } from '../inbox/store/event-store.ts'
import { takeLock } from '../journal/locks.ts'
import { createJsonFile } from '../state-files/json-file.ts'
import type { CommandTools } from './command.ts'
import type { CommandIo } from './io.ts'

type Context = {
  store: EventStore
  storeName: string
  log: (line: string) => void
  io: CommandIo
  tools: CommandTools
  onAttempt: NonNullable<ForwarderOptions['onAttempt']>
}

/** What a place belongs to: one store and one address. The store's password may change. */
function placeName(storeName: string, address: URL): string {
  const store = new URL(storeName)
  store.password = ''
  return createHash('sha256').update(`${store.href}\n${address.href}`).digest('hex').slice(0, 16)
}

/** Starts to hand events on from where the last run stood. The error: another inbox of this machine does so already. */
export async function openForwarder(address: URL, context: Context): Promise<Result<Forwarder>> {
  const { store, storeName, log, io, tools, onAttempt } = context
  const folder = join(xdgFolders(io.environment).state, 'inbox')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    return err(`${folder} cannot be made: ${diskReason(error)}`)
  }
  const path = join(folder, `forward-${placeName(storeName, address)}`)
  const lock = takeLock(`${path}.lock`)
  if (!lock.ok) return err(`what is forwarded cannot be kept: ${lock.error}`)
  const held = lock.value
  if (held === null) return err('another inbox hands the events of this store on to this address already')
  const poster = createPoster(address, tools.clock)
  const starting = startForwarder({
    store,
    poster,
    checkpointFile: createJsonFile(`${path}.json`, 'the place in what is forwarded', checkpointSchema),
    clock: tools.clock,
    random: tools.random,
    log,
    onAttempt,
  })
  try {
    const forwarder = await starting
    return ok({
      async stop() {
        await forwarder.stop()
        held.release()
      },
    })
  } catch (error) {
    held.release()
    await poster.close()
    return err(`the store cannot be read: ${errorText(error)}`)
  }
}
