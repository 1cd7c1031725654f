import { type Actions, type Binding, inScope } from './binding.ts'
import type { DeskAction } from './desk.ts'

/** What the keys do about alerts: every action as what it asks of the desk. */
export const alertsActions = {
  alerts: ({ commands }) => commands.openAlerts(),
  dismissToasts: ({ commands }) => commands.dismissToasts(),
  alertDown: ({ commands }) => commands.moveInAlerts(1),
  alertUp: ({ commands }) => commands.moveInAlerts(-1),
  addAlert: ({ commands }) => commands.addAlert(),
  switchAlert: ({ commands }) => commands.switchAlert(),
  removeAlert: ({ commands }) => commands.removeAlert(),
  snoozeAlerts: ({ commands }) => commands.snoozeAlerts(),
} satisfies Actions
export type AlertsAction = keyof typeof alertsActions

const desk = inScope<AlertsAction>('desk')
const alerts = inScope<AlertsAction | DeskAction>('alerts')

export const alertsKeys: readonly Binding<AlertsAction | DeskAction>[] = [
  desk(['A'], 'alerts', 'alerts, seen', { shown: 'A Esc', name: 'list the alerts' }),
  desk(['esc'], 'dismissToasts', 'alerts, seen', { name: 'take alerts off the screen' }),
  alerts(['j', 'down'], 'alertDown', 'choose an alert', { foot: 'choose' }),
  alerts(['k', 'up'], 'alertUp', 'choose an alert', { foot: 'choose' }),
  alerts(['n', ':'], 'addAlert', 'a new one', { foot: 'new' }),
  alerts(['enter'], 'switchAlert', 'arm again; on or off', { foot: 'arm, on/off' }),
  alerts(['d', 'delete'], 'removeAlert', 'take it away', { foot: 'delete' }),
  alerts(['s'], 'snoozeAlerts', 'quiet for 10 min, or no more', { foot: 'snooze' }),
  alerts(['esc', 'q', 'A'], 'closeOverlay', 'close the list', { foot: 'close' }),
]
