import { test } from 'vitest'
import { runs } from '../../fakes/runs.ts'
import { kinds, live } from './living.ts'

const seeds = Array.from(
  { length: Number(process.env.PLAN_SEEDS ?? runs(6, 12)) },
  (_, at) => Number(process.env.PLAN_SEED ?? 1) + at,
)

test.each(kinds.flatMap((kind) => seeds.map((seed) => [kind, seed] as const)))(
  'a %s lives through deaths, lost answers, halts and gaps: nothing doubled, nothing beyond, nothing unsaid (seed %i)',
  async (kind, seed) => {
    await live(seed, kind)
  },
)
