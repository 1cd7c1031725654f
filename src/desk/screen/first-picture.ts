import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../base/files/make-folder.ts'
import { readOwnFile } from '../../base/files/own-file.ts'
import { namesIn } from '../../base/files/plain-file.ts'
import { type Environment, xdgFolders } from '../../base/process/environment.ts'
import { startedAfterMs } from '../../base/process/node-runtime.ts'
import { namedFile } from '../../state-files/json-file.ts'
import { lookVariables } from '../../ui/terminal/colors.ts'
import { alternateOff, alternateOn, unblock } from '../../ui/terminal/take-screen.ts'
import { profileAtExchangeOf } from '../account/account-folder.ts'
import { beginningOf, type DeskPlan, faceOf } from '../account/opening-settings.ts'
import type { DeskSession } from '../account/session.ts'

/*
 * The first screen of a desk is the same at each start while the settings are. So a start shows the saved one at once,
 * and draws its own when the drawing code is loaded: a fifth of a second later on a slow machine.
 */

/** The picture that a start shows before it can draw one. */
export type FirstPicture = {
  /** True when it was written to the alternate screen. */
  readonly isShown: boolean
  /** Passes the terminal to the desk's own drawing, and saves its first picture (bytes) for the next start. */
  handOver(drawn: string): void
  /** Restores the terminal if no drawing follows. */
  takeBack(): void
}

type Plan = Pick<DeskPlan, 'settings' | 'looks' | 'reboundKeys' | 'quit' | 'io' | 'tools'>

/** A saved picture, and all that it depends on. */
type Kept = { key: string; picture: string }

const bytesMax = 1024 * 1024
/** Maximum saved pictures, one for each profile and terminal size. */
const picturesMax = 24

/** Allowed in a picture: text, colors, cursor movement. Nothing else is written to a terminal from a file. */
const drawing = /^(?:[^\p{Cc}]|[\n\v\r\b]|\u001b\[[\d;]*[A-HJKXm]|\u001b\[20l)*$/u

/** The time of day, which is blanked because it is wrong at the next start. */
const timeOfDay = /\b\d\d:\d\d(?::\d\d)?(?:\b|Z)/g
const withoutTime = (picture: string): string => picture.replace(timeOfDay, (text) => ' '.repeat(text.length))

/** Maps, sets and bigints in a form that JSON can write, so that different values differ. */
const known = (_: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...value] : typeof value === 'bigint' ? `${value}` : value

/** All that the first picture depends on, and the program that drew it: a built file's name changes with its text. */
function keyOf(plan: Plan, session: Pick<DeskSession, 'dressedIn'>, size: readonly number[]): string {
  const { environment } = plan.io
  const variables = lookVariables.map((name) => environment[name] ?? null)
  const parts = [import.meta.url, size, variables, beginningOf(plan), faceOf(plan), session.dressedIn]
  return JSON.stringify(parts, known)
}

/** The saved picture; null when missing, unreadable, not a picture, or writable by other users. */
function readKept(path: string): Kept | null {
  const text = readOwnFile(path, { rule: 'trusted', bytesMax })
  if (!text.ok || text.value === null) return null
  try {
    const kept: unknown = JSON.parse(text.value)
    if (typeof kept !== 'object' || kept === null || !('key' in kept) || !('picture' in kept)) return null
    const { key, picture } = kept
    return typeof key === 'string' && typeof picture === 'string' && drawing.test(picture) ? { key, picture } : null
  } catch {
    // Not JSON: the desk draws its first picture itself, a little later.
    return null
  }
}

/** Runs an optional step: true on success. A failing disk only costs the next start a little time. */
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

/** The file of the picture for this profile and size; null without a home folder. */
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
 * Shows what a start with the same settings, session, terminal and program drew first, if saved. Standard input and
 * output must be terminals: raw mode keeps keys typed meanwhile from being echoed onto the picture. A crash restores
 * the terminal.
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
      // Not while the desk starts, unless it ends before that.
      void tools.clock.sleep(startedAfterMs, quit.signal).then(() => {
        const picture = withoutTime(drawn)
        if (before?.key !== key || before.picture !== picture) keep(path, { key, picture })
      })
    },
    takeBack,
  }
}
