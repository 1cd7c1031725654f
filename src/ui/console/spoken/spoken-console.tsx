import { Box, renderToString, Static, Text } from 'ink'
import { useEffect, useMemo, useState } from 'react'
import { isLocked } from '../../../domain/desk/lock.ts'
import type { DeskState, DeskStore } from '../../../store/desk.ts'
import { activeSymbol } from '../../../store/ladder/ladder.ts'
import { actionOf } from '../../keys/handle-input.ts'
import { keymapOf } from '../../keys/keymap.ts'
import { sectionsBehind } from '../../overlays/help/help-text.ts'
import { OverlayView } from '../../overlays/overlay-view.tsx'
import { PaneByName } from '../../panes/pane-by-name.tsx'
import { TicketPane } from '../../panes/ticket/ticket-pane.tsx'
import { BindingsProvider } from '../../tables/key-context.ts'
import { useKeys } from '../../terminal/key-reader.ts'
import type { InputEvent } from '../../terminal/key-sequences.ts'
import { type ConsoleContext, ConsoleProvider } from '../../text/desk-context.ts'
import { spokenGap } from '../../text/table.ts'
import { readTheme } from '../../text/theme.ts'
import { LockScreen } from '../blocking-screens.tsx'
import { type ConsoleProps, createInput, useReportedScreen } from '../console.tsx'
import { announcements, cursorSentence, helpSentences, ladderSentences } from './sentences.ts'

const styles = /\u001b\[[0-9;]*m/g
/** Frames, bars and curves carry no words. */
const drawing = /[\u2500-\u259f\u2800-\u28ff]+/g

const words: readonly (readonly [RegExp, string])[] = [
  [/▲/g, ' rising'],
  [/▼/g, ' falling'],
  [/…/g, '...'],
  [/•+/g, 'typed'],
  // The caret in a field; one blank before it is the end of what is typed.
  [/(?<=^|\s{2}|[:>]\s)_(?=\s|$)/g, 'empty'],
  [/(?<=\S ?)_(?=\s|$)/g, ''],
  [/^>\s*/, 'Chosen: '],
  // The front list of those that share a place.
  [/(?<=\s)>(?=\p{L})/gu, 'in front: '],
]

/** A check, or the palette's reading, continues on indented lines below: read alone, each would be half a sentence. */
const complaint = /^(BLOCK|WARN|ASK|[=!]) /

const framed = /^\s*[│┃║](.*)[│┃║]\s*$/
/** Cells of a dialog's line that a sentence leaves free at most, beside those that its next word would have needed. */
const marginMax = 4

/** Where the columns of a line begin. */
const columnsOf = (line: string): number[] => [...line.matchAll(/\S+(?: \S+)*/g)].map(({ index }) => index)

/** Whether a line in a frame goes on in the one below, which has only that: there was no room for its next word. */
function goesOn(above: string, below: string): boolean {
  const [start, ...others] = columnsOf(below)
  const [word = ''] = /\S+/.exec(below) ?? []
  const isFull = above.trimEnd().length + 1 + word.length > above.length - marginMax
  return (
    start !== undefined &&
    others.length === 0 &&
    columnsOf(above).at(-1) === start &&
    isFull &&
    !/[.?!]\s*$/.test(above)
  )
}

/** The lines of a picture, a sentence of a dialog in one however it is wrapped. */
function unwrapped(lines: readonly string[]): string[] {
  const whole: string[] = []
  let above: string | null = null
  for (const line of lines) {
    const [, inside = null] = framed.exec(line) ?? []
    if (above !== null && inside !== null && goesOn(above, inside))
      whole.push(`${whole.pop()?.replace(/\s*[│┃║]\s*$/, '')} ${inside.trim()}`)
    else whole.push(line)
    above = inside
  }
  return whole
}

/**
 * Turns screen text into lines to be read aloud: without graphics, with a pause between columns, and with a word
 * instead of the mark before the row that the keys act on.
 */
export function spokenLines(picture: string): string[] {
  const lines: string[] = []
  for (const line of unwrapped(picture.replace(styles, '').split('\n'))) {
    const before = lines.at(-1)
    const more = /^\s*\S {3,}(\S.*)$/.exec(line.replace(drawing, '│'))?.[1]?.replace(/│/g, '').trim()
    if (before !== undefined && more !== undefined && more !== '' && complaint.test(before)) {
      // The key that takes a value starts a sentence of its own.
      lines.splice(-1, 1, `${before}${/^\S+ takes /.test(more) ? '.' : ''} ${more}`)
      continue
    }
    const spoken = spokenLine(line)
    if (/[\p{L}\p{N}]/u.test(spoken)) lines.push(spoken)
  }
  return lines
}

/**
 * One line, with pauses between columns. Graphics in a table cell are silent, and an empty cell becomes a dash, so that
 * what follows is heard in its own column; elsewhere several blanks separate columns.
 */
function spokenLine(line: string): string {
  const cells = line
    .replace(/[┃║]/g, '')
    .split(spokenGap)
    .map((cell) => cell.replace(drawing, ' ').trim())
  const last = cells.findLastIndex((cell) => cell !== '')
  const isTable = last > 0 && cells.some((cell, at) => at < last && cell !== '')
  const text = isTable
    ? cells.slice(0, last + 1).map((cell) => cell.replace(/\s+/g, ' ') || '-')
    : [line.replace(drawing, '  ').trim()]
  return words.reduce((said, [sign, word]) => said.replace(sign, word), text.join('  ')).replace(/\s{2,}/g, ', ')
}

/** Wide enough for every column; text read aloud need not fit a terminal. */
const spokenScreen = { columns: 132, rows: 40 } as const
const paneSize = { width: spokenScreen.columns, height: 24 } as const

function Part({ part, overlay }: { part: SpokenPart; overlay: Parameters<typeof OverlayView>[0]['kind'] | null }) {
  switch (part.kind) {
    case 'lock':
      return <LockScreen screen={spokenScreen} />
    case 'overlay':
      return overlay === null ? null : <OverlayView kind={overlay} screen={spokenScreen} />
    case 'ticket':
      return <TicketPane {...paneSize} height={spokenScreen.rows} />
    case 'pane':
      return <PaneByName pane={part.pane} {...paneSize} isFocused={true} />
  }
}

/** One part of the desk rendered as text, as on a large screen by itself. */
function renderPart(part: SpokenPart, context: ConsoleContext): string {
  const { columns, rows } = spokenScreen
  return renderToString(
    <ConsoleProvider value={context}>
      <BindingsProvider value={keymapOf(context.store.getState())}>
        <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
          <Part part={part} overlay={context.store.getState().overlay?.kind ?? null} />
        </Box>
      </BindingsProvider>
    </ConsoleProvider>,
    { columns },
  )
}

/**
 * Sentences until they are written, and how many were before them. `Static` counts what it has written, and would have
 * all of a week handed over at each new one: what is written is let go, and the rest begins another `Static`.
 */
type Unwritten = { from: number; sentences: readonly string[] }

/**
 * The desk for a screen reader: the same keys, and sentences instead of a screen, each written once and never again.
 * Price changes are not announced; a pane's number reads them.
 */
export function SpokenConsole({ store, commands, clock }: Omit<ConsoleProps, 'env'>) {
  useReportedScreen(store, spokenScreen.columns, spokenScreen.rows)
  const [unwritten, setUnwritten] = useState<Unwritten>({ from: 0, sentences: [] })
  const input = useMemo(() => createInput({ store, commands, clock }), [store, commands, clock])
  const speaker = useMemo(() => {
    const theme = readTheme({ TERM: 'xterm', NO_COLOR: '1' })
    return createSpeaker({
      store,
      linesOf(part) {
        const state = store.getState()
        if (part.kind === 'overlay' && state.overlay?.kind === 'help')
          return helpSentences(keymapOf(state), state.overlay.query, sectionsBehind(state))
        return spokenLines(renderPart(part, { store, commands, theme }))
      },
      say: (more) => setUnwritten(({ from, sentences }) => ({ from, sentences: [...sentences, ...more] })),
    })
  }, [store, commands])
  useEffect(() => {
    let isShown = true
    // In the middle of its own work React renders nothing else, and would leave the part half made.
    queueMicrotask(() => isShown && speaker.begin())
    return () => {
      isShown = false
      speaker.stop()
      input.stop()
    }
  }, [speaker, input])
  const take = (event: InputEvent) => {
    const before = store.getState()
    const action = actionOf(event, before)
    const isPane = action?.startsWith('focus') === true
    input.take(event)
    speaker.afterKey(action === 'redraw' || (isPane && store.getState().focus === before.focus))
  }
  useKeys(take, clock)
  useEffect(() => {
    const count = unwritten.sentences.length
    if (count > 0) setUnwritten(({ from, sentences }) => ({ from: from + count, sentences: sentences.slice(count) }))
  }, [unwritten])
  return (
    <Static key={unwritten.from} items={[...unwritten.sentences]}>
      {(sentence, at) => <Text key={at}>{sentence}</Text>}
    </Static>
  )
}

/** What the user is in: it is read in full when it appears, and then its changes as the user makes them. */
type SpokenPart =
  | { kind: 'lock' }
  | { kind: 'overlay' }
  | { kind: 'ticket' }
  | { kind: 'pane'; pane: DeskState['focus'] }

function partOf({ lock, overlay, ticket, move, focus }: DeskState): SpokenPart {
  if (isLocked(lock)) return { kind: 'lock' }
  if (overlay !== null) return { kind: 'overlay' }
  // The form of an order, or of its move to another price.
  if (ticket !== null && ticket.stage !== 'sending') return { kind: 'ticket' }
  if (move?.stage === 'choose' || move?.stage === 'review') return { kind: 'ticket' }
  return { kind: 'pane', pane: focus }
}

/** Identifies a part, including which overlay and which stage of a ticket. */
function nameOf(state: DeskState): string {
  const part = partOf(state)
  const detail = {
    // What is typed there, and whether it opens, is a step of the same part.
    lock: '',
    overlay: state.overlay?.kind,
    ticket: state.ticket?.stage ?? `move ${state.move?.stage}`,
    pane: state.focus,
  }
  return `${part.kind} ${detail[part.kind] ?? ''}`
}

const isLadder = (part: SpokenPart): boolean =>
  part.kind === 'pane' && (part.pane === 'ladder' || part.pane === 'ladder2')

const hasBook = (state: DeskState): boolean => {
  const symbol = activeSymbol(state)
  return state.instruments.value?.has(symbol) === true && (state.books.get(symbol)?.value ?? null) !== null
}

/** Whether the first book of the ladder in focus has arrived. */
const hasArrived = (before: DeskState, state: DeskState): boolean =>
  isLadder(partOf(state)) && !hasBook(before) && hasBook(state)

/** The palette's news about a line: the sentence with its meaning, and all warnings and questions. */
function meantLines(lines: readonly string[], changed: readonly string[]): string[] {
  const sentence = lines.find((line) => line.startsWith('= '))
  return changed.filter((line) => line === sentence || line.startsWith('! '))
}

type Speaker = {
  /** Says where the desk is and what it shows; called once, before anything happens. */
  begin(): void
  /** Called after a key has acted: says what it changed, or everything if what is read was requested again. */
  afterKey(isAskedAgain: boolean): void
  stop(): void
}

type SpeakerOptions = {
  store: DeskStore
  /** The lines of a part as read aloud. */
  linesOf: (part: SpokenPart) => string[]
  say: (sentences: readonly string[]) => void
}

/** News that no step repeats: what comes while a key acts is less. Desks without a key for a week have any number. */
const heardMax = 50

/** Follows the desk and says what the user needs to hear: where they are, what they changed, and what happened. */
function createSpeaker({ store, linesOf, say }: SpeakerOptions): Speaker {
  let told: readonly string[] = []
  /** The last news since then. */
  let heard: readonly string[] = []
  const whole = (state: DeskState): string[] => {
    const part = partOf(state)
    return isLadder(part) ? ladderSentences(state) : linesOf(part)
  }
  /** The part of the text that a step changes: the row at the ladder's cursor, the lock screen without its ages. */
  const steps = (state: DeskState): string[] => {
    const part = partOf(state)
    if (isLadder(part)) return [cursorSentence(state)]
    return part.kind === 'lock' ? linesOf(part).slice(1) : linesOf(part)
  }
  const keep = (lines: readonly string[]) => {
    told = lines
    heard = []
  }
  const tellPart = (state: DeskState) => {
    say(whole(state))
    keep(steps(state))
  }
  /** After returning to something already read: says only where it is, and what is selected there. */
  const tellReturn = (state: DeskState) => {
    const lines = whole(state)
    say(lines.filter((line, at) => at === 0 || /^(Chosen: |Cursor at )/.test(line)))
    keep(steps(state))
  }
  const unsubscribe = store.subscribe((state, before) => {
    const news = announcements(before, state)
    if (news.length > 0) {
      say(news)
      heard = [...heard, ...news].slice(-heardMax)
    }
    if (activeSymbol(state) !== activeSymbol(before) || hasArrived(before, state)) tellPart(state)
    else if (nameOf(state) !== nameOf(before)) {
      const isReturn = partOf(before).kind !== 'pane' && partOf(state).kind === 'pane' && before.focus === state.focus
      if (isReturn) tellReturn(state)
      else tellPart(state)
    }
  })
  return {
    begin() {
      const state = store.getState()
      const venue = state.venue.kind === 'practice' ? 'PRACTICE' : 'LIVE'
      say([
        `pitdesk, ${venue}, mode ${state.mode.kind}.`,
        "The keys are those of the screen: question mark reads them, a pane's number reads the pane.",
      ])
      tellPart(state)
    },
    afterKey(isAskedAgain) {
      const state = store.getState()
      if (isAskedAgain) return tellPart(state)
      const now = steps(state)
      const changed = now.filter((line) => !told.includes(line) && !heard.includes(line))
      const meant = state.overlay?.kind === 'palette' ? meantLines(now, changed) : []
      const chosen = changed.filter((line) => /^(Chosen: |BLOCK |WARN |ASK |OK \d)/.test(line))
      keep(now)
      // The line's meaning says more than the line itself, which was just typed.
      const isTold = meant.length > 0 && meant.some((line) => line.startsWith('= '))
      const short = [...meant, ...(isTold ? chosen.filter((line) => !line.endsWith(', a sentence')) : chosen)]
      if (changed.length > 0) say(short.length > 0 ? short : changed)
    },
    stop: unsubscribe,
  }
}
