import type { FeedEvent } from '../../domain/desk/events.ts'
import type { FeedName } from '../../domain/desk/feeds.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import type { JournalEntry } from '../../journal/entry.ts'
import { sentIn, soughtBy } from '../orders/open-write.ts'
import { isAnswer } from '../polling/poller.ts'

/**
 * Recognizes in polled data that a look is worth its call now: the exchange answers again, or a fill may be of a sought
 * order. Waiting out the back-off would take up to 15 s more, and until then what a plan protects is bare.
 */
export class ExchangeBack {
  readonly #failing = new Set<FeedName>()
  #fillIds: ReadonlySet<string> = new Set()

  /**
   * True for the first answer of a feed that had failed. Answers of other feeds do not count while one keeps failing:
   * an exchange that is partly down is not called more often.
   */
  answersAgain(event: FeedEvent): boolean {
    if (event.type === 'feedFailed') {
      if (event.isUnknownSymbol !== true) this.#failing.add(event.feed)
      return false
    }
    return isAnswer(event) && this.#failing.delete(event.type)
  }

  /** True when a new execution may be of one of these entries; true once for each. */
  hasFilled(sought: readonly JournalEntry[], fills: readonly Fill[]): boolean {
    const before = this.#fillIds
    this.#fillIds = new Set(fills.map(({ execId }) => execId))
    return fills.some((fill) => !before.has(fill.execId) && sought.some((entry) => mayBeOf(entry, fill)))
  }
}

/** Fills have no client order id: one may belong to an unanswered order of the same symbol and side. */
function mayBeOf(entry: JournalEntry, { orderId, symbol, side }: Fill): boolean {
  const sought = soughtBy(entry)
  if (sought.kind === 'cancel') return sought.orderId === orderId
  const sent = sentIn(entry)
  return sent !== null && sent.symbol === symbol && sent.side === side
}
