import { settingFlags } from '../config/setting-flags.ts'
import { messageKinds } from '../domain/notify/message.ts'
import { subjectNames } from '../manual/subjects.ts'
import { wireModes } from '../wire/exact-json.ts'
import type { Flag } from './cli/arguments.ts'
import { adminFlags, type CommandRow, jsonFlag, portMax, profileFlag, shells } from './cli/command.ts'
import { firmRows } from './firm/rows.ts'
import { hubRows } from './hub/rows.ts'
import { inboxRows } from './inbox/rows.ts'
import { programRows } from './mcp/rows.ts'
import { accountRows, gatewayRows, marketRows } from './read/rows.ts'
import { watchRows } from './watch/rows.ts'
import { planRows, writeRows } from './write/rows.ts'

const portFlag = (name: string, meaning: string, standard: string): Flag => ({
  ...{ name, placeholder: 'N', meaning, standard },
  whole: [0, portMax],
})

/** The desk, the practice exchange, and the commands that help with both. */
const deskRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'desk',
    summary: 'opens the desk (also without a command)',
    words: '',
    wordsMax: 0,
    flags: [
      profileFlag,
      ...settingFlags,
      {
        name: 'fresh',
        placeholder: null,
        meaning: 'as set, not as the last session left it: symbol, layout, columns, theme',
      },
    ],
    notes: [
      'Without configuration it trades on its own practice exchange, which starts and ends with it and remembers ' +
        'everything in the state folder (~/.local/state/pitdesk/practice).',
      'A profile of config.toml, or PITDESK_EXCHANGE_BASE_URL and PITDESK_API_TOKEN in the environment, points it ' +
        'at an exchange instead.',
    ],
    load: async () => (await import('./desk.ts')).runDesk,
  },
  {
    kind: 'parsed',
    name: 'sandbox',
    summary: 'runs the practice exchange alone, until a signal',
    words: '',
    wordsMax: 0,
    flags: [
      portFlag('port', 'port of the exchange, 0 for any free one', '4010'),
      portFlag('gateway-port', 'port of the gateway, 0 for any free one', '4011'),
      portFlag('admin-port', 'port of the administration, 0 for any free one', '4012'),
      {
        name: 'data',
        placeholder: 'DIR',
        meaning: 'data folder, kept across restarts; without one a temporary folder, removed at the end',
      },
      {
        name: 'seed',
        placeholder: 'N',
        meaning: 'a whole number: the same seed gives the same market',
        whole: [0, Number.MAX_SAFE_INTEGER],
      },
      {
        name: 'market',
        placeholder: 'STATE',
        meaning: 'simulated market',
        choices: ['on', 'off'],
        standard: 'on',
      },
      {
        name: 'wire',
        placeholder: 'FORM',
        meaning: 'the form of amounts',
        choices: wireModes,
        standard: 'numbers',
      },
      {
        name: 'rate-limit',
        placeholder: 'N',
        meaning: 'requests a second for each key, without it no limit',
        whole: [1, 1_000_000],
      },
    ],
    notes: [
      'The first line on stdout is one JSON object with its addresses and keys; the log goes to stderr.',
      'pitdesk sandbox admin NOUN VERB … administers a running one, as its web page would: see pitdesk sandbox ' +
        'admin --help.',
    ],
    load: async () => (await import('./sandbox/sandbox.ts')).runSandbox,
  },
  {
    kind: 'verbs',
    name: 'sandbox admin',
    summary: 'administers a running practice exchange, as its web page would',
    words: 'NOUN VERB …',
    wordsMax: 0,
    flags: adminFlags,
    notes: ['Every NOUN and every NOUN VERB has its own --help.'],
    load: async () => (await import('./sandbox/admin.ts')).adminVerbs,
  },
  {
    kind: 'parsed',
    name: 'doctor',
    summary: 'checks configuration, file modes, connection, key, clock and terminal, one line each',
    words: '',
    wordsMax: 0,
    flags: [jsonFlag, profileFlag],
    isPlain: true,
    notes: [
      'It asks the account for its fees, and changes nothing. No key is shown.',
      'Exit code 5: only the connection fails. 1: something else does.',
    ],
    load: async () => (await import('./read/doctor.ts')).runDoctor,
  },
  {
    kind: 'parsed',
    name: 'notify test',
    summary: 'sends a test message by every configured way and calls the heartbeat, and says what became of it',
    words: '',
    wordsMax: 0,
    flags: [
      {
        name: 'kind',
        placeholder: 'KIND',
        meaning: 'a message of this kind, only to what gets that kind',
        choices: messageKinds,
      },
      jsonFlag,
      profileFlag,
    ],
    isPlain: true,
    notes: [
      'It goes out at once, past digest and quiet hours; messages that wait stay where they are.',
      'Exit code 1: one of them did not take it.',
    ],
    failures: ['failed', 'usage'],
    load: async () => (await import('./read/notify-test.ts')).runNotifyTest,
  },
  {
    kind: 'parsed',
    name: 'help',
    summary: 'the manual, page by page, or the help of a command',
    words: '[SUBJECT | COMMAND]',
    wordsMax: 4,
    wordChoices: subjectNames,
    flags: [],
    notes: [
      'Without a subject it lists all. On a terminal a page is shown in PAGER (less); elsewhere it is plain text ' +
        'of 80 columns.',
    ],
    load: async () => (await import('./cli/help.ts')).helpRun(commandTable),
  },
  {
    kind: 'parsed',
    name: 'completions',
    summary: 'prints a shell completion script',
    words: 'SHELL',
    wordsMax: 1,
    wordChoices: shells,
    flags: [],
    notes: [
      'bash: add "source <(pitdesk completions bash)" to ~/.bashrc. zsh: write it to _pitdesk in a folder of ' +
        'fpath. fish: write it to ~/.config/fish/completions/pitdesk.fish.',
    ],
    load: async () => (await import('./cli/completions.ts')).completionsRun(commandTable),
  },
]

/** The desk lock. Passphrases and codes are typed on the terminal and are never arguments. */
const lockRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'lock setup',
    summary: 'sets up the desk lock: a passphrase, or codes of an authenticator app',
    words: '',
    wordsMax: 0,
    flags: [{ name: 'code', placeholder: null, meaning: 'six-digit codes (TOTP) instead of a passphrase' }],
    notes: [
      'It asks on the terminal and does not show what you type. The lock is kept in the state folder, for the ' +
        'owner alone; a passphrase only as a hash that takes 64 MiB for each guess.',
      'With a lock set up the screen starts locked, and locks by itself after 15 minutes without a key. pitdesk ' +
        'order place and pitdesk withdraw ask for it as well, and are refused to scripts unless the profile sets ' +
        'lock_commands = "allow"; cancels are never locked. For a forgotten passphrase or code remove lock.json ' +
        'from the state folder.',
    ],
    load: async () => (await import('./lock/lock.ts')).runLockSetup,
  },
  {
    kind: 'parsed',
    name: 'lock remove',
    summary: 'removes the lock, after opening it once more',
    words: '',
    wordsMax: 0,
    flags: [],
    notes: [],
    load: async () => (await import('./lock/lock.ts')).runLockRemove,
  },
  {
    kind: 'parsed',
    name: 'lock approver',
    summary: 'sets up or removes the approver of withdrawals, who has a passphrase of their own',
    words: 'setup [NAME] | remove',
    wordsMax: 2,
    wordChoices: ['setup', 'remove'],
    flags: [],
    notes: [
      "Both sit at the terminal: the user opens the desk's lock, then the approver types a passphrase twice that " +
        'does not open it. Typing is not shown. The passphrase is kept like the lock, as a hash that takes 64 MiB ' +
        'for each guess, in approver.json.',
      "withdrawal_approval in a profile's limits sets which withdrawals need approval: true, or an amount of USD. " +
        'Only the approver can remove the approval; for a forgotten passphrase remove approver.json from the state ' +
        'folder.',
    ],
    load: async () => (await import('./lock/lock.ts')).runLockApprover,
  },
]

/** Every command, in the order of the help page. */
export const commandTable: readonly CommandRow[] = [
  ...deskRows,
  ...watchRows,
  ...marketRows,
  ...accountRows,
  ...writeRows,
  ...planRows,
  ...gatewayRows,
  ...inboxRows,
  ...hubRows,
  ...firmRows,
  ...programRows,
  ...lockRows,
]
