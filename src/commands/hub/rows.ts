import { limitedRoles, roles } from '../../domain/hub/roles.ts'
import type { Flag } from '../cli/arguments.ts'
import {
  type CommandRow,
  formFlags,
  jsonFlag,
  pageFlags,
  profileFlag,
  servingFlags,
  timeFlags,
} from '../cli/command.ts'
import type { FailureKind } from '../cli/exit-codes.ts'
import { withoutHub } from './without-hub.ts'

const notConfirmed = 'Exit code 3: not confirmed. Without a terminal --yes is required: else exit code 2.'

/** For every command of the hub. */
const storeFlag: Flag = {
  name: 'store',
  placeholder: 'URL',
  meaning: 'where the hub keeps everything: postgres://host/database, without a password',
}

const storeNote =
  'A password of the store is never an argument: name the store by PITDESK_HUB_STORE, by store_file or store_command ' +
  'in [hub] of config.toml, or leave the password to PGPASSWORD or a passfile of PostgreSQL (~/.pgpass).'

const shownOnce =
  'The token goes to stdout, alone unless --json is given, and is shown this once: the hub keeps its hash. Its owner ' +
  'needs it as the key of a profile whose exchange_base_url is the hub.'

const limitFlags: readonly Flag[] = [
  { name: 'order-usd', placeholder: 'USD', meaning: 'the value of one order at most; none: no limit' },
  { name: 'day-usd', placeholder: 'USD', meaning: "the values of a UTC day's orders together; none: no limit" },
  {
    name: 'withdraw-day-usd',
    placeholder: 'USD',
    meaning: "the values of a UTC day's withdrawals together; none: no limit",
  },
]

/** The store answers or fails: these commands never reach an exchange. */
const failures: readonly FailureKind[] = ['failed', 'usage']

/** The filters of the audit list. */
export const auditFlags = [
  { name: 'person', placeholder: 'NAME', meaning: 'only what they did, and what was done to them' },
  ...timeFlags,
  ...pageFlags,
]

/** Persons of a hub, their limits, and the audit list. */
export const hubRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'hub serve',
    summary: "serves one account of an exchange to many desks, each with a token of its person's own, until a signal",
    words: '',
    wordsMax: 0,
    flags: [
      profileFlag,
      ...servingFlags('hub', '/metrics and /healthz'),
      { name: 'new-key', placeholder: null, meaning: 'the profile has a new key of the same account' },
      storeFlag,
    ],
    isPlain: true,
    notes: [
      'The profile names the exchange, its key and the limits of the firm. The first line on stdout is one JSON object ' +
        'with "url", which is the exchange_base_url of desks, and "metricsUrl"; the log goes to stderr.',
      'Of several hubs on one store one leads; the others answer 503 until it ends, then one of them leads within five ' +
        'seconds. SIGTERM and SIGINT let writes under way end; a second one ends it at once.',
      'Beyond this machine it takes a certificate.',
      storeNote,
    ],
    failures,
    example: '--store postgres://db.internal/hub',
    load: async () => (await import('./serve.ts')).runHubServe,
  },
  {
    kind: 'parsed',
    name: 'hub user add',
    summary: 'adds a person to the hub, or a revoked one again, and prints their token',
    words: 'NAME',
    wordsMax: 1,
    flags: [
      { name: 'role', placeholder: 'ROLE', meaning: 'what they may do', choices: roles, isRequired: true },
      storeFlag,
      jsonFlag,
    ],
    isPlain: true,
    notes: [
      'viewer: reads. trader: also orders, cancels, deposit addresses, and withdrawals within the limits. approver: ' +
        'reads, approves and rejects drafts of others. admin: reads, resolves writes without an answer, halts, reads ' +
        'who did what.',
      shownOnce,
      'A name has 1 to 40 letters, digits, dots, _ and -, and means the same person in any case.',
      storeNote,
    ],
    failures,
    example: 'ada --role trader',
    load: async () => (await import('./users.ts')).runUserAdd,
  },
  {
    kind: 'parsed',
    name: 'hub user list',
    summary: 'lists the persons of the hub: role, the limits that count for them, tokens',
    words: '',
    wordsMax: 0,
    flags: [storeFlag, ...formFlags],
    notes: ['OWN LIMITS are set for the person; the others come from the role.', storeNote],
    failures,
    load: async () => (await import('./users.ts')).runUserList,
  },
  {
    kind: 'parsed',
    name: 'hub user rotate',
    summary: 'gives a person a new token; the old one stays valid for a while',
    words: 'NAME',
    wordsMax: 1,
    flags: [
      {
        name: 'overlap-h',
        placeholder: 'HOURS',
        meaning: 'how long the old token stays valid (24)',
        whole: [1, 720],
      },
      { name: 'now', placeholder: null, meaning: 'ends the old token at once, as after it got into wrong hands' },
      storeFlag,
      jsonFlag,
    ],
    isPlain: true,
    notes: [shownOnce, storeNote],
    failures,
    example: 'ada',
    load: async () => (await import('./users.ts')).runUserRotate,
  },
  {
    kind: 'parsed',
    name: 'hub user revoke',
    summary: 'ends every token of a person at once, on every hub',
    words: 'NAME',
    wordsMax: 1,
    flags: [{ name: 'yes', placeholder: null, meaning: 'confirms where stdin is not a terminal' }, storeFlag, jsonFlag],
    isPlain: true,
    notes: [
      'Orders that are working stay, and so does what is on record. pitdesk hub user add takes the person back.',
      notConfirmed,
      storeNote,
    ],
    failures: [...failures, 'notSent'],
    example: 'ada --yes',
    load: async () => (await import('./users.ts')).runUserRevoke,
  },
  {
    kind: 'parsed',
    name: 'hub user limit',
    summary: 'sets or shows the limits of a person, which count before those of the role',
    words: 'NAME',
    wordsMax: 1,
    flags: [...limitFlags, storeFlag, ...formFlags],
    notes: [
      'What is not named stays as it is. none takes the limit of the person away: that of the role counts again. 0 ' +
        'allows nothing of the kind.',
      storeNote,
    ],
    failures,
    example: 'ada --order-usd 5000 --withdraw-day-usd 0',
    load: async () => (await import('./limits.ts')).runUserLimit,
  },
  {
    kind: 'parsed',
    name: 'hub role limit',
    summary: 'sets or shows the limits of everybody in a role who has none of their own',
    words: 'ROLE',
    wordsMax: 1,
    wordChoices: limitedRoles,
    flags: [...limitFlags, storeFlag, ...formFlags],
    notes: ['What is not named stays as it is. Without a limit anything goes: none takes one away.', storeNote],
    failures,
    example: 'trader --order-usd 25000 --day-usd 250000 --withdraw-day-usd 50000',
    load: async () => (await import('./limits.ts')).runRoleLimit,
  },
  {
    kind: 'parsed',
    name: 'hub halt',
    summary: 'halts every desk of the firm, in the database: only cancels go out',
    words: 'REASON',
    // A hurried user types no quotes: all words are the reason.
    wordsMax: 1_000,
    undone: 'NOT halted',
    elsewhere: withoutHub,
    flags: [storeFlag, jsonFlag],
    notes: [
      'Everybody reads the reason. Each hub knows within a second; one that does not run begins halted. An admin does ' +
        'the same from their own machine: pitdesk firm halt.',
      storeNote,
    ],
    failures,
    example: '"a key is lost"',
    load: async () => (await import('./halt.ts')).runHubHalt,
  },
  {
    kind: 'parsed',
    name: 'hub resume',
    summary: 'ends the halt of the firm, in the database',
    words: '',
    wordsMax: 0,
    flags: [{ name: 'yes', placeholder: null, meaning: 'confirms where stdin is not a terminal' }, storeFlag, jsonFlag],
    notes: [notConfirmed, storeNote],
    failures: [...failures, 'notSent'],
    example: '--yes',
    load: async () => (await import('./halt.ts')).runHubResume,
  },
  {
    kind: 'parsed',
    name: 'hub audit',
    summary: 'lists who did what, the newest first, or verifies that nothing of it was changed',
    words: '',
    wordsMax: 0,
    flags: [
      ...auditFlags,
      { name: 'verify', placeholder: null, meaning: 'reads the whole list and names the first row that is broken' },
      storeFlag,
      ...formFlags,
    ],
    notes: [
      'Each row has the digest of the one before in its own. --verify ends with 1 where one was changed or is missing, ' +
        'else it prints how many there are and the last digest: kept elsewhere, that shows later that the list was not ' +
        'written anew.',
      storeNote,
    ],
    failures,
    example: '--person ada --from 7d',
    load: async () => (await import('./audit.ts')).runHubAudit,
  },
]
