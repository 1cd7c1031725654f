import { durationText } from '../../base/duration.ts'
import type { AlertAct, NewWatch } from '../../domain/alerts/sentence.ts'
import { standingWords, watchText } from '../../domain/alerts/watch.ts'
import { noted } from '../log.ts'
import type { DeskState } from '../state.ts'
import type { AlertsState } from './alerts-state.ts'

/** More would only slow the desk down: nobody watches as many. */
const watchesMost = 100

type Act = Exclude<AlertAct, { kind: 'list' }>
type Outcome = { alerts: Partial<AlertsState>; level: 'good' | 'info' | 'warn'; text: string }

function added({ watches, nextId }: AlertsState, watch: NewWatch): Outcome {
  if (watches.length >= watchesMost) {
    return { alerts: {}, level: 'warn', text: `There are ${watchesMost} alerts: take one away first (alert off 3).` }
  }
  const made = { ...watch, id: nextId, state: { kind: 'unseen' } } as const
  const text = `Alert ${nextId} is armed: ${watchText(made)}.`
  return { alerts: { watches: [...watches, made], nextId: nextId + 1 }, level: 'good', text }
}

/** What an act makes of the alerts, and what is said of it. */
function outcomeOf(alerts: AlertsState, act: Act, atMs: number): Outcome {
  const { watches } = alerts
  switch (act.kind) {
    case 'watch':
      return added(alerts, act.watch)
    case 'remove': {
      const watch = watches.find(({ id }) => id === act.id)
      if (watch === undefined) return unknownAlert(act.id)
      const text = `Alert ${act.id} is taken away: ${watchText(watch)}.`
      return { alerts: { watches: watches.filter((each) => each !== watch) }, level: 'info', text }
    }
    case 'rearm': {
      const watch = watches.find(({ id }) => id === act.id)
      if (watch === undefined) return unknownAlert(act.id)
      const armed = { ...watch, state: { kind: 'unseen' } } as const
      const next = watches.map((each) => (each === watch ? armed : each))
      return { alerts: { watches: next }, level: 'good', text: `Alert ${act.id} is armed again: ${watchText(watch)}.` }
    }
    case 'standing': {
      const standing = { ...alerts.standing, [act.rule]: act.isOn }
      const chosen = { ...alerts.chosen, [act.rule]: act.isOn }
      const text = `${act.isOn ? 'Alert' : 'No alert'} when ${standingWords[act.rule].meaning}.`
      return { alerts: { standing, chosen }, level: 'info', text }
    }
    case 'snooze': {
      if (act.forMs === 0) {
        const text = ringAgainText(alerts.missedCount)
        return { alerts: { snoozedUntilMs: null, missedCount: 0 }, level: 'info', text }
      }
      const text = `Alerts are quiet for ${durationText(act.forMs)}: what fires is in the list.`
      return { alerts: { snoozedUntilMs: atMs + act.forMs, toasts: [] }, level: 'info', text }
    }
  }
}

/** What is said when a snooze is over. */
export const ringAgainText = (missedCount: number): string =>
  `Alerts ring again: ${missedCount === 0 ? 'nothing fired meanwhile' : `${missedCount} fired meanwhile, A lists them`}.`

const unknownAlert = (id: number): Outcome => ({
  alerts: {},
  level: 'warn',
  text: `There is no alert ${id}: A lists them.`,
})

/** The desk after a person's act about alerts, with a word on what it did. */
export function withAct(state: DeskState, act: Act, atMs: number): DeskState {
  const { alerts, level, text } = outcomeOf(state.alerts, act, atMs)
  return noted({ ...state, alerts: { ...state.alerts, ...alerts } }, level, text, atMs)
}
