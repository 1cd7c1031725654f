import { describe, expect, test } from 'vitest'
import type { Mode } from '../../../src/domain/desk/mode.ts'
import { symbolStatuses } from '../../../src/domain/market/instrument.ts'
import type { DeskState, Overlay, Picture } from '../../../src/store/desk.ts'
import type { MoveState } from '../../../src/store/move/move.ts'
import type { TicketState } from '../../../src/store/ticket/ticket.ts'
import { paneTable } from '../../../src/store/view/panes.ts'
import { forgetAll, isUpdate, keep, keptNames, pictureOf, readKept } from './golden-files.ts'
import { scenes } from './scenes.ts'
import { halfWords } from './whole-words.ts'

if (isUpdate) forgetAll()

/** `UPDATE_GOLDEN=1` draws them anew; the change is then read like any other. */
describe('the screens are what they were', () => {
  test.each(Object.entries(scenes))('%s', (name, scene) => {
    const picture = pictureOf(scene)
    if (isUpdate) keep(name, picture)
    expect(picture).toBe(readKept(name))
  })
})

test.each(Object.entries(scenes))('%s: no word is cut, of which half would be another one', (_, { state }) => {
  expect(halfWords(state)).toEqual([])
})

test('no screen is kept that nothing draws', () => {
  expect(new Set(keptNames())).toEqual(new Set(Object.keys(scenes)))
})

test('every pane has its screens', () => {
  for (const { pane } of paneTable) expect(Object.values(scenes).map(({ part }) => part)).toContain(pane)
})

/** Every word of a union: the compiler asks for each, and for no other. */
const everyWord = <Word extends string>(words: Record<Word, true>): string[] => Object.keys(words)

test('every overlay has its screens', () => {
  const kinds = everyWord<Overlay['kind']>({
    ...{ help: true, tour: true, palette: true, symbols: true, themes: true, columns: true, details: true },
    ...{ confirmCancel: true, confirmQuit: true, halt: true, unknownWrite: true, alerts: true },
    ...{ withdraw: true, withdrawReview: true, withdrawSecret: true, depositChoose: true, deposit: true },
    ...{ planReview: true, planCancel: true, planResume: true },
  })
  const drawn = Object.values(scenes).map(({ part, state }) => (part === 'overlay' ? state.overlay?.kind : null))
  for (const kind of kinds) expect(drawn).toContain(kind)
})

test('every stage of an order, every mode, venue, status and state of the lock has its screens', () => {
  const states = Object.values(scenes).map(({ state }) => state)
  const expected: readonly [readonly string[], readonly (string | undefined)[]][] = [
    [
      everyWord<TicketState['stage']>({ edit: true, review: true, sending: true }),
      states.map(({ ticket }) => ticket?.stage),
    ],
    [
      everyWord<MoveState['stage']>({ choose: true, review: true, sending: true }),
      states.map(({ move }) => move?.stage),
    ],
    [
      everyWord<Mode['kind']>({ MONITOR: true, SAFE: true, ARMED: true, HALTED: true }),
      states.map(({ mode }) => mode.kind),
    ],
    [everyWord<DeskState['venue']['kind']>({ practice: true, live: true }), states.map(({ venue }) => venue.kind)],
    [
      everyWord<DeskState['lock']['kind']>({ open: true, covered: true, typing: true, checking: true }),
      states.map(({ lock }) => lock.kind),
    ],
    [everyWord<Picture['kind']>({ moving: true, frozen: true }), states.map(({ picture }) => picture.kind)],
    [symbolStatuses, states.map(({ symbol, instruments }) => instruments.value?.get(symbol)?.status)],
  ]
  for (const [words, drawn] of expected) for (const word of words) expect(drawn).toContain(word)
})

test('a zoomed pane, old data and a terminal that is too small have their screens', () => {
  expect(Object.values(scenes).filter(({ state }) => state.view.isZoomed)).not.toEqual([])
  expect(readKept('screen-stale')).toContain('STALE')
  expect(readKept('too-small')).toContain('80x24')
})
