import { Box, renderToString, Static, Text } from 'ink'
import { useEffect, useMemo, useState } from 'react'
import { actionOf } from '../../keys/handle-input.ts'
import { keymapOf } from '../../keys/keymap.ts'
import { OverlayView } from '../../overlays/overlay-view.tsx'
import { PaneByName } from '../../panes/pane-by-name.tsx'
import { TicketPane } from '../../panes/ticket/ticket-pane.tsx'
import { BindingsProvider } from '../../tables/key-context.ts'
import { useKeys } from '../../terminal/key-reader.ts'
import type { InputEvent } from '../../terminal/key-sequences.ts'
import { type ConsoleContext, ConsoleProvider } from '../../text/desk-context.ts'
import { readTheme } from '../../text/theme.ts'
import { type ConsoleProps, useReportedScreen } from '../console.tsx'
import { createInput } from '../input.ts'
import { LockScreen } from '../lock-screen.tsx'
import { helpSentences } from './sentences.ts'
import { createSpeaker, type SpokenPart } from './speaker.ts'

const styles = /\u001b\[[0-9;]*m/g
/** Frames, bars and curves: they are for the eye. */
const drawing = /[\u2500-\u259f\u2800-\u28ff]+/g

const words: readonly (readonly [RegExp, string])[] = [
  [/▲/g, ' rising'],
  [/▼/g, ' falling'],
  [/…/g, '...'],
  [/•+/g, 'typed'],
  // The place where typed text goes on.
  [/(?<=\s)_(?=\s|$)/g, 'empty'],
  [/(?<=\S)_(?=\s|$)/g, ''],
  [/^>\s*/, 'Chosen: '],
  // Of the lists that share a place.
  [/(?<=\s)>(?=\p{L})/gu, 'in front: '],
]

/**
 * A picture as lines to be read aloud: without what only the eye can use, a pause where columns part, and the row that
 * the keys act on begins with a word instead of a mark.
 */
export function spokenLines(picture: string): string[] {
  const lines: string[] = []
  for (const line of picture.replace(styles, '').split('\n')) {
    let text = line.replace(drawing, '  ').trim()
    for (const [sign, word] of words) text = text.replace(sign, word)
    const spoken = text.replace(/\s{2,}/g, ', ')
    if (/[\p{L}\p{N}]/u.test(spoken)) lines.push(spoken)
  }
  return lines
}

/** Room enough for every column; what is read aloud need not fit a terminal. */
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

/** One part of the desk as it would stand on a large screen by itself, as text. */
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
 * The desk for a screen reader: the same keys, and instead of a picture sentences below each other, each written once
 * and never again. Prices that move say nothing by themselves; a pane's number reads them.
 */
export function SpokenConsole({ store, commands, clock }: Omit<ConsoleProps, 'env'>) {
  useReportedScreen(store, spokenScreen.columns, spokenScreen.rows)
  const [said, setSaid] = useState<readonly string[]>([])
  const input = useMemo(() => createInput({ store, commands, clock }), [store, commands, clock])
  const speaker = useMemo(() => {
    const theme = readTheme({ TERM: 'xterm', NO_COLOR: '1' })
    return createSpeaker({
      store,
      linesOf(part) {
        const state = store.getState()
        if (part.kind === 'overlay' && state.overlay?.kind === 'help')
          return helpSentences(keymapOf(state), state.overlay.query)
        return spokenLines(renderPart(part, { store, commands, theme }))
      },
      say: (sentences) => setSaid((before) => [...before, ...sentences]),
    })
  }, [store, commands])
  useEffect(() => {
    speaker.begin()
    return () => {
      speaker.stop()
      input.stop()
    }
  }, [speaker, input])
  const take = (event: InputEvent) => {
    const before = store.getState()
    const isPane = actionOf(event, before)?.startsWith('focus') === true
    input.take(event)
    speaker.afterKey(isPane && store.getState().focus === before.focus)
  }
  useKeys(take, clock)
  return <Static items={[...said]}>{(sentence, at) => <Text key={at}>{sentence}</Text>}</Static>
}
