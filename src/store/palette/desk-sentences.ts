import { fuzzyFind } from '../../base/fuzzy.ts'
import { mayCancel } from '../../domain/desk/mode.ts'
import { readSymbol, type SentenceReader, symbolsOf, wordsOf } from './sentence.ts'

export const symbolSentence: SentenceReader = {
  name: 'symbol',
  help: 'show another symbol',
  example: 'symbol eth',
  starts: ['symbol'],
  read(line, state) {
    const [first, name, ...rest] = wordsOf(line)
    if (first !== 'symbol') return null
    if (name === undefined || rest.length > 0)
      return { kind: 'wrong', lines: ['Say which one: symbol eth, or symbol eth-usd.'] }
    const symbol = fuzzyFind(name, symbolsOf(state), (each) => each)[0]?.item
    if (symbol === undefined) {
      const exact = readSymbol(name, state)
      return { kind: 'wrong', lines: [exact.ok ? `${exact.value} is not found.` : `Not found: ${exact.error}`] }
    }
    return {
      kind: 'understood',
      lines: [`Show ${symbol} in ladder and ticket.`],
      enter: 'shows it',
      run: (commands) => commands.switchSymbol(symbol),
    }
  },
}

export const haltSentence: SentenceReader = {
  name: 'halt',
  help: 'no new orders, and take back those that work (asks)',
  example: 'halt',
  starts: ['halt'],
  read(line, { symbol, mode }) {
    const words = wordsOf(line)
    if (words[0] !== 'halt') return null
    if (words.length > 1) return { kind: 'wrong', lines: ['Say only: halt. Its question offers every symbol.'] }
    if (!mayCancel(mode)) return { kind: 'wrong', lines: ['MONITOR is read only: it cannot cancel.'] }
    return {
      kind: 'understood',
      lines: [`No new orders until armed again, and cancel those in ${symbol}, or in every symbol by typing ALL.`],
      enter: 'asks once more before anything is sent',
      run: (commands) => commands.askHalt(),
    }
  },
}
