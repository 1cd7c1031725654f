import { render, useApp } from 'ink'
import { type ReactNode, useEffect } from 'react'
import { type Clock, within } from '../../base/clock.ts'
import { memoizeLast } from '../../base/memoize.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { DeskState, DeskStore, StoreEvent } from '../../store/desk.ts'
import { shownTheme } from '../../store/looks.ts'
import { actOnMouse, takesMouse } from '../keys/mouse.ts'
import { type Environment, readColorDepth } from '../terminal/colors.ts'
import {
  createDeskOutput,
  type Regions,
  rewritten,
  type ScreenOutputOptions,
  type TerminalStream,
} from '../terminal/screen/screen-output.ts'
import { onScreen, unblock } from '../terminal/take-screen.ts'
import { answerMaxMs, createTerminalLink, focusOff, type TerminalLink } from '../terminal/terminal-link.ts'
import { createWindowMarks } from '../terminal/window-marks.ts'
import { paintedGround } from '../text/theme.ts'
import { Console, type ConsoleProps } from './console.tsx'
import { SpokenConsole } from './spoken/spoken-console.tsx'

/** Streams that are not terminals have no `isTTY`. */
type TerminalEnd = { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }

/** The desk on screen, and the commands that its keys run. */
export type ShownDesk = Pick<ConsoleProps, 'store' | 'commands'>

type OpenConsole = ShownDesk & {
  stdin: TerminalEnd & NodeJS.ReadableStream
  stdout: TerminalEnd & NodeJS.WritableStream & TerminalStream
  /** Where Ink shows the cursor again at exit; omitted if that is not a stream. */
  stderr?: object | undefined
  clock: Clock
  /** The alternate screen is already taken, and drawn on; false unless given. */
  isScreenTaken?: boolean
  /** Decides about colors and border characters. */
  env: Environment
  /**
   * Reads what a terminal in raw mode still answers, for at most that many ms, before returning: the terminal is given
   * back afterwards. Omitted if nothing answers.
   */
  takeLateAnswers?: (maxMs: number) => void
  /** Called once, when the terminal has been restored; with the error if a part of the screen failed. */
  onExit: (error?: unknown) => void
}

export type OpenedConsole = {
  /** The bytes of the first full draw, independent of the previous content; empty if whole lines are written. */
  readonly firstPicture: string
  /**
   * Resolves when the console is closed and everything is written; rejects with an error thrown by a part of the
   * screen.
   */
  waitUntilExit(): Promise<void>
  /** Replaces the desk on screen, which then takes the keys. */
  show(desk: ShownDesk): void
  /** Draws pending changes now, rather than once all input of this turn is read. */
  drawDue(): void
  /**
   * Restores the terminal while `away` runs, then takes it again and redraws everything. Does nothing on a console that
   * is closed or away.
   */
  leave(away: () => Promise<void>): Promise<void>
  /**
   * Call when the terminal's size was set, after any event of it: where the size is as before there was none, but the
   * terminal may have cut or moved its lines meanwhile, so that everything is drawn again.
   */
  sizeSet(): void
  /** Closes the screen and restores the terminal. May be called at any time, and repeatedly. */
  close(): void
}

/** Home, then erase to the end: clears the screen but not the scroll-back. */
const blankScreen = '\u001b[H\u001b[J'

function refusal({ stdin, stdout }: OpenConsole): string | null {
  if (stdout.isTTY !== true) return 'The desk draws on a terminal, and the output is not one: start it in a terminal.'
  if (stdin.isTTY !== true) return 'The desk takes keys, and the input is not a terminal: start it in one.'
  return null
}

/** Maximum wait in ms for a terminal that stalls. */
const flushMaxMs = 500

/** Resolves when all output has left for the terminal, or the terminal has stalled. */
async function flushed(stdout: TerminalStream, clock: Clock): Promise<void> {
  await within(new Promise<void>((resolve) => void stdout.write('', () => resolve())), flushMaxMs, clock)
}

/**
 * Reads what the terminal still has to answer while it is in raw mode, so that the answers do not reach the shell.
 * False if nothing was due.
 */
function takeOwed({ stdin, stdout, takeLateAnswers }: OpenConsole, link: TerminalLink): boolean {
  const owedMs = link.endAnswers()
  if (takeLateAnswers === undefined) return false
  const farewell = link.farewell()
  const dueMs = farewell === '' ? owedMs : answerMaxMs
  if (dueMs === 0) return false
  stdin.setRawMode?.(true)
  // Focus reports off first: none may follow the last answer.
  stdout.write(focusOff + farewell)
  takeLateAnswers(dueMs)
  return true
}

/** The inputs of the terminal link besides the console's own options. */
type LinkParts = Pick<Parameters<typeof createTerminalLink>[0], 'write' | 'marks' | 'onMouse'> & {
  tell: (event: StoreEvent) => void
  /** The terminal was asked for its background and does not report it. */
  onNoGround: () => void
}

/** Turns the terminal's reports into events of the desk. */
function linkOf({ store, commands, clock, env }: OpenConsole, { tell, onNoGround, ...parts }: LinkParts): TerminalLink {
  const { looks, terminal } = store.getState()
  return createTerminalLink({
    env,
    clock,
    wantsFocus: terminal.focusRule !== 'ignore',
    wantsCodes: terminal.areKeysCoded,
    ...parts,
    // A desk still being opened may be refused, and the terminal would answer to the shell. A spoken desk has no use
    // for the answers, and takes no screen at whose end focus reports would be switched off.
    asks: looks.isSpoken ? 'never' : 'leave' in commands ? 'later' : 'withScreen',
    onFocus: (isHere) => tell({ type: 'keyboardMoved', keyboard: isHere ? 'here' : 'elsewhere', atMs: clock.now() }),
    onGround(color) {
      tell({ type: 'groundTold', color })
      // A reported background is drawn with the theme that suits it.
      if (color === null) onNoGround()
    },
    onTypedAhead(count) {
      const keys = count === 1 ? 'One key was' : `${count} keys were`
      const text = `${keys} typed before the screen was up: ignored.`
      tell({ type: 'noted', level: 'warn', text, atMs: clock.now() })
    },
  })
}

type Output = ReturnType<typeof createDeskOutput<OpenConsole['stdout']>>
type OutputKind = Parameters<typeof createDeskOutput>[1]

/** The output that Ink writes to: the terminal, made non-blocking. */
function outputOf(
  { stdout, stderr, isScreenTaken }: OpenConsole,
  { dressed }: TerminalLink,
  kind: OutputKind,
  look: ScreenOutputOptions,
  drawAll: () => void,
): Output {
  // Not for `plain`: of spoken text nothing may be dropped, however long the queue gets.
  if (kind !== 'plain') for (const stream of [stdout, stderr ?? {}]) unblock(stream)
  return createDeskOutput(rewritten(stdout, onScreen(dressed, isScreenTaken)), kind, look, drawAll)
}

/** Ink's options. */
const mannersOf = (isSpoken: boolean, regions: Regions | null) => ({
  incrementalRendering: regions === null,
  // Spoken text stays in the terminal, where a screen reader can find it again.
  alternateScreen: !isSpoken,
  isScreenReaderEnabled: isSpoken,
  onRender: () => regions?.moved(),
  // Ctrl-C is an ordinary key, and quits the same way as `q`.
  exitOnCtrlC: false,
  // Nothing here prints through the global console, which must not be patched for others.
  patchConsole: false,
  // Ink's throttle would delay keys; data is already paced.
  maxFps: 1000,
  // Both ends are known to be terminals, even if a CI service's variables are set.
  interactive: true,
})

/** Renders the first frame, and draws it before React does its remaining work. */
function drawFirst(view: ReactNode, stdin: OpenConsole['stdin'], output: Output, isSpoken: boolean) {
  const instance = render(view, { stdin, stdout: output.stream, ...mannersOf(isSpoken, output.regions) })
  return { instance, firstPicture: output.drawDue() }
}

/** How the desk is drawn at the moment. */
function lookOf(link: TerminalLink, env: Environment, stateOf: () => DeskState): ScreenOutputOptions {
  const depth = readColorDepth(env)
  // Read for every update, but changed only by the user or the terminal.
  const groundOf = memoizeLast((looks: DeskState['looks'], overlay: DeskState['overlay'], isDue: boolean) =>
    paintedGround(shownTheme({ looks, overlay }), depth, looks.ground ?? (isDue ? 'due' : null)),
  )
  return {
    get hasMarks() {
      return link.hasMarks
    },
    get base() {
      const { looks, overlay } = stateOf()
      return groundOf(looks, overlay, link.isGroundDue())
    },
  }
}

type Drawn = { isSpoken: boolean; link: TerminalLink; regions: Regions | null; onLooks: () => void }

const drawing = (desk: ShownDesk, { env, clock }: OpenConsole, { isSpoken, ...drawn }: Drawn) =>
  isSpoken ? <SpokenConsole {...desk} clock={clock} /> : <Console {...{ ...desk, env, clock, ...drawn }} />

/**
 * Draws the console on the terminal's alternate screen and reads its keys until `close`. An error says why it cannot.
 * Signals are up to the caller: each must end in `close`, which restores the terminal.
 */
export function openConsole(options: OpenConsole): Result<OpenedConsole> {
  const { store, commands, stdin, stdout, clock, env, onExit } = options
  const reason = refusal(options)
  if (reason !== null) return err(reason)
  const { isSpoken, screenOutput } = store.getState().looks
  const news = new Map<string, StoreEvent>()
  let shown: ShownDesk = { store, commands }
  let isClosed = false
  const tell = (event: StoreEvent) => {
    news.set(event.type, event)
    shown.store.dispatch(event)
  }
  const write = (text: string) => {
    if (text !== '' && !isClosed) output.stream.write(text)
  }
  const redrawAsked = () => (isClosed || isAway() ? undefined : output.drawAgain())
  const window = createWindow(env, { stateOf: () => shown.store.getState(), write, redraw: redrawAsked })
  const link = linkOf(options, {
    ...{ tell, write, marks: window.marks, onNoGround: () => output.refresh() },
    onMouse: (event) => actOnMouse(event, { ...shown, textOf: (row) => output.textOf(row) }),
  })
  const kind = isSpoken ? 'plain' : screenOutput
  const look = lookOf(link, env, () => shown.store.getState())
  const output = outputOf(options, link, kind, look, () => drawAnew())
  const settle = () => takeOwed(options, link)
  const { onReady, leave, isAway } = createSuspension({ settle, flushed: () => flushed(stdout, clock) })
  window.follow(store, link)
  const parts = { isSpoken, link, regions: output.regions, onLooks: output.refresh }
  const root = (desk: ShownDesk) => <TerminalHandle onReady={onReady}>{drawing(desk, options, parts)}</TerminalHandle>
  // Raw mode before any query: otherwise the answer, and typed-ahead keys, would be echoed onto the screen.
  stdin.setRawMode?.(true)
  const { instance, firstPicture } = drawFirst(root(shown), stdin, output, isSpoken)
  // Terminals differ in how they reflow content on a resize: blank the screen so that every line is drawn again.
  const redraw = () => {
    // The shell has the screen: everything is redrawn when it comes back.
    if (isAway()) return
    instance.clear()
    stdout.write(blankScreen)
  }
  const sizes = createSizes(redraw, redrawAsked)
  if (!isSpoken) stdout.prependListener('resize', sizes.changed)
  const finished = instance.waitUntilExit().then(() => undefined)
  const draw = () => {
    if (!isClosed) instance.rerender(root(shown))
  }
  const drawAnew = () => {
    if (!isClosed) redraw()
    draw()
  }
  const close = () => {
    if (isClosed) return
    settle()
    isClosed = true
    // After a resize some terminals copy lines of the alternate screen to the main one: leave it blank.
    instance.rerender(null)
    instance.unmount()
  }
  const end = (error?: unknown) => {
    // A part of the screen failed, and Ink has left the terminal by itself.
    if (!isClosed && settle()) stdin.setRawMode?.(false)
    isClosed = true
    stdout.off('resize', sizes.changed)
    output.stop()
    window.stop()
    onExit(error)
  }
  finished.then(() => end(), end)
  const show = (desk: ShownDesk) => {
    shown = desk
    // What the terminal reported to the previous desk also holds for this one.
    desk.store.dispatchAll([...news.values()])
    if (!isClosed) window.follow(desk.store, link)
    const questions = isClosed ? '' : link.ask()
    output.stream.write(questions)
    // Overwrites whatever an old terminal printed of the queries.
    if (questions !== '' && output.regions === null) drawAnew()
    else draw()
  }
  const { drawDue } = output
  return ok({ firstPicture, waitUntilExit: () => finished, show, drawDue, leave, sizeSet: sizes.set, close })
}

/** Tells sizes that changed from those that were set again. */
function createSizes(onChanged: () => void, onSame: () => void) {
  let hasChanged = false
  return {
    changed() {
      hasChanged = true
      onChanged()
    },
    set() {
      if (!hasChanged) onSame()
      hasChanged = false
    },
  }
}

type WindowParts = { stateOf: () => DeskState; write: (text: string) => void; redraw: () => void }

/**
 * Keeps window title, progress mark and mouse mode in line with the desk on screen, and draws the screen again when its
 * user asks.
 */
function createWindow(env: Environment, { stateOf, write, redraw }: WindowParts) {
  const marks = createWindowMarks(env, stateOf)
  let leave = () => {}
  return {
    marks,
    stop: () => leave(),
    follow(store: DeskStore, link: TerminalLink) {
      leave()
      const show = (state: DeskState) => {
        write(marks.change())
        link.setMouse(takesMouse(state))
      }
      leave = store.subscribe((state, before) => {
        if (windowParts.some((part) => state[part] !== before[part])) show(state)
        if (state.terminal.redraws !== before.terminal.redraws) redraw()
      })
      show(store.getState())
    },
  }
}

/** The parts of the state that the window shows. */
const windowParts = [
  'mode',
  'venue',
  'symbol',
  'lock',
  'unknownWrites',
  'overlay',
] as const satisfies (keyof DeskState)[]

/** Gives the terminal back to the shell; the result's `resume` takes it again and redraws everything. */
type LetGo = () => Promise<{ resume(): Promise<void> }>

type Suspension = {
  /** Receives the function that gives the terminal back while something is rendered, and null once nothing is. */
  onReady(letGo: LetGo | null): void
  /** Gives the terminal back while `away` runs. Does nothing while it is already away, or once nothing is rendered. */
  leave(away: () => Promise<void>): Promise<void>
  /** Whether the shell has the terminal. */
  isAway(): boolean
}

type Ends = {
  /** Reads what the terminal still answers, before it is given back. */
  settle(): void
  /** Resolves when the terminal has taken all output, or has stalled. */
  flushed(): Promise<void>
}

function createSuspension({ settle, flushed }: Ends): Suspension {
  let hand: LetGo | null = null
  let isAway = false
  return {
    isAway: () => isAway,
    onReady(letGo) {
      hand = letGo
    },
    async leave(away) {
      if (hand === null || isAway) return
      isAway = true
      try {
        settle()
        const held = await hand()
        try {
          await flushed()
          await away()
        } finally {
          await held.resume()
        }
      } finally {
        isAway = false
      }
    },
  }
}

type Props = Pick<Suspension, 'onReady'> & { children: ReactNode }

/** Exposes what only a rendered component can do: suspend the terminal. */
function TerminalHandle({ onReady, children }: Props) {
  const { suspendTerminal } = useApp()
  useEffect(() => {
    onReady(suspendTerminal)
    return () => onReady(null)
  }, [onReady, suspendTerminal])
  return children
}
