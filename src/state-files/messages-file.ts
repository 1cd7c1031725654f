import { z } from 'zod'
import { ok, type Result } from '../base/result.ts'
import { plainText } from '../base/text/plain-text.ts'
import { type KeptMessages, type Message, messageKinds, newsTextMax } from '../domain/notify/message.ts'
import { createJsonFile, shortened, whole } from './json-file.ts'

/** The desk keeps no more; a file with more is not its own. */
const messagesMax = 5_000

const message = z.object({
  // One of a kind that only a newer program knows goes out as news of the watch: refused, it would cost all that wait.
  kind: z.enum(messageKinds).catch('watch'),
  level: z.enum(['info', 'good', 'warn', 'bad']),
  text: z.string().max(newsTextMax).transform(plainText),
  atMs: whole,
})
const messages = z.array(message).max(messagesMax)
const queue = z.object({
  waiting: messages,
  sending: z.object({ id: z.string().regex(/^[\w-]{1,80}$/), messages, droppedCount: whole }).nullable(),
  droppedCount: whole,
})
const schema = z.object({ version: z.literal(1), targets: z.record(z.string().max(80), queue) })

export type MessagesFile = {
  /** The messages pending at the end of the last run; null when there are none. */
  read(): Promise<Result<KeptMessages | null>>
  /** Replaces the file; resolves when it is on disk. */
  write(targets: KeptMessages): Promise<Result<null>>
}

/** The pending messages of one account, by the name of their target. */
export function createMessagesFile(path: string): MessagesFile {
  const file = createJsonFile<{ version: 1; targets: KeptMessages }>(path, 'the waiting messages', schema)
  return {
    async read() {
      const read = await file.read()
      return read.ok ? ok(read.value?.targets ?? null) : read
    },
    write(targets) {
      const cut = (list: readonly Message[]) =>
        list.map((each) => ({ ...each, text: shortened(each.text, newsTextMax) }))
      const kept = Object.entries(targets).map(([name, { waiting, sending, ...rest }]) => {
        const cutSending = sending === null ? null : { ...sending, messages: cut(sending.messages) }
        return [name, { ...rest, waiting: cut(waiting), sending: cutSending }] as const
      })
      return file.write({ version: 1, targets: Object.fromEntries(kept) })
    },
  }
}
