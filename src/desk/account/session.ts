import type { Clock } from '../../base/clock.ts'
import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import { xdgFolders } from '../../base/process/environment.ts'
import { suggestion } from '../../base/text/nearest-name.ts'
import { plainText } from '../../base/text/plain-text.ts'
import type { Settings } from '../../config/settings.ts'
import { type KeptSession, keyOf, type LayoutName } from '../../domain/desk/session.ts'
import { symbolCalled } from '../../domain/orders/sentence-words.ts'
import type { JsonFile } from '../../state-files/json-file.ts'
import { type Configured, openSessionFile, type SessionRecord } from '../../state-files/session-file.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import { keptSession, sessionParts } from '../../store/kept-session.ts'
import { initialView, layoutRefusal } from '../../store/view/view.ts'
import { welcomeSentence } from '../../ui/keys/keymap.ts'
import { profileAtExchangeOf } from './account-folder.ts'

/** Delay in ms before a change is saved: choices come in bursts. */
const keptAfterMs = 1_000

/**
 * The session of a file, with settings changed since then instead of its own; null when there is none. `trouble` is the
 * sentence about an unusable file.
 */
async function readSession(
  file: JsonFile<SessionRecord>,
  configured: Configured,
): Promise<{ session: KeptSession | null; trouble: string | null }> {
  const read = await file.read()
  if (!read.ok) return { session: null, trouble: read.error }
  if (read.value === null) return { session: null, trouble: null }
  const { session, configured: before } = read.value
  const symbol = configured.symbol === before.symbol ? session.symbol : configured.symbol
  const layout = configured.layout === before.layout ? session.layout : (configured.layout ?? session.layout)
  const theme = configured.theme === before.theme ? session.theme : (configured.theme ?? session.theme)
  // A grouping belongs to the symbol it was chosen for.
  const groupTicks = symbol === session.symbol ? session.groupTicks : 1
  return { session: { ...session, symbol, layout, theme, groupTicks }, trouble: null }
}

type SessionKeeper = {
  /** Saves unsaved changes and ends. */
  stop(): Promise<void>
}

type KeeperOptions = {
  store: DeskStore
  file: JsonFile<SessionRecord>
  configured: Configured
  clock: Clock
  /** The part of a session to save; null saves nothing. */
  keptOf: (session: KeptSession) => KeptSession | null
}

/** Saves the session shortly after each change, and at the end. A file error is reported once. */
function createSessionKeeper({ store, file, configured, clock, keptOf }: KeeperOptions): SessionKeeper {
  const stopping = new AbortController()
  let keptText = ''
  let isWaiting = false
  let hasComplained = false
  let last: Promise<unknown> = Promise.resolve()

  async function keep(): Promise<void> {
    const session = keptOf(keptSession(store.getState()))
    if (session === null) return
    const text = JSON.stringify(session)
    if (text === keptText) return
    keptText = text
    const writing = file.write({ version: 1, session, configured })
    last = writing
    const written = await writing
    // The next change, or the end, tries again.
    if (!written.ok && keptText === text) keptText = ''
    if (written.ok || hasComplained) return
    hasComplained = true
    store.dispatch({ type: 'noted', level: 'warn', text: written.error, atMs: clock.now(), isAside: true })
  }

  async function keepSoon(): Promise<void> {
    isWaiting = true
    await clock.sleep(keptAfterMs, stopping.signal)
    isWaiting = false
    if (!stopping.signal.aborted) await keep()
  }

  const isSame = (state: DeskState, before: DeskState): boolean => {
    const [now, then] = [sessionParts(state), sessionParts(before)]
    return now.every((part, at) => part === then[at])
  }
  const leave = store.subscribe((state, before) => {
    if (!isWaiting && !isSame(state, before)) void keepSoon()
  })
  return {
    async stop() {
      leave()
      stopping.abort()
      await last
      await keep()
    },
  }
}

/**
 * Replaces an unlisted symbol of the last session by the configured one, and an unlisted configured one by the symbol
 * that sentences understand by its name, such as LTC-USD for LTC; a notice reports it. Without any, the notice names
 * the key that selects one.
 */
function replaceUnlistedSymbol(store: DeskStore, symbol: string, usual: string, clock: Clock): void {
  const leave = store.subscribe(({ instruments: { value: listed }, symbol: shown, reboundKeys }) => {
    if (listed === null) return
    leave()
    if (shown !== symbol || listed.has(symbol)) return
    const atMs = clock.now()
    const meant = listed.has(usual) ? usual : symbolCalled(usual, listed)
    const key = keyOf(reboundKeys, 'chooseSymbol')
    const near = suggestion(symbol, [...listed.keys()]) || '.'
    const unlisted = `The exchange does not list ${plainText(symbol)}`
    const text =
      meant === null
        ? `${unlisted}${near} ${key} chooses a symbol.`
        : symbol === usual
          ? `${unlisted}: ${meant} instead.`
          : `The last session showed ${symbol}, which the exchange does not list: ${meant} instead.`
    if (meant !== null) store.dispatch({ type: 'symbolChosen', symbol: meant, atMs })
    store.dispatch({ type: 'noted', level: 'warn', text, atMs })
  })
}

/** Shows the first notice of a practice desk. */
function welcome(store: DeskStore, exchange: Settings['exchange'], clock: Clock): void {
  const address = exchange.kind === 'own' ? null : plainText(exchange.baseUrl)
  const text = welcomeSentence(store.getState().reboundKeys, address)
  store.dispatch({ type: 'noted', level: 'info', text, atMs: clock.now() })
}

export type DeskSession = {
  /** The symbol to begin with. */
  symbol: string
  /** Gives a desk the looks of the session, as far as they are known before the first answer. */
  dress(store: DeskStore): void
  /** All that `dress` depends on, as JSON. */
  readonly dressedIn: unknown
  /** Applies the session to a desk that does not poll yet, and saves it from then on. */
  attach(store: DeskStore): void
  stop(): Promise<void>
}

type SessionOptions = {
  settings: Pick<Settings, 'profileName' | 'exchange' | 'venueKind' | 'symbol' | 'layout' | 'askedLayout' | 'theme'>
  io: Pick<CommandIo, 'environment'>
  tools: Pick<CommandTools, 'clock'>
  /** Ignores the last session, and the new one replaces it. */
  isFresh: boolean
}

/**
 * The session to save for a desk whose layout a flag set for this run alone: while that layout shows, the previous one
 * is saved instead. Nothing for a desk that shows a wall: a desk in use at the same time saves its own.
 */
function keptBeside(
  session: KeptSession,
  asked: LayoutName | null,
  before: Pick<KeptSession, 'layout' | 'isZoomed'>,
): KeptSession | null {
  if (asked === null || session.layout !== asked) return session
  return asked === 'monitor' ? null : { ...session, layout: before.layout, isZoomed: before.isZoomed }
}

/** Reports that a layout set by flag or setting does not fit, once the terminal's size is known: another is shown. */
function tellWithoutRoom(store: DeskStore, layout: LayoutName, clock: Pick<Clock, 'now'>): void {
  const leave = store.subscribe(({ screen }, before) => {
    if (screen === before.screen) return
    leave()
    const refusal = layoutRefusal(screen, layout)
    if (refusal !== null) store.dispatch({ type: 'noted', level: 'warn', text: refusal, atMs: clock.now() })
  })
}

/** The session of the profile: the last desk's, and the saving of this one's. */
export async function openDeskSession({ settings, io, tools, isFresh }: SessionOptions): Promise<DeskSession> {
  const { clock } = tools
  const { symbol: usual, layout, askedLayout, theme, venueKind } = settings
  const configured: Configured = { symbol: usual, layout, theme }
  const { state } = xdgFolders(io.environment)
  const file = openSessionFile(state, profileAtExchangeOf(settings))
  const kept = await readSession(file, configured)
  // An earlier program saved it under the profile's name, which without a profile meant whatever exchange the variables
  // named.
  const isEarlier = kept.session === null && kept.trouble === null && settings.profileName !== 'environment'
  const { session: last, trouble } = isEarlier
    ? await readSession(openSessionFile(state, settings.profileName), configured)
    : kept
  const session = isFresh ? null : last
  // No session of an earlier desk: show the welcome.
  const isFirst = last === null && trouble === null
  const symbol = session?.symbol ?? usual
  let keeper: SessionKeeper | null = null
  const before = session ?? { layout: layout ?? initialView.layout, isZoomed: false }
  const keptOf = (each: KeptSession) => keptBeside(each, askedLayout, before)
  const first = askedLayout ?? (session === null ? layout : null)
  const dress = (store: DeskStore) => {
    if (session !== null) store.dispatch({ type: 'sessionRestored', session })
    if (first !== null) store.dispatch({ type: 'layoutChosen', layout: first })
  }
  return {
    symbol,
    dress,
    dressedIn: { session, first },
    attach(store) {
      dress(store)
      if (trouble !== null)
        store.dispatch({ type: 'noted', level: 'warn', text: trouble, atMs: clock.now(), isAside: true })
      if (isFirst && venueKind === 'practice') welcome(store, settings.exchange, clock)
      replaceUnlistedSymbol(store, symbol, usual, clock)
      if (first !== null) tellWithoutRoom(store, first, clock)
      keeper = createSessionKeeper({ store, file, configured, clock, keptOf })
    },
    async stop() {
      await keeper?.stop()
    },
  }
}
