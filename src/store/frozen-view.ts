import { clockText } from '../base/text/time-text.ts'
import { keyOf } from '../domain/desk/session.ts'
import { type DeskState, type DeskStore, movingPicture, type Picture, type StoreEvent } from './desk.ts'
import { noted } from './log.ts'
import { isAtOrder } from './order-form.ts'
import { isAtLadder } from './view/pane-before.ts'
import type { ViewEvent } from './view/view.ts'

/** What arrived while the screen was frozen. */
export type Missed = { fills: number; unknown: number }

export function missedBehind({ picture, fills, unknownWrites }: DeskState): Missed {
  if (picture.kind === 'moving') return { fills: 0, unknown: 0 }
  const { shown } = picture
  // Known fills stay the same objects, and new ones stand before the first of them.
  const newest = shown.fills.value?.[0]
  const all = fills.value ?? []
  const at = newest === undefined ? all.length : all.indexOf(newest)
  const known = new Set(shown.unknownWrites.map(({ key }) => key))
  return {
    fills: shown.fills.value === null ? 0 : at === -1 ? all.length : at,
    unknown: unknownWrites.filter(({ key }) => !known.has(key)).length,
  }
}

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

/** `2 fills, 1 unanswered write`; empty when nothing arrived. */
export const missedText = ({ fills, unknown }: Missed): string =>
  [...counted(fills, 'fill', 'fills'), ...counted(unknown, 'unanswered write', 'unanswered writes')].join(', ')

function wentOn(state: DeskState, atMs: number): DeskState {
  if (state.picture.kind === 'moving') return state
  const seconds = Math.max(0, Math.round((atMs - state.picture.sinceMs) / 1000))
  const missed = missedText(missedBehind(state))
  const text = `Screen live again after ${seconds} s${missed === '' ? '' : `: ${missed} meanwhile`}.`
  return noted({ ...state, picture: movingPicture }, 'info', text, atMs)
}

/** The user's changes of the layout, and freezing. */
export function reduceView(state: DeskState, event: ViewEvent): DeskState {
  switch (event.type) {
    case 'layoutChosen': {
      const view = { layout: event.layout, isZoomed: false }
      // The user asked for the lists, not for the ladder behind the same tabs.
      return { ...state, view, focus: event.layout === 'lists' && isAtLadder(state) ? 'orders' : state.focus }
    }
    case 'zoomToggled':
      return { ...state, view: { ...state.view, isZoomed: !state.view.isZoomed } }
    case 'pictureFrozen': {
      if (state.picture.kind === 'frozen') return state
      if (isAtOrder(state))
        return noted(state, 'warn', 'Not frozen: an order is open, which needs live data.', event.atMs)
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

/** The state in which an event acts: an event that needs the present market unfreezes the screen first. */
export const inPresent = (state: DeskState, event: StoreEvent): DeskState =>
  state.picture.kind === 'frozen' && needsPresent.has(event.type) ? wentOn(state, state.nowMs) : state

/**
 * What belongs to the user and not to the picture: it goes on while the screen is frozen, and with the chart the
 * recorded bars that are read where it goes. Everything else is data, and frozen.
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
  'shownAccount',
  'equitySpan',
  'chart',
  'olderBars',
  'looks',
  'ticket',
  'move',
  'overlay',
  'mode',
  'lock',
] as const satisfies readonly (keyof DeskState)[]

/** The shown state of a state, and the last shown state of a frozen picture. */
const shownOf = new WeakMap<DeskState, DeskState>()
const lastShownOf = new WeakMap<Picture, DeskState>()

const isPersonallySame = (left: DeskState, right: DeskState): boolean =>
  personal.every((name) => left[name] === right[name]) &&
  left.gateway.list === right.gateway.list &&
  left.positions.basis === right.positions.basis &&
  left.positions.grouping === right.positions.grouping

/** The picture with the user's own changes. */
function pictureOf(state: DeskState, shown: DeskState): DeskState {
  // The gateway's list in front, and how positions are valued and grouped, is the user's choice; their contents stay
  // frozen.
  const gateway = { ...shown.gateway, list: state.gateway.list }
  const { basis, grouping } = state.positions
  const positions = { ...shown.positions, basis, grouping }
  return { ...shown, ...Object.fromEntries(personal.map((name) => [name, state[name]])), gateway, positions }
}

/**
 * The state that the panes show: the present one, or the frozen picture with the user's own changes. The same object
 * until the user changes something, so that nothing is redrawn for changes behind a frozen picture.
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
 * The store for the panes: in a frozen picture the data stay, and only the user's own changes go on. Changes behind a
 * frozen picture call no listener.
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
