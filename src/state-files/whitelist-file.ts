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

/** The memory after a change; `trouble` is a sentence about the file, given once. */
export type Remembered = { memory: KnownWhitelist; trouble: string | null }

/** This machine's memory of a profile's whitelist, kept over restarts. */
export type WhitelistMemory = {
  /** The current memory, from all desks; null when nothing is remembered yet. */
  read(): Promise<KnownWhitelist | null>
  /** Records the whitelist as the exchange reports it. Writes only changes. */
  look(whitelist: readonly WhitelistEntry[], nowMs: number): Promise<Remembered>
  /** Marks an entry as trusted under its current name, after a withdrawal to it. */
  trust(whitelistId: string): Promise<Remembered>
}

/** After the file is lost, all entries count as new instead of known. */
const forgotten: KnownWhitelist = new Map()

export function createWhitelistMemory(path: string): WhitelistMemory {
  const file: JsonFile<Kept> = createJsonFile(path, 'its memory of the whitelist', schema)
  let last: KnownWhitelist | null = null
  let trouble: string | null = null
  let told: string | null = null
  const inTurn = createSerial()

  /**
   * The file's memory, or else this process's: a failing or missing file must not make unknown entries known, now or
   * after a restart.
   */
  async function current(): Promise<KnownWhitelist | null> {
    const read = await file.read()
    if (read.ok && read.value !== null) return memoryOf(read.value)
    if (!read.ok) {
      trouble = read.error
      last ??= forgotten
    }
    // Damaged, or removed while this desk runs: without a memory the next one would know every entry.
    if (last !== null) await file.write(keptOf(last))
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

  /** The unreported trouble; the same sentence is reported once. */
  function news(): string | null {
    const sentence = trouble === told ? null : trouble
    told = trouble ?? told
    trouble = null
    return sentence
  }

  return {
    read: () => inTurn(current),
    // Reads each time, because a command next to this desk may have sent something.
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
