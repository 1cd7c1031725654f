import { expect, test } from 'vitest'
import { Exchange } from '../../../src/sandbox/core/exchange.ts'
import { MemoryHistory } from '../../../src/sandbox/core/history.ts'
import { toDeposit, toFill, toWithdrawal } from '../../../src/sandbox/http/to-domain.ts'
import { Floor } from '../../sandbox/core/floor.ts'
import { RandomCommands } from '../../sandbox/core/random-commands.ts'
import { rules, statementIn, unitsOf } from './books.ts'

const commandCount = 3_000
const accounts = [1, 2, 3, 4]
const everything = 1_000_000

/** The statement of an account of the exchange as it stands. */
function statementAt(exchange: Exchange, account: number, fromMs: number, toMs: number) {
  const { read } = exchange
  return statementIn(
    { fromMs, toMs },
    {
      history: {
        deposits: read.deposits({ account }).map(toDeposit),
        withdrawals: read.withdrawals({ account }).map(toWithdrawal),
        fills: read.fills({ account, limit: everything }).map(toFill),
      },
      rules,
      balances: read.balances(account),
    },
  )
}

/** One withdrawal to its good end: the random stream sends few, and lets most of them fail. */
function sendOut(exchange: Exchange, account: number, atMs: number): void {
  exchange.execute({ type: 'setTwoFactor', atMs, account, isOn: true })
  const listed = exchange.execute({ type: 'addWhitelistEntry', atMs, account, currency: 'BTC', name: 'cold' })
  if (!listed.ok) throw new Error(listed.refusal.message)
  const { whitelistId: beneficiary } = listed.value
  const sent = exchange.execute({
    type: 'createWithdrawal',
    atMs,
    account,
    currency: 'BTC',
    beneficiary,
    send: { amount: '0.00000001' },
  })
  if (sent.ok) exchange.execute({ type: 'completeWithdrawal', atMs, withdrawalId: sent.value.withdrawalId })
}

test.each([5, 6])(
  'thousands of orders and transfers on the exchange add up to its balances exactly (seed %i)',
  (seed) => {
    const floor = new Floor(new Exchange(new MemoryHistory(everything)))
    const { account } = floor.run('addAccount', { name: 'dave', hasTwoFactor: true })
    for (const currency of ['USD', 'BTC', 'ETH']) floor.fund(account, currency, '500')
    const { exchange, nowMs: startMs } = floor
    const random = new RandomCommands(seed, startMs)
    const times = [startMs]
    for (let step = 0; step < commandCount; step += 1) {
      const command = random.next(exchange)
      exchange.execute(command)
      if (step % 200 === 0) sendOut(exchange, 1 + ((step / 200) % accounts.length), command.atMs)
      times.push(command.atMs)
    }
    const [fromMs = 0, toMs = 0] = [times[commandCount / 3], times[(commandCount * 2) / 3]]
    const kinds = new Map<string, number>()
    for (const each of accounts) {
      const { currencies, missing } = statementAt(exchange, each, fromMs, toMs)
      const { movements } = statementAt(exchange, each, 0, Number.MAX_SAFE_INTEGER)
      expect(missing).toEqual([])
      for (const { kind, change } of movements) if (!change.isZero()) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      for (const { currency, opening, changes, closing, after, balance, check } of currencies) {
        expect([currency, check]).toEqual([currency, { kind: 'agrees' }])
        expect(unitsOf(opening) + unitsOf(changes)).toBe(unitsOf(closing))
        expect(unitsOf(closing) + unitsOf(after)).toBe(unitsOf(balance ?? '0'))
      }
    }
    for (const kind of ['deposit', 'withdrawal', 'withdrawalFee', 'bought', 'sold', 'tradeFee'])
      expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(0)
  },
)
