import type { Bar } from '../../src/domain/market/bar.ts'
import { Decimal } from '../../src/domain/money.ts'
import type { Fill } from '../../src/domain/orders/fills.ts'
import type { HistoryFile } from '../../src/history/history-file.ts'
import { openHistory } from '../../src/history/history-file.ts'

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
