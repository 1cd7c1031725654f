import { nextTurn, within } from '../../base/clock.ts'
import { aborted, type CommandTools } from '../../base/process/command-io.ts'
import { tidyNowAndThen } from '../../base/process/node-runtime.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'
import type { NewsLevel } from '../../domain/desk/events.ts'
import { nextMode } from '../../domain/desk/mode.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import { type HangUpEnd, leftAtHangUp, suspendedWords } from '../../store/quit.ts'
import { createDeskStore } from '../../store/store.ts'
import { hangUpOf } from '../../store/terminal.ts'
import { type OpenedConsole, openConsole, type ShownDesk } from '../../ui/console/open-console.tsx'
import type { Leaving } from '../../ui/text/desk-context.ts'
import { beginningOf, type DeskLooks, type DeskPlan, faceOf } from '../account/opening-settings.ts'
import type { DeskSession } from '../account/session.ts'
import { startState } from '../desk-options.ts'
import { followLimitNames } from '../limit-names.ts'
import type { OpenedDesk } from '../opening.ts'
import type { OwnPractice } from '../practice/own-practice.ts'
import type { FirstPicture } from './first-picture.ts'
import { followSleep, isBySignal, isHungUp, takeLateAnswers } from './terminal.ts'

/**
 * How a desk ended: the user quit, or a signal came; the reason of the plan's `quit` names it. `hurried`: a second
 * signal came, and nothing was waited for any more.
 */
type DeskEnd = 'quit' | 'signal' | 'hurried'

const putBackMaxMs = 1_000
/** After this pause in ms the user is assumed to be between two actions. */
const handRestsMs = 2_000

/** Connected with a desk as soon as it is open. */
type Followers = { looks: DeskLooks; session: DeskSession }

/** Loaded only after the first screen, which does not need it. */
const open = async (plan: DeskPlan, practice: OwnPractice | null) =>
  (await import('../opening.ts')).openDesk(plan, practice)

/** Opens the desk before anything is on screen. */
export async function openThenShow(
  plan: DeskPlan,
  followers: Followers,
  practice: OwnPractice | null,
): Promise<Result<DeskEnd>> {
  const opened = await open(plan, practice)
  if (!opened.ok) return opened
  const { desk } = opened.value
  follow(opened.value, plan, followers)
  const console = showDesk(desk, plan)
  if (console.ok) {
    start(desk, plan)
    await runOpened(opened.value, console.value, plan)
  }
  const { ending, left } = await end(opened.value, plan, followers, console.ok ? null : console.error)
  if (console.ok) await putBack(console.value, plan)
  tell(left, plan)
  return ending
}

/** Shows a waiting screen at once, unless `picture` already did, and opens the desk behind it. */
export async function showThenOpen(
  plan: DeskPlan,
  followers: Followers,
  practice: OwnPractice | null,
  picture: FirstPicture,
): Promise<Result<DeskEnd>> {
  const { quit } = plan
  const waiting = openWaitingDesk(plan)
  followers.session.dress(waiting.store)
  const console = showDesk(waiting, plan, picture.isShown)
  if (!console.ok) {
    picture.takeBack()
    waiting.stop()
    await practice?.stop()
    return console
  }
  picture.handOver(console.value.firstPicture)
  void aborted(quit.signal).then(() => console.value.close())
  // The screen is drawn in a turn of its own, which loading would delay.
  await nextTurn()
  const opened = await open(plan, practice)
  waiting.stop()
  if (!opened.ok) {
    console.value.close()
    await console.value.waitUntilExit()
    return opened
  }
  const { desk } = opened.value
  follow(opened.value, plan, followers)
  start(desk, plan)
  // The first polls go out before the screen is built, and the exchange answers during that: one turn connects, the
  // next one sends.
  for (let turns = 0; turns < 2; turns += 1) await nextTurn()
  console.value.show(desk)
  drawFirstPrices(desk.store, console.value)
  await runOpened(opened.value, console.value, plan)
  const { ending, left } = await end(opened.value, plan, followers, null)
  await putBack(console.value, plan)
  tell(left, plan)
  return ending
}

/** Connects the desk with its session, looks and alerts, before anything is on screen or polled. */
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
  const say = (level: NewsLevel) => (text: string) => store.dispatch({ type: 'noted', level, text, atMs: clock.now() })
  // Trouble with the gateway is shown as notices; trading continues without it.
  for (const text of trouble) say('warn')(text)
  listen(say('bad'), say('good'))
  followLimitNames(store, plan.settings, clock)
  const isInTheWay = () => clock.now() - store.getState().lastKeyAtMs < handRestsMs
  if (tools.isOwnProcess) void tidyNowAndThen(clock, quit.signal, { isInTheWay })
  tellHangUp(desk, tools)
}

function start(desk: OpenedDesk['desk'], { quit }: DeskPlan): void {
  if (!quit.signal.aborted) desk.start()
}

/** Draws the first prices as soon as they are known: the answers that follow take a while to read. */
function drawFirstPrices(store: DeskStore, console: OpenedConsole): void {
  const leave = store.subscribe(({ instruments, books, symbol }) => {
    if (instruments.value === null || (books.get(symbol)?.value ?? null) === null) return
    leave()
    // After all other listeners.
    queueMicrotask(() => console.drawDue())
  })
}

/** Handles keys until the desk is quit. */
async function runOpened({ desk }: OpenedDesk, console: OpenedConsole, { quit, io, tools }: DeskPlan): Promise<void> {
  const { store, commands, duties } = desk
  const { jobs } = io
  const tellStopped = (state: DeskState) => tell(suspendedWords(state).map(plainText), { io })
  const parts = { store, commands, console, duties, tell: tellStopped, clock: tools.clock }
  const endSleep = jobs === undefined ? null : followSleep({ ...parts, jobs })
  await aborted(quit.signal)
  endSleep?.()
  console.close()
}

/** Waits until the terminal has taken the restoring bytes, but not for a stalled one. */
async function putBack(console: OpenedConsole, { tools }: DeskPlan): Promise<void> {
  const done = () => undefined
  await within(console.waitUntilExit().then(done, done), putBackMaxMs, tools.clock)
}

/** Prints what the desk left behind on stderr, once the screen is gone. */
function tell(left: readonly string[], { io }: Pick<DeskPlan, 'io'>): void {
  for (const line of left) io.printError(line)
}

type Ended = { ending: Result<DeskEnd>; left: readonly string[] }

async function end(opened: OpenedDesk, plan: DeskPlan, { session }: Followers, error: string | null): Promise<Ended> {
  const { quit } = plan
  const { desk } = opened
  const isGone = isHungUp(quit.signal)
  let hangUp: HangUpEnd = { kind: 'kept' }
  const inOrder = async (): Promise<DeskEnd> => {
    try {
      if (isGone) hangUp = await desk.hangUp()
      await session.stop()
    } finally {
      await opened.stop()
    }
    return isBySignal(quit.signal) ? 'signal' : 'quit'
  }
  const how = await Promise.race([inOrder(), hurried(plan)])
  if (error !== null) return { ending: err(error), left: [] }
  // In order, writes in flight have ended by now.
  const left = leftAtHangUp(desk.store.getState(), hangUp).map(plainText)
  return { ending: ok(how), left: how === 'hurried' ? [hurriedText, ...left] : left }
}

const hurriedText = 'Ended by a second signal: writes under way are checked at the next start.'

/**
 * Resolves with a second signal. Never after a hang-up, of which several come at once, from the terminal and its shell:
 * nobody is there to be in a hurry, and orders may have to be canceled.
 */
async function hurried({ io: { hurry }, quit }: DeskPlan): Promise<'hurried'> {
  if (hurry !== undefined && !isHungUp(quit.signal)) await aborted(hurry)
  else await new Promise<never>(() => undefined)
  return 'hurried'
}

/** Warns that a hang-up cancels orders, before the user places the first one. */
function tellHangUp({ store }: ShownDesk, { clock }: CommandTools): void {
  if (hangUpOf(store.getState()) === 'keep') return
  const text = 'A hang-up of this terminal cancels every working order of the account (on_hangup).'
  store.dispatch({ type: 'noted', level: 'info', text, atMs: clock.now() })
}

/** Draws a desk on the terminal. The error says why it cannot. */
function showDesk(
  { store, commands }: ShownDesk,
  { io, tools, quit }: DeskPlan,
  isScreenTaken = false,
): Result<OpenedConsole> {
  const console = openConsole({
    ...{ store, commands },
    stdin: io.stdin,
    stdout: io.stdout,
    stderr: io.stderr,
    clock: tools.clock,
    env: io.environment,
    isScreenTaken,
    takeLateAnswers,
    // A failure to draw on a terminal that is gone is not a bug.
    onExit: (error) => (error === undefined || isHungUp(quit.signal) ? quit.abort() : io.crash(error)),
  })
  if (console.ok) io.restoreAtCrash(() => console.value.close())
  return console
}

const tickMs = 1_000

/** The part of the plan that the waiting desk uses. */
type WaitingPlan = Pick<DeskPlan, 'settings' | 'looks' | 'reboundKeys' | 'quit'> & {
  tools: Pick<CommandTools, 'clock'>
}

/** The desk as it looks before the first answer. Its clock runs until `stop`. */
type WaitingDesk = {
  store: DeskStore
  /** Keys can only leave: keys typed ahead, or at a screen without prices, must not reach the desk. */
  commands: Leaving
  stop(): void
}

/** The screen while the desk is being opened. It looks like the desk that replaces it, so that nothing jumps. */
export function openWaitingDesk(plan: WaitingPlan): WaitingDesk {
  const { quit } = plan
  const { clock } = plan.tools
  const { venue, isOwn, isGatewaySet } = beginningOf(plan)
  const state = startState(
    {
      ...{ clock, venue, ...faceOf(plan) },
      gateway: { isKnown: true, isSet: isGatewaySet, receiver: { kind: 'opening' }, isOwn, seenSequence: 0 },
    },
    { method: 'none' },
  )
  // Nothing can be sent yet, and the opened desk may be locked or refused.
  const store = createDeskStore({ ...state, mode: nextMode(state.mode, 'makeSafe') })
  const text = isOwn ? 'Opening the practice exchange…' : `Opening the desk on ${venue.profileName}…`
  store.dispatch({ type: 'noted', level: 'info', text, atMs: clock.now() })
  const stopping = new AbortController()
  const tick = async () => {
    while (!stopping.signal.aborted) {
      await clock.sleep(tickMs, stopping.signal)
      store.dispatch({ type: 'ticked', nowMs: clock.now(), wallMs: clock.wallMs() })
    }
  }
  void tick()
  return { store, commands: { leave: () => quit.abort() }, stop: () => stopping.abort() }
}
