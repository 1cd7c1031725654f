import { join } from 'node:path'
import { xdgFolders } from '../base/environment.ts'
import { keepCompiled } from '../base/node-runtime.ts'
import { ok, type Result } from '../base/result.ts'
import type { Settings } from '../config/settings.ts'
import { openDeskLock } from '../lock/desk-lock.ts'
import { createCostsFile } from '../state-files/costs-file.ts'
import { createCopy } from '../ui/terminal/signals.ts'
import { openAccount, openAccountJournal, openDrafts, openWithdrawalTerms } from './account.ts'
import { type Account, accountFiles } from './account-folder.ts'
import { composeDesk, type Desk } from './desk.ts'
import { type DeskAlerts, type DeskTransfers, readDeskAlerts, readDeskTransfers } from './kept-state.ts'
import type { DeskNotify } from './notify.ts'
import { loadPracticeGateway, type OpenedGateway, openDeskGateway } from './open-gateway.ts'
import { beginPractice } from './own-practice.ts'
import { type DeskPlan, faceOf } from './plan.ts'
import { transportSettings } from './profile.ts'
import { rotateWall } from './rotation.ts'
import { type DeskTarget, openDeskTarget } from './target.ts'

/** A desk that can be started, with everything that was opened for it. */
export type OpenedDesk = {
  desk: Desk
  alerts: DeskAlerts
  transfers: DeskTransfers
  /** What it tells elsewhere; null where nothing is set. */
  notify: DeskNotify | null
  /**
   * Sentences about files of the account, about what of the payment gateway cannot be used, and why nothing is told
   * elsewhere; trading goes on without.
   */
  trouble: readonly string[]
  /** Tells of what ends the practice exchange while the desk runs. */
  listen: DeskTarget['listen']
  /** Ends the desk, and then what it stands on. */
  stop(): Promise<void>
}

/**
 * Opens what a desk stands on, and the desk: its exchange, the gateway, what earlier runs kept, the journal. The error
 * is a sentence; everything is closed again then. `practice` is the desk's own practice exchange where it has begun
 * already.
 */
export async function openDesk(plan: DeskPlan, practice = beginPractice(plan)): Promise<Result<OpenedDesk>> {
  const { settings, io, tools } = plan
  void keepCompiled(tools.clock, plan.quit.signal)
  // While its exchange starts.
  if (practice !== null && settings.gatewayBaseUrl === null) void loadPracticeGateway()
  const target = await openDeskTarget(plan, practice)
  if (!target.ok) return target
  let gateway: OpenedGateway | null = null
  const stopAll = async () => {
    try {
      await gateway?.stop()
    } finally {
      await target.value.stop()
    }
  }
  try {
    gateway = await openDeskGateway(settings, target.value.sandbox, { io, tools })
    const opened = await openAccount(settings, target.value.token, io, tools)
    if (!opened.ok) {
      await stopAll()
      return opened
    }
    const { account, notices } = opened.value
    const alerts = await readDeskAlerts(settings, io.environment)
    const transfers = await readDeskTransfers(account)
    const notify = await openNotify(plan, account)
    const desk = await compose(plan, target.value, { account, gateway, alerts, transfers })
    if (!desk.ok) {
      await notify.opened?.stop()
      await stopAll()
      return desk
    }
    const stop = async () => {
      try {
        await desk.value.stop()
        await notify.opened?.stop()
        await alerts.stop()
        await transfers.stop()
      } finally {
        await stopAll()
      }
    }
    return ok({
      desk: desk.value,
      alerts,
      transfers,
      notify: notify.opened,
      trouble: [...notices, ...gateway.trouble, ...notify.trouble],
      listen: target.value.listen,
      stop,
    })
  } catch (error) {
    await stopAll()
    throw error
  }
}

/** Opens what the settings say is told elsewhere; loaded only where they do. */
async function openNotify(
  { settings, io, tools }: DeskPlan,
  account: Account,
): Promise<{ opened: DeskNotify | null; trouble: readonly string[] }> {
  if (!isTelling(settings)) return { opened: null, trouble: [] }
  const { openDeskNotify } = await import('./notify.ts')
  const notify = await openDeskNotify({ settings, account, io, tools })
  return notify.ok
    ? { opened: notify.value, trouble: [] }
    : { opened: null, trouble: [`Nothing is told elsewhere: ${notify.error}.`] }
}

/** Whether the settings name anything that is told or called. */
const isTelling = ({ notify: { command, url, heartbeat } }: Pick<Settings, 'notify'>): boolean =>
  command !== null || url !== null || heartbeat !== null

type Kept = { account: Account; gateway: OpenedGateway; alerts: DeskAlerts; transfers: DeskTransfers }

async function compose(
  plan: DeskPlan,
  target: DeskTarget,
  { account, gateway, alerts, transfers }: Kept,
): Promise<Result<Desk>> {
  const { settings, io, tools, quit } = plan
  const { venue, exchangeBaseUrl, token, practice } = target
  const everyMs = settings.rotateS * 1_000
  const transport = await transportSettings(settings)
  if (!transport.ok) return transport
  const lock = await openDeskLock(xdgFolders(io.environment).state, tools.clock)
  if (!lock.ok) return lock
  const journal = await openAccountJournal(account, io, tools, 'desk')
  if (!journal.ok) return journal
  const desk = composeDesk({
    venue,
    exchangeBaseUrl,
    token,
    ...faceOf(plan),
    alerts: alerts.start,
    followed: transfers.start,
    gateway: gateway.gateway,
    ...(practice === undefined ? {} : { practice }),
    // Loaded when it is used: the first screen does without.
    history: { open: async (how) => (await import('../history/history-file.ts')).openHistory(account.folder, how) },
    exportsFolder: join(xdgFolders(io.environment).state, 'exports'),
    costs: createCostsFile(accountFiles(account).costs),
    costMethod: settings.costMethod,
    journal: journal.value,
    drafts: openDrafts(account, tools),
    lock: lock.value,
    ...openWithdrawalTerms(settings, account, lock.value, tools),
    copy: createCopy((bytes) => !quit.signal.aborted && io.stdout.write(bytes), io.environment),
    transport: transport.value,
    pollMs: settings.pollMs,
    ...tools,
    onQuit: () => quit.abort(),
    onBug: io.crash,
  })
  if (!desk.ok) await journal.value.close()
  else rotateWall({ store: desk.value.store, clock: tools.clock, everyMs, signal: quit.signal }).catch(io.crash)
  return desk
}
