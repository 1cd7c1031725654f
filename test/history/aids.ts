import { Secret } from '../../src/base/secret.ts'
import { hourMs, minuteMs } from '../../src/base/text/time-text.ts'
import { accountOf } from '../../src/desk/account/account-folder.ts'
import type { Bar } from '../../src/domain/market/bar.ts'
import { Decimal } from '../../src/domain/money.ts'
import type { Fill } from '../../src/domain/orders/fills.ts'
import type { HistoryFile } from '../../src/history/history-file.ts'
import { openHistory } from '../../src/history/history-file.ts'
import { anOrder } from '../fakes/orders.ts'

/** A moment of a whole day. */
export const dayStartMs = Date.UTC(2026, 10, 20)

export const aFill = (number: number, change: Partial<Fill> = {}): Fill => ({
  execId: String(number),
  orderId: String(number * 2),
  tradeId: String(number * 3),
  symbol: 'BTC-USD',
  side: number % 2 === 0 ? 'BUY' : 'SELL',
  price: new Decimal('64209.50'),
  quantity: new Decimal('0.0500'),
  fee: new Decimal('6.42095'),
  timestampMs: dayStartMs + number,
  ...change,
})

export const aBar = (startMs: number, change: Partial<Bar> = {}): Bar => ({
  startMs,
  open: new Decimal(100),
  high: new Decimal(103),
  low: new Decimal(99),
  close: new Decimal(101),
  lookCount: 30,
  spread: new Decimal('0.5'),
  ...change,
})

export function opened(folder: string, options: Parameters<typeof openHistory>[1] = {}): HistoryFile {
  const file = openHistory(folder, options)
  if (!file.ok) throw file.error
  return file.value
}

/** A history with some of everything in an account's folder; not whole: not all fills have been read yet. */
export function recordSome(folder: string, isWhole = true): void {
  const file = opened(folder)
  file.putBars([
    ['BTC-USD', aBar(dayStartMs - hourMs, { spanMs: hourMs, spread: null })],
    ['BTC-USD', aBar(dayStartMs)],
    ['BTC-USD', aBar(dayStartMs + minuteMs)],
  ])
  file.putEquity([{ startMs: dayStartMs, equityUsd: null, knownUsd: new Decimal('10.50'), unknown: ['XRP'] }])
  file.addGap({ aboveMs: null, belowMs: null })
  file.putFills([aFill(1), aFill(2)], isWhole ? { id: 1, isClosed: true } : undefined)
  file.putEndedOrders([anOrder({ status: 'FILLED', timestampMs: dayStartMs })])
  file.close()
}

/** Where a home keeps the account that its variables name. */
export function accountFolder(
  environment: Readonly<Record<string, string>>,
  home: Readonly<Record<string, string | undefined>> = environment,
): string {
  const { PITDESK_EXCHANGE_BASE_URL: baseUrl = '', PITDESK_API_TOKEN: token = '' } = environment
  const exchange = { kind: 'service', baseUrl, token: null } as const
  return accountOf({ profileName: 'environment', exchange }, new Secret(token), { environment: home }).folder
}
