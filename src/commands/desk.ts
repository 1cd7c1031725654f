import { join } from 'node:path'
import { composeDesk, type Desk } from '../compose.ts'
import { xdgFolders } from '../config/folders.ts'
import { readSettings, type SettingFlags, type Settings } from '../config/settings.ts'
import type { ReboundKeys } from '../domain/key-setting.ts'
import { ok, type Result } from '../domain/result.ts'
import { openDeskLock } from '../lock/desk-lock.ts'
import { hangUpOf } from '../store/terminal/terminal-state.ts'
import { readRebinding } from '../ui/keys/read-rebinding.ts'
import { openConsole } from '../ui/open-console.tsx'
import { createCopy } from '../ui/terminal/clipboard.ts'
import { openDrafts } from './account-drafts.ts'
import { openAccountJournal } from './account-journal.ts'
import type { Arguments } from './arguments.ts'
import { type CommandTools, done, failed, type Run, wrongUsage } from './command.ts'
import { type DeskAlerts, readDeskAlerts } from './desk-alerts.ts'
import { createQuit, isHungUp, noTerminal } from './desk-ending.ts'
import { type OpenedGateway, openDeskGateway } from './desk-gateway.ts'
import { type DeskLooks, readDeskLooks } from './desk-looks.ts'
import { openDeskSession } from './desk-session.ts'
import { type DeskTarget, openDeskTarget } from './desk-target.ts'
import { type DeskTransfers, readDeskTransfers } from './desk-transfers.ts'
import { type CommandIo, exitCodeOf } from './io.ts'
import { transportSettings } from './session.ts'
import { openWithdrawalTerms } from './withdrawal-terms.ts'

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
  const target = await openDeskTarget(settings.value, io, tools)
  if (!target.ok) return failed(target.error)
  const gateway = await openDeskGateway(settings.value, target.value.sandbox, { io, tools })
  try {
    const quit = createQuit(io)
    const alerts = await readDeskAlerts(settings.value, io.environment)
    const transfers = await readDeskTransfers(xdgFolders(io.environment).state, settings.value.profileName)
    const context = { io, tools, quit, looks: looks.value, alerts, transfers, gateway, reboundKeys: rebinding.value }
    const session = await openDeskSession({ settings: settings.value, io, tools, isFresh: given.has('fresh') })
    const desk = await openDesk({ ...settings.value, symbol: session.symbol }, target.value, context)
    if (!desk.ok) return failed(desk.error)
    session.attach(desk.value.store)
    looks.value.follow(desk.value.store, tools.clock, quit.signal)
    const ring = (bytes: string) => !quit.signal.aborted && io.stdout.write(bytes)
    alerts.follow(desk.value.store, tools.clock, ring)
    transfers.follow(desk.value.store, tools.clock)
    tellTrouble(desk.value, gateway, tools)
    tellHangUp(desk.value, tools)
    const shown = await showDesk(desk.value, context)
    const isGone = isHungUp(quit.signal)
    if (isGone) await desk.value.hangUp()
    await session.stop()
    await desk.value.stop()
    await alerts.stop()
    await transfers.stop()
    if (!shown.ok) return failed(shown.error)
    return isGone || io.signal.aborted ? { code: exitCodeOf(quit.signal) } : done
  } finally {
    await gateway.stop()
    await target.value.stop()
  }
}

type Context = {
  io: CommandIo
  tools: CommandTools
  quit: AbortController
  looks: DeskLooks
  alerts: DeskAlerts
  transfers: DeskTransfers
  gateway: OpenedGateway
  reboundKeys: ReboundKeys
}

async function openDesk(settings: Settings, target: DeskTarget, context: Context): Promise<Result<Desk>> {
  const { io, tools, quit, looks, alerts, transfers, gateway, reboundKeys } = context
  const { venue, exchangeBaseUrl, token, practice } = target
  const transport = await transportSettings(settings)
  if (!transport.ok) return transport
  const lock = await openDeskLock(xdgFolders(io.environment).state, tools.clock)
  if (!lock.ok) return lock
  const journal = await openAccountJournal(settings, token, io, tools)
  if (!journal.ok) return journal
  const desk = composeDesk({
    venue,
    exchangeBaseUrl,
    token,
    isMonitor: settings.isMonitor,
    symbol: settings.symbol,
    limits: settings.limits,
    idleRules: settings.idleRules,
    looks: looks.looks,
    terminal: { hangUp: settings.onHangUp, focusRule: settings.onFocusLoss },
    alerts: alerts.start,
    followed: transfers.start,
    gateway: gateway.gateway,
    reboundKeys,
    ...(practice === undefined ? {} : { practice }),
    exportsFolder: join(xdgFolders(io.environment).state, 'exports'),
    journal: journal.value,
    drafts: openDrafts(settings, io, tools),
    lock: lock.value,
    ...openWithdrawalTerms(settings, lock.value, io, tools),
    copy: createCopy((bytes) => !quit.signal.aborted && io.stdout.write(bytes), io.environment),
    transport: transport.value,
    pollMs: settings.pollMs,
    ...tools,
    onQuit: () => quit.abort(),
    onBug: io.crash,
  })
  if (!desk.ok) await journal.value.close()
  return desk
}

/** What of the gateway cannot be used is said where a person looks; trading goes on without. */
function tellTrouble({ store }: Desk, { trouble }: OpenedGateway, { clock }: CommandTools): void {
  for (const text of trouble) store.dispatch({ type: 'noted', level: 'warn', text, atMs: clock.now() })
}

/** Orders that do not outlive the terminal: a person reads it before the first one is placed. */
function tellHangUp({ store }: Desk, { clock }: CommandTools): void {
  if (hangUpOf(store.getState()) === 'keep') return
  const text = 'If this terminal hangs up, every working order of the account is cancelled (on_hangup).'
  store.dispatch({ type: 'noted', level: 'info', text, atMs: clock.now() })
}

/** The first thing that is wrong, and how many more there are. */
const firstIssue = (issues: readonly string[]): string =>
  issues.length > 1 ? `${issues[0]} (and ${issues.length - 1} more: pitdesk doctor lists them)` : `${issues[0]}`

/** Draws the desk until it is quit. */
async function showDesk(desk: Desk, { io, tools, quit }: Context): Promise<Result<null>> {
  const console = openConsole({
    store: desk.store,
    commands: desk.commands,
    stdin: io.stdin,
    stdout: io.stdout,
    clock: tools.clock,
    env: io.environment,
    // Nothing can be drawn on a terminal that is gone: that is no fault.
    onExit: (error) => (error === undefined || isHungUp(quit.signal) ? quit.abort() : io.crash(error)),
  })
  if (!console.ok) return console
  io.restoreAtCrash(() => console.value.close())
  desk.start()
  await once(quit.signal)
  console.value.close()
  return ok(null)
}

const once = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
