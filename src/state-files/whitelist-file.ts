import { z } from 'zod'
import { createSerial } from '../base/serial.ts'
import type { WhitelistEntry } from '../domain/transfers/transfer.ts'
import { type KnownWhitelist, withLook, withTrust } from '../domain/transfers/whitelist.ts'
import { createJsonFile, type JsonFile, whole } from './json-file.ts'

const entry = z.object({
  whitelistId: z.string().min(1),
  name: z.string(),
  currency: z.string().nullable(),
  firstSeenMs: whole,
  trustedName: z.string().nullable(),
})
const schema = z.object({ version: z.literal(1), entries: z.array(entry) })
type Kept = z.infer<typeof schema>

/** The memory after something was learnt; `trouble` is a sentence about the file, said once. */
export type Remembered = { memory: KnownWhitelist; trouble: string | null }

/** What this machine remembers of a profile's whitelist, over restarts. */
export type WhitelistMemory = {
  /** What is remembered now, by whatever desk; null before anything is. */
  read(): Promise<KnownWhitelist | null>
  /** Takes note of the whitelist as the exchange gives it. Writes nothing as long as nothing changes. */
  look(whitelist: readonly WhitelistEntry[], nowMs: number): Promise<Remembered>
  /** Something was sent to the entry: from now on it is known under the name it has. */
  trust(whitelistId: string): Promise<Remembered>
}

/** A memory that lost its file knows no entry any more: all of them count as new, rather than as known. */
const forgotten: KnownWhitelist = new Map()

export function createWhitelistMemory(path: string): WhitelistMemory {
  const file: JsonFile<Kept> = createJsonFile(path, 'its memory of the whitelist', schema)
  let last: KnownWhitelist | null = null
  let trouble: string | null = null
  let told: string | null = null
  const inTurn = createSerial()

  /**
   * What is kept, else what this process knows: a file that fails must not make strangers known, now or after a
   * restart.
   */
  async function current(): Promise<KnownWhitelist | null> {
    const read = await file.read()
    if (read.ok) return read.value === null ? last : memoryOf(read.value)
    trouble = read.error
    last ??= forgotten
    await file.write(keptOf(last))
    return last
  }

  async function update(change: (before: KnownWhitelist | null) => KnownWhitelist): Promise<Remembered> {
    const before = await current()
    const after = change(before)
    last = after
    const written = after === before ? null : await file.write(keptOf(after))
    if (written?.ok === false) trouble ??= written.error
    return { memory: after, trouble: news() }
  }

  /** What has not been told yet; the same twice is told once. */
  function news(): string | null {
    const sentence = trouble === told ? null : trouble
    told = trouble ?? told
    trouble = null
    return sentence
  }

  return {
    read: () => inTurn(current),
    // Read each time: a command beside this desk may have sent something meanwhile.
    look: (whitelist, nowMs) => inTurn(() => update((before) => withLook(before, whitelist, nowMs))),
    trust: (whitelistId) => inTurn(() => update((before) => withTrust(before ?? forgotten, whitelistId))),
  }
}

const memoryOf = ({ entries }: Kept): KnownWhitelist =>
  new Map(entries.map(({ whitelistId, ...known }) => [whitelistId, known]))

const keptOf = (memory: KnownWhitelist): Kept => ({
  version: 1,
  entries: [...memory].map(([whitelistId, known]) => ({ whitelistId, ...known })),
})
