import type { Clock } from '../base/clock.ts'
import { plainText } from '../base/plain-text.ts'
import type { NewsLevel } from '../domain/desk/events.ts'
import type { ReceiverState } from '../domain/gateway/service-events.ts'
import { quarantinedBody, replayBody } from '../inbox/receiver/read-incoming.ts'
import type { EventStore, Recorded } from '../inbox/store/event-store.ts'
import type { InboxFeed } from '../services/gateway/inbox-feed.ts'
import type { DeskStore } from '../store/desk.ts'
import type { GatewayPort } from '../store/gateway/gateway-commands.ts'
import type { DeskGateway } from './gateway.ts'

/** What a desk without a gateway says to whatever is asked of it. */
export function noGatewayPort(say: (text: string) => void): GatewayPort {
  const no = () => say('This desk has no inbox of gateway orders.')
  return { readOrder: no, replay: no, retryDelivery: no, switchInbox: no }
}

type Context = { store: DeskStore; clock: Clock; track: (work: Promise<unknown>) => void }
type Said = { level: NewsLevel; text: string }

const recordedWords: Readonly<Record<Recorded, string>> = {
  new: 'is recorded now',
  known: 'was recorded before',
  conflict: 'is kept beside another body of the same id',
  quarantined: 'is still no event',
}

/**
 * Carries out what a person asks about the inbox and the practice deliveries; what came of it is told in the notice.
 */
export function gatewayPort(gateway: DeskGateway, feed: InboxFeed | null, context: Context): GatewayPort {
  const { store, clock, track } = context
  const { inbox, deliveries, receiver } = gateway
  const say = ({ level, text }: Said) => store.dispatch({ type: 'noted', level, text, atMs: clock.now() })
  const none = noGatewayPort((text) => say({ level: 'warn', text }))
  return {
    readOrder: feed === null ? none.readOrder : (orderId) => track(feed.readOrder(orderId)),
    replay: inbox === null ? none.replay : (sequence) => track(replayed(inbox, sequence, clock.wallMs()).then(say)),
    retryDelivery(deliveryId) {
      if (deliveries === null) return none.retryDelivery(deliveryId)
      const retried = deliveries.retry(deliveryId)
      say(retried.ok ? { level: 'good', text: retried.value } : { level: 'warn', text: retried.error })
    },
    switchInbox(to) {
      const { own } = receiver
      if (own === null) return none.switchInbox(to)
      const tell = (state: ReceiverState) => {
        store.dispatch({ type: 'receiverChanged', receiver: state, atMs: clock.now() })
        say(receiverSaid(state))
      }
      track(own[to]().then(tell))
    },
  }
}

function receiverSaid(state: ReceiverState): Said {
  switch (state.kind) {
    case 'listening':
      return { level: 'good', text: `The inbox listens at ${state.url}.` }
    case 'stopped':
      return { level: 'warn', text: 'The inbox is stopped: the gateway keeps its events and tries them again.' }
    case 'failed':
      return { level: 'bad', text: state.sentence }
    case 'opening':
    case 'none':
    case 'elsewhere':
      return { level: 'warn', text: 'This desk has no inbox of its own.' }
  }
}

async function replayed(inbox: EventStore, sequence: number, atMs: number): Promise<Said> {
  const which = `Quarantined body ${sequence}`
  try {
    const body = await quarantinedBody(inbox, sequence)
    if (body === null) return { level: 'warn', text: `${which} is not there any more.` }
    const replay = await replayBody(inbox, body, atMs)
    switch (replay.kind) {
      case 'before':
        return { level: 'info', text: `${which} was taken up by an earlier replay.` }
      case 'unreadable':
        return { level: 'warn', text: `${which} is still no event: ${plainText(replay.reason)}.` }
      case 'recorded':
        return { level: 'good', text: `${which} ${recordedWords[replay.as]}, order ${plainText(replay.orderId)}.` }
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { level: 'bad', text: `${which} could not be read again: ${plainText(error.message)}.` }
  }
}
