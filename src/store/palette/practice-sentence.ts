import { isEnded } from '../../domain/gateway/order.ts'
import { practiceReading, practiceWord, practiceWords, readPracticeLine } from '../practice/practice-line.ts'
import type { DeskState } from '../state.ts'
import { type Reading, type SentenceReader, symbolsOf, wordsOf } from './sentence.ts'

function read(line: string, { practice, mode }: DeskState): Reading | null {
  if (practice === null || wordsOf(line)[0] !== practiceWord) return null
  const request = readPracticeLine(line, practice)
  if (!request.ok) return { kind: 'wrong', lines: [request.error] }
  const lines = practiceReading(request.value)
  if (mode.kind === 'MONITOR') {
    return { kind: 'wrong', lines: [...lines, 'This desk only watches (MONITOR): start it without --monitor.'] }
  }
  return {
    kind: 'understood',
    lines,
    enter: 'does it on the practice exchange',
    run: (commands) => commands.practise(request.value),
  }
}

function words(line: string, state: DeskState): readonly string[] {
  if (state.practice === null) return []
  const rules = [...(state.instruments.value?.values() ?? [])]
  const currencies = [...new Set(rules.flatMap(({ base, counter }) => [base, counter]))]
  const { eligibility, inbox } = state.gateway
  return practiceWords(line, state.practice, {
    symbols: symbolsOf(state),
    currencies,
    gatewayCurrencies: (eligibility.currencies.value ?? []).map(({ code }) => code),
    gatewayOrders: inbox.orders.filter(({ shown }) => !isEnded(shown.orderState)).map(({ orderId }) => orderId),
  })
}

/** Everything that `pitdesk sandbox admin` does, where the desk runs its own practice exchange. */
export const practiceSentence: SentenceReader = {
  name: practiceWord,
  help: 'halts, deposits, faults … on the practice exchange',
  example: `${practiceWord} symbol status btc-usd halt`,
  starts: [practiceWord],
  isOffered: ({ practice }) => practice !== null,
  read,
  words,
}
