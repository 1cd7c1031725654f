// `npm run drill -- endurance [--hours N] [--awake SECONDS] [--seed N]`: a week of a whole desk on a clock of its own,
// something else going wrong in every hour. With `--real MINUTES`: the built program in a real terminal, on this
// machine's time, while its exchange is killed and comes back. Nothing may grow, nothing may stop, no error may go
// unseen.
import { parseArgs } from 'node:util'
import { runReal } from './endurance/real.ts'
import { runWeek } from './endurance/week.ts'

const say = (line: string) => void process.stdout.write(`${line}\n`)

function whole(text: string, name: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} must be a whole number above 0`)
  return number
}

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '168' },
    'day-hours': { type: 'string', default: '24' },
    'hour-minutes': { type: 'string', default: '60' },
    awake: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    real: { type: 'string' },
    'real-seconds': { type: 'string' },
  },
})
const seed = whole(values.seed, 'seed')
async function drill(): Promise<boolean> {
  if (values.real !== undefined) return runReal({ seconds: whole(values.real, 'real') * 60, seed }, say)
  const realSeconds = values['real-seconds']
  if (realSeconds !== undefined) return runReal({ seconds: whole(realSeconds, 'real-seconds'), seed }, say)
  return runWeek(
    {
      hours: whole(values.hours, 'hours'),
      dayHours: whole(values['day-hours'], 'day-hours'),
      hourMs: whole(values['hour-minutes'], 'hour-minutes') * 60_000,
      awakeSeconds: whole(values.awake, 'awake'),
      seed,
    },
    say,
  )
}

// Ended from outside it still takes with it what it started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
try {
  process.exit((await drill()) ? 0 : 1)
} catch (error) {
  // What it started may still go on: nothing of it is to be waited for.
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
}
