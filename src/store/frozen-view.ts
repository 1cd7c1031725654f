import { clockText } from '../base/time-text.ts'
import { keyOf } from '../domain/desk/session.ts'
import { type DeskState, type DeskStore, movingPicture, type Picture, type StoreEvent } from './desk.ts'
import { noted } from './log.ts'
import { isAtLadder } from './view/pane-before.ts'
import type { ViewEvent } from './view/view.ts'

/** What came in behind a frozen picture. */
export type Missed = { fills: number; unknown: number }

export function missedBehind({ picture, fills, unsettled }: DeskState): Missed {
  if (picture.kind === 'moving') return { fills: 0, unknown: 0 }
  const { shown } = picture
  // Fills known already keep their place in memory: the new ones stand before the first of them.
  const newest = shown.fills.value?.[0]
  const all = fills.value ?? []
  const at = newest === undefined ? all.length : all.indexOf(newest)
  const known = new Set(shown.unsettled.map(({ key }) => key))
  return {
    fills: shown.fills.value === null ? 0 : at === -1 ? all.length : at,
    unknown: unsettled.filter(({ key }) => !known.has(key)).length,
  }
}

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

/** `2 fills, 1 write without an answer`; empty when nothing came in. */
export const missedText = ({ fills, unknown }: Missed): string =>
  [...counted(fills, 'fill', 'fills'), ...counted(unknown, 'unanswered write', 'unanswered writes')].join(', ')

function wentOn(state: DeskState, atMs: number): DeskState {
  if (state.picture.kind === 'moving') return state
  const seconds = Math.max(0, Math.round((atMs - state.picture.sinceMs) / 1000))
  const missed = missedText(missedBehind(state))
  const text = `Screen live again after ${seconds} s${missed === '' ? '' : `: ${missed} meanwhile`}.`
  return noted({ ...state, picture: movingPicture }, 'info', text, atMs)
}

/** What a person does to the arrangement and to the picture. */
export function reduceView(state: DeskState, event: ViewEvent): DeskState {
  switch (event.type) {
    case 'layoutChosen': {
      const view = { layout: event.layout, isZoomed: false }
      // Whoever asks for the lists wants to see them, and not the ladder behind the same tabs.
      return { ...state, view, focus: event.layout === 'lists' && isAtLadder(state) ? 'orders' : state.focus }
    }
    case 'zoomToggled':
      return { ...state, view: { ...state.view, isZoomed: !state.view.isZoomed } }
    case 'pictureFrozen': {
      if (state.picture.kind === 'frozen') return state
      const at = clockText(event.atMs + state.ahead.wallMs)
      const text = `Frozen at ${at}Z. Data keeps updating. ${keyOf(state.reboundKeys, 'freeze')} resumes.`
      const picture: Picture = { kind: 'frozen', sinceMs: event.atMs, shown: state }
      return noted({ ...state, picture }, 'info', text, event.atMs)
    }
    case 'pictureWentOn':
      return wentOn(state, event.atMs)
  }
}

/** Actions that need live data: an order or a cancel unfreezes the screen, so that its outcome is seen. */
const needsPresent: ReadonlySet<StoreEvent['type']> = new Set([
  'ticketOpened',
  'moveOpened',
  'symbolChosen',
  'orderSent',
  'cancelSent',
  'cancelsSent',
  'cancelAllSent',
  'withdrawalSent',
] as const)

/** The state in which an event acts: a frozen picture goes on first where the event needs the market as it is. */
export const inPresent = (state: DeskState, event: StoreEvent): DeskState =>
  state.picture.kind === 'frozen' && needsPresent.has(event.type) ? wentOn(state, state.nowMs) : state

/**
 * What belongs to the person and not to the picture: it goes on while the picture stands still. Everything
 * else is data and stands.
 */
const personal = [
  'screen',
  'view',
  'focus',
  'symbol',
  'symbol2',
  'ladder',
  'ladder2',
  'tables',
  'transferList',
  'chart',
  'looks',
  'ticket',
  'move',
  'overlay',
  'mode',
  'lock',
] as const satisfies readonly (keyof DeskState)[]

/** What is shown of a state, and what was shown last of a frozen picture. */
const shownOf = new WeakMap<DeskState, DeskState>()
const lastShownOf = new WeakMap<Picture, DeskState>()

const isPersonallySame = (left: DeskState, right: DeskState): boolean =>
  personal.every((name) => left[name] === right[name]) && left.gateway.list === right.gateway.list

/** The picture with what the person does in it. */
function pictureOf(state: DeskState, shown: DeskState): DeskState {
  // The list of the gateway that is in front is the person's; what the lists hold stands.
  const gateway = { ...shown.gateway, list: state.gateway.list }
  return { ...shown, ...Object.fromEntries(personal.map((name) => [name, state[name]])), gateway }
}

/**
 * What the panes show of a state: itself, or the frozen picture with what the person does in it. The same object as
 * long as the person does nothing, so that what goes on behind a frozen picture draws nothing.
 */
export function shownState(state: DeskState): DeskState {
  const { picture } = state
  if (picture.kind === 'moving') return state
  const known = shownOf.get(state)
  if (known !== undefined) return known
  const last = lastShownOf.get(picture)
  const shown = last !== undefined && isPersonallySame(last, state) ? last : pictureOf(state, picture.shown)
  lastShownOf.set(picture, shown)
  shownOf.set(state, shown)
  return shown
}

/**
 * The store as the panes see it: while the picture is frozen its data stand still, and what the person does goes on.
 * Nobody is told of what changes behind a frozen picture.
 */
export const createPictureStore = (store: DeskStore): DeskStore => ({
  ...store,
  getState: () => shownState(store.getState()),
  getInitialState: () => shownState(store.getInitialState()),
  subscribe: (listener) =>
    store.subscribe((state, before) => {
      const shown = shownState(state)
      const shownBefore = shownState(before)
      if (shown !== shownBefore) listener(shown, shownBefore)
    }),
})
