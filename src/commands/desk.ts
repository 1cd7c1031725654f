import type { CommandTools } from '../base/command-io.ts'
import { nodeComplaint } from '../base/node-release.ts'
import { plainText } from '../base/plain-text.ts'
import type { Result } from '../base/result.ts'
import { readSettings, type SettingFlags } from '../config/settings.ts'
import { followLimitNames } from '../desk/limit-names.ts'
import type { OpenedDesk } from '../desk/opening.ts'
import { type DeskLooks, type DeskPlan, mayAskPerson, readDeskLooks } from '../desk/plan.ts'
import { type DeskSession, openDeskSession } from '../desk/session.ts'
import { createQuit, followSleep, isHungUp, noTerminal, takeLateAnswers } from '../desk/terminal.ts'
import { openWaitingDesk } from '../desk/waiting.ts'
import { type HangUpEnd, leftAtHangUp } from '../store/quit.ts'
import { hangUpOf } from '../store/terminal/reduce-terminal.ts'
import { type OpenedConsole, openConsole, type ShownDesk } from '../ui/console/open-console.tsx'
import { readRebinding } from '../ui/keys/read-rebinding.ts'
import type { Arguments } from './cli/arguments.ts'
import type { Run } from './cli/command.ts'
import { done, type Ending, exitCodeOf, failed, wrongUsage } from './cli/exit-codes.ts'

function flagsOf(given: Arguments): SettingFlags {
  const names = ['profile', 'symbol', 'theme', 'layout'] as const
  const values = names.flatMap((name) => {
    const value = given.value(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(values), ...(given.has('monitor') ? { monitor: true } : {}) }
}

/** Opens the console and stays until a person quits or a signal ends it. */
export const runDesk: Run = async (given, io, tools) => {
  const settings = readSettings(io.environment, flagsOf(given))
  if (!settings.ok) return settings.error.startsWith('--') ? wrongUsage(settings.error) : failed(settings.error)
  const looks = readDeskLooks(settings.value, io.environment)
  if (!looks.ok) return given.has('theme') ? wrongUsage(`--theme: ${looks.error}`) : failed(looks.error)
  const rebinding = readRebinding(settings.value.keys)
  if (!rebinding.ok) return failed(firstIssue(rebinding.issues))
  const nowhere = noTerminal(io)
  if (nowhere !== null) return failed(nowhere)
  // Above the screen, and there again after it: one-shot commands keep quiet for scripts, and `pitdesk doctor` says it
  // too.
  const oldNode = nodeComplaint(process.versions.node)
  if (oldNode !== null) io.printError(`Warning: ${oldNode}.`)
  const quit = createQuit(io)
  const session = await openDeskSession({ settings: settings.value, io, tools, isFresh: given.has('fresh') })
  const plan: DeskPlan = {
    settings: { ...settings.value, symbol: session.symbol },
    looks: looks.value.looks,
    reboundKeys: rebinding.value,
    ...{ quit, io, tools },
  }
  // Nothing may stand in the way of a program that asks for a passphrase, and a screen reader has no use for a picture
  // that waits.
  const isOpenedFirst = looks.value.looks.isSpoken || mayAskPerson(settings.value, io.environment)
  return (isOpenedFirst ? openThenShow : showThenOpen)(plan, { looks: looks.value, session })
}

const putBackMostMs = 1_000

/** What follows a desk from the moment it is open. */
type Followers = { looks: DeskLooks; session: DeskSession }

/** What the first screen does without is loaded when it is there. */
const open = async (plan: DeskPlan) => (await import('../desk/opening.ts')).openDesk(plan)

async function openThenShow(plan: DeskPlan, followers: Followers): Promise<Ending> {
  const opened = await open(plan)
  if (!opened.ok) return failed(opened.error)
  const { desk } = opened.value
  follow(opened.value, plan, followers)
  const console = showDesk(desk, plan)
  if (console.ok) await runOpened(opened.value, console.value, plan)
  const { ending, left } = await end(opened.value, plan, followers, console.ok ? null : console.error)
  if (console.ok) await putBack(console.value, plan)
  tell(left, plan)
  return ending
}

/** The screen comes at once, and what takes time goes on behind it. */
async function showThenOpen(plan: DeskPlan, followers: Followers): Promise<Ending> {
  const { quit } = plan
  const waiting = openWaitingDesk(plan)
  followers.session.dress(waiting.store)
  const console = showDesk(waiting, plan)
  if (!console.ok) {
    waiting.stop()
    return failed(console.error)
  }
  void once(quit.signal).then(() => console.value.close())
  const opened = await open(plan)
  waiting.stop()
  if (!opened.ok) {
    console.value.close()
    await console.value.waitUntilExit()
    return failed(opened.error)
  }
  follow(opened.value, plan, followers)
  console.value.show(opened.value.desk)
  await runOpened(opened.value, console.value, plan)
  const { ending, left } = await end(opened.value, plan, followers, null)
  await putBack(console.value, plan)
  tell(left, plan)
  return ending
}

/** Connects the desk with its session, its looks and what rings, before anything is on screen or asked for. */
function follow(
  { desk, alerts, transfers, trouble, listen }: OpenedDesk,
  plan: DeskPlan,
  { looks, session }: Followers,
): void {
  const { quit, io, tools } = plan
  const { store } = desk
  const { clock } = tools
  session.attach(store)
  looks.follow(store, clock, quit.signal)
  alerts.follow(store, clock, (bytes) => !quit.signal.aborted && io.stdout.write(bytes))
  transfers.follow(store, clock)
  // What of the gateway cannot be used is said where a person looks; trading goes on without.
  for (const text of trouble) store.dispatch({ type: 'noted', level: 'warn', text, atMs: clock.now() })
  listen((text) => store.dispatch({ type: 'noted', level: 'bad', text, atMs: clock.now() }))
  followLimitNames(store, plan.settings.limits, clock)
  tellHangUp(desk, tools)
}

/** Lets the desk live until it is quit. */
async function runOpened({ desk }: OpenedDesk, console: OpenedConsole, { quit, io, tools }: DeskPlan): Promise<void> {
  const { store, commands } = desk
  const { jobs } = io
  const endSleep = jobs === undefined ? null : followSleep({ store, commands, console, jobs, clock: tools.clock })
  if (!quit.signal.aborted) desk.start()
  await once(quit.signal)
  endSleep?.()
  console.close()
}

/** The terminal has taken what puts it back as it was; one that stalls is not waited for. */
async function putBack(console: OpenedConsole, { tools }: DeskPlan): Promise<void> {
  const done = () => undefined
  await Promise.race([console.waitUntilExit().then(done, done), tools.clock.sleep(putBackMostMs)])
}

/** What the desk left behind, where a person reads it once the screen is gone. */
function tell(left: readonly string[], { io }: DeskPlan): void {
  for (const line of left) io.printError(line)
}

type Ended = { ending: Ending; left: readonly string[] }

async function end(opened: OpenedDesk, plan: DeskPlan, { session }: Followers, error: string | null): Promise<Ended> {
  const { quit, io } = plan
  const { desk } = opened
  const isGone = isHungUp(quit.signal)
  let hangUp: HangUpEnd = { kind: 'kept' }
  try {
    if (isGone) hangUp = await desk.hangUp()
    await session.stop()
  } finally {
    await opened.stop()
  }
  if (error !== null) return { ending: failed(error), left: [] }
  const ending = isGone || io.signal.aborted ? { code: exitCodeOf(quit.signal) } : done
  // Writes under way have come to their end by now.
  return { ending, left: leftAtHangUp(desk.store.getState(), hangUp).map(plainText) }
}

/** Orders that do not outlive the terminal: a person reads it before the first one is placed. */
function tellHangUp({ store }: ShownDesk, { clock }: CommandTools): void {
  if (hangUpOf(store.getState()) === 'keep') return
  const text = 'If this terminal hangs up, every working order of the account is cancelled (on_hangup).'
  store.dispatch({ type: 'noted', level: 'info', text, atMs: clock.now() })
}

/** The first thing that is wrong, and how many more there are. */
const firstIssue = (issues: readonly string[]): string =>
  issues.length > 1 ? `${issues[0]} (and ${issues.length - 1} more: pitdesk doctor lists them)` : `${issues[0]}`

/** Draws a desk on the terminal. The error says why it cannot. */
function showDesk({ store, commands }: ShownDesk, { io, tools, quit }: DeskPlan): Result<OpenedConsole> {
  const console = openConsole({
    ...{ store, commands },
    stdin: io.stdin,
    stdout: io.stdout,
    clock: tools.clock,
    env: io.environment,
    takeLateAnswers,
    // Nothing can be drawn on a terminal that is gone: that is no fault.
    onExit: (error) => (error === undefined || isHungUp(quit.signal) ? quit.abort() : io.crash(error)),
  })
  if (console.ok) io.restoreAtCrash(() => console.value.close())
  return console
}

const once = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
