import { type CommandRow, formFlags, jsonFlag, profileFlag } from '../cli/command.ts'
import { auditFlags } from '../hub/rows.ts'
import { yesFlag } from '../write/rows.ts'

const yourToken =
  'It asks the hub of the profile with your own token. Whoever operates the hub does the same on its database: ' +
  'pitdesk hub.'

/** Commands of a person at the hub of their firm, from their own machine. */
export const firmRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'firm me',
    summary: 'as whom the hub knows you: role, limits, whether it is halted',
    words: '',
    wordsMax: 0,
    flags: [...formFlags, profileFlag],
    notes: [yourToken],
    load: async () => (await import('./firm.ts')).runFirmMe,
  },
  {
    kind: 'parsed',
    name: 'firm audit',
    summary: 'who did what at the hub, the newest first; for an admin',
    words: '',
    wordsMax: 0,
    flags: [...auditFlags, ...formFlags, profileFlag],
    notes: [yourToken],
    load: async () => (await import('./firm.ts')).runFirmAudit,
  },
  {
    kind: 'parsed',
    name: 'firm halt',
    summary: 'halts every desk of the firm: only cancels go out; for an admin',
    words: 'REASON',
    // A hurried user types no quotes: all words are the reason.
    wordsMax: 1_000,
    undone: 'NOT halted',
    flags: [jsonFlag, profileFlag],
    notes: ['Everybody reads the reason. Halted again, the last reason counts.', yourToken],
    load: async () => (await import('./firm.ts')).runFirmHalt,
  },
  {
    kind: 'parsed',
    name: 'firm resume',
    summary: 'ends the halt of the firm; for an admin',
    words: '',
    wordsMax: 0,
    flags: [yesFlag, jsonFlag, profileFlag],
    notes: ['Exit code 3: not confirmed. Without a terminal --yes is required: else exit code 2.', yourToken],
    load: async () => (await import('./firm.ts')).runFirmResume,
  },
]
