import { expect, test } from 'vitest'
import { confirmCancelRows } from '../../../src/ui/overlays/confirm-cancel.tsx'
import { rowText } from '../../../src/ui/text/row.ts'
import { deskState } from '../../fakes/desk-state.ts'

test('orders that a question is about stand below each other by their points', () => {
  const rows = confirmCancelRows(deskState(), { kind: 'all', symbol: null }).map(rowText)
  expect(rows.filter((row) => row.includes('@'))).toEqual([
    '   BUY     0.0500 BTC-USD @ 64209.50    9912041',
    '   SELL    0.0200 BTC-USD @ 64212.50    9912017',
    '   BUY  5000      XLM-USD @     0.1095  9911204',
  ])
})
