import { z } from 'zod'
import { plainText } from '../base/plain-text.ts'
import { ok, type Result } from '../base/result.ts'
import { createSerial } from '../base/serial.ts'
import type { DraftedOrder } from '../domain/orders/drafted-order.ts'
import { orderTypes, sides, timesInForce } from '../domain/orders/order.ts'
import type { WithdrawalDraft } from '../domain/transfers/draft.ts'
import { inTurnOf, type SharedFile } from './file-turns.ts'
import { createJsonFile, positiveAmount, whole } from './json-file.ts'

/** Cut rather than refused: a reason comes from the service, and a long one must not cost the whole file. */
const text = z.string().transform((typed) => plainText(typed).slice(0, 1_000))
const id = z.string().regex(/^[A-Za-z0-9-]{1,64}$/)

/** The states of a draft; `sentAs` is what the exchange calls what was sent. */
const stateWith = <As extends z.ZodRawShape>(sentAs: As) =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('draft') }),
    // Missing in files of an older program, which did not say.
    z.object({ kind: z.literal('sending'), atMs: whole, isBegun: z.boolean().default(true) }),
    z.object({ kind: z.literal('unknown'), atMs: whole, journalKey: z.string() }),
    z.object({ kind: z.literal('sent'), atMs: whole, ...sentAs }),
    // An older program did not tell these apart.
    z.object({
      ...{ kind: z.literal('refused'), reason: text, atMs: whole },
      how: z.enum(['notPlaced', 'notSent']).optional(),
    }),
    z.object({ kind: z.literal('dropped'), atMs: whole, how: z.literal('expired').optional() }),
  ])

const withdrawal = z.object({
  draftId: id,
  currency: z.string(),
  // Never changed, so that it is the very entry that was chosen or none.
  beneficiary: z.object({ whitelistId: z.string(), name: text }),
  amount: z.literal('max').or(positiveAmount),
  createdAtMs: whole,
  note: text.nullable(),
  key: z.string().max(64).optional(),
  approval: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('wanted') }),
    z.object({ kind: z.literal('given'), by: text, atMs: whole }),
  ]),
  origin: text.optional(),
  state: stateWith({ withdrawalId: text.nullable() }),
})

const order = z.object({
  // It becomes part of a client order id.
  draftId: z.string().regex(/^[a-z0-9]{1,15}$/),
  order: z.object({
    symbol: z.string().min(1).max(40),
    side: z.enum(sides),
    type: z.enum(orderTypes),
    orderQuantity: positiveAmount,
    limitPrice: positiveAmount.nullable(),
    stopPrice: positiveAmount.nullable(),
    timeInForce: z.enum(timesInForce).nullable(),
    expireDate: z.string().max(20).nullable(),
    minQuantity: positiveAmount.nullable(),
    postOnly: z.boolean(),
  }),
  by: text,
  reason: text.nullable(),
  createdAtMs: whole,
  lifeMs: whole,
  state: stateWith({ orderId: text.nullable() }),
})

const draftsMost = 10_000

export type DraftsFile<D> = {
  /** The drafts as they are kept now, newest first. */
  read(): Promise<Result<readonly D[]>>
  /**
   * Changes the drafts in one step that no other process comes between, and resolves when that is on disk. What
   * `change` makes an error stays as it is.
   */
  update(change: (drafts: readonly D[]) => Result<readonly D[]>): Promise<Result<readonly D[]>>
  /**
   * Runs while no other process does the same on these drafts. The error, and it is not run: one does and goes on doing
   * so, or the disk does not let it.
   */
  alone<T>(run: () => Promise<T>): Promise<Result<T>>
}

type Place = Omit<SharedFile, 'what'>

/** The drafts of withdrawals of one account in one file, which every desk and command of it reads and writes. */
export const createDraftsFile = (place: Place): DraftsFile<WithdrawalDraft> =>
  createFile(place, withdrawal, { what: 'the drafts of withdrawals', sends: 'sending a withdrawal' })

/** The same for drafts of orders. */
export const createOrderDraftsFile = (place: Place): DraftsFile<DraftedOrder> =>
  createFile(place, order, { what: 'the drafts of orders', sends: 'sending a draft of an order' })

function createFile<D>(place: Place, draft: z.ZodType<D>, { what, sends }: { what: string; sends: string }) {
  const busyWith = { 'change.lock': 'changing its drafts', 'send.lock': sends }
  const schema = z.object({ version: z.literal(1), drafts: z.array(draft).max(draftsMost) })
  const file = createJsonFile(place.path, what, schema)
  // One after the other in this process: the lock is for the others.
  const serial = createSerial()
  const locked = <T>(lockName: keyof typeof busyWith, run: () => Promise<T>): Promise<Result<T>> =>
    inTurnOf({ ...place, what: 'the drafts' }, { lockName, busyWith: busyWith[lockName] }, run)

  const draftsOf = (kept: Awaited<ReturnType<typeof file.read>>): Result<readonly D[]> =>
    kept.ok ? ok(kept.value?.drafts ?? []) : kept

  const drafts: DraftsFile<D> = {
    read: async () => draftsOf(await file.read()),
    update: (change) =>
      serial(async () => {
        const written = await locked('change.lock', async () => {
          const before = draftsOf(await file.readToChange())
          if (!before.ok) return before
          const after = change(before.value)
          if (!after.ok || after.value === before.value) return after
          const kept = await file.write({ version: 1, drafts: [...after.value] })
          return kept.ok ? after : kept
        })
        return written.ok ? written.value : written
      }),
    alone: (run) => locked('send.lock', run),
  }
  return drafts
}
