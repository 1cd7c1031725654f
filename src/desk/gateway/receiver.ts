import { type Clock, within } from '../../base/clock.ts'
import { createSerial } from '../../base/serial.ts'
import { plainText } from '../../base/text/plain-text.ts'
import type { ReceiverState } from '../../domain/gateway/service-events.ts'
import { type InboxLog, type InboxNews, newsOf } from '../../inbox/inbox-log.ts'

/** A receiver that takes events until it is stopped. */
export type RunningReceiver = { readonly url: string; stop(): Promise<void> }

/** A line of an inbox's log for the user; the rest shows in its own counts. */
type Alarm = { line: string; news: InboxNews }
const earlyMax = 20

/** The log of an inbox in this desk, as notices; lines from before `follow` wait for it. */
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
 * A receiver that the user may stop and start again; a repeated call changes nothing. `open` rejects with a sentence
 * when it cannot, for example when its port is taken.
 */
export function createDeskReceiver(open: () => Promise<RunningReceiver>): DeskReceiver {
  let running: RunningReceiver | null = null
  /** One after the other: a start during a stop waits for it. */
  const inTurn = createSerial()
  return {
    start: () =>
      inTurn(async () => {
        try {
          running ??= await open()
          return { kind: 'listening', url: running.url }
        } catch (error) {
          // A TypeError is a bug, unlike a port that is taken.
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

/** How long the end of a desk waits for its receiver, in ms: requests under way are answered or cut before that. */
const endMs = 15_000

/** Ends the receiver of a desk and closes its store; what does not end in time is left, and said. */
export async function endReceiver(
  own: Pick<DeskReceiver, 'stop'>,
  close: () => Promise<void>,
  { clock, say }: { clock: Pick<Clock, 'sleep'>; say: (line: string) => void },
): Promise<void> {
  if ((await within(own.stop(), endMs, clock)) === null)
    say(
      `The inbox did not end within ${endMs / 1_000} s, as where its disk does not answer. ` +
        'What it has acknowledged is on disk.',
    )
  await close()
}

/** An inbox in this desk that can be stopped and started again. Both resolve to its new state. */
export type DeskReceiver = {
  start(): Promise<ReceiverState>
  stop(): Promise<ReceiverState>
}
