import { gatewayOrderStates, gatewayOrderTypes } from '../../domain/gateway/event.ts'
import { longestKeepDays, shortestKeepDays, usualKeepDays } from '../../domain/gateway/inbox-source.ts'
import type { Flag } from '../cli/arguments.ts'
import { type CommandRow, formFlags, inboxLists, pageFlags, servingFlags, timeFlags } from '../cli/command.ts'

const storeFlag: Flag = {
  name: 'store',
  placeholder: 'URL',
  meaning:
    'where events are kept: sqlite:///path (the default is inbox.sqlite in the data folder) or ' +
    'postgres://host/database, without a password',
}

const orderFlags: readonly Flag[] = [
  { name: 'order', placeholder: 'ID', meaning: 'only this order' },
  { name: 'state', placeholder: 'STATE', meaning: 'only this state', choices: gatewayOrderStates },
]

const storeNote =
  'A password of the store is never an argument: name the store by PITDESK_INBOX_STORE, by store_file or ' +
  'store_command in [inbox] of config.toml, or leave the password to PGPASSWORD or a passfile of PostgreSQL ' +
  '(~/.pgpass).'

/** The inbox of the partner gateway's events. */
export const inboxRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'inbox serve',
    summary: "receives the partner gateway's events until a signal, and acknowledges only what is on disk",
    words: '',
    wordsMax: 0,
    flags: [
      ...servingFlags('inbox', '/metrics'),
      {
        name: 'trust-proxy',
        placeholder: 'CIDR',
        meaning: 'a proxy whose X-Forwarded-For counts; may come more than once',
        repeats: true,
      },
      {
        name: 'allow',
        placeholder: 'CIDR',
        meaning: "a source of events beside the gateway's own addresses; may come more than once",
        repeats: true,
      },
      storeFlag,
      { name: 'forward', placeholder: 'URL', meaning: 'forwards each event to this address, with retries' },
      {
        name: 'retention-days',
        placeholder: 'N',
        meaning: `events are kept this long (${usualKeepDays}), ${shortestKeepDays} days at least`,
        whole: [shortestKeepDays, longestKeepDays],
      },
    ],
    notes: [
      'The first line on stdout is one JSON object with "url" and "metricsUrl"; the log goes to stderr. SIGTERM ' +
        'and SIGINT answer what is in flight, then end it; a second one ends it at once.',
      'Without a certificate it belongs behind a proxy that has one: the gateway sends to https only.',
      'Events are forwarded in order for each order id, one at a time, retried until the answer is 2xx or they are ' +
        'given up. The place reached is kept in the store, and the next run, or another host, continues there: delivery ' +
        'is at least once. More targets, filters and signatures: [[inbox.targets]] of config.toml, see "help inbox".',
      storeNote,
    ],
    load: async () => (await import('./serve.ts')).runInboxServe,
  },
  {
    kind: 'parsed',
    name: 'inbox ls',
    summary:
      'lists the inbox, the newest first: events, orders in their latest state, sums, the quarantine, or forwarding',
    words: '[events | orders | sums | quarantine | dead | targets]',
    wordsMax: 1,
    wordChoices: inboxLists,
    flags: [...orderFlags, ...timeFlags, ...pageFlags, storeFlag, ...formFlags],
    notes: [
      'LATE: a later state of the order had been received before. COPIES: how often the same event came again. ' +
        'CONFLICTS: other bodies under the same id.',
      '--from and --to go by the time of receipt; of dead by that of giving up. dead: events that a target refused too ' +
        'often. targets: how forwarding stands, and who does it; WAITING were taken up and not delivered, BEHIND are ' +
        'the events after those, of which its filters may want none. STUCK, AS: why the oldest event that was tried ' +
        'is not delivered.',
      storeNote,
    ],
    load: async () => (await import('./list.ts')).runInboxList,
  },
  {
    kind: 'parsed',
    name: 'inbox show',
    summary: 'shows an order with its history, an event with every field, or a quarantined body',
    words: 'ID',
    wordsMax: 1,
    flags: [
      { name: 'quarantine', placeholder: null, meaning: 'ID is the number of a quarantined body' },
      storeFlag,
      ...formFlags,
    ],
    notes: ['The start of an id is enough where only one begins so: at least 4 characters.', storeNote],
    load: async () => (await import('./show.ts')).runInboxShow,
  },
  {
    kind: 'parsed',
    name: 'inbox replay',
    summary: 'replays the quarantine: records each body that this version reads as an event',
    words: '[NUMBER]',
    wordsMax: 1,
    flags: [storeFlag, ...formFlags],
    notes: [
      'Without a number all of it. An event is recorded with the time and the address it came with; a body that is ' +
        'still not an event stays in quarantine.',
      storeNote,
    ],
    load: async () => (await import('./replay.ts')).runInboxReplay,
  },
  {
    kind: 'parsed',
    name: 'inbox send-again',
    summary: 'has events forwarded once more: by id, order, time or filter, or those that were given up',
    words: '[ID…]',
    wordsMax: 1_000,
    flags: [
      { name: 'dead', placeholder: null, meaning: 'events that were given up, instead of ids' },
      { name: 'target', placeholder: 'NAME', meaning: 'to this target alone, as "inbox ls targets" names it' },
      ...orderFlags,
      { name: 'type', placeholder: 'TYPE', meaning: 'only orders of this type', choices: gatewayOrderTypes },
      { name: 'currency', placeholder: 'CODE', meaning: 'only what is paid in it or out of it', repeats: true },
      { name: 'country', placeholder: 'CODE', meaning: 'only users of this country', repeats: true },
      ...timeFlags,
      { name: 'yes', placeholder: null, meaning: 'confirms more than ten where stdin is not a terminal' },
      storeFlag,
      ...formFlags,
    ],
    notes: [
      'An inbox that forwards sends them within seconds, each after what waits of its order. More than ten are asked ' +
        'about. Not confirmed is exit code 3, no such event 1; WAITING ANYWAY were not taken yet and are not sent twice.',
      'The filters of a target count here too: what it does not want it does not get.',
      storeNote,
    ],
    load: async () => (await import('./send-again.ts')).runInboxSendAgain,
  },
  {
    kind: 'parsed',
    name: 'inbox forget-target',
    summary: 'removes the checkpoint of a target that is no longer configured, with what waits for it',
    words: 'NAME',
    wordsMax: 1,
    flags: [
      { name: 'yes', placeholder: null, meaning: 'confirms where stdin is not a terminal' },
      storeFlag,
      ...formFlags,
    ],
    notes: [
      'NAME as "inbox ls targets" has it. It asks first, and prints what the target had. A target that is set here or ' +
        'forwarded to by any host is not forgotten: exit code 1. Not confirmed is exit code 3.',
      storeNote,
    ],
    load: async () => (await import('./forget-target.ts')).runInboxForgetTarget,
  },
  {
    kind: 'parsed',
    name: 'inbox export',
    summary: 'writes every event to stdout, the oldest first, as CSV or JSON',
    words: '',
    wordsMax: 0,
    flags: [...orderFlags, ...timeFlags, storeFlag, ...formFlags],
    isPlain: true,
    notes: ['CSV unless --json is given, every field of the event and every digit of its amounts.', storeNote],
    load: async () => (await import('./list.ts')).runInboxExport,
  },
]
