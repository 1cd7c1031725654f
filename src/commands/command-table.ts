import type { CommandRow } from './command.ts'
import { accountRows } from './rows-account.ts'
import { deskRows } from './rows-desk.ts'
import { gatewayRows } from './rows-gateway.ts'
import { inboxRows } from './rows-inbox.ts'
import { lockRows } from './rows-lock.ts'
import { marketRows } from './rows-market.ts'
import { writeRows } from './rows-write.ts'

/** Every command, in the order of the help page. */
export const commandTable: readonly CommandRow[] = [
  ...deskRows,
  ...marketRows,
  ...accountRows,
  ...writeRows,
  ...gatewayRows,
  ...inboxRows,
  ...lockRows,
]
