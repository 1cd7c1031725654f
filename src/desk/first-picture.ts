import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Environment, xdgFolders } from '../base/environment.ts'
import { makeFolder } from '../base/make-folder.ts'
import { startedAfterMs } from '../base/node-runtime.ts'
import { readOwnFile } from '../base/own-file.ts'
import { namesIn } from '../base/plain-file.ts'
import { namedFile } from '../state-files/json-file.ts'
import { lookVariables } from '../ui/terminal/colors.ts'
import { alternateOff, alternateOn, unblock } from '../ui/terminal/take-screen.ts'
import { profileAtExchangeOf } from './account-folder.ts'
import { beginningOf, type DeskPlan, faceOf } from './opening-settings.ts'
import type { DeskSession } from './session.ts'

/*
 * The screen of a desk that is being opened says the same at each start, as long as nothing is set otherwise. So a
 * start shows at once what the one before drew, and draws it itself when what draws is loaded: a fifth of a second
 * later on a slow machine.
 */

/** The picture that a start shows before it can draw one. */
export type FirstPicture = {
  /** Whether it is on the alternate screen by now. */
  readonly isShown: boolean
  /** The drawing has the terminal from here on. Its own first picture, as bytes, is kept for the next start. */
  handOver(drawn: string): void
  /** Gives the terminal back, where nothing comes to draw on it. */
  takeBack(): void
}

type Plan = Pick<DeskPlan, 'settings' | 'looks' | 'reboundKeys' | 'quit' | 'io' | 'tools'>

/** A picture as it is kept, and all that it depends on. */
type Kept = { key: string; picture: string }

const bytesMax = 1024 * 1024
/** One each for a profile and a size of the terminal. */
const picturesMax = 24

/** What a picture consists of: text, colors, ways of the cursor. Nothing else is written to a terminal from a file. */
const drawing = /^(?:[^\p{Cc}]|[\n\v\r\b]|\u001b\[[\d;]*[A-HJKXm]|\u001b\[20l)*$/u

/** The time of day, which the picture of another day does not know. */
const timeOfDay = /\b\d\d:\d\d(?::\d\d)?(?:\b|Z)/g
const withoutTime = (picture: string): string => picture.replace(timeOfDay, (text) => ' '.repeat(text.length))

/** What JSON knows nothing of, in a form that tells one from another. */
const known = (_: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...value] : typeof value === 'bigint' ? `${value}` : value

/** All that the first picture depends on, and which program drew it: the name of a built file changes with its text. */
function keyOf(plan: Plan, session: Pick<DeskSession, 'dressedIn'>, size: readonly number[]): string {
  const { environment } = plan.io
  const variables = lookVariables.map((name) => environment[name] ?? null)
  const parts = [import.meta.url, size, variables, beginningOf(plan), faceOf(plan), session.dressedIn]
  return JSON.stringify(parts, known)
}

/** The kept picture; null where there is none, something else than one, or one that others may have written. */
function readKept(path: string): Kept | null {
  const text = readOwnFile(path, { rule: 'trusted', bytesMax })
  if (!text.ok || text.value === null) return null
  try {
    const kept: unknown = JSON.parse(text.value)
    if (typeof kept !== 'object' || kept === null || !('key' in kept) || !('picture' in kept)) return null
    const { key, picture } = kept
    return typeof key === 'string' && typeof picture === 'string' && drawing.test(picture) ? { key, picture } : null
  } catch {
    // No JSON. The desk draws its first picture itself, a little later.
    return null
  }
}

/** Does what a cache can do without: a disk that is full, gone or not ours costs the next start a little time. */
function tried(act: () => void): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}

function keep(path: string, kept: Kept): void {
  const draft = `${path}.${process.pid}.new`
  const folder = dirname(path)
  const isKept = tried(() => {
    makeFolder(folder)
    writeFileSync(draft, JSON.stringify(kept), { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  })
  tried(() => {
    if (!isKept) return rmSync(draft, { force: true })
    const ages = namesIn(folder).map((name) => ({ name, ms: statSync(join(folder, name)).mtimeMs }))
    const oldest = ages.sort((one, other) => other.ms - one.ms).slice(picturesMax)
    for (const { name } of oldest) rmSync(join(folder, name), { force: true })
  })
}

/** Where the picture of this profile and size lies; null where no home is known. */
function pathOf({ settings }: Plan, environment: Environment, [columns, rows]: readonly number[]): string | null {
  try {
    const name = `${columns}x${rows}.${namedFile(profileAtExchangeOf(settings))}`
    return join(xdgFolders(environment).cache, 'first-pictures', name)
  } catch {
    return null
  }
}

const hideCursor = '\u001b[?25l'
const plainAndCursor = '\u001b[m\u001b[?25h'

/**
 * Shows what a start with the same settings, session, terminal and program drew first, if there was one. Standard input
 * and output must be terminals: the input is put into raw mode, so that what is typed meanwhile is not echoed onto the
 * picture. A crash gives the terminal back.
 */
export function showFirstPicture(plan: Plan, session: Pick<DeskSession, 'dressedIn'>): FirstPicture {
  const { io, quit, tools, looks } = plan
  const { columns, rows } = io.stdout
  const size = [columns, rows]
  const path = looks.screenOutput === 'cells' && !looks.isSpoken ? pathOf(plan, io.environment, size) : null
  const key = path === null ? '' : keyOf(plan, session, size)
  const before = path === null ? null : readKept(path)
  const isShown = before?.key === key && !quit.signal.aborted
  let isOurs = isShown
  const takeBack = () => {
    if (!isOurs) return
    isOurs = false
    io.stdout.write(plainAndCursor + alternateOff)
    io.stdin.setRawMode(false)
  }
  if (isShown) {
    io.restoreAtCrash(takeBack)
    io.stdin.setRawMode(true)
    unblock(io.stdout)
    io.stdout.write(alternateOn + hideCursor + before.picture)
  }
  return {
    isShown,
    handOver(drawn) {
      isOurs = false
      if (path === null || drawn === '') return
      // Not while the desk starts, unless it ends before.
      void tools.clock.sleep(startedAfterMs, quit.signal).then(() => {
        const picture = withoutTime(drawn)
        if (before?.key !== key || before.picture !== picture) keep(path, { key, picture })
      })
    },
    takeBack,
  }
}
