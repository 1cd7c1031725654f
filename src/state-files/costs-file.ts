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
  /** What was stated, the first first; the error of a damaged file says under which name it is put aside. */
  read(): Promise<Result<readonly StatedCost[]>>
  /**
   * Changes what is kept by whatever desk in one step that no other comes between; all of them, once that is on the
   * disk. The error is a sentence, and nothing is changed.
   */
  change(change: CostChange): Promise<Result<readonly StatedCost[]>>
}

/**
 * What a person stated of an account's costs, as it stays between two runs. It has a file of its own beside the
 * history: that one holds what an exchange or a market told, and may be put aside, begun anew or deleted; nobody but
 * the person can tell this again, who may also read it and keep a copy.
 */
export function createCostsFile(shared: Omit<SharedFile, 'what'>): CostsFile {
  const file = createJsonFile<Kept>(shared.path, 'the stated costs', schema)
  const inTurn = createSerial()
  async function read(): Promise<Result<readonly StatedCost[]>> {
    const kept = await file.read()
    return kept.ok ? ok(kept.value?.costs ?? []) : kept
  }
  async function change(wanted: CostChange): Promise<Result<readonly StatedCost[]>> {
    const before = await read()
    if (!before.ok) return before
    const costs = changedCosts(before.value, wanted)
    if (!costs.ok) return costs
    const written = await file.write({ version: 1, costs: costs.value })
    return written.ok ? costs : written
  }
  const alone = { lockName: 'change.lock', busyWith: 'changing its stated costs' }
  return {
    read: () => inTurn(read),
    change: (wanted) =>
      inTurn(async () => {
        const changed = await inTurnOf({ ...shared, what: 'the stated costs' }, alone, () => change(wanted))
        return changed.ok ? changed.value : changed
      }),
  }
}
