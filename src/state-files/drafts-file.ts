import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import { createSerial } from '../base/serial.ts'
import { plainText } from '../base/text/plain-text.ts'
import { makerName } from '../domain/draft.ts'
import { type DraftedOrder, lifeMaxMs, lifeMinMs } from '../domain/orders/drafted-order.ts'
import { orderTypes, timesInForce } from '../domain/orders/order.ts'
import { termsComplaints } from '../domain/orders/order-fields.ts'
import { sides } from '../domain/side.ts'
import type { WithdrawalDraft } from '../domain/transfers/draft.ts'
import { inTurnOf, type SharedFile } from './file-turns.ts'
import { createJsonFile, positiveAmount, symbol, time } from './json-file.ts'

/** Truncated, not refused: a reason comes from the service, and a long one must not cost the whole file. */
const text = z.string().transform((typed) => plainText(typed).slice(0, 1_000))
const id = z.string().regex(/^[A-Za-z0-9-]{1,64}$/)
/** Displayed unchanged: this program never writes a longer text or one with control characters. */
const plain = z.string().refine((word) => plainText(word) === word)
const wordOf = (most: number) => plain.min(1).max(most)
const maker = z.string().transform(makerName)

/** The states of a draft; `sentAs` has the exchange's name for what was sent. */
const stateWith = <As extends z.ZodRawShape>(sentAs: As) =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('draft') }),
    // Missing in files of an older version.
    z.object({ kind: z.literal('sending'), atMs: time, isBegun: z.boolean().default(true) }),
    z.object({ kind: z.literal('unknown'), atMs: time, journalKey: wordOf(200) }),
    z.object({ kind: z.literal('sent'), atMs: time, ...sentAs }),
    // An older version did not distinguish these.
    z.object({
      ...{ kind: z.literal('refused'), reason: text, atMs: time },
      how: z.enum(['notPlaced', 'notSent']).optional(),
      refusedFor: z.literal('tooManyCalls').optional().catch(undefined),
    }),
    z.object({ kind: z.literal('dropped'), atMs: time, how: z.literal('expired').optional() }),
  ])

const withdrawal = z.object({
  draftId: id,
  currency: wordOf(200),
  // Never cleaned, so that it is exactly the chosen entry or none.
  beneficiary: z.object({ whitelistId: plain, name: text }),
  amount: z.literal('max').or(positiveAmount),
  createdAtMs: time,
  note: text.nullable(),
  key: z.string().max(64).optional(),
  atOnce: z.literal(true).optional(),
  approval: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('wanted') }),
    z.object({ kind: z.literal('given'), by: text, atMs: time }),
  ]),
  origin: maker.optional(),
  state: stateWith({ withdrawalId: text.nullable() }),
})

const order = z.object({
  // Becomes part of a client order id.
  draftId: z.string().regex(/^[a-z0-9]{1,15}$/),
  // An order without the fields its type needs would be judged incompletely and sent.
  order: z
    .object({
      symbol,
      side: z.enum(sides),
      type: z.enum(orderTypes),
      orderQuantity: positiveAmount,
      limitPrice: positiveAmount.nullable(),
      stopPrice: positiveAmount.nullable(),
      timeInForce: z.enum(timesInForce).nullable(),
      expireDate: z.string().max(8).nullable(),
      minQuantity: positiveAmount.nullable(),
      postOnly: z.boolean(),
    })
    .refine((terms) => termsComplaints(terms).length === 0),
  by: maker,
  reason: text.nullable(),
  createdAtMs: time,
  lifeMs: z.int().min(lifeMinMs).max(lifeMaxMs),
  // The exchange's id: an int64, therefore text.
  state: stateWith({
    orderId: z
      .string()
      .regex(/^-?\d{1,19}$/)
      .nullable(),
  }),
})

const draftsMax = 10_000

export type DraftsFile<D> = {
  /** The saved drafts, newest first. */
  read(): Promise<Result<readonly D[]>>
  /**
   * Changes the drafts in one exclusive step; resolves when that is on disk. When `change` returns an error, nothing is
   * changed.
   */
  update(change: (drafts: readonly D[]) => Result<readonly D[]>): Promise<Result<readonly D[]>>
  /**
   * Runs while no other process runs this for the same drafts. On error it has not run: another one keeps doing so, or
   * the disk fails.
   */
  alone<T>(run: () => Promise<T>): Promise<Result<T>>
}

/** The file's place; `account` names the drafts' owner, as in the journal's files. */
type Place = Omit<SharedFile, 'what'> & { account: string }

/** The withdrawal drafts of one account in one file, shared by all its desks and commands. */
export const createDraftsFile = (place: Place): DraftsFile<WithdrawalDraft> =>
  createFile(place, withdrawal, { what: 'the drafts of withdrawals', sends: 'sending a withdrawal' })

/** The order drafts of one account in one file, shared by all its desks and commands. */
export const createOrderDraftsFile = (place: Place): DraftsFile<DraftedOrder> =>
  createFile(place, order, { what: 'the drafts of orders', sends: 'sending a draft of an order' })

function createFile<D>(place: Place, draft: z.ZodType<D>, { what, sends }: { what: string; sends: string }) {
  const busyWith = { 'change.lock': 'changing its drafts', 'send.lock': sends }
  const schema = z.object({
    version: z.literal(1),
    // Missing in files of an older version; the next write adds it.
    account: z.string().max(2_000).optional(),
    drafts: z.array(draft).max(draftsMax),
  })
  const file = createJsonFile(place.path, what, schema)
  // Serializes this process; the lock is for other processes.
  const serial = createSerial()
  const locked = <T>(lockName: keyof typeof busyWith, run: () => Promise<T>): Promise<Result<T>> =>
    inTurnOf({ ...place, what: 'the drafts' }, { lockName, busyWith: busyWith[lockName] }, run)

  /** Drafts of another account are refused: sent from here, they would spend the wrong account's money. */
  const draftsOf = (kept: Awaited<ReturnType<typeof file.read>>): Result<readonly D[]> => {
    if (!kept.ok) return kept
    const { account = place.account, drafts = [] } = kept.value ?? {}
    if (account === place.account) return ok(drafts)
    const whose = plainText(account).slice(0, 200)
    return err(
      `${place.path} is of another account (${whose}): it is left alone, and ${what} with it. ` +
        'Nothing of it was sent. Move that file away.',
    )
  }

  const drafts: DraftsFile<D> = {
    read: async () => draftsOf(await file.read()),
    update: (change) =>
      serial(async () => {
        const written = await locked('change.lock', async () => {
          const before = draftsOf(await file.readToChange())
          if (!before.ok) return before
          const after = change(before.value)
          if (!after.ok || after.value === before.value) return after
          const kept = await file.write({ version: 1, account: place.account, drafts: [...after.value] })
          return kept.ok ? after : kept
        })
        return written.ok ? written.value : written
      }),
    alone: (run) => locked('send.lock', run),
  }
  return drafts
}
