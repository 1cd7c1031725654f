import { plainText } from '../base/plain-text.ts'
import { createSerial } from '../base/serial.ts'
import type { ReceiverState } from '../domain/gateway/service-events.ts'
import { type InboxLog, type InboxNews, newsOf } from '../inbox/inbox-log.ts'

/** A receiver that takes events until it is stopped. */
export type RunningReceiver = { readonly url: string; stop(): Promise<void> }

/** A line of an inbox's log that the user has to see; the rest comes with its own counts. */
type Alarm = { line: string; news: InboxNews }
const earlyMax = 20

/** What the log of an inbox in this desk says to the user; lines from before anybody followed it wait for them. */
export type ReceiverAlarms = { log: InboxLog; follow(tell: (alarm: Alarm) => void): void }

export function createReceiverAlarms(): ReceiverAlarms {
  const early: Alarm[] = []
  let follower: ((alarm: Alarm) => void) | null = null
  return {
    log(line, said) {
      const news = newsOf(line, said)
      if (news === null) return
      if (follower !== null) follower({ line, news })
      else if (early.length < earlyMax) early.push({ line, news })
    },
    follow(tell) {
      follower = tell
      for (const alarm of early.splice(0)) tell(alarm)
    },
  }
}

/**
 * A receiver that the user may stop and start again; asked twice for the same it stays as it is. `open` rejects with a
 * sentence when it cannot, for example when its port is taken.
 */
export function createDeskReceiver(open: () => Promise<RunningReceiver>): DeskReceiver {
  let running: RunningReceiver | null = null
  /** One after the other: a start that comes while a stop is under way waits for it. */
  const inTurn = createSerial()
  return {
    start: () =>
      inTurn(async () => {
        try {
          running ??= await open()
          return { kind: 'listening', url: running.url }
        } catch (error) {
          // A fault of the program is another kind of error than a port that is taken.
          if (!(error instanceof Error) || error instanceof TypeError) throw error
          return { kind: 'failed', sentence: `The inbox could not start: ${plainText(error.message)}` }
        }
      }),
    stop: () =>
      inTurn(async () => {
        const ending = running
        running = null
        await ending?.stop()
        return { kind: 'stopped' }
      }),
  }
}

/** An inbox that runs in this very desk and can be stopped and started again. Both resolve with how it stands then. */
export type DeskReceiver = {
  start(): Promise<ReceiverState>
  stop(): Promise<ReceiverState>
}
