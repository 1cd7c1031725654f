import { getHeapSpaceStatistics } from 'node:v8'
import { systemClock } from '../../../src/base/clock.ts'
import { keepHeapSmall } from '../../../src/desk/screen/memory.ts'

// A process of its own: what is set in the engine stays set. Prints the most MiB that the engine had set aside for new
// objects while many were made.
if (process.argv[2] === 'small') {
  const atOnce = { ...systemClock, sleep: () => Promise.resolve() }
  await keepHeapSmall(atOnce, new AbortController().signal)
}

let kept: object[] = []
let maxBytes = 0
for (let turn = 0; turn < 400; turn += 1) {
  for (let count = 0; count < 20_000; count += 1) kept.push({ count, pair: [count, turn] })
  if (turn % 4 === 0) kept = kept.slice(-60_000)
  // Collections are told of between turns, some turns later.
  for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve))
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  maxBytes = Math.max(maxBytes, young?.space_size ?? 0)
}
process.stdout.write(`${maxBytes / 1_048_576}\n`)
