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

/** Streams that are no terminal have no `isTTY`. */
type TerminalEnd = { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }

/** What is on screen, and what keys do to it. */
export type ShownDesk = Pick<ConsoleProps, 'store' | 'commands'>

type OpenConsole = ShownDesk & {
  stdin: TerminalEnd & NodeJS.ReadableStream
  stdout: TerminalEnd & NodeJS.WritableStream & TerminalStream
  /** Where the drawing gives the cursor back as the program ends; left out where that is not a stream. */
  stderr?: object | undefined
  clock: Clock
  /** The alternate screen is taken already, with a picture on it; it is not unless given. */
  isScreenTaken?: boolean
  /** Decides about colors and border characters. */
  env: Environment
  /**
   * Takes what a terminal in raw mode still answers, for at most so many ms, before this returns: the terminal is given
   * back then. Left out where nothing answers.
   */
  takeLateAnswers?: (maxMs: number) => void
  /** Called once, when the terminal has been put back; with the error when a part of the screen failed. */
  onExit: (error?: unknown) => void
}

export type OpenedConsole = {
  /** The bytes that drew the first picture on whatever was there; empty where whole lines are written. */
  readonly firstPicture: string
  /** Resolves when the console is closed and everything is written; rejects with what a part of the screen threw. */
  waitUntilExit(): Promise<void>
  /** Draws another desk in the place of this one, and hands the keys to it. */
  show(desk: ShownDesk): void
  /** Draws what is due now, and not when all that came in this turn is read. */
  drawDue(): void
  /**
   * Gives the terminal back as it was found for as long as `away` takes, then takes it again and draws everything anew.
   * Nothing happens on a console that is closed or away already.
   */
  leave(away: () => Promise<void>): Promise<void>
  /** Takes the screen down and puts the terminal back. May be called at any time, and more than once. */
  close(): void
}

/** Home, then erase to the end: the screen without its scroll-back. */
const blankScreen = '\u001b[H\u001b[J'

function refusal({ stdin, stdout }: OpenConsole): string | null {
  if (stdout.isTTY !== true) return 'The desk draws on a terminal, and the output is not one: start it in a terminal.'
  if (stdin.isTTY !== true) return 'The desk takes keys, and the input is not a terminal: start it in one.'
  return null
}

/** A terminal that stalls is not waited for longer. */
const flushMaxMs = 500

/** Resolves when everything has left for the terminal, or it takes nothing. */
async function flushed(stdout: TerminalStream, clock: Clock): Promise<void> {
  await within(new Promise<void>((resolve) => void stdout.write('', () => resolve())), flushMaxMs, clock)
}

/**
 * Whatever the terminal still owes is taken while it is in raw mode: it answers a program that reads it, never the
 * shell. False where it owed nothing.
 */
function takeOwed({ stdin, stdout, takeLateAnswers }: OpenConsole, link: TerminalLink): boolean {
  const owedMs = link.endAnswers()
  if (takeLateAnswers === undefined) return false
  const farewell = link.farewell()
  const dueMs = farewell === '' ? owedMs : answerMaxMs
  if (dueMs === 0) return false
  stdin.setRawMode?.(true)
  // No report of the keyboard comes after the last answer.
  stdout.write(focusOff + farewell)
  takeLateAnswers(dueMs)
  return true
}

/** What the link to the terminal is made from besides what the console is opened with. */
type LinkParts = Pick<Parameters<typeof createTerminalLink>[0], 'write' | 'marks' | 'onMouse'> & {
  tell: (event: StoreEvent) => void
  /** It was asked for its ground and says none. */
  onNoGround: () => void
}

/** What the terminal says becomes what happens to the desk. */
function linkOf({ store, commands, clock, env }: OpenConsole, { tell, onNoGround, ...parts }: LinkParts): TerminalLink {
  const { looks, terminal } = store.getState()
  return createTerminalLink({
    env,
    clock,
    wantsFocus: terminal.focusRule !== 'ignore',
    wantsCodes: terminal.areKeysCoded,
    ...parts,
    // A desk that is still being opened may be refused: its terminal would answer the shell. A desk that speaks has no
    // use for the answers, and no screen with whose end the wish for reports would be taken back.
    asks: looks.isSpoken ? 'never' : 'leave' in commands ? 'later' : 'withScreen',
    onFocus: (isHere) => tell({ type: 'keyboardMoved', keyboard: isHere ? 'here' : 'elsewhere', atMs: clock.now() }),
    onGround(color) {
      tell({ type: 'groundTold', color })
      // A ground that it does tell is drawn with the theme that goes with it.
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

/** What the drawing writes to: the terminal, which waits for nothing. */
function outputOf(
  { stdout, stderr, isScreenTaken }: OpenConsole,
  { dressed }: TerminalLink,
  kind: OutputKind,
  look: ScreenOutputOptions,
  drawAll: () => void,
): Output {
  // Only where what waits is little: of what is said, nothing may be left out.
  if (kind !== 'plain') for (const stream of [stdout, stderr ?? {}]) unblock(stream)
  return createDeskOutput(rewritten(stdout, onScreen(dressed, isScreenTaken)), kind, look, drawAll)
}

/** How Ink draws. */
const mannersOf = (isSpoken: boolean, regions: Regions | null) => ({
  incrementalRendering: regions === null,
  // What was said stays in the terminal, where a screen reader finds it again.
  alternateScreen: !isSpoken,
  isScreenReaderEnabled: isSpoken,
  onRender: () => regions?.moved(),
  // Ctrl-C is a key like any other and leaves through the same door as `q`.
  exitOnCtrlC: false,
  // Nothing here prints through the global console, and nobody else's is changed.
  patchConsole: false,
  // Its throttle would hold keys back; data comes at a measured pace by itself.
  maxFps: 1000,
  // Both ends are terminals, which is checked: also where a CI service's variables are set.
  interactive: true,
})

/** Draws the first frame, and its picture before React does what it has left to do after a frame. */
function drawFirst(view: ReactNode, stdin: OpenConsole['stdin'], output: Output, isSpoken: boolean) {
  const instance = render(view, { stdin, stdout: output.stream, ...mannersOf(isSpoken, output.regions) })
  return { instance, firstPicture: output.drawDue() }
}

/** How the desk's pictures are to be shown just now. */
function lookOf(link: TerminalLink, env: Environment, stateOf: () => DeskState): ScreenOutputOptions {
  const depth = readColorDepth(env)
  // Asked at every picture, and another one only when a person chooses or the terminal tells.
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
 * Draws the console on the terminal's alternate screen and reads its keys until `close`. An error names why it cannot.
 * Signals are the caller's: each ends with `close`, which leaves the terminal as it was found.
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
  const window = createWindow(env, () => shown.store.getState(), write)
  const link = linkOf(options, {
    ...{ tell, write, marks: window.marks, onNoGround: () => output.refresh() },
    onMouse: (event) => actOnMouse(event, shown),
  })
  const kind = isSpoken ? 'plain' : screenOutput
  const look = lookOf(link, env, () => shown.store.getState())
  const output = outputOf(options, link, kind, look, () => drawAnew())
  const settle = () => takeOwed(options, link)
  const { onReady, leave, isAway } = createSuspension({ settle, flushed: () => flushed(stdout, clock) })
  window.follow(store, link)
  const parts = { isSpoken, link, regions: output.regions, onLooks: output.refresh }
  const root = (desk: ShownDesk) => <TerminalHandle onReady={onReady}>{drawing(desk, options, parts)}</TerminalHandle>
  // Before the terminal is asked anything: its answer, and what was typed ahead, would be echoed onto the screen.
  stdin.setRawMode?.(true)
  const { instance, firstPicture } = drawFirst(root(shown), stdin, output, isSpoken)
  // Terminals differ in what they do to a picture they resize; from a blank screen every line is drawn again.
  const redraw = () => {
    // The screen is the shell's: everything is drawn anew when it comes back.
    if (isAway()) return
    instance.clear()
    stdout.write(blankScreen)
  }
  if (!isSpoken) stdout.prependListener('resize', redraw)
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
    // Some terminals bring lines of the picture back to the main screen when they were resized meanwhile: leave it
    // blank.
    instance.rerender(null)
    instance.unmount()
  }
  const end = (error?: unknown) => {
    // A part of the screen failed, and the drawing has left the terminal by itself.
    if (!isClosed && settle()) stdin.setRawMode?.(false)
    isClosed = true
    stdout.off('resize', redraw)
    output.stop()
    window.stop()
    onExit(error)
  }
  finished.then(() => end(), end)
  const show = (desk: ShownDesk) => {
    shown = desk
    // What the terminal said to the desk before holds for this one.
    desk.store.dispatchAll([...news.values()])
    if (!isClosed) window.follow(desk.store, link)
    const questions = isClosed ? '' : link.ask()
    output.stream.write(questions)
    // What an ignorant terminal prints of the questions is drawn over.
    if (questions !== '' && output.regions === null) drawAnew()
    else draw()
  }
  return ok({ firstPicture, waitUntilExit: () => finished, show, drawDue: output.drawDue, leave, close })
}

/** Keeps what the window tells, and what the mouse may do, as the desk that is shown has it. */
function createWindow(env: Environment, stateOf: () => DeskState, write: (text: string) => void) {
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
      })
      show(store.getState())
    },
  }
}

/** The parts of a desk that its window tells of. */
const windowParts = ['mode', 'venue', 'symbol', 'lock', 'unsettled', 'overlay'] as const satisfies (keyof DeskState)[]

/** Gives the terminal back to the shell; what it resolves to takes it again and draws everything anew. */
type LetGo = () => Promise<{ resume(): Promise<void> }>

type Suspension = {
  /** Told how the terminal is let go of for as long as something is drawn, and null when nothing is any more. */
  onReady(letGo: LetGo | null): void
  /**
   * Gives the terminal back for as long as `away` takes. Nothing happens while it is away already, or once nothing is
   * drawn.
   */
  leave(away: () => Promise<void>): Promise<void>
  /** Whether the shell has the terminal. */
  isAway(): boolean
}

type Ends = {
  /** Takes what the terminal still answers, before it is let go of. */
  settle(): void
  /** Resolves when the terminal has taken what was written to it, or takes nothing. */
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
      settle()
      const held = await hand()
      await flushed()
      await away()
      await held.resume()
      isAway = false
    },
  }
}

type Props = Pick<Suspension, 'onReady'> & { children: ReactNode }

/** Hands out what only a part of the drawing can do: to let go of the terminal for a while. */
function TerminalHandle({ onReady, children }: Props) {
  const { suspendTerminal } = useApp()
  useEffect(() => {
    onReady(suspendTerminal)
    return () => onReady(null)
  }, [onReady, suspendTerminal])
  return children
}
