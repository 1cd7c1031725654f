import type { CommandRow } from './command.ts'

/** The lock of the screen. What opens it is asked for on the terminal and is never an argument. */
export const lockRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'lock setup',
    summary: 'sets up what opens the lock screen: a passphrase, or codes of an authenticator app',
    words: '',
    wordsMost: 0,
    flags: [{ name: 'code', placeholder: null, meaning: 'six-digit codes (TOTP) in the place of a passphrase' }],
    notes: [
      'It asks on the terminal and shows nothing of what is typed. The lock is kept in the state folder, for the owner alone; a passphrase only as a hash that takes 64 MiB for each guess.',
      'With a lock set up the screen starts locked, and locks by itself after 15 minutes without a key. pitdesk order place and pitdesk withdraw ask for it as well, and are refused to scripts unless the profile sets lock_commands = "allow"; cancels are never locked. Who forgets what opens it removes lock.json from the state folder.',
    ],
    load: async () => (await import('./lock.ts')).runLockSetup,
  },
  {
    kind: 'parsed',
    name: 'lock remove',
    summary: 'takes the lock away, after opening it once more',
    words: '',
    wordsMost: 0,
    flags: [],
    notes: [],
    load: async () => (await import('./lock.ts')).runLockRemove,
  },
  {
    kind: 'parsed',
    name: 'lock approver',
    summary: 'sets up, or takes away, the second person who approves withdrawals by a passphrase of their own',
    words: 'setup [NAME] | remove',
    wordsMost: 2,
    wordChoices: ['setup', 'remove'],
    flags: [],
    notes: [
      "Both persons sit at the terminal: whoever holds the desk's lock opens it, then the other types a passphrase twice that the lock does not open to. Nothing of it is shown. It is kept as the lock is, as a hash that takes 64 MiB for each guess, in approver.json.",
      "What needs the approval is set by withdrawal_approval in a profile's limits: true, or an amount of USD. Only the person who is set up can remove the approval again; who forgets the passphrase removes approver.json from the state folder.",
    ],
    load: async () => (await import('./lock-approver.ts')).runLockApprover,
  },
]
