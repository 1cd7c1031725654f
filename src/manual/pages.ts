import agents from './agents.md'
import alerts from './alerts.md'
import chart from './chart.md'
import configuration from './configuration.md'
import gateway from './gateway.md'
import hub from './hub.md'
import hubOperations from './hub-operations.md'
import inbox from './inbox.md'
import keys from './keys.md'
import ladder from './ladder.md'
import lists from './lists.md'
import locking from './locking.md'
import notifications from './notifications.md'
import palette from './palette.md'
import plans from './plans.md'
import polling from './polling.md'
import positions from './positions.md'
import practice from './practice.md'
import records from './records.md'
import safety from './safety.md'
import screen from './screen.md'
import scripting from './scripting.md'
import ssh from './ssh.md'
import states from './states.md'
import type { SubjectName } from './subjects.ts'
import threatModel from './threat-model.md'
import tickets from './tickets.md'
import watching from './watching.md'
import withdrawals from './withdrawals.md'

/** The text of every page, as Markdown. */
export const pages: Readonly<Record<SubjectName, string>> = {
  screen,
  ladder,
  tickets,
  palette,
  plans,
  lists,
  chart,
  alerts,
  notifications,
  withdrawals,
  positions,
  gateway,
  inbox,
  hub,
  'hub-operations': hubOperations,
  practice,
  configuration,
  keys,
  polling,
  ssh,
  scripting,
  states,
  agents,
  safety,
  'threat-model': threatModel,
  locking,
  records,
  watching,
}
