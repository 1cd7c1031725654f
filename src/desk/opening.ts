import { join } from 'node:path'
import { xdgFolders } from '../base/process/environment.ts'
import { keepCompiled } from '../base/process/node-runtime.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Settings } from '../config/settings.ts'
import { noLock, openDeskLock } from '../lock/desk-lock.ts'
import type { BlindRules } from '../services/blind-switch.ts'
import { createCopy } from '../ui/terminal/signals.ts'
import {
  openAccount,
  openAccountJournal,
  openCosts,
  openDrafts,
  openOrderDrafts,
  openWithdrawalTerms,
} from './account/account.ts'
import type { Account } from './account/account-folder.ts'
import { draftsBeforeHub } from './account/drafts-before-hub.ts'
import { type DeskAlerts, readDeskAlerts } from './account/kept-alerts.ts'
import { type DeskTransfers, readDeskTransfers } from './account/kept-state.ts'
import { type DeskPlan, faceOf } from './account/opening-settings.ts'
import { furtherAddresses, transportSettings } from './account/profile.ts'
import { composeDesk, type Desk } from './desk.ts'
import type { Duty } from './duties/duties.ts'
import { dutyPlace } from './duties/duty-place.ts'
import { loadPracticeGateway, type OpenedGateway, openDeskGateway } from './gateway/open-gateway.ts'
import { leftPlansText } from './plans/left-plans.ts'
import { beginPractice } from './practice/own-practice.ts'
import { rotateWall } from './rotation.ts'
import { type DeskTarget, openDeskTarget } from './target.ts'
import { isHubToken } from './wiring/behind-hub.ts'

/** A desk that can be started, with everything that was opened for it. */
export type OpenedDesk = {
  desk: Desk
  alerts: DeskAlerts
  transfers: DeskTransfers
  /**
   * Sentences about files of the account, unusable parts of the payment gateway, and messages that cannot be sent;
   * trading continues without them.
   */
  trouble: readonly string[]
  /** Reports the end of the practice exchange while the desk runs, and when it goes on. */
  listen: DeskTarget['listen']
  /** Ends the desk, and then the services below it. */
  stop(): Promise<void>
}

/** The settings for canceling orders after an outage. */
const blindRules = ({ cancelWhenBlindS, cancelWhenBlind }: DeskPlan['settings']): { blind?: BlindRules } =>
  cancelWhenBlindS === null ? {} : { blind: { afterMs: cancelWhenBlindS * 1_000, symbols: cancelWhenBlind } }

/**
 * Opens the desk's services and files, and the desk: exchange, gateway, saved state, journal. The error is a sentence,
 * with everything closed again. `practice` is the desk's own practice exchange if already begun. `onAccount` is called
 * as soon as the account is known: its error ends the opening.
 */
export async function openDesk(
  plan: DeskPlan,
  practice = beginPractice(plan),
  onAccount: (account: Account) => Promise<Result<unknown>> = () => Promise.resolve(ok(null)),
): Promise<Result<OpenedDesk>> {
  const { settings, io, tools } = plan
  void keepCompiled(tools.clock, plan.quit.signal)
  // During the start of its exchange.
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
      return err(opened.error.sentence)
    }
    const { account } = opened.value
    const isBehindHub = isHubToken(target.value.token)
    const left = isBehindHub ? await draftsBeforeHub(account, io, tools) : []
    const notices = [...opened.value.notices, ...left]
    const refusal = await onAccount(account)
    if (!refusal.ok) {
      await stopAll()
      return refusal
    }
    const alerts = await readDeskAlerts(settings, io.environment)
    const transfers = await readDeskTransfers(account)
    const notify = await openNotify(plan, account)
    const duties = notify.duty === null ? [] : [notify.duty]
    const desk = await compose(plan, target.value, { account, gateway, alerts, transfers, duties })
    if (!desk.ok) {
      await notify.close()
      await stopAll()
      return desk
    }
    const stop = async () => {
      try {
        await desk.value.stop()
        await notify.close()
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
      trouble: [...notices, ...gateway.trouble, ...notify.trouble],
      listen: target.value.listen,
      stop,
    })
  } catch (error) {
    await stopAll()
    throw error
  }
}

/** Opens the external messages of the settings, whose code is loaded only if needed. */
async function openNotify(
  { settings, io, tools }: DeskPlan,
  account: Account,
): Promise<{ duty: Duty | null; close(): Promise<void>; trouble: readonly string[] }> {
  const none = { duty: null, close: () => Promise.resolve(), trouble: [] }
  if (!isTelling(settings)) return none
  const { notifyDuty, openDeskNotify } = await import('./notify.ts')
  const open = () => openDeskNotify({ settings, account, io, tools })
  const notify = await open()
  if (!notify.ok) return { ...none, trouble: [`Nothing is told elsewhere: ${notify.error}.`] }
  return { duty: notifyDuty(notify.value, open), close: () => notify.value.stop(), trouble: [] }
}

/** True when the settings name a target of messages or a heartbeat. */
const isTelling = ({ notify: { command, url, heartbeat } }: Pick<Settings, 'notify'>): boolean =>
  command !== null || url !== null || heartbeat !== null

type Kept = {
  account: Account
  gateway: OpenedGateway
  alerts: DeskAlerts
  transfers: DeskTransfers
  duties: readonly Duty[]
}

async function compose(
  plan: DeskPlan,
  target: DeskTarget,
  { account, gateway, alerts, transfers, duties }: Kept,
): Promise<Result<Desk>> {
  const { settings, io, tools, quit } = plan
  const { venue, exchangeBaseUrl, token, practice } = target
  const everyMs = settings.rotateS * 1_000
  const transport = await transportSettings(settings)
  if (!transport.ok) return transport
  const also = furtherAddresses(settings)
  if (!also.ok) return also
  const lock = await openDeskLock(xdgFolders(io.environment).state, tools.clock)
  if (!lock.ok) return lock
  const journal = await openAccountJournal(account, io, tools, 'desk')
  if (!journal.ok) return err(journal.error.sentence)
  const desk = composeDesk({
    venue,
    exchangeBaseUrl,
    exchangeAlso: also.value,
    token,
    ...faceOf(plan),
    alerts: alerts.start,
    followed: transfers.start,
    gateway: plan.role === 'watch' ? { ...gateway.gateway, eligibility: null } : gateway.gateway,
    ...(practice === undefined ? {} : { practice }),
    ...blindRules(settings),
    dutyPlace: dutyPlace(account),
    duties,
    plans: {
      folder: account.folder,
      exchange: account.name,
      left: () => leftPlansText(account.folder, account.profileName, io),
    },
    ...(plan.role === undefined ? {} : { role: plan.role }),
    // Loaded when used: the first screen does not need it.
    history: { open: async (how) => (await import('../history/history-file.ts')).openHistory(account.folder, how) },
    exportsFolder: join(xdgFolders(io.environment).state, 'exports'),
    costs: openCosts(account, tools),
    costMethod: settings.costMethod,
    journal: journal.value,
    drafts: openDrafts(account, tools),
    orderDrafts: openOrderDrafts(account, tools),
    // A watch has no screen to lock.
    lock: plan.role === 'watch' ? noLock : lock.value,
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
