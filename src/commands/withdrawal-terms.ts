import { xdgFolders } from '../config/folders.ts'
import type { Settings } from '../config/settings.ts'
import { type DeskLock, openDeskLock } from '../lock/desk-lock.ts'
import type { WithdrawalTermsSource } from '../services/transfers/withdrawal-guard.ts'
import { createWhitelistMemory } from '../state-files/whitelist-file.ts'
import { type Account, accountFiles } from './account-folder.ts'
import type { CommandTools } from './command.ts'
import type { CommandIo } from './io.ts'

/** What withdrawals of an account are held against besides what the exchange says. */
export type AccountTerms = {
  withdrawalTerms: WithdrawalTermsSource
  /** Money went to this entry of the whitelist: from now on it is known under the name it has. */
  onWithdrawn: (whitelistId: string) => Promise<unknown>
}

/**
 * The limits of the settings, the whitelist as this machine remembers it, and who approves; for the console and the
 * commands alike.
 */
export function openWithdrawalTerms(
  { limits }: Pick<Settings, 'limits'>,
  account: Account,
  { approver }: Pick<DeskLock, 'approver'>,
  { clock }: Pick<CommandTools, 'clock'>,
): AccountTerms {
  const remembered = createWhitelistMemory(accountFiles(account).whitelist)
  const own = { limits: limits.withdrawals, approver }
  return {
    async withdrawalTerms(whitelist) {
      if (whitelist === null) return { ...own, memory: await remembered.read() }
      return { ...own, ...(await remembered.look(whitelist, clock.wallMs())) }
    },
    onWithdrawn: (whitelistId) => remembered.trust(whitelistId),
  }
}

/** The same for a command. A lock that cannot be read names no approver: that stops what needs one, and no order. */
export async function openOwnTerms(
  settings: Pick<Settings, 'limits'>,
  account: Account,
  io: Pick<CommandIo, 'environment'>,
  tools: Pick<CommandTools, 'clock'>,
): Promise<AccountTerms> {
  const lock = await openDeskLock(xdgFolders(io.environment).state, tools.clock)
  return openWithdrawalTerms(settings, account, { approver: lock.ok ? lock.value.approver : null }, tools)
}
