// `npm run drill -- inbox-fuzz [--count N] [--seed N]`: malformed bodies by the hundred thousand, through a real
// receiver into a real store.
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import { fuzzInbox } from '../inbox/receiver/fuzz.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
})
const startedMs = systemClock.now()
const figures = await fuzzInbox(Number.parseInt(values.count, 10), Number.parseInt(values.seed, 10))
const { yes, refused, events, copies, conflicts, quarantined, lost, isAliveAfter } = figures
// A conflicting body that comes a second time is kept once.
const isWhole = yes - (events + copies + conflicts + quarantined) <= conflicts
const isByRule = Object.keys(refused).every((status) => status === '413')
process.stdout.write(`${JSON.stringify({ ...figures, seconds: (systemClock.now() - startedMs) / 1_000 })}\n`)
process.exitCode = lost === 0 && isAliveAfter && isWhole && isByRule ? 0 : 1
