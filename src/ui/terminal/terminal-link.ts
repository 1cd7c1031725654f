import { type Clock, nextTurn } from '../../base/clock.ts'
import type { Environment } from './colors.ts'
import { codedFlags, type InputEvent, type MouseEvent, type TerminalReport, updateMode } from './key-sequences.ts'
import { alternateOff, alternateOn } from './take-screen.ts'

/** Waits for the terminal's background color. */
type GroundWait = {
  /** Whether an answer may still arrive in time. */
  isDue(): boolean
  /** Starts the wait: the terminal has been asked. */
  begin(): void
  /** Ends the wait: the shell has its screen back. */
  end(): void
  /** Takes the terminal's answer, even a late one; null: it would have answered by now. */
  told(color: string | null): void
}

/** `onGround` receives each color, and null once if a due answer does not arrive within `maxMs`. */
function createGroundWait(clock: Clock, maxMs: number, onGround: (color: string | null) => void): GroundWait {
  let waiting: AbortController | null = null
  const end = () => {
    waiting?.abort()
    waiting = null
  }
  const told = (color: string | null) => {
    if (color === null && waiting === null) return
    end()
    onGround(color)
  }
  const giveUpInTime = async () => {
    const own = new AbortController()
    waiting = own
    await clock.sleep(maxMs, own.signal)
    if (!own.signal.aborted) told(null)
  }
  return {
    isDue: () => waiting !== null,
    begin() {
      end()
      void giveUpInTime()
    },
    end,
    told,
  }
}

/** A terminal that has not answered within this many ms never will. */
export const answerMaxMs = 1_000
/**
 * Text typed at the shell arrives as soon as the screen opens. A terminal without an answer by then is slow or mute,
 * and its user must not lose keys: from here on every key counts, and sending is still guarded by the review, its
 * delay, and the check for bursts.
 */
export const typedAheadMs = 150

const askUpdateMode = `\u001b[?${updateMode}$p`
/** Asked before the identity: a terminal that knows both answers in this order. */
const askGround = '\u001b]11;?\u0007'
const askIdentity = '\u001b[c'
const focusOn = '\u001b[?1004h'
/** Switches focus reports off. */
export const focusOff = '\u001b[?1004l'
const askKeyboard = '\u001b[?u'
/**
 * The alternate screen has a keyboard stack of its own: the shell's keyboard mode stays unchanged, whatever happens.
 */
const codedOn = `\u001b[>${codedFlags}u`
const codedOff = '\u001b[<u'
/** Buttons and wheel only, no pointer motion, in the format without a column limit. */
const mouseOn = '\u001b[?1000h\u001b[?1006h'
const mouseOff = '\u001b[?1006l\u001b[?1000l'

type LinkOptions = {
  env: Environment
  clock: Clock
  /** Whether to request focus reports. */
  wantsFocus: boolean
  /** Whether to request codes that tell a held key from a pressed one; false unless given. */
  wantsCodes?: boolean
  /** Writes to the terminal outside of screen updates. */
  write?: (text: string) => void
  /** Sent when the terminal's screen is taken, and before it is given back; nothing unless given. */
  marks?: { begin(): string; end(): string }
  onMouse?: (event: MouseEvent) => void
  /**
   * When to query the terminal. `later`: not before `ask`, because a program that may have to quit at once must not
   * leave answers to the shell. `withScreen` unless given.
   */
  asks?: 'withScreen' | 'later' | 'never'
  onFocus: (isHere: boolean) => void
  /** Keys were typed before the screen was visible, and were dropped. */
  onTypedAhead: (count: number) => void
  /** The terminal's background, `#rrggbb`; null: it was asked and does not answer. */
  onGround: (color: string | null) => void
}

/** What is known about the terminal, and the queries to it. */
export type TerminalLink = {
  /** Whether the terminal supports update marks: as it reports, or until then as its name suggests. */
  readonly hasMarks: boolean
  /** Whether an answer is still due: its parts are waited for longer than those of a key. */
  isAnswerDue(): boolean
  /**
   * Stops waiting for answers. Returns for how long in ms one that is due must be waited for from now on; 0 if none is.
   * A busy desk comes late to its end, and has not read all that was there in time.
   */
  endAnswers(): number
  /** The deferred queries; empty if they were sent already, or if there are none. */
  ask(): string
  /** Whether the terminal's background may still be reported. */
  isGroundDue(): boolean
  /**
   * The text to send instead of `text`. When the alternate screen is taken, the queries and the request for focus
   * reports are added, unless deferred; before it is left, the request is withdrawn. Whatever an old terminal prints of
   * them is overwritten by the next full redraw.
   */
  dressed(text: string): string
  /** Whether keys arrive as codes that tell a press from a repeat, or may: the terminal says it can. */
  isKeyCoded(): boolean
  /** Whether the mouse reports to the desk; off until called. */
  setMouse(isOn: boolean): void
  /**
   * Restores keyboard and mouse, and queries the terminal's identity once more: input before that answer, such as the
   * release of the key that ended the desk, is not meant for the shell. Empty if there is nothing to restore.
   */
  farewell(): string
  /** Takes a report of the terminal. */
  told(report: TerminalReport): void
  /**
   * Whether a key was typed before the screen was visible: input already waiting then, and input before the answer to a
   * query, for at most `typedAheadMs`. Ctrl-C always counts.
   */
  isTypedAhead(event: InputEvent): boolean
  /** A key reached a desk that is still opening and takes none: it counts as typed ahead. */
  notTaken(): void
}

/** Terminals that support update marks, judging by their names. */
const namesThatMark = /^(?:xterm|tmux|alacritty|foot|kitty|wezterm|ghostty|contour|rio)/

/** A terminal without a name, or one that would print queries. */
const isMute = ({ TERM = '' }: Environment): boolean => TERM === '' || TERM === 'dumb'

function questionsOf(env: Environment, wantsCodes: boolean): string {
  if (isMute(env)) return ''
  // Old Linux consoles print the end of a mode query, but answer the identity query.
  return env.TERM === 'linux' ? askIdentity : askUpdateMode + askGround + (wantsCodes ? askKeyboard : '') + askIdentity
}

/**
 * Coded keys: requested once the terminal reports that it knows them, and withdrawn if it lacks any of the flags
 * needed, because keys would then be reported only in part.
 */
function createCodedKeys(write: (text: string) => void) {
  let state: 'plain' | 'due' | 'wished' | 'coded' = 'plain'
  return {
    isOn: () => state === 'wished' || state === 'coded',
    begin() {
      state = 'due'
    },
    told(flags: number) {
      if (state === 'due') {
        state = 'wished'
        write(codedOn + askKeyboard)
      } else if (state === 'wished') {
        state = (flags & codedFlags) === codedFlags ? 'coded' : 'plain'
        if (state === 'plain') write(codedOff)
      }
    },
    /** The sequence that switches them off; empty if there is nothing to switch off. */
    end(): string {
      const text = state === 'wished' || state === 'coded' ? codedOff : ''
      state = 'plain'
      return text
    },
  }
}

/** The mouse mode as requested, and as set on the terminal. */
function createMouse(write: (text: string) => void) {
  let isWished = false
  let isOn = false
  let isHere = false
  const follow = (): string => {
    const wanted = isWished && isHere
    if (wanted === isOn) return ''
    isOn = wanted
    return wanted ? mouseOn : mouseOff
  }
  return {
    wish(wanted: boolean) {
      isWished = wanted
      const text = follow()
      if (text !== '') write(text)
    },
    /** The sequence to send when the screen is taken or left. */
    moved(here: boolean): string {
      isHere = here
      return follow()
    },
    isOn: () => isOn,
  }
}

/** Waits for the terminal's answers, and counts what was typed before the screen was visible. */
function createAnswerWait(clock: Clock, onTypedAhead: (count: number) => void) {
  let since: { atMs: number; event: 'shown' | 'asked'; isLineRead: boolean } | null = null
  let typedAhead = 0
  /**
   * A busy program reads early input late, so the clock alone does not tell: input waiting in the terminal is read in
   * the following turn.
   */
  const watch = async (begun: NonNullable<typeof since>) => {
    await nextTurn()
    await nextTurn()
    begun.isLineRead = true
    await clock.sleep(typedAheadMs)
    await nextTurn()
    await nextTurn()
    // Where the terminal answers nothing and no key follows, nothing else would say that those keys do nothing.
    if (since === begun && begun.event === 'asked') tell()
  }

  const tell = () => {
    if (typedAhead > 0) onTypedAhead(typedAhead)
    typedAhead = 0
  }
  const isDue = () => since?.event === 'asked'
  /** Keys count from now on. */
  const open = () => {
    since = null
    tell()
  }
  return {
    isDue,
    open,
    /** The methods that the link exposes unchanged. */
    ofLink: {
      isAnswerDue: isDue,
      endAnswers(): number {
        const dueMs = isDue() ? answerMaxMs : 0
        since = null
        return dueMs
      },
      notTaken() {
        typedAhead += 1
      },
    },
    /** The screen is visible, and the terminal has been queried or will be later. */
    begin(event: 'shown' | 'asked') {
      since = { atMs: clock.now(), event, isLineRead: false }
      void watch(since)
    },
    /** `isLeft`: the shell has the screen. */
    isTypedAhead(event: InputEvent, isLeft: boolean): boolean {
      // A key for a desk that is not visible cannot be meant for it.
      if (isLeft) {
        typedAhead += 1
        return true
      }
      if (since === null) return false
      const { atMs, isLineRead } = since
      const sinceMs = clock.now() - atMs
      const isEnding = event.kind === 'key' && event.key === 'ctrl+c'
      // The answer may still come to a desk that ends.
      if (isLineRead && sinceMs >= answerMaxMs && !isEnding) open()
      if (isLineRead && sinceMs >= typedAheadMs) {
        tell()
        return false
      }
      if (isEnding) return false
      typedAhead += 1
      return true
    },
  }
}

/** The link to the terminal that the environment describes. */
export function createTerminalLink({
  env,
  clock,
  wantsFocus,
  wantsCodes = false,
  asks = 'withScreen',
  write = () => undefined,
  marks = { begin: () => '', end: () => '' },
  onMouse = () => undefined,
  onFocus,
  onTypedAhead,
  onGround,
}: LinkOptions): TerminalLink {
  const questions = asks === 'never' ? '' : questionsOf(env, wantsCodes)
  const isFocusable = asks !== 'never' && !isMute(env)
  const isFocusAsked = wantsFocus && isFocusable
  let hasMarks = namesThatMark.test(env.TERM ?? '')
  let isModeTold = false
  let isPutOff = asks === 'later'
  let isLeft = false
  const answers = createAnswerWait(clock, onTypedAhead)
  const ground = createGroundWait(clock, answerMaxMs, onGround)
  const codes = createCodedKeys(write)
  const mouse = createMouse(write)

  const asked = (): string => {
    isModeTold = false
    // Without a query there is no answer to mark the end of typed-ahead input.
    if (questions === '') answers.open()
    else answers.begin('asked')
    if (questions.includes(askGround)) ground.begin()
    if (questions.includes(askKeyboard)) codes.begin()
    const mouseModes = isFocusable ? mouse.moved(true) : ''
    return `${questions}${isFocusAsked ? focusOn : ''}${mouseModes}`
  }
  /** The sequence that withdraws everything requested from the terminal. */
  const takenBack = (): string =>
    `${marks.end()}${mouse.moved(false)}${codes.end()}${isFocusAsked && !isPutOff ? focusOff : ''}`
  return {
    get hasMarks() {
      return hasMarks
    },
    ...answers.ofLink,
    ask() {
      if (!isPutOff) return ''
      isPutOff = false
      return isLeft ? '' : asked()
    },
    isGroundDue: () => ground.isDue() || (isPutOff && questions.includes(askGround)),
    dressed(text) {
      if (text.includes(alternateOff)) {
        isLeft = true
        ground.end()
        return text.replace(alternateOff, `${takenBack()}${alternateOff}`)
      }
      if (!text.includes(alternateOn)) return text
      isLeft = false
      if (isPutOff && questions !== '') answers.begin('shown')
      return text.replace(alternateOn, `${alternateOn}${marks.begin()}${isPutOff ? '' : asked()}`)
    },
    isKeyCoded: codes.isOn,
    setMouse: mouse.wish,
    farewell() {
      const text = mouse.moved(false) + codes.end()
      return text === '' ? '' : text + askIdentity
    },
    told(report) {
      switch (report.kind) {
        case 'coded':
          return
        case 'keyboard':
          return isLeft ? undefined : codes.told(report.flags)
        case 'mouse':
          return mouse.isOn() ? onMouse(report) : undefined
        case 'focus':
          return onFocus(report.isHere)
        case 'mode':
          if (report.mode !== updateMode) return
          isModeTold = true
          hasMarks = report.isKnown
          return
        case 'identity':
          // The mode was queried first: a terminal that answers only the second query does not know the mode.
          if (answers.isDue() && questions.includes(askUpdateMode)) hasMarks &&= isModeTold
          ground.told(null)
          return answers.open()
        case 'ground':
          return ground.told(report.color)
      }
    },
    isTypedAhead: (event) => answers.isTypedAhead(event, isLeft),
  }
}
