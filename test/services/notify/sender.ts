// A process that tells ten messages, numbered from FIRST, to URL, and says on stdout which of them are on the disk:
// `node sender.ts FOLDER URL FIRST`. It ends when its stdin does.
import { randomBytes } from 'node:crypto'
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { openUserService } from '../../../src/api/user-service.ts'
import { nextTurn, systemClock } from '../../../src/base/clock.ts'
import { ok } from '../../../src/base/result.ts'
import { messageKinds } from '../../../src/domain/notify/message.ts'
import { createNotifier } from '../../../src/services/notify/notifier.ts'
import { createUrlTarget } from '../../../src/services/notify/targets.ts'
import { createMessagesFile } from '../../../src/state-files/messages-file.ts'

const [, , folder = '', address = '', first = ''] = process.argv
const service = openUserService(new URL(address), { clock: systemClock, environment: {} })
if (!service.ok) throw new Error(service.error)
const target = createUrlTarget({
  ...{ name: 'notify_url', kinds: new Set(messageKinds), service: service.value, clock: systemClock },
  ...{ signer: async () => ok(null), sender: { profileName: 'main', venueKind: 'live' } },
})
const disk = createMessagesFile(join(folder, 'messages.json'))
const notifier = createNotifier({
  targets: [target],
  rules: { digestMs: 0, quiet: null, urgent: new Set() },
  hasAmounts: true,
  file: {
    read: disk.read,
    async write(kept) {
      const written = await disk.write(kept)
      const { waiting = [], sending = null } = kept.notify_url ?? {}
      if (written.ok) for (const { text } of [...(sending?.messages ?? []), ...waiting]) writeSync(1, `${text}\n`)
      return written
    },
  },
  clock: systemClock,
  random: () => 0,
  newId: () => `msg_${randomBytes(12).toString('hex')}`,
  tell: (_level, sentence) => writeSync(2, `${sentence}\n`),
})
await notifier.start()
for (let number = Number(first); number < Number(first) + 10; number += 1) {
  notifier.tell({ kind: 'fill', level: 'good', text: `${number}`, bareText: '' })
  await nextTurn()
}
process.stdin.resume()
process.stdin.once('end', () => void notifier.stop())
