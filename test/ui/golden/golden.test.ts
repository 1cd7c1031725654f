import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { symbolStatuses } from '../../../src/domain/market/instrument.ts'
import { paneTable } from '../../../src/ui/tables/pane-table.ts'
import { forgetAll, isUpdate, keep, keptNames, pictureOf, readKept } from './golden-files.ts'
import { scenes } from './scenes.ts'

if (isUpdate) forgetAll()

/** `UPDATE_GOLDEN=1` draws them anew; the change is then read like any other. */
describe('the screens are what they were', () => {
  test.each(Object.entries(scenes))('%s', (name, scene) => {
    const picture = pictureOf(scene)
    if (isUpdate) keep(name, picture)
    expect(picture).toBe(readKept(name))
  })
})

test('no screen is kept that nothing draws', () => {
  expect(new Set(keptNames())).toEqual(new Set(Object.keys(scenes)))
})

test('every pane has its screens', () => {
  for (const { pane } of paneTable) expect(Object.values(scenes).map(({ part }) => part)).toContain(pane)
})

/** The kinds that a piece of the program tells apart, as its `switch` names them. */
const casesOf = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/case '(\w+)':/g)].map((match) => match[1] ?? '')

test('every overlay has its screens', () => {
  const kinds = casesOf('src/ui/overlays/overlay-view.tsx')
  expect(kinds.length).toBeGreaterThan(8)
  const drawn = Object.values(scenes).map(({ part, state }) => (part === 'overlay' ? state.overlay?.kind : null))
  for (const kind of kinds) expect(drawn).toContain(kind)
})

/** The words of a union's member `name: 'word'` in the file that declares it. */
const wordsOf = (path: string, name: string): string[] => [
  ...new Set([...readFileSync(path, 'utf8').matchAll(new RegExp(`\\b${name}: '(\\w+)'`, 'g'))].map((m) => m[1] ?? '')),
]

test('every stage of an order, every mode, venue, status and state of the lock has its screens', () => {
  const states = Object.values(scenes).map(({ state }) => state)
  const expected: readonly [readonly string[], readonly (string | undefined)[]][] = [
    [wordsOf('src/store/ticket/ticket.ts', 'stage'), states.map(({ ticket }) => ticket?.stage)],
    [wordsOf('src/store/move/move.ts', 'stage'), states.map(({ move }) => move?.stage)],
    [wordsOf('src/domain/desk/mode.ts', 'kind'), states.map(({ mode }) => mode.kind)],
    [['practice', 'live'], states.map(({ venue }) => venue.kind)],
    [['open', 'covered', 'typing', 'checking'], states.map(({ lock }) => lock.kind)],
    [['moving', 'frozen'], states.map(({ picture }) => picture.kind)],
    [symbolStatuses, states.map(({ symbol, instruments }) => instruments.value?.get(symbol)?.status)],
  ]
  for (const [words, drawn] of expected) {
    expect(words.length).toBeGreaterThan(1)
    for (const word of words) expect(drawn).toContain(word)
  }
})

test('a zoomed pane, old data and a terminal that is too small have their screens', () => {
  expect(Object.values(scenes).filter(({ state }) => state.view.isZoomed)).not.toEqual([])
  expect(readKept('screen-stale')).toContain('STALE')
  expect(readKept('too-small')).toContain('80x24')
})
