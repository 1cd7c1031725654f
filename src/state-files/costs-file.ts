import { z } from 'zod'
import { ok, type Result } from '../base/result.ts'
import { createSerial } from '../base/serial.ts'
import type { StatedCost } from '../domain/positions/position.ts'
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
  /** Adds one to what is kept by whatever desk, and returns all of them. */
  add(stated: StatedCost): Promise<Result<readonly StatedCost[]>>
}

/** What a person stated of an account's costs, as it stays between two runs. */
export function createCostsFile(path: string): CostsFile {
  const file = createJsonFile<Kept>(path, 'the stated costs', schema)
  const inTurn = createSerial()
  async function read(): Promise<Result<readonly StatedCost[]>> {
    const kept = await file.read()
    return kept.ok ? ok(kept.value?.costs ?? []) : kept
  }
  async function add(stated: StatedCost): Promise<Result<readonly StatedCost[]>> {
    const before = await read()
    if (!before.ok) return before
    const costs = [...before.value, stated]
    const written = await file.write({ version: 1, costs })
    return written.ok ? ok(costs) : written
  }
  return { read: () => inTurn(read), add: (stated) => inTurn(() => add(stated)) }
}
