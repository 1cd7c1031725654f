import { err, ok, type Result } from '../result.ts'
import type { Period } from './statement.ts'

const dayMs = 86_400_000

/** The first instant of a UTC day written like 2026-11-20; null when there is no such day. */
function dayStart(text: string): number | null {
  const startMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(text) ? startMs : null
}

/** From the first instant of one UTC day to the last of another. The error says what would do. */
export function readPeriod(from: string, to: string): Result<Period> {
  const [fromMs, toMs] = [dayStart(from), dayStart(to)]
  if (fromMs === null || toMs === null)
    return err(`${fromMs === null ? from : to} is no day: two days are needed, such as 2026-11-01 2026-11-20`)
  if (fromMs > toMs) return err(`${from} is after ${to}`)
  return ok({ fromMs, toMs: toMs + dayMs - 1 })
}
