import { z } from 'zod'
import { plainText } from '../base/plain-text.ts'
import { ok, type Result } from '../base/result.ts'
import { type KeptMessages, messageKinds } from '../domain/notify/message.ts'
import { createJsonFile, whole } from './json-file.ts'

/** Whoever keeps it keeps no more; a file with more was not written by the desk. */
const messagesMost = 5_000

const message = z.object({
  kind: z.enum(messageKinds),
  level: z.enum(['info', 'good', 'warn', 'bad']),
  text: z.string().max(1_000).transform(plainText),
  atMs: whole,
})
const messages = z.array(message).max(messagesMost)
const queue = z.object({
  waiting: messages,
  sending: z.object({ id: z.string().regex(/^[\w-]{1,80}$/), messages, droppedCount: whole }).nullable(),
  droppedCount: whole,
})
const schema = z.object({ version: z.literal(1), targets: z.record(z.string().max(80), queue) })

export type MessagesFile = {
  /** What waited at the end of the last run; null where nothing was kept. */
  read(): Promise<Result<KeptMessages | null>>
  /** Replaces it, on the disk when it resolves. */
  write(targets: KeptMessages): Promise<Result<null>>
}

/** The messages of one account that nobody has taken yet, by the name of their target. */
export function createMessagesFile(path: string): MessagesFile {
  const file = createJsonFile<{ version: 1; targets: KeptMessages }>(path, 'the waiting messages', schema)
  return {
    async read() {
      const read = await file.read()
      return read.ok ? ok(read.value?.targets ?? null) : read
    },
    write: (targets) => file.write({ version: 1, targets }),
  }
}
