import { themeNames } from '../config/looks.ts'
import { layoutNames } from '../domain/desk/session.ts'
import { subjectNames } from '../manual/subjects.ts'
import type { WireMode } from '../wire/exact-json.ts'
import type { CommandRow } from './command.ts'
import { shells } from './completions.ts'
import { jsonFlag, profileFlag } from './flags.ts'

const wireForms: readonly WireMode[] = ['numbers', 'strings', 'mixed']

/** The desk, the practice exchange, and what helps with both. */
export const deskRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'desk',
    summary: 'opens the desk (also without a command)',
    words: '',
    wordsMost: 0,
    flags: [
      profileFlag,
      { name: 'symbol', placeholder: 'SYMBOL', meaning: 'the symbol to show first, for example ETH-USD' },
      { name: 'monitor', placeholder: null, meaning: 'read only: no write can leave the process' },
      {
        name: 'theme',
        placeholder: 'THEME',
        meaning: 'the colors, also of your own',
        choices: themeNames,
        takesOthers: true,
      },
      {
        name: 'fresh',
        placeholder: null,
        meaning: 'as set, not as the last session left it: symbol, layout, columns, theme',
      },
      { name: 'layout', placeholder: 'LAYOUT', meaning: 'how the panes are arranged', choices: layoutNames },
    ],
    notes: [
      'Without configuration it trades on its own practice exchange, which starts and ends with it and remembers everything in the state folder (~/.local/state/pitdesk/practice).',
      'A profile of config.toml, or PITDESK_EXCHANGE_BASE_URL and PITDESK_API_TOKEN in the environment, points it at an exchange instead.',
    ],
    load: async () => (await import('./desk.ts')).runDesk,
  },
  {
    kind: 'own',
    name: 'sandbox',
    summary: 'runs the practice exchange alone, until a signal',
    words: '',
    wordsMost: 0,
    flags: [
      { name: 'port', placeholder: 'N', meaning: 'port of the exchange' },
      { name: 'gateway-port', placeholder: 'N', meaning: 'port of the gateway' },
      { name: 'admin-port', placeholder: 'N', meaning: 'port of the administration' },
      { name: 'data', placeholder: 'DIR', meaning: 'data folder, kept across restarts' },
      { name: 'seed', placeholder: 'N', meaning: 'the same seed gives the same market' },
      { name: 'market', placeholder: 'STATE', meaning: 'simulated market', choices: ['on', 'off'] },
      { name: 'wire', placeholder: 'FORM', meaning: 'how amounts are written', choices: wireForms },
      { name: 'rate-limit', placeholder: 'N', meaning: 'requests a second for each key' },
    ],
    notes: [],
    load: async () => {
      const { runSandboxCommand } = await import('./sandbox.ts')
      return (argv, io, { clock }) => runSandboxCommand(argv, io, clock)
    },
  },
  {
    kind: 'own',
    name: 'sandbox admin',
    summary: 'does with a running practice exchange what its web page would',
    words: 'NOUN VERB …',
    wordsMost: 0,
    flags: [],
    notes: [],
    load: async () => {
      const { runSandboxAdminCommand } = await import('./sandbox-admin.ts')
      return (argv, io, { clock }) => runSandboxAdminCommand(argv, io, clock)
    },
  },
  {
    kind: 'parsed',
    name: 'doctor',
    summary: 'checks configuration, file modes, connection, key, clock and terminal, one line each',
    words: '',
    wordsMost: 0,
    flags: [jsonFlag, profileFlag],
    isPlain: true,
    notes: [
      'It asks the account for its fees, and changes nothing. No key is shown.',
      'Exit code 5: only the connection fails. 1: something else does.',
    ],
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  {
    kind: 'parsed',
    name: 'help',
    summary: 'the manual, page by page, or the help of a command',
    words: '[SUBJECT | COMMAND]',
    wordsMost: 4,
    wordChoices: subjectNames,
    flags: [],
    notes: [
      'Without a subject it lists all. On a terminal a page is shown in PAGER (less); elsewhere it is plain text of 80 columns.',
    ],
    load: async () => (await import('./help.ts')).runHelp,
  },
  {
    kind: 'parsed',
    name: 'completions',
    summary: 'prints a shell completion script',
    words: 'SHELL',
    wordsMost: 1,
    wordChoices: shells,
    flags: [],
    notes: [
      'bash: add "source <(pitdesk completions bash)" to ~/.bashrc. zsh: write it to _pitdesk in a folder of fpath. fish: write it to ~/.config/fish/completions/pitdesk.fish.',
    ],
    load: async () => (await import('./completions-command.ts')).runCompletions,
  },
]
