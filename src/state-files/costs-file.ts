import { z } from 'zod'
import { ok, type Result } from '../base/result.ts'
import { createSerial } from '../base/serial.ts'
import type { StatedCost } from '../domain/positions/position.ts'
import { type CostChange, changedCosts } from '../domain/positions/stated-costs.ts'
import { inTurnOf, type SharedFile } from './file-turns.ts'
import { amountOrZero, createJsonFile, positiveAmount, whole } from './json-file.ts'

const cost = z.object({
  currency: z.string().regex(/^[A-Z0-9]{1,20}$/),
  quantity: positiveAmount,
  usdEach: amountOrZero,
  atMs: whole,
})
const schema = z.object({ version: z.literal(1), costs: z.array(cost).max(100_000) })
type Kept = z.infer<typeof schema>

export type CostsFile = {
  /** The stated costs, oldest first; the error is a sentence about the file. */
  read(): Promise<Result<readonly StatedCost[]>>
  /**
   * Changes the stated costs of all desks in one exclusive step and returns all of them once on disk. On error, a
   * sentence, nothing is changed.
   */
  change(change: CostChange): Promise<Result<readonly StatedCost[]>>
}

/**
 * The user's stated costs of an account, saved between runs. They are not in the history file, which contains data of
 * the exchange and may be put aside, rebuilt or deleted: only the user can state these again, and may read and copy the
 * file.
 */
export function createCostsFile(shared: Omit<SharedFile, 'what'>): CostsFile {
  const file = createJsonFile<Kept>(shared.path, 'the stated costs', schema)
  const inTurn = createSerial()
  const costsOf = (kept: Result<Kept | null>) => (kept.ok ? ok(kept.value?.costs ?? []) : kept)
  async function change(wanted: CostChange): Promise<Result<readonly StatedCost[]>> {
    const before = costsOf(await file.readToChange())
    if (!before.ok) return before
    const costs = changedCosts(before.value, wanted)
    if (!costs.ok) return costs
    const written = await file.write({ version: 1, costs: costs.value })
    return written.ok ? costs : written
  }
  const alone = { lockName: 'change.lock', busyWith: 'changing its stated costs' }
  return {
    read: () => inTurn(async () => costsOf(await file.read())),
    change: (wanted) =>
      inTurn(async () => {
        const changed = await inTurnOf({ ...shared, what: 'the stated costs' }, alone, () => change(wanted))
        return changed.ok ? changed.value : changed
      }),
  }
}
