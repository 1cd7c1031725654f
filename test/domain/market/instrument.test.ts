import { expect, test } from 'vitest'
import { formatExactPrice, formatQuantity } from '../../../src/domain/market/instrument.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { anInstrument } from '../../fakes/instruments.ts'

test('what an order has is never rounded to rules that became coarser: it would be another order', () => {
  const coarser = anInstrument({ quantityScale: 3, priceScale: 0 })
  const written = (quantity: string) => formatQuantity(new Decimal(quantity), coarser)
  expect(['0.0127', '0.012', '5', '0'].map(written)).toEqual(['0.0127', '0.012', '5.000', '0.000'])
  expect(formatExactPrice(new Decimal('60000.50'), coarser)).toBe('60000.5')
})
