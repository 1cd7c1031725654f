import fc from 'fast-check'
import { expect, test } from 'vitest'
import { approvalText, type HubTerms } from '../../../src/domain/hub/draft.ts'
import { Decimal } from '../../../src/domain/money.ts'

const odd = ['a', '","', 'a","b', '\\', '\ud800', '\udfff', '1', 'max']
const part = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...odd))
const amount = fc.oneof(
  fc.constant<'max'>('max'),
  fc.tuple(fc.nat(1_000), fc.nat(3)).map(([whole, scale]) => new Decimal(whole + 1).div(new Decimal(10).pow(scale))),
)
const terms = fc.record({
  hub: part,
  draftId: part,
  revision: fc.nat(30),
  currency: part,
  beneficiary: fc.record({ whitelistId: part, name: part }),
  amount,
})
type Terms = HubTerms & { hub: string }
const fields = ['hub', 'draftId', 'revision', 'currency', 'beneficiary', 'amount'] as const
const textOf = ({ hub, ...draft }: Terms): string => approvalText(hub, draft)

const isSame = (left: Terms, right: Terms): boolean =>
  left.hub === right.hub &&
  left.draftId === right.draftId &&
  left.revision === right.revision &&
  left.currency === right.currency &&
  left.beneficiary.whitelistId === right.beneficiary.whitelistId &&
  left.beneficiary.name === right.beneficiary.name &&
  (left.amount === 'max' || right.amount === 'max' ? left.amount === right.amount : left.amount.eq(right.amount))

test('two drafts have one text only where they ask for the same money of the same hub', () => {
  fc.assert(
    fc.property(terms, terms, (left, right) => {
      expect(textOf(left) === textOf(right)).toBe(isSame(left, right))
    }),
  )
  // Two that differ in one part alone, which chance seldom makes.
  fc.assert(
    fc.property(terms, terms, fc.constantFrom(...fields), (left, other, field) => {
      const right = { ...left, [field]: other[field] }
      expect(textOf(left) === textOf(right)).toBe(isSame(left, right))
    }),
  )
})

test('it is the same however an amount is written, and nothing of it is lost on the way to bytes', () => {
  const draft = { draftId: 'd1', revision: 2, currency: 'BTC', beneficiary: { whitelistId: 'w1', name: 'cold' } }
  const text = approvalText('h1', { ...draft, amount: new Decimal('1.50') })
  expect(text).toBe('["withdrawal draft","h1","d1","2","BTC","w1","cold","1.5"]')
  fc.assert(
    fc.property(terms, (each) => {
      expect(Buffer.from(textOf(each), 'utf8').toString('utf8')).toBe(textOf(each))
    }),
  )
})
