import { readFileSync, writeFileSync } from 'node:fs'
import {
  type Acted,
  type ActOptions,
  act,
  draftIdOf,
  sendArguments,
  withdrawArguments,
  withdrawalIntent,
} from './act.ts'
import { journalFiles } from './journal-reading.ts'
import type { Finding } from './judge.ts'
import type { Home, Running } from './program.ts'
import { certainly, commandFactor, type Scenario, treatFirst, treatment } from './scenario.ts'
import { withdrawalsOf } from './scene.ts'
import type { World } from './world.ts'

const dayMs = 86_400_000

/** A draft leaves once (23), and belongs to one account of one exchange (24). */
export const draftScenarios: readonly Scenario[] = [
  {
    name: '23-draft-sent-again-after-a-damaged-line',
    factor: commandFactor,
    run: (world) => sendDraftTwice(world, { offsetMs: 0, damage: damageBegin }),
  },
  {
    name: '23-draft-made-with-a-clock-days-ahead',
    factor: commandFactor,
    run: (world) => sendDraftTwice(world, { offsetMs: 3 * dayMs, damage: () => {} }),
  },
  { name: '24-draft-of-one-address-sent-on-another', factor: commandFactor, run: sendDraftElsewhere },
  { name: '24-histories-of-two-accounts-mixed', factor: commandFactor, run: mixHistories },
]

type Mishap = { offsetMs: number; damage: (home: Home, draftId: string) => void }

/**
 * A draft is kept, its sending is killed once the exchange has it, something happens to the record, and it is sent
 * again.
 */
async function sendDraftTwice(world: World, { offsetMs, damage }: Mishap): Promise<Finding[]> {
  const { home } = world
  const [to = ''] = world.beneficiaries
  const intent = withdrawalIntent('0.0127', to)
  home.setWallClock(offsetMs)
  const kept = await keepDraft(world, ['withdraw', 'btc', '0.0127', '--to', to, '--draft'])
  home.setWallClock(0)
  const draftId = draftIdOf(kept.ran.stdout)
  const send = sendArguments(home, draftId)
  const killed = await untilAnswered(() =>
    act(world, intent, send, { beside: (running) => killOnceDelivered(world, running) }),
  )
  if (!killed.ran.wasKilled) throw new Error(`the command was not killed: ${killed.ran.stderr}`)
  damage(home, draftId)
  const again = await act(world, intent, send)
  const third = await act(world, intent, send)
  const ids = withdrawalsOf(intent, third.scene.truth).map(({ id }) => id)
  const text = `draft ${draftId} left ${ids.length} times: ${ids.join(', ')}`
  const doubled: Finding[] = ids.length < 2 ? [] : [{ kind: 'doubled', text }]
  return [...kept.findings, ...killed.findings, ...again.findings, ...third.findings, ...doubled]
}

/** On a busy machine a call before the one that counts may take too long, and then nothing was sent. */
const noAnswer = /no answer in the time a call may take.*nothing was sent/is
const triesMax = 5

/** Does it again where the machine was too busy for it, with everything that was found on the way there. */
async function untilAnswered(doing: () => Promise<Acted>): Promise<Acted> {
  const findings: Finding[] = []
  for (let tries = 1; ; tries += 1) {
    const acted = await doing()
    findings.push(...acted.findings)
    if (tries === triesMax || !noAnswer.test(acted.ran.stderr)) return { ...acted, findings }
  }
}

/** Keeps a draft. */
const keepDraft = (world: World, argv: readonly string[], options: ActOptions = {}): Promise<Acted> =>
  untilAnswered(() => act(world, { kind: 'none' }, argv, options))

/** Kills the program once the exchange has its withdrawal; no answer ever comes. */
function killOnceDelivered(world: World, running: Running): Promise<void> {
  return new Promise((resolve) => {
    const kill = treatment('killed', async (via) => {
      await via.deliver()
      running.signal('SIGKILL')
      resolve()
    })
    treatFirst(world, 'withdraw', kill)
    void running.ended.then(() => resolve())
  })
}

/** Changes one byte in the middle of the journal's line that says that this draft is about to leave. */
function damageBegin(home: Home, draftId: string): void {
  for (const path of journalFiles(home)) {
    const text = readFileSync(path, 'utf8')
    const line = text.split('\n').find((each) => each.includes('"begin"') && each.includes(draftId))
    if (line === undefined) continue
    const at = text.indexOf(line) + Math.floor(line.length / 2)
    writeFileSync(path, `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`)
    return
  }
  throw new Error(`no journal has draft ${draftId}`)
}

type TwoExchanges = { home: Home; other: World; go: (to: World) => void }

/**
 * Opens a home without a profile, whose address and key come from the environment: now those of one exchange, now of
 * the other.
 */
async function onTwoExchanges(world: World, run: (two: TwoExchanges) => Promise<Finding[]>): Promise<Finding[]> {
  const other = await world.sibling()
  try {
    const home = world.openHome('environment', { hasProfile: false })
    const go = (to: World) => {
      home.variables = { PITDESK_EXCHANGE_BASE_URL: to.proxy.url, PITDESK_API_TOKEN: to.token('trader') }
    }
    return await run({ home, other, go })
  } finally {
    await other.stop(false)
  }
}

function sendDraftElsewhere(world: World): Promise<Finding[]> {
  return onTwoExchanges(world, async ({ home, other, go }) => {
    const [to = ''] = world.beneficiaries
    const intent = withdrawalIntent('0.0128', to)
    go(world)
    const kept = await keepDraft(world, ['withdraw', 'btc', '0.0128', '--to', to, '--draft'], { home })
    go(other)
    const sent = await act(other, intent, sendArguments(home, draftIdOf(kept.ran.stdout)), { home })
    const ids = withdrawalsOf(intent, sent.scene.truth).map(({ id }) => id)
    const text = `a draft of ${world.proxy.url} left the account on ${other.proxy.url} as ${ids.join(', ')}`
    return [...kept.findings, ...sent.findings, ...(ids.length === 0 ? [] : [{ kind: 'unasked', text } as const])]
  })
}

/** Both exchanges give the same ids: what is known of one says nothing of the other. */
function mixHistories(world: World): Promise<Finding[]> {
  return onTwoExchanges(world, async ({ home, other, go }) => {
    const [to = ''] = world.beneficiaries
    go(world)
    const first = await act(world, withdrawalIntent('0.0129', to), withdrawArguments(home, '0.0129', to), { home })
    go(other)
    treatFirst(other, 'withdraw', certainly('dropAfter'))
    const second = await act(other, withdrawalIntent('0.0130', to), withdrawArguments(home, '0.0130', to), { home })
    return [...first.findings, ...second.findings]
  })
}
