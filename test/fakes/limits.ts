import { defaultLimits } from '../../src/domain/limits.ts'
import type { LimitContext } from '../../src/domain/orders/checks/value-checks.ts'

/** A practice desk's limits on a quiet day: no order working, none filled, none sent. */
export const quietDay = (change: Partial<LimitContext> = {}): LimitContext & { exchangeNowMs: number } => ({
  limits: defaultLimits.practice,
  openOrders: { kind: 'fresh', value: [] },
  filledToday: { kind: 'fresh', value: new Map() },
  recentOrders: [],
  ownDrafts: new Map(),
  nowMs: 1_700_000_000_000,
  exchangeNowMs: 1_700_000_000_000,
  ...change,
})
