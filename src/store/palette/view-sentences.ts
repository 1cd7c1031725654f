import { suggestion } from '../../base/nearest-name.ts'
import { layoutNames } from '../../domain/desk/session.ts'
import { type SentenceReader, wordsOf } from './sentence.ts'

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
      return { kind: 'wrong', lines: [`The layouts are ${layoutNames.join(', ')}${hint || '.'}`] }
    }
    if (!screen.layouts.includes(layout)) {
      const size = `${screen.columns}x${screen.rows}`
      return { kind: 'wrong', lines: [`The layout ${layout} does not fit a terminal of ${size}: make it larger.`] }
    }
    return {
      kind: 'understood',
      lines: [`Arrange the panes as ${layout}.`],
      enter: 'arranges them',
      run: (commands) => commands.chooseLayout(layout),
    }
  },
}

export const freezeSentence: SentenceReader = {
  name: 'freeze',
  help: 'the picture stands still, or goes on',
  example: 'freeze',
  starts: ['freeze'],
  words: () => [],
  read(line, { picture }) {
    const words = wordsOf(line)
    if (words[0] !== 'freeze') return null
    if (words.length > 1) return { kind: 'wrong', lines: ['Say only: freeze.'] }
    const isFrozen = picture.kind === 'frozen'
    return {
      kind: 'understood',
      lines: [isFrozen ? 'Let the picture go on.' : 'Let the picture stand still; everything goes on behind it.'],
      enter: isFrozen ? 'lets it go on' : 'freezes it',
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
    if (words.length > 1) return { kind: 'wrong', lines: ['Say only: zoom.'] }
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
    if (words.length !== 2 || words[1] !== 'reset') return { kind: 'wrong', lines: ['Say: session reset.'] }
    return {
      kind: 'understood',
      lines: ['Layout, columns and sorting as on a desk that was never used. Orders and mode stay as they are.'],
      enter: 'does it',
      run: (commands) => commands.resetSession(),
    }
  },
}
