import { ExchangeError } from '../../api/errors.ts'
import { ofTypedName, symbolSuggestion, symbolsMeant } from '../../base/text/nearest-name.ts'
import { isUnlisted } from '../../domain/limits.ts'
import { fetchAllWorking } from '../../services/orders/order-pages.ts'
import { type Arguments, shown, type TypedFlag } from '../cli/arguments.ts'
import { commandLine } from '../cli/command-line.ts'
import { done, type Ending, failure, wrongUsage } from '../cli/exit-codes.ts'
import { withSession } from '../cli/session.ts'
import type { WriteScene } from './with-writing.ts'

type Unknown = {
  symbol: string
  symbols: readonly string[]
  /** The consequence for the money. */
  nothing: string
  /** The typed command with another symbol; null when the symbol is not in the command. */
  again: ((symbol: string) => string) | null
}

/**
 * The failure of a write in an unlisted symbol, with the command for each likely one. None is chosen automatically, not
 * even a single one: money would go where the user did not say.
 */
export function unknownSymbol({ symbol, symbols, nothing, again }: Unknown): Ending {
  const lines = again === null ? [] : symbolsMeant(symbol, symbols).map(again)
  return failure(
    'notSent',
    `not sent: unknown symbol ${symbol}${symbolSuggestion(symbol, symbols) || '.'} ${nothing}`,
    {
      todo: `${typeText(lines)}List them with pitdesk symbols.`,
    },
  )
}

/** `Type pitdesk … or pitdesk …. `; empty without a command. */
const typeText = (lines: readonly string[]): string => (lines.length === 0 ? '' : `Type ${lines.join(' or ')}. `)

const isScope = ({ name }: TypedFlag): boolean => name === 'symbol' || name === 'every-symbol'

/** The cancel-all command of a scope, with every other flag as typed. */
function cancelAll({ typedFlags }: Arguments, scope: TypedFlag): string {
  const others = typedFlags.filter((flag) => !isScope(flag))
  return commandLine('order cancel-all', [], [scope, ...others])
}

/** The same, in another symbol. */
const cancelAllIn =
  (given: Arguments) =>
  (symbol: string): string =>
    cancelAll(given, { name: 'symbol', value: symbol })

const everyWords = ['all', 'every', 'everything']

/**
 * The refusal of a cancel-all with its symbol as a bare word, as in `order cancel-all btc`, with the likely command:
 * beside a typed scope flag either may be meant, and a merely similar symbol is named as such. Without the exchange's
 * symbols it names the flags.
 */
export async function strayScope(given: Arguments, context: Pick<WriteScene, 'io' | 'tools'>): Promise<Ending> {
  const [word = ''] = given.words
  const wrong = 'Nothing was canceled: it takes only flags; a symbol goes after --symbol, and --every-symbol is for all'
  const typed = given.typedFlags.filter(isScope).map((scope) => cancelAll(given, scope))
  const told = (sentence: string, lines: readonly string[]): Ending => {
    const all = [...new Set([...lines, ...typed])]
    return wrongUsage(sentence, all.length === 0 ? 'See pitdesk order cancel-all --help.' : typeText(all).trim())
  }
  if (everyWords.includes(word.toLowerCase()))
    return told(wrong, [cancelAll(given, { name: 'every-symbol', value: null })])
  let symbols: string[] = []
  const { io, tools } = context
  await withSession(given, { io, tools, mayWrite: false }, async ({ client }) => {
    symbols = [...(await client.fetchSymbols(io.signal)).instruments.keys()]
    return done
  })
  const named = ofTypedName(symbols, (symbol) => symbol, word)
  if (named !== undefined) return told(wrong, [cancelAllIn(given)(named)])
  const like = symbolSuggestion(word, symbols)
  return told(
    like === '' ? wrong : `${wrong}; unknown symbol ${shown(word)}${like}`,
    symbolsMeant(word, symbols).map(cancelAllIn(given)),
  )
}

/**
 * The refusal of a cancel-all in a symbol that the exchange does not list and no order works in. Null when it is to be
 * sent, also when this cannot be determined: orders may still work in a delisted symbol.
 */
export async function misnamedScope(
  symbol: string,
  { session: { client }, given }: { session: Pick<WriteScene['session'], 'client'>; given: Arguments },
  signal: AbortSignal,
): Promise<Ending | null> {
  try {
    const { instruments, unread } = await client.fetchSymbols(signal)
    if (!isUnlisted(symbol, instruments, unread)) return null
    const { orders, unreadable, isWhole } = await fetchAllWorking(client, signal)
    const isSeen = isWhole && unreadable.length === 0
    if (!isSeen || [...orders.values()].some((order) => order.symbol === symbol)) return null
    const symbols = [...instruments.keys()]
    return unknownSymbol({ symbol, symbols, nothing: 'Nothing was canceled.', again: cancelAllIn(given) })
  } catch (error) {
    if (error instanceof ExchangeError) return null
    throw error
  }
}
