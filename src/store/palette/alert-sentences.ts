import { isAlertSentence, readAlertSentence } from '../../domain/alerts/sentence.ts'
import { standingKinds, standingWords, watchedPrices } from '../../domain/alerts/watch.ts'
import type { DeskState } from '../state.ts'
import { type Reading, type SentenceReader, symbolsOf, wordsOf } from './sentence.ts'

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function read(line: string, state: DeskState): Reading | null {
  if (!isAlertSentence(line)) return null
  const reading = readAlertSentence(line, state.instruments.value)
  if (!reading.ok) return { kind: 'wrong', lines: [`${capital(reading.error)}.`] }
  const { act, lines } = reading.value
  const enter = act.kind === 'list' ? 'shows them' : 'is done at once; no order is sent'
  return { kind: 'understood', lines, enter, run: (commands) => commands.actOnAlerts(act) }
}

export const alertSentence: SentenceReader = {
  name: 'alert',
  help: 'tell when a price crosses or a spread widens',
  example: 'alert btc-usd > 70000',
  starts: ['alert'],
  read: (line, state) => (wordsOf(line)[0] === 'alert' ? read(line, state) : null),
  words(line, state) {
    const words = wordsOf(line)
    if (words.length > 2) return words[1] === 'off' || words[1] === 'rearm' ? [] : [...watchedPrices, 'now', 'each']
    return [...symbolsOf(state), ...standingKinds.map((kind) => standingWords[kind].word), 'list', 'off', 'rearm']
  },
}

export const snoozeSentence: SentenceReader = {
  name: 'snooze',
  help: 'no bell and no alert on screen for a while',
  example: 'snooze 10m',
  starts: ['snooze'],
  read: (line, state) => (wordsOf(line)[0] === 'snooze' ? read(line, state) : null),
  words: () => ['off', '10m', '1h'],
}
