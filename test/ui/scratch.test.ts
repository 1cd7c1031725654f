import { test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { emptyFillSums, withFillSums } from '../../src/domain/orders/fills.ts'
import { arrived } from '../../src/store/feeds/feed.ts'
import { balancesContent } from '../../src/ui/panes/balances-pane.tsx'
import { fillsContent } from '../../src/ui/panes/fills-pane.tsx'
import { deskNowMs, deskState } from '../fakes/desk-state.ts'
import { texts } from './rows.ts'

test('x', () => {
  const state = deskState()
  const [newest] = state.fills.value ?? []
  if (newest === undefined) throw new Error('x')
  const small = { ...newest, quantity: new Decimal('0.00005'), price: new Decimal(60) }
  const fills = [
    { ...small, execId: '9', fee: new Decimal('0.0006') },
    { ...small, execId: '8', symbol: 'ETH-USD', fee: new Decimal('-0.0006') },
    { ...small, execId: '7', symbol: 'SOL-USD', fee: new Decimal(0) },
  ]
  const fillSums = withFillSums(emptyFillSums(deskNowMs - 3_600_000), fills, deskNowMs)
  for (const w of [34, 36, 40, 50])
    console.log(texts(fillsContent({ ...state, fills: arrived(fills, deskNowMs), fillSums }, w, 18).rows).join('\n'))
  const [dollars, ...others] = state.balances.value ?? []
  if (dollars === undefined) throw new Error('the fake account is empty')
  const balances = arrived(
    [{ ...dollars, balance: new Decimal('0.4'), available: new Decimal('0.4') }, ...others],
    deskNowMs,
  )
  for (const w of [30, 36, 40, 44, 48, 50])
    console.log(texts(balancesContent({ ...state, balances }, w, 8).rows).join('\n'))
})
