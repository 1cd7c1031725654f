import type { Clock } from '../../clock.ts'
import type { Environment } from '../theme/colour-depth.ts'
import { createGroundWait } from './ground-wait.ts'
import type { InputEvent } from './key-sequences.ts'
import { type TerminalReport, updateMode } from './terminal-reports.ts'

/** A terminal that has not answered by then does not answer. */
export const answerMostMs = 1_000
/**
 * What was typed at the shell comes in at once when the screen opens. A terminal that has not answered by then is a slow or a mute one, and whoever
 * looks at it must not lose keys: from here on each is taken, and what sends has its review, its beat and its care about crowds before it.
 */
export const typedAheadMs = 150

const askUpdateMode = `\u001b[?${updateMode}$p`
/** Asked before what it is: a terminal that knows both answers in this order. */
const askGround = '\u001b]11;?\u0007'
const askIdentity = '\u001b[c'
const focusOn = '\u001b[?1004h'
const focusOff = '\u001b[?1004l'
const alternateOn = '\u001b[?1049h'
const alternateOff = '\u001b[?1049l'

export type LinkOptions = {
  env: Environment
  clock: Clock
  /** Whether the terminal is asked to tell where its keyboard is. */
  wantsFocus: boolean
  onFocus: (isHere: boolean) => void
  /** Keys were typed before the screen could be seen, and were not taken. */
  onTypedAhead: (count: number) => void
  /** The terminal has said what its ground is, `#rrggbb`; null: it was asked and does not say. */
  onGround: (colour: string | null) => void
}

/** What is known of the terminal at the other end, and what it is asked. */
export type TerminalLink = {
  /** Whether updates may be marked: as the terminal says, and as its name lets one think until it has said anything. */
  readonly hasMarks: boolean
  /** Whether the answer to a question is still to come: its parts are waited for longer than those of a key. */
  isAnswerDue(): boolean
  /** Whether the terminal may still say what its ground is. */
  isGroundDue(): boolean
  /**
   * What goes to the terminal in the place of `text`: with the alternate screen come the questions and the wish for reports of the
   * keyboard, and before it goes the wish is taken back. What an ignorant terminal prints of them is drawn over by the first picture.
   */
  dressed(text: string): string
  /** Takes in what the terminal said. */
  told(report: TerminalReport): void
  /**
   * Whether a key was typed before the terminal had the screen: everything that comes at once, and before the answer to a question, was. Leaving
   * at once works all the same.
   */
  isTypedAhead(event: InputEvent): boolean
}

/** Terminals that know the marks of an update, as far as their names tell. */
const namesThatMark = /^(?:xterm|tmux|alacritty|foot|kitty|wezterm|ghostty|contour|rio)/

/** A terminal that a name says nothing of, or that would print what it is asked. */
const isMute = ({ TERM = '' }: Environment): boolean => TERM === '' || TERM === 'dumb'

function questionsOf(env: Environment): string {
  if (isMute(env)) return ''
  // Old Linux consoles print the end of a question about a mode; what they are they tell.
  return env.TERM === 'linux' ? askIdentity : askUpdateMode + askGround + askIdentity
}

/** The link to the terminal that the environment describes. */
export function createTerminalLink({
  env,
  clock,
  wantsFocus,
  onFocus,
  onTypedAhead,
  onGround,
}: LinkOptions): TerminalLink {
  const questions = questionsOf(env)
  const isFocusAsked = wantsFocus && !isMute(env)
  let hasMarks = namesThatMark.test(env.TERM ?? '')
  let isModeTold = false
  let askedAtMs: number | null = null
  let typedAhead = 0
  let isLeft = false
  const ground = createGroundWait(clock, answerMostMs, onGround)

  const tell = () => {
    if (typedAhead > 0) onTypedAhead(typedAhead)
    typedAhead = 0
  }
  /** Keys count from now on. */
  const open = () => {
    askedAtMs = null
    tell()
  }
  return {
    get hasMarks() {
      return hasMarks
    },
    isAnswerDue: () => askedAtMs !== null,
    isGroundDue: ground.isDue,
    dressed(text) {
      if (text.includes(alternateOff)) {
        isLeft = true
        ground.end()
        return text.replace(alternateOff, `${isFocusAsked ? focusOff : ''}${alternateOff}`)
      }
      if (!text.includes(alternateOn)) return text
      isLeft = false
      isModeTold = false
      if (questions !== '') askedAtMs = clock.now()
      if (questions.includes(askGround)) ground.begin()
      return text.replace(alternateOn, `${alternateOn}${questions}${isFocusAsked ? focusOn : ''}`)
    },
    told(report) {
      switch (report.kind) {
        case 'focus':
          return onFocus(report.isHere)
        case 'mode':
          if (report.mode !== updateMode) return
          isModeTold = true
          hasMarks = report.isKnown
          return
        case 'identity':
          // It was asked about the mode before: whoever answers only the second question does not know the first.
          if (askedAtMs !== null && questions.includes(askUpdateMode)) hasMarks &&= isModeTold
          ground.told(null)
          return open()
        case 'ground':
          return ground.told(report.colour)
      }
    },
    isTypedAhead(event) {
      // The shell has the screen: nobody means a desk that is not there.
      if (isLeft) {
        typedAhead += 1
        return true
      }
      if (askedAtMs === null) return false
      const askedForMs = clock.now() - askedAtMs
      if (askedForMs >= answerMostMs) open()
      if (askedForMs >= typedAheadMs) {
        tell()
        return false
      }
      if (event.kind === 'key' && event.key === 'ctrl+c') return false
      typedAhead += 1
      return true
    },
  }
}

/** The terminal as the drawing sees it: everything written there passes through the link. */
export function linkedTerminal<Stream extends object>(stream: Stream, link: TerminalLink): Stream {
  return new Proxy(stream, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      if (property !== 'write') return value.bind(target)
      return (text: unknown, ...rest: unknown[]): unknown =>
        Reflect.apply(value, target, [typeof text === 'string' ? link.dressed(text) : text, ...rest])
    },
  })
}
