import { expect, test } from 'vitest'
import { completeSentence, readSentence } from '../../../src/store/sentences/sentences.ts'
import { aDesk } from '../desk.ts'

/** A desk on a terminal that has room for three layouts. */
function desk() {
  const { store, commands } = aDesk()
  store.dispatch({ type: 'resized', screen: { ...store.getState().screen, layouts: ['trade', 'lists', 'chart'] } })
  const say = (line: string) => readSentence(line, store.getState())
  const run = (line: string) => {
    const reading = say(line)
    if (reading?.kind !== 'understood') throw new Error(`${line} was not understood`)
    reading.run(commands, () => undefined)
    return reading
  }
  return { store, say, run }
}

test('layout, zoom, freeze and session say what they will do, and do it', () => {
  const { store, run } = desk()
  expect(run('layout chart').lines).toEqual(['Arrange the panes as chart.'])
  expect(store.getState().view.layout).toBe('chart')
  run('zoom')
  expect(store.getState().view.isZoomed).toBe(true)
  expect(run('freeze').enter).toBe('freezes it')
  expect(run('freeze').enter).toBe('resumes it')
  run('session reset')
  expect(store.getState().view).toEqual({ layout: 'trade', isZoomed: false })
})

test.each([
  ['layout', 'The layouts are trade, ladders, lists, chart, monitor.'],
  ['layout chrat', 'The layouts are trade, ladders, lists, chart, monitor, did you mean "chart"?'],
  ['layout chart now', 'The layouts are'],
  ['layout ladders', 'The layout ladders does not fit a terminal of 80x24: make it larger.'],
  ['chart', 'Say what the chart shows: candles, line, 1m, 5m, 15m, 1h, 4h, 1d, price, depth, braille, blocks.'],
  ['chart candels', 'Say what the chart shows, did you mean "candles"?: candles'],
  ['chart 2h', 'Say what the chart shows'],
  ['zoom in', 'Say only: zoom.'],
  ['freeze now', 'Say only: freeze.'],
  ['session', 'Say: session reset.'],
  ['session restart', 'Say: session reset.'],
])('"%s" is answered with what would do', (line, words) => {
  const reading = desk().say(line)
  expect(reading?.kind).toBe('wrong')
  expect(reading?.lines[0]).toContain(words)
})

test('chart: style, length, depth and dots in any order, and the chart has the keys', () => {
  const { store, run } = desk()
  expect(run('chart candles 1h').lines).toEqual(['Chart: candles, bars of 1h.'])
  expect(store.getState()).toMatchObject({ focus: 'chart', chart: { style: 'candles', length: '1h', view: 'price' } })
  run('chart 5m line blocks')
  expect(store.getState().chart).toMatchObject({ style: 'line', length: '5m', dots: 'blocks' })
  run('chart depth')
  expect(store.getState().chart).toMatchObject({ style: 'line', length: '5m', view: 'depth' })
})

test('a layout is completed among those that fit', () => {
  const { store } = desk()
  expect(completeSentence('layout li', store.getState())).toBe('layout lists ')
  expect(completeSentence('layout la', store.getState())).toBeNull()
})
