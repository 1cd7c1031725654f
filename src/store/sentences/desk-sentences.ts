import { err, ok, type Result } from '../../base/result.ts'
import { fuzzyFind } from '../../base/text/fuzzy.ts'
import { suggestion } from '../../base/text/nearest-name.ts'
import { capital } from '../../base/text/plain-text.ts'
import { type AlertAct, isAlertSentence, readAlertSentence } from '../../domain/alerts/sentence.ts'
import { standingKinds, standingWords, watchedPrices, watchText } from '../../domain/alerts/watch.ts'
import { layoutNames } from '../../domain/desk/session.ts'
import { barLengthNames, type ChartLook, chartDots, chartStyles, chartViews, isBarLength } from '../chart.ts'
import type { DeskState } from '../desk.ts'
import { gatewayListsOf } from '../gateway/gateway-commands.ts'
import { activeSymbol } from '../ladder/ladder.ts'
import { themeNamesOf } from '../looks.ts'
import { armingRefusal, cancelRefusal, haltEnd } from '../mode.ts'
import { isGatewayList, isTransferList, type ListPane, listPanes } from '../view/lists.ts'
import { layoutRefusal } from '../view/view.ts'
import {
  asked,
  farWarning,
  type Reading,
  readSymbol,
  type SentenceReader,
  symbolsOf,
  wordsOf,
  wrong,
} from './sentence.ts'

/** A line that shows a symbol, whichever way it was named. */
export const showing = (symbol: string): Reading => ({
  kind: 'understood',
  lines: [`Show ${symbol} in ladder and ticket.`],
  enter: 'shows it',
  run: (commands) => commands.switchSymbol(symbol),
})

export const symbolSentence: SentenceReader = {
  name: 'symbol',
  help: 'show another symbol',
  example: 'symbol eth',
  starts: ['symbol'],
  read(line, state) {
    const [first, name, ...rest] = wordsOf(line)
    if (first !== 'symbol') return null
    if (name === undefined || rest.length > 0) return wrong('Say which one: symbol eth, or symbol eth-usd.')
    const symbol = fuzzyFind(name, symbolsOf(state), (each) => each)[0]?.item
    if (symbol === undefined) {
      const exact = readSymbol(name, state)
      return wrong(exact.ok ? `${exact.value} is not found.` : `Not found: ${exact.error}`)
    }
    return showing(symbol)
  },
}

export const haltSentence: SentenceReader = {
  name: 'halt',
  help: 'no new orders, and cancel working ones (asks)',
  example: 'halt',
  starts: ['halt'],
  read(line, state) {
    const symbol = activeSymbol(state)
    const words = wordsOf(line)
    if (words[0] !== 'halt') return null
    if (/^(?:off|end|over)$/.test(words[1] ?? '')) return wrong(`The end of a halt is ${haltEnd(state)}`)
    if (words.length > 1) return asked(['Say only: halt. Its question offers every symbol.'], ['halt'])
    const refusal = cancelRefusal(state)
    if (refusal !== null) return wrong(refusal)
    return {
      kind: 'understood',
      lines: [`No new orders until armed again, and cancel those in ${symbol}, or in every symbol by typing ALL.`],
      enter: 'asks once more before anything is sent',
      run: (commands) => commands.askHalt(),
    }
  },
}

const armingWords: Readonly<Record<string, boolean>> = { disarm: false, arm: true, armed: true, safe: false }

export const armSentence: SentenceReader = {
  name: 'disarm',
  help: 'SAFE: no new order goes out; arm lets them',
  example: 'disarm',
  starts: Object.keys(armingWords),
  words: () => [],
  read(line, state) {
    const [first = '', ...rest] = wordsOf(line)
    const isArmed = Object.hasOwn(armingWords, first) ? armingWords[first] : undefined
    if (isArmed === undefined) return null
    if (rest.length > 0) return wrong(`Say only: ${first}.`)
    const refusal = armingRefusal(isArmed, state)
    if (refusal !== null) return wrong(refusal)
    return {
      kind: 'understood',
      lines: [
        isArmed
          ? 'Make the desk ARMED: a reviewed order can be sent.'
          : 'Make the desk SAFE: no new order is sent. Working orders stay, and cancels still go out.',
      ],
      enter: isArmed ? 'arms it; nothing is sent' : 'makes it SAFE',
      actsAs: 'toggleArmed',
      run: (commands) => commands.setArmed(isArmed),
    }
  },
}

export const layoutSentence: SentenceReader = {
  name: 'layout',
  help: 'another arrangement of the panes',
  example: 'layout chart',
  starts: ['layout'],
  words: (_, { screen }) => screen.layouts,
  read(line, { screen }) {
    const [first, name = '', ...rest] = wordsOf(line)
    if (first !== 'layout') return null
    const layout = layoutNames.find((each) => each === name)
    if (layout === undefined || rest.length > 0) {
      const hint = name === '' ? '' : suggestion(name, layoutNames)
      return wrong(`The layouts are ${layoutNames.join(', ')}${hint || '.'}`)
    }
    const refusal = layoutRefusal(screen, layout)
    if (refusal !== null) return wrong(refusal)
    return {
      kind: 'understood',
      lines: [`Arrange the panes as ${layout}.`],
      enter: 'arranges them',
      run: (commands) => commands.chooseLayout(layout),
    }
  },
}

/** The setting of a word in the sentence `chart`, and its description. */
function chartChange(word: string): { change: Partial<ChartLook>; says: string } | null {
  if (isBarLength(word)) return { change: { length: word, view: 'price' }, says: `bars of ${word}` }
  const style = chartStyles.find((name) => name === word)
  if (style !== undefined) return { change: { style, view: 'price' }, says: style === 'line' ? 'a line' : 'candles' }
  const dots = chartDots.find((name) => name === word)
  if (dots !== undefined) return { change: { dots }, says: `drawn in ${dots === 'braille' ? 'Braille dots' : dots}` }
  const view = chartViews.find((name) => name === word)
  return view === undefined ? null : { change: { view }, says: `the ${view} in front` }
}

const chartWords = [...chartStyles, ...barLengthNames, ...chartViews, ...chartDots]

export const chartSentence: SentenceReader = {
  name: 'chart',
  help: 'candles or line, length of bars, depth',
  example: 'chart candles 1h',
  starts: ['chart'],
  words: () => chartWords,
  read(line) {
    const [first, ...rest] = wordsOf(line)
    if (first !== 'chart') return null
    const changes = rest.map((word) => ({ word, read: chartChange(word) }))
    const unknown = changes.find(({ read }) => read === null)
    if (rest.length === 0 || unknown !== undefined) {
      const hint = unknown === undefined ? '' : suggestion(unknown.word, chartWords)
      return wrong(`Say what the chart shows${hint}: ${chartWords.join(', ')}.`)
    }
    const read = changes.flatMap((each) => each.read ?? [])
    return {
      kind: 'understood',
      lines: [`Chart: ${read.map(({ says }) => says).join(', ')}.`],
      enter: 'shows it',
      run(commands) {
        commands.setChart(Object.assign({}, ...read.map(({ change }) => change)))
        commands.focusPane('chart')
      },
    }
  },
}

export const freezeSentence: SentenceReader = {
  name: 'freeze',
  help: 'freezes the screen, or resumes it',
  example: 'freeze',
  starts: ['freeze'],
  words: () => [],
  read(line, { picture }) {
    const words = wordsOf(line)
    if (words[0] !== 'freeze') return null
    if (words.length > 1) return wrong('Say only: freeze.')
    const isFrozen = picture.kind === 'frozen'
    return {
      kind: 'understood',
      lines: [isFrozen ? 'Resume the screen.' : 'Freeze the screen. Data keeps updating.'],
      enter: isFrozen ? 'resumes it' : 'freezes it',
      run: (commands) => commands.toggleFreeze(),
    }
  },
}

export const zoomSentence: SentenceReader = {
  name: 'zoom',
  help: 'the focused pane alone, or all panes again',
  example: 'zoom',
  starts: ['zoom'],
  words: () => [],
  read(line, { view }) {
    const words = wordsOf(line)
    if (words[0] !== 'zoom') return null
    if (words.length > 1) return wrong('Say only: zoom.')
    return {
      kind: 'understood',
      lines: [view.isZoomed ? 'Show all panes again.' : 'Show the focused pane alone.'],
      enter: 'does it',
      run: (commands) => commands.toggleZoom(),
    }
  },
}

export const sessionSentence: SentenceReader = {
  name: 'session',
  help: 'layout, columns and sorting as on a new desk',
  example: 'session reset',
  starts: ['session'],
  words: () => ['reset'],
  read(line) {
    const words = wordsOf(line)
    if (words[0] !== 'session') return null
    if (words.length !== 2 || words[1] !== 'reset') return wrong('Say: session reset.')
    return {
      kind: 'understood',
      lines: ['Layout, columns and sorting as on a desk that was never used. Orders and mode stay as they are.'],
      enter: 'does it',
      run: (commands) => commands.resetSession(),
    }
  },
}

/** Those available on this desk. */
function listsOf(state: DeskState): readonly ListPane[] {
  const gateway: readonly ListPane[] = gatewayListsOf(state)
  return listPanes.filter((list) => !isGatewayList(list) || gateway.includes(list))
}

export const exportSentence: SentenceReader = {
  name: 'export',
  help: 'a list as a CSV file, as it is filtered and sorted',
  example: 'export orders',
  starts: ['export'],
  words: (_, state) => listsOf(state),
  read(line, state) {
    const [first, name = '', ...rest] = wordsOf(line)
    if (first !== 'export') return null
    const lists = listsOf(state)
    const pane = lists.find((each) => each === name)
    if (name === 'statement') return asked(['A statement has a sentence of its own.'], [[name, ...rest].join(' ')])
    if (name === 'trades') return asked(['What was traded is in the fills.'], ['export fills'])
    if (pane !== undefined && /^(?:(?:as|to) )?csv$/.test(rest.join(' ')))
      return asked(['A list is always a CSV file.'], [`export ${pane}`])
    if (pane !== undefined && rest.includes('json'))
      return asked(['A list is a CSV file here; in a shell --json prints JSON.'], [`export ${pane}`])
    if (pane === undefined || rest.length > 0) {
      const hint = name === '' ? '' : suggestion(name, lists)
      return wrong(`Say which list${hint}: ${lists.join(', ')}.`)
    }
    return {
      kind: 'understood',
      lines: [`Go to the ${pane} and write its rows to a CSV file, as they are filtered and sorted there.`],
      enter: 'writes the file and says where it is',
      run(commands, act) {
        if (isTransferList(pane)) commands.showTransferList(pane)
        else if (isGatewayList(pane)) commands.showGatewayList(pane)
        else commands.focusPane(pane)
        act('exportRows')
      },
    }
  },
}

export const pnlSentence: SentenceReader = {
  name: 'pnl',
  help: 'positions at cost, unrealized and realized P&L',
  example: 'pnl',
  starts: ['pnl', 'p&l'],
  words: () => [],
  read(line) {
    const [first = '', ...rest] = wordsOf(line)
    if (first !== 'pnl' && first !== 'p&l') return null
    if (rest.length > 0)
      return wrong('Say only: pnl. It shows today and all time; "pitdesk pnl" in a shell takes other dates.')
    return {
      kind: 'understood',
      lines: ['Show the positions: cost, unrealized P&L, and realized P&L of today and of all time.'],
      enter: 'shows them',
      run: (commands) => commands.focusPane('positions'),
    }
  },
}

export const themeSentence: SentenceReader = {
  name: 'theme',
  help: 'another theme',
  example: 'theme light',
  starts: ['theme'],
  words: (_, { looks }) => themeNamesOf(looks),
  read(line, { looks }) {
    const [first, name = '', ...rest] = wordsOf(line)
    if (first !== 'theme') return null
    const names = themeNamesOf(looks)
    const theme = names.find((each) => each.toLowerCase() === name)
    if (theme === undefined || rest.length > 0) {
      const hint = name === '' ? '' : suggestion(name, names)
      return wrong(`Say which one${hint}: ${names.join(', ')}.`)
    }
    return {
      kind: 'understood',
      lines: [`Draw the desk in the theme ${theme}.`],
      enter: 'applies it',
      run: (commands) => commands.chooseTheme(theme),
    }
  },
}

/** Warnings about an alert: a price far off the market, or a duplicate. */
function alertWarnings(
  act: AlertAct,
  { alerts, tickers }: DeskState,
): { warnings: readonly string[]; isFarOff: boolean } {
  if (act.kind !== 'watch') return { warnings: [], isFarOff: false }
  const { symbol, price, comparison, orAt, level, priceScale } = act.watch
  const market = tickers.value?.get(symbol)?.lastPrice ?? null
  const far = price === 'spread' ? [] : farWarning('price', level, market, priceScale)
  const same = alerts.watches.find(
    (each) =>
      each.symbol === symbol &&
      each.price === price &&
      each.comparison === comparison &&
      each.orAt === orAt &&
      each.level.eq(level),
  )
  const twice = same === undefined ? [] : [`There is such an alert already: number ${same.id}.`]
  return { warnings: [...far, ...twice], isFarOff: far.length > 0 }
}

/** The alert with this number, in words, because deleting is final and a wrong digit would delete another one. */
function aboutOne(act: Extract<AlertAct, { kind: 'remove' | 'rearm' }>, { alerts }: DeskState): Result<string[]> {
  const watch = alerts.watches.find(({ id }) => id === act.id)
  if (watch === undefined) return err(`there is no alert ${act.id}: alert list shows them`)
  const which = `alert ${act.id}: ${watchText(watch)}`
  if (act.kind === 'rearm') return ok([`Arm ${which} again.`])
  return ok([`Delete ${which}.`, 'It is gone then, not switched off.'])
}

function readAlert(line: string, state: DeskState): Reading | null {
  if (!isAlertSentence(line)) return null
  const reading = readAlertSentence(
    line,
    state.instruments.value,
    (symbol) => state.tickers.value?.get(symbol)?.lastPrice ?? null,
    activeSymbol(state),
  )
  if (!reading.ok) return wrong(`${capital(reading.error)}.`)
  const { act } = reading.value
  const lines = act.kind === 'remove' || act.kind === 'rearm' ? aboutOne(act, state) : ok(reading.value.lines)
  if (!lines.ok) return wrong(`${capital(lines.error)}.`)
  const enter = act.kind === 'list' ? 'shows them' : 'does it at once; no order is sent'
  const said = { lines: lines.value, ...alertWarnings(act, state), enter }
  return { kind: 'understood', ...said, run: (commands) => commands.actOnAlerts(act) }
}

export const alertSentence: SentenceReader = {
  name: 'alert',
  help: 'alert when a price crosses or a spread widens',
  example: 'alert btc-usd > 70000',
  starts: ['alert'],
  read: (line, state) => (wordsOf(line)[0] === 'alert' ? readAlert(line, state) : null),
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
  read: (line, state) => (wordsOf(line)[0] === 'snooze' ? readAlert(line, state) : null),
  words: () => ['off', '10m', '1h'],
}
