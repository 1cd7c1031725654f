import { primaryAccount } from '../../domain/balance.ts'
import { type Query, readQuery, timeParameter } from '../../http-server/request.ts'
import {
  type Answer,
  badRequest,
  checkJsonType,
  failure,
  given,
  json,
  jsonBounds,
  notFound,
  type RouteRequest,
} from '../../http-server/route.ts'
import { writeAccounts, writeBalance, writeFees } from '../../wire/account.ts'
import {
  readNewWithdrawal,
  writeDeposit,
  writeDepositAddress,
  writeDeposits,
  writeWhitelist,
  writeWithdrawal,
  writeWithdrawals,
} from '../../wire/transfers.ts'
import { type ExchangeContext, type ExchangeRoute, type Guest, refusal } from './exchange-route.ts'
import { toDeposit, toFees, toWithdrawal } from './to-domain.ts'

const unknownCurrency = (code: string): Answer => failure(404, `${code} is not a currency of this exchange`)

/** Fees, balances, deposits, the whitelist and withdrawals. */
export const paymentRoutes = (desk: ExchangeContext): ExchangeRoute[] => [
  ...accountRoutes(desk),
  ...depositRoutes(desk),
  ...whitelistRoutes(desk),
  ...withdrawalRoutes(desk),
]

function accountRoutes({ exchange, wire }: ExchangeContext): ExchangeRoute[] {
  return [
    {
      method: 'GET',
      path: '/fees',
      handle: ({ guest }) => {
        const fees = exchange.read().fees(guest.account, exchange.nowMs())
        if (fees === undefined) throw new Error(`account ${guest.account} has a key but no fees`)
        return json(writeFees(toFees(fees), wire))
      },
    },
    {
      method: 'GET',
      path: '/accounts',
      handle: ({ guest }) => {
        const balances = exchange.read().balances(guest.account)
        return json(writeAccounts(new Map([[primaryAccount, balances]]), wire))
      },
    },
    {
      method: 'GET',
      path: '/accounts/:account/:currency',
      handle: ({ guest, params }) => {
        const { account = '', currency = '' } = params
        if (account !== primaryAccount) return failure(404, `unknown account ${account}`)
        const balance = exchange.read().balance(guest.account, currency)
        return balance === undefined ? unknownCurrency(currency) : json(writeBalance(balance, wire))
      },
    },
  ]
}

/** Reads `from` and `to`, and answers with the list between them. */
function listBetween(query: Query, list: (bounds: { fromMs?: number; toMs?: number }) => string): Answer {
  const read = readQuery(query, { from: timeParameter, to: timeParameter })
  return read.ok ? json(list(given({ fromMs: read.value.from, toMs: read.value.to }))) : badRequest(read.error)
}

function depositRoutes({ exchange, wire }: ExchangeContext): ExchangeRoute[] {
  return [
    {
      method: 'POST',
      path: '/deposits/:currency',
      // The body has no meaning here, so it is not read: empty, `{}` and a form are all accepted.
      handle: async ({ guest, params }) => {
        const { currency = '' } = params
        const outcome = await exchange.submit('requestDepositAddress', { account: guest.account, currency })
        if (!outcome.ok) return refusal(outcome.refusal)
        return json(writeDepositAddress({ type: 'CRYPTO', address: outcome.value.address }))
      },
    },
    {
      method: 'GET',
      path: '/deposits',
      handle: ({ guest, query }) =>
        listBetween(query, (bounds) =>
          writeDeposits(
            exchange
              .read()
              .deposits({ ...guest, ...bounds })
              .map(toDeposit),
            wire,
          ),
        ),
    },
    {
      method: 'GET',
      path: '/deposits/:depositId',
      handle: ({ guest, params }) => {
        const deposit = exchange.read().deposit(guest.account, params.depositId ?? '')
        return deposit === undefined ? notFound : json(writeDeposit(toDeposit(deposit), wire))
      },
    },
  ]
}

function whitelistRoutes({ exchange }: ExchangeContext): ExchangeRoute[] {
  return [
    {
      method: 'GET',
      path: '/whitelist',
      handle: ({ guest }) => json(writeWhitelist(exchange.read().whitelist(guest.account))),
    },
    {
      method: 'GET',
      path: '/whitelist/:currency',
      handle: ({ guest, params }) => {
        const { currency = '' } = params
        if (!exchange.read().currencies().includes(currency)) return unknownCurrency(currency)
        return json(writeWhitelist(exchange.read().whitelist(guest.account, currency)))
      },
    },
  ]
}

function withdrawalRoutes(desk: ExchangeContext): ExchangeRoute[] {
  const { exchange, wire } = desk
  return [
    {
      method: 'GET',
      path: '/withdrawals',
      handle: ({ guest, query }) =>
        listBetween(query, (bounds) =>
          writeWithdrawals(
            exchange
              .read()
              .withdrawals({ ...guest, ...bounds })
              .map(toWithdrawal),
            wire,
          ),
        ),
    },
    { method: 'POST', path: '/withdrawals', handle: (request) => withdraw(desk, request) },
    {
      method: 'GET',
      path: '/withdrawals/:withdrawalId',
      handle: ({ guest, params }) => showWithdrawal(desk, guest, params.withdrawalId ?? ''),
    },
  ]
}

function showWithdrawal({ exchange, wire }: ExchangeContext, guest: Guest, withdrawalId: string): Answer {
  const withdrawal = exchange.read().withdrawal(guest.account, withdrawalId)
  return withdrawal === undefined ? notFound : json(writeWithdrawal(toWithdrawal(withdrawal), wire))
}

async function withdraw(desk: ExchangeContext, { guest, body }: RouteRequest<Guest>): Promise<Answer> {
  const wrongType = checkJsonType(body)
  if (wrongType !== null) return wrongType
  const read = readNewWithdrawal(body.text, jsonBounds)
  if (!read.ok) return badRequest(read.error)
  const { currency, beneficiary, amount } = read.value
  const send = amount === 'max' ? amount : { amount: amount.toString() }
  const outcome = await desk.exchange.submit('createWithdrawal', {
    account: guest.account,
    currency,
    beneficiary,
    send,
  })
  if (outcome.ok) return showWithdrawal(desk, guest, outcome.value.withdrawalId)
  // Here the currency is in the body, not in the path: an unknown one is a bad field.
  return outcome.refusal.kind === 'notFound' ? badRequest(outcome.refusal.message) : refusal(outcome.refusal)
}
