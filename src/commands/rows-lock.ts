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
      'With a lock set up the screen locks by itself after 15 minutes without a key. Who forgets what opens it removes lock.json from the state folder.',
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
]
