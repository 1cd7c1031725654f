import type { WriteEvent } from '../../domain/desk/events.ts'
import { unknownOrderSentence, unknownWithdrawalSentence } from '../../domain/orders/order-outcome.ts'
import { withdrawalText } from '../../domain/transfers/transfer.ts'

/** Takes the events of a command's writes. */
export type WriteNews = { take(event: WriteEvent): void }

/**
 * Tells on stderr what happens to a command's writes, in the order in which the user has to read it: that there is no
 * answer comes before what was found of it, though the look that finds it may be quicker than whoever waits for the
 * answer. `printError` takes whole sentences.
 */
export function createWriteNews(printError: (sentence: string) => void): WriteNews {
  /** What is found while an answer is awaited; null while none is. */
  let held: string[] | null = null
  const asked = new Set<string>()
  const tell = (sentence: string) => {
    if (held === null) printError(sentence)
    else held.push(sentence)
  }
  const answered = (unknown: string | null) => {
    const found = held ?? []
    held = null
    for (const sentence of unknown === null ? found : [unknown, ...found]) printError(sentence)
  }
  return {
    take(event) {
      switch (event.type) {
        case 'orderSent':
        case 'withdrawalSent':
          held ??= []
          return
        case 'orderOutcome':
          return answered(event.outcome.kind === 'unknown' ? unknownOrderSentence(event.outcome) : null)
        case 'withdrawalOutcome': {
          const { outcome, request } = event
          return answered(
            outcome.kind === 'unknown' ? unknownWithdrawalSentence(withdrawalText(request), outcome) : null,
          )
        }
        case 'orderNotSent':
        case 'withdrawalNotSent':
          return answered(null)
        case 'settled':
          return tell(event.sentence)
        case 'journalTrouble':
          return printError(`${event.sentence}.`)
        case 'unsettledQuestion':
          if (!asked.has(event.key)) tell(`${event.question.evidence} Resolve it in the desk.`)
          asked.add(event.key)
          return
      }
    },
  }
}
