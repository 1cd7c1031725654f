import type { Socket } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import { onceAMinute } from '../trouble-log.ts'
import type { ReceiverLimits } from './settings.ts'
import type { Peer, SourceCheck } from './source-check.ts'

type Guard = {
  readonly peerOf: SourceCheck['peerOf']
  readonly limits: Pick<ReceiverLimits, 'connections' | 'connectionsEach' | 'strangers' | 'strangersEach'>
  /** A handshake costs more than an answer: strangers do not get as far. */
  readonly isSecure: boolean
  readonly clock: Clock
  readonly log: (line: string) => void
  readonly onCut: (kind: Peer['kind']) => void
}

/** Counts what is open by name; names without any are forgotten. */
function openCounts() {
  const counts = new Map<string, number>()
  return {
    of: (name: string) => counts.get(name) ?? 0,
    add(name: string, change: 1 | -1): void {
      const count = (counts.get(name) ?? 0) + change
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
    },
  }
}

/**
 * Looks at who connects, before a byte is read: whoever may not send has a few places of their own, and those who may
 * are never kept waiting by them, however many connections they hold. What is beyond a limit is cut at once; the log
 * says so once a minute at most.
 */
export function connectionGuard({ peerOf, limits, isSecure, clock, log, onCut }: Guard): (socket: Socket) => void {
  const open = openCounts()
  let cutCount = 0
  const maySay = onceAMinute(clock)

  /** The names that a connection is counted under, with how many each may have; null: it may not be at all. */
  const placesOf = ({ kind, address, network }: Peer): readonly (readonly [string, number])[] | null => {
    if (kind === 'proxy') return [['known', limits.connections]]
    if (kind === 'allowed')
      return [
        ['known', limits.connections],
        [`known ${network}`, limits.connectionsEach],
      ]
    if (isSecure || address === '') return null
    return [
      ['strangers', limits.strangers],
      [`strangers ${network}`, limits.strangersEach],
    ]
  }

  const tell = ({ kind, address }: Peer): void => {
    cutCount += 1
    if (!maySay()) return
    const why = kind === 'stranger' ? 'may not send here' : 'has too many'
    log(`connections cut: ${cutCount}, the last of ${address === '' ? 'an unknown address' : address}, which ${why}`)
    cutCount = 0
  }

  return (socket) => {
    const peer = peerOf(socket.remoteAddress ?? '')
    const places = placesOf(peer)
    if (places === null || places.some(([name, most]) => open.of(name) >= most)) {
      socket.destroy()
      onCut(peer.kind)
      tell(peer)
      return
    }
    for (const [name] of places) open.add(name, 1)
    socket.once('close', () => {
      for (const [name] of places) open.add(name, -1)
    })
  }
}
