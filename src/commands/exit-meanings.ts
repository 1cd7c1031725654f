import { exitCodes, type FailureKind } from '../desk/exit-codes.ts'

/** What happened, and what it means for the money where that is not said by it. */
type Meaning = { happened: string; money: string | null }
/** `kind` is the word that JSON has for it; null for what is no failure of the command. */
type ExitMeaning = Meaning & { code: string; kind: FailureKind | null }

const failures: Readonly<Record<FailureKind, Meaning>> = {
  failed: { happened: 'any other failure', money: null },
  usage: { happened: 'wrong usage', money: null },
  notSent: { happened: 'not sent: a check, a limit or the lock refused', money: null },
  rejected: { happened: 'rejected by the exchange', money: 'nothing was placed or left' },
  unreachable: { happened: 'the exchange could not be reached or asked', money: 'nothing was sent' },
  unknown: { happened: 'outcome unknown', money: 'it may be live' },
}

/** Every exit code in words, ascending: what the help of commands, the man page and the manual say of it. */
export const exitMeanings: readonly ExitMeaning[] = [
  { code: '0', kind: null, happened: 'done, and seen to be so', money: null },
  ...(Object.keys(exitCodes) as FailureKind[]).map((kind) => ({ code: `${exitCodes[kind]}`, kind, ...failures[kind] })),
  { code: '128 + n', kind: null, happened: 'ended by signal n', money: null },
]
