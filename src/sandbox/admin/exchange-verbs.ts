import { dayMs } from '../../base/text/time-text.ts'
import { symbolStatuses } from '../../domain/market/instrument.ts'
import { type Answer, badRequest, given } from '../../http-server/route.ts'
import {
  amount,
  message,
  optionalBoolean,
  optionalStrictText,
  optionalWord,
  strictText,
  word,
} from '../../wire/message.ts'
import type { AccountView } from '../core/views.ts'
import { type Fault, type Faults, isFaultPattern } from '../http/faults.ts'
import { hashToken, type RandomBytes, secretText } from '../http/token.ts'
import type { PracticeExchange } from '../practice-exchange.ts'
import { answerWith, noSuch, share, shown, type Verb, verb, whole, wholeOr } from './verb.ts'
import { faultKinds, faultMoments, malformedForms } from './verb-table.ts'

const keyIdField = whole(1, Number.MAX_SAFE_INTEGER)

/** Accounts, keys, two-factor authentication and the whitelist: what users do on the exchange's web page. */
export function accountVerbs(exchange: PracticeExchange, randomBytes: RandomBytes): Verb[] {
  /** Runs an action on the account of this name. */
  const withAccount = (name: string, run: (account: AccountView) => Answer | Promise<Answer>) => {
    const account = exchange.read().accountByName(name)
    return account === undefined ? noSuch('account', name) : run(account)
  }
  const setTwoFactor = (name: string, isOn: boolean) =>
    verb('2fa', name, message({ account: strictText }), (values) =>
      withAccount(values.account, ({ account }) =>
        answerWith(exchange, 'setTwoFactor', { account, isOn }, () => ({ account: values.account, twoFactor: isOn })),
      ),
    )
  const changeKey = (name: string, type: 'verifyKey' | 'revokeKey', state: string) =>
    verb('key', name, message({ keyId: keyIdField }), ({ keyId }) =>
      answerWith(exchange, type, { keyId }, () => ({ keyId, state })),
    )
  return [
    verb('account', 'add', message({ name: strictText, twoFactor: optionalBoolean }), ({ name, twoFactor }) =>
      answerWith(exchange, 'addAccount', { name, hasTwoFactor: twoFactor ?? false }, () => ({
        name,
        twoFactor: twoFactor ?? false,
      })),
    ),
    verb('account', 'show', message({ account: strictText }), (values) =>
      withAccount(values.account, (account) => shown(describe(exchange, account))),
    ),
    verb('key', 'add', message({ account: strictText }), (values) =>
      withAccount(values.account, ({ account }) => {
        const token = secretText(randomBytes)
        const key = { account, tokenHash: hashToken(token) }
        return answerWith(exchange, 'addKey', key, ({ keyId }) => ({ keyId, token, state: 'unverified' }))
      }),
    ),
    changeKey('verify', 'verifyKey', 'verified'),
    changeKey('revoke', 'revokeKey', 'revoked'),
    setTwoFactor('on', true),
    setTwoFactor('off', false),
    verb('whitelist', 'add', message({ account: strictText, currency: strictText, name: strictText }), (values) =>
      withAccount(values.account, ({ account }) => {
        const entry = { account, currency: values.currency, name: values.name }
        return answerWith(exchange, 'addWhitelistEntry', entry, ({ whitelistId }) => ({ ...values, whitelistId }))
      }),
    ),
    verb('whitelist', 'rm', message({ account: strictText, whitelistId: strictText }), (values) =>
      withAccount(values.account, ({ account }) =>
        answerWith(exchange, 'removeWhitelistEntry', { account, whitelistId: values.whitelistId }, () => values),
      ),
    ),
  ]
}

const describe = (exchange: PracticeExchange, { account, name, hasTwoFactor, keys }: AccountView) => ({
  name,
  twoFactor: hasTwoFactor,
  keys: keys.map(({ keyId, state }) => ({ keyId, state })),
  balances: exchange
    .read()
    .balances(account)
    .map(({ currency, balance, available }) => ({ currency, balance, available })),
  whitelist: exchange
    .read()
    .whitelist(account)
    .map(({ whitelistId, currency, name: entryName }) => ({ whitelistId, currency, name: entryName })),
})

const newDeposit = message({
  account: strictText,
  currency: strictText,
  amount,
  txHash: optionalStrictText,
})

/** Deposits and withdrawals: what the networks and the exchange's reviewers do. */
export function fundsVerbs(exchange: PracticeExchange): Verb[] {
  const settleDeposit = (name: string, type: 'confirmDeposit' | 'rejectDeposit', state: string) =>
    verb('deposit', name, message({ depositId: strictText }), ({ depositId }) =>
      answerWith(exchange, type, { depositId }, () => ({ depositId, state })),
    )
  const settleWithdrawal = (
    name: string,
    type: 'completeWithdrawal' | 'failWithdrawal' | 'refundWithdrawal' | 'rejectWithdrawal',
    state: string,
  ) =>
    verb('withdrawal', name, message({ withdrawalId: strictText }), ({ withdrawalId }) =>
      answerWith(exchange, type, { withdrawalId }, () => ({ withdrawalId, state })),
    )
  return [
    verb('deposit', 'start', newDeposit, (values) => {
      const account = exchange.read().accountByName(values.account)?.account
      if (account === undefined) return noSuch('account', values.account)
      const deposit = {
        account,
        currency: values.currency,
        amount: values.amount.toString(),
        ...given({ txHash: values.txHash }),
      }
      return answerWith(exchange, 'startDeposit', deposit, ({ depositId }) => ({ depositId, state: 'UNCONFIRMED' }))
    }),
    settleDeposit('confirm', 'confirmDeposit', 'COMPLETED'),
    settleDeposit('reject', 'rejectDeposit', 'REJECTED'),
    settleWithdrawal('complete', 'completeWithdrawal', 'COMPLETED'),
    settleWithdrawal('fail', 'failWithdrawal', 'FAILED'),
    settleWithdrawal('refund', 'refundWithdrawal', 'REFUNDED'),
    settleWithdrawal('reject', 'rejectWithdrawal', 'REJECTED'),
  ]
}

const scale = whole(0, 18)
const units = whole(1, 1_000_000_000_000)
const newSymbol = message({
  symbol: strictText,
  base: strictText,
  counter: strictText,
  minPriceIncrement: units,
  minPriceIncrementScale: scale,
  lotSize: units,
  lotSizeScale: scale,
  minOrderSize: units,
  minOrderSizeScale: scale,
  maxOrderSize: wholeOr(0, 0, 1_000_000_000_000),
  maxOrderSizeScale: wholeOr(0, 0, 18),
  status: optionalWord(symbolStatuses),
})

/** What the exchange's operators do with symbols. */
export const symbolVerbs = (exchange: PracticeExchange): Verb[] => [
  verb('symbol', 'status', message({ symbol: strictText, status: word(symbolStatuses) }), (values) =>
    answerWith(exchange, 'setSymbolStatus', values, () => values),
  ),
  // Without a time, the announcement is withdrawn.
  verb('symbol', 'auction', message({ symbol: strictText, time: optionalStrictText }), (values) =>
    answerWith(exchange, 'setAuctionTime', values, () => ({ symbol: values.symbol, time: values.time ?? '' })),
  ),
  verb('symbol', 'add', newSymbol, ({ status, ...spec }) =>
    answerWith(exchange, 'addSymbol', { spec, ...given({ status }) }, ({ id }) => ({
      symbol: spec.symbol,
      id,
      status: status ?? 'open',
    })),
  ),
]

/** Which requests, and how often: arguments of every fault. */
const reach = { rate: share, path: optionalStrictText }

/** Requested faults: they affect the interfaces of exchange and gateway, never the administrator's. */
export function faultVerbs(faults: Faults): Verb[] {
  const show = () =>
    shown({
      faults: faults.rules().map(({ fault, rate, pattern }) => ({ ...fault, rate: String(rate), path: pattern })),
    })
  const add = (fault: Fault, { rate, path }: { rate: number; path: string | null }) => {
    const pattern = path ?? '*'
    if (!isFaultPattern(pattern)) return badRequest('field "path" must be a path such as /orders* or POST /orders')
    faults.add({ fault, rate, pattern })
    return show()
  }
  const when = optionalWord(faultMoments)
  return [
    verb('fault', 'latency', message({ ms: whole(0, 600_000), ...reach }), (values) =>
      add({ kind: 'latency', delayMs: values.ms }, values),
    ),
    verb('fault', 'drop', message({ when, ...reach }), (values) =>
      add({ kind: 'drop', moment: values.when ?? 'before' }, values),
    ),
    verb('fault', 'status', message({ status: wholeOr(503, 400, 599), when, ...reach }), (values) =>
      add({ kind: 'status', status: values.status, moment: values.when ?? 'before' }, values),
    ),
    verb('fault', 'malformed', message({ form: optionalWord(malformedForms), ...reach }), (values) =>
      add({ kind: 'malformed', form: values.form ?? 'garbled' }, values),
    ),
    verb('fault', 'stall', message({ when, ...reach }), (values) =>
      add({ kind: 'stall', moment: values.when ?? 'before' }, values),
    ),
    verb('fault', 'off', message({ kind: optionalWord(faultKinds) }), ({ kind }) => {
      if (kind === null) faults.clear()
      else faults.clear(kind)
      return show()
    }),
  ]
}

/** The sandbox's own time. */
export const clockVerbs = (putForward: (ms: number) => number): Verb[] => [
  verb('clock', 'advance', message({ ms: whole(0, 366 * dayMs) }), ({ ms }) => shown({ nowMs: putForward(ms) })),
]

/** `POST /reset`: the practice exchange starts over; accounts and keys stay. */
export const resetVerb = (reset: () => Promise<void>): Verb =>
  verb('reset', '', message({}), async () => {
    await reset()
    return shown({ reset: true })
  })
