import { plainText } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { WhitelistEntry, WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import { type Arguments, readCurrency } from '../cli/arguments.ts'
import { readAmount } from './order-draft.ts'

/** What `pitdesk withdraw` is asked to do. `to` is an id of the whitelist, or the name of an entry. */
export type WithdrawPlan =
  | {
      kind: 'new'
      currency: string
      amount: WithdrawalRequest['amount']
      to: string
      note: string | null
      /** The caller's own key, which makes a repeat safe; null where none was given. */
      key: string | null
    }
  | { kind: 'kept'; act: DraftAct; draftId: string }

const draftActs = ['send', 'approve', 'drop'] as const
type DraftAct = (typeof draftActs)[number]

const usage = 'a withdrawal reads: BTC 0.5 --to WHITELIST-ID, or BTC --max --to WHITELIST-ID'

/** Reads the arguments; an error is wrong usage. */
export function readPlan(given: Arguments): Result<WithdrawPlan> {
  const acts = draftActs.filter((act) => given.has(act))
  const [act] = acts
  if (act !== undefined) return readAct(act, acts.length, given)
  const [code, amountText] = given.words
  const to = given.value('to')
  if (code === undefined || to === undefined || (amountText === undefined) !== given.has('max')) return err(usage)
  const currency = readCurrency('a currency', code)
  if (!currency.ok) return currency
  const key = given.value('key') ?? null
  if (key !== null && !/^[A-Za-z0-9._:-]{1,64}$/.test(key))
    return err('--key takes a name of your own: 1 to 64 letters, digits, dots, colons, dashes and underscores')
  const plan = { kind: 'new', currency: currency.value ?? code, to, note: given.value('note') ?? null, key } as const
  if (amountText === undefined) return ok({ ...plan, amount: 'max' })
  const amount = readAmount('the amount', amountText, { what: 'amount', unit: plan.currency })
  return amount.ok ? ok({ ...plan, amount: amount.value }) : amount
}

function readAct(act: DraftAct, count: number, given: Arguments): Result<WithdrawPlan> {
  const others = ['to', 'max', 'draft', 'note', 'approval', 'key', 'dry-run'].filter((name) => given.has(name))
  const draftId = given.value(act)
  if (count > 1 || others.length > 0 || given.words.length > 0 || draftId === undefined)
    return err(`--${act} takes the id of a draft and nothing else: a draft cannot be changed here`)
  return ok({ kind: 'kept', act, draftId })
}

/** The entry that is meant: the one with this id, else the only one of the currency with this name. */
export function findEntry(to: string, currency: string, whitelist: readonly WhitelistEntry[]): Result<WhitelistEntry> {
  const byId = whitelist.find(({ whitelistId }) => whitelistId === to)
  if (byId !== undefined) return ok(byId)
  const named = whitelist.filter(
    (entry) => entry.name.toLowerCase() === to.toLowerCase() && (entry.currency ?? currency) === currency,
  )
  const [first] = named
  if (first === undefined)
    return err(plainText(`the whitelist has no entry ${to} for ${currency}: add entries on the exchange's web page`))
  if (named.length > 1) {
    const ids = named.map(({ whitelistId }) => whitelistId).join(', ')
    return err(plainText(`${named.length} entries of the whitelist are called ${to}: name one by its id, ${ids}`))
  }
  return ok(first)
}

/** What will leave, and to whom: by name and by id. */
export function withdrawalSentence(
  { currency, amount }: Pick<WithdrawalRequest, 'currency' | 'amount'>,
  { whitelistId, name }: Pick<WhitelistEntry, 'whitelistId' | 'name'>,
): string {
  const what = amount === 'max' ? `all available ${currency} less the fee` : `${amount.toFixed()} ${currency}`
  return plainText(`Withdraw ${what} to ${name === '' ? whitelistId : `${name} (${whitelistId})`}`)
}
