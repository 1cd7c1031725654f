import { z } from 'zod'
import { ok, type Result } from '../base/result.ts'
import { plainText } from '../base/text/plain-text.ts'
import type {
  FollowedDeposit,
  FollowedTransfers,
  FollowedWithdrawal,
  LeavingWithdrawal,
} from '../domain/transfers/followed.ts'
import { depositStates, withdrawalStatuses } from '../domain/transfers/transfer.ts'
import { amount, createJsonFile, shortened, whole } from './json-file.ts'

/** Ids and names come from the exchange, as long as it makes them. */
const nameMax = 200
const name = z.string().max(nameMax)
const cutName = (text: string): string => shortened(text, nameMax)
const reasonMax = 2_000
const moment = z.object({ balance: amount, available: amount, atMs: whole })

const history = <S extends string>(state: z.ZodType<S>) =>
  z.array(z.object({ state, atMs: whole, lastLookMs: whole.optional() })).max(1_000)

const withdrawal = z.object({
  currency: name,
  history: history(z.enum(withdrawalStatuses)),
  tookMs: whole.nullable(),
  before: moment.nullable(),
  after: moment.nullable(),
})
const deposit = z.object({ currency: name, history: history(z.enum(depositStates)), tookMs: whole.nullable() })
const leaving = z.object({
  request: z.object({ currency: name, beneficiary: name, amount: z.literal('max').or(amount) }),
  atMs: whole,
  before: moment.nullable(),
  key: name.nullable(),
  isGivenUp: z.literal(true).optional(),
})

/** A record with its id. */
type Entry<T> = { id: string; record: T }
/** The contents of the file: records as lists. */
type Kept = Omit<FollowedTransfers, 'withdrawals' | 'deposits'> & {
  version: 1
  withdrawals: readonly Entry<FollowedWithdrawal>[]
  deposits: readonly Entry<FollowedDeposit>[]
}

const schema: z.ZodType<Kept> = z.object({
  version: z.literal(1),
  withdrawals: z.array(z.object({ id: name, record: withdrawal })).max(100_000),
  deposits: z.array(z.object({ id: name, record: deposit })).max(100_000),
  sinceMs: z.object({ withdrawals: whole.nullable(), deposits: whole.nullable() }),
  leaving: z.array(leaving).max(1_000),
  awaitingBalance: z.array(name).max(100_000),
  twoFactorRefusal: z.object({ atMs: whole, reason: z.string().max(reasonMax).transform(plainText) }).nullable(),
})

export type TransfersFile = {
  /**
   * The transfers seen by earlier runs; null when there are none. The error of a damaged file contains the name it was
   * moved to.
   */
  read(): Promise<Result<FollowedTransfers | null>>
  write(followed: FollowedTransfers): Promise<Result<null>>
}

const mapById = <T>(entries: readonly Entry<T>[]): ReadonlyMap<string, T> =>
  new Map(entries.map(({ id, record }) => [id, record]))
const listOf = <T extends { currency: string }>(records: ReadonlyMap<string, T>): Entry<T>[] =>
  [...records].map(([id, record]) => ({ id: cutName(id), record: { ...record, currency: cutName(record.currency) } }))

function leavingCut({ request, key, ...rest }: LeavingWithdrawal): LeavingWithdrawal {
  const [currency, beneficiary] = [cutName(request.currency), cutName(request.beneficiary)]
  return { ...rest, request: { ...request, currency, beneficiary }, key: key === null ? null : cutName(key) }
}

/** The pending transfers that a profile's desk has seen, saved between runs. */
export function createTransfersFile(path: string): TransfersFile {
  const file = createJsonFile<Kept>(path, 'the followed transfers', schema)
  return {
    async read() {
      const read = await file.read()
      if (!read.ok || read.value === null) return read.ok ? ok(null) : read
      const { version: _version, withdrawals, deposits, ...rest } = read.value
      return ok({ ...rest, withdrawals: mapById(withdrawals), deposits: mapById(deposits) })
    },
    write: ({ withdrawals, deposits, leaving: gone, awaitingBalance, twoFactorRefusal: refusal, ...rest }) =>
      file.write({
        version: 1,
        ...rest,
        withdrawals: listOf(withdrawals),
        deposits: listOf(deposits),
        leaving: gone.map(leavingCut),
        awaitingBalance: awaitingBalance.map(cutName),
        twoFactorRefusal: refusal === null ? null : { ...refusal, reason: shortened(refusal.reason, reasonMax) },
      }),
  }
}
