import { Static, Text } from 'ink'
import { useEffect, useMemo, useState } from 'react'
import type { ConsoleProps } from '../console.tsx'
import { createInput } from '../input.ts'
import { actionOf } from '../keys/handle-input.ts'
import { keymapOf } from '../keys/rebinding.ts'
import type { InputEvent } from '../terminal/key-sequences.ts'
import { useKeys } from '../terminal/use-keys.ts'
import { readTheme } from '../theme/read-theme.ts'
import { useReportedScreen } from '../use-reported-screen.ts'
import { helpSentences } from './help-sentences.ts'
import { partPicture, spokenScreen } from './part-picture.tsx'
import { createSpeaker } from './speaker.ts'
import { spokenLines } from './spoken-text.ts'

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
        return spokenLines(partPicture(part, { store, commands, theme }))
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
