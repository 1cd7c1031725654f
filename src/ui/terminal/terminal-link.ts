import { type Clock, nextTurn } from '../../base/clock.ts'
import type { Environment } from './colors.ts'
import { codedFlags, type InputEvent, type MouseEvent, type TerminalReport, updateMode } from './key-sequences.ts'
import { alternateOff, alternateOn } from './take-screen.ts'

/** Waits for what a terminal says of its ground. */
type GroundWait = {
  /** Whether an answer may still come in time. */
  isDue(): boolean
  /** The terminal has been asked. */
  begin(): void
  /** The terminal has the shell's screen again. */
  end(): void
  /** What the terminal said, also late; null: by now it would have answered. */
  told(color: string | null): void
}

/** `onGround` is told each color, and null once when an answer that was due does not come within `maxMs`. */
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

/** A terminal that has not answered by then does not answer. */
export const answerMaxMs = 1_000
/**
 * What was typed at the shell comes in at once when the screen opens. A terminal that has not answered by then is a
 * slow or a mute one, and whoever looks at it must not lose keys: from here on each is taken, and what sends has its
 * review, its beat and its care about crowds before it.
 */
export const typedAheadMs = 150

const askUpdateMode = `\u001b[?${updateMode}$p`
/** Asked before what it is: a terminal that knows both answers in this order. */
const askGround = '\u001b]11;?\u0007'
const askIdentity = '\u001b[c'
const focusOn = '\u001b[?1004h'
/** Takes the wish for reports of the keyboard back. */
export const focusOff = '\u001b[?1004l'
const askKeyboard = '\u001b[?u'
/** The alternate screen has a stack of its own: the shell's keyboard stays as it was, whatever happens. */
const codedOn = `\u001b[>${codedFlags}u`
const codedOff = '\u001b[<u'
/** Buttons and the wheel alone, never where the pointer goes, in the form that has no end of columns. */
const mouseOn = '\u001b[?1000h\u001b[?1006h'
const mouseOff = '\u001b[?1006l\u001b[?1000l'

type LinkOptions = {
  env: Environment
  clock: Clock
  /** Whether the terminal is asked to tell where its keyboard is. */
  wantsFocus: boolean
  /** Whether it is asked to tell a key that is held from one that is pressed; it is not unless given. */
  wantsCodes?: boolean
  /** Takes what is for the terminal beside the pictures. */
  write?: (text: string) => void
  /** What goes to the terminal once it has the screen, and before it has not; nothing unless given. */
  marks?: { begin(): string; end(): string }
  onMouse?: (event: MouseEvent) => void
  /**
   * When the terminal is asked. `later`: not before `ask`, as a program that may have to leave at once must not leave
   * answers to the shell. `withScreen` unless given.
   */
  asks?: 'withScreen' | 'later' | 'never'
  onFocus: (isHere: boolean) => void
  /** Keys were typed before the screen could be seen, and were not taken. */
  onTypedAhead: (count: number) => void
  /** The terminal has said what its ground is, `#rrggbb`; null: it was asked and does not say. */
  onGround: (color: string | null) => void
}

/** What is known of the terminal at the other end, and what it is asked. */
export type TerminalLink = {
  /** Whether updates may be marked: as the terminal says, and as its name lets one think until it has said anything. */
  readonly hasMarks: boolean
  /** Whether the answer to a question is still to come: its parts are waited for longer than those of a key. */
  isAnswerDue(): boolean
  /** Waits for no answer any more. Returns how long in ms one may still come; 0 where none is due. */
  endAnswers(): number
  /** The questions that were put off, for the terminal; empty where they were asked already, or there are none. */
  ask(): string
  /** Whether the terminal may still say what its ground is. */
  isGroundDue(): boolean
  /**
   * What goes to the terminal in the place of `text`: with the alternate screen come the questions and the wish for
   * reports of the keyboard, unless they are put off, and before it goes the wish is taken back. What an ignorant
   * terminal prints of them is drawn over by the next whole picture.
   */
  dressed(text: string): string
  /** Whether keys come as codes that tell a press from a repeat, or may: the terminal says it can. */
  isKeyCoded(): boolean
  /** Whether the mouse reports to the desk; it does not before this is called. */
  setMouse(isOn: boolean): void
  /**
   * Puts keyboard and mouse back, and asks once more what the terminal is: what comes before that answer, such as the
   * release of the key that ended the desk, is not for the shell. Empty where nothing is to be put back.
   */
  farewell(): string
  /** Takes in what the terminal said. */
  told(report: TerminalReport): void
  /**
   * Whether a key was typed before the terminal had the screen: everything that comes at once, and before the answer to
   * a question, was. Leaving at once works all the same.
   */
  isTypedAhead(event: InputEvent): boolean
  /** A key reached a desk that is still being opened, which takes none of it: it counts as typed ahead. */
  notTaken(): void
}

/** Terminals that know the marks of an update, as far as their names tell. */
const namesThatMark = /^(?:xterm|tmux|alacritty|foot|kitty|wezterm|ghostty|contour|rio)/

/** A terminal that a name says nothing of, or that would print what it is asked. */
const isMute = ({ TERM = '' }: Environment): boolean => TERM === '' || TERM === 'dumb'

function questionsOf(env: Environment, wantsCodes: boolean): string {
  if (isMute(env)) return ''
  // Old Linux consoles print the end of a question about a mode; what they are they tell.
  return env.TERM === 'linux' ? askIdentity : askUpdateMode + askGround + (wantsCodes ? askKeyboard : '') + askIdentity
}

/**
 * Keys by codes: asked for once the terminal says that it knows them, and taken back where it does not do all that is
 * needed, as then a key would be told in part.
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
    /** What takes it back; empty where there is nothing to take back. */
    end(): string {
      const text = state === 'wished' || state === 'coded' ? codedOff : ''
      state = 'plain'
      return text
    },
  }
}

/** The mouse as it was wished for and as the terminal has it. */
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
    /** What goes to the terminal as the screen comes or goes. */
    moved(here: boolean): string {
      isHere = here
      return follow()
    },
    isOn: () => isOn,
  }
}

/** Waits for the answers of a terminal, and counts what was typed before there was a screen to type at. */
function createAnswerWait(clock: Clock, onTypedAhead: (count: number) => void) {
  let since: { atMs: number; event: 'shown' | 'asked'; isLineRead: boolean } | null = null
  let typedAhead = 0
  /**
   * A program that is busy reads late what came early, so the clock alone does not tell: what waited in the terminal is
   * read in the turn that follows.
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
    /** What the link hands on as it is. */
    ofLink: {
      isAnswerDue: isDue,
      /** Nobody waits any more; how long in ms an answer may still come. */
      endAnswers(): number {
        const dueMs = since !== null && isDue() ? Math.max(0, since.atMs + answerMaxMs - clock.now()) : 0
        since = null
        return dueMs
      },
      notTaken() {
        typedAhead += 1
      },
    },
    /** The screen is there, and the terminal has been asked or is asked later. */
    begin(event: 'shown' | 'asked') {
      since = { atMs: clock.now(), event, isLineRead: false }
      void watch(since)
    },
    /** `isLeft`: the shell has the screen. */
    isTypedAhead(event: InputEvent, isLeft: boolean): boolean {
      // Nobody means a desk that is not there.
      if (isLeft) {
        typedAhead += 1
        return true
      }
      if (since === null) return false
      const { atMs, isLineRead } = since
      const sinceMs = clock.now() - atMs
      if (isLineRead && sinceMs >= answerMaxMs) open()
      if (isLineRead && sinceMs >= typedAheadMs) {
        tell()
        return false
      }
      if (event.kind === 'key' && event.key === 'ctrl+c') return false
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
    // Without a question no answer comes that would tell what was typed ahead.
    if (questions === '') answers.open()
    else answers.begin('asked')
    if (questions.includes(askGround)) ground.begin()
    if (questions.includes(askKeyboard)) codes.begin()
    const mouseModes = isFocusable ? mouse.moved(true) : ''
    return `${questions}${isFocusAsked ? focusOn : ''}${mouseModes}`
  }
  /** Everything that was asked of the terminal is taken back. */
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
          // It was asked about the mode before: whoever answers only the second question does not know the first.
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
