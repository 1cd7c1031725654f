import type { FeedEvent } from '../../domain/desk/events.ts'
import type { FeedName } from '../../domain/desk/feeds.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import type { JournalEntry } from '../../journal/entry.ts'
import { sentIn, soughtBy } from '../orders/open-write.ts'
import { isAnswer } from '../polling/poller.ts'

/**
 * Tells from what is polled that a look is worth its call now: the exchange answers again, or something has filled that
 * may be what is sought. A look that waits in its back-off would come up to a quarter of a minute later, and what a
 * plan protects is bare until then.
 */
export class ExchangeBack {
  readonly #failing = new Set<FeedName>()
  #fillIds: ReadonlySet<string> = new Set()

  /**
   * True for the first answer of a feed that had failed. One that goes on failing says nothing, however often others
   * are answered: an exchange that is out in part is not asked more often for that.
   */
  answersAgain(event: FeedEvent): boolean {
    if (event.type === 'feedFailed') {
      if (event.isUnknownSymbol !== true) this.#failing.add(event.feed)
      return false
    }
    return isAnswer(event) && this.#failing.delete(event.type)
  }

  /** True when an execution that was not in the list before may be of one of these: each says so once. */
  hasFilled(sought: readonly JournalEntry[], fills: readonly Fill[]): boolean {
    const before = this.#fillIds
    this.#fillIds = new Set(fills.map(({ execId }) => execId))
    return fills.some((fill) => !before.has(fill.execId) && sought.some((entry) => mayBeOf(entry, fill)))
  }
}

/** A fill bears no id of ours: it may be of an order without an answer that is of its symbol and side. */
function mayBeOf(entry: JournalEntry, { orderId, symbol, side }: Fill): boolean {
  const sought = soughtBy(entry)
  if (sought.kind === 'cancel') return sought.orderId === orderId
  const sent = sentIn(entry)
  return sent !== null && sent.symbol === symbol && sent.side === side
}
