import { personLimitNames } from '../../domain/hub/person-limits.ts'
import { roles } from '../../domain/hub/roles.ts'
import { exitCodes } from '../cli/exit-codes.ts'
import { amount, flag, type JsonSchema, listOf, maybe, rowOf, text, time, whole, word } from './kinds.ts'
import { accept, canceled, checks, orderWithTerms } from './trading.ts'

export const finding = rowOf<'level' | 'about' | 'text'>({
  level: word(['ok', 'warn', 'fail'], 'how it is'),
  about: text('what was looked at'),
  text: text('what was found'),
})

export const notifyTested = rowOf({
  target: text('the way'),
  outcome: word(['taken', 'skipped', 'failed'], 'what became of it'),
  reason: maybe(text('why it was not taken')),
  answer: maybe(text('what was answered')),
})

const watching = {
  pid: maybe(whole('its process')),
  since: maybe(time('when it began')),
  upMs: maybe(whole('how long it has run, ms')),
  beatAgoMs: maybe(whole('how long ago it last did something, ms')),
  hasDuties: maybe(flag('false: another desk has the duties')),
  does: maybe(listOf(text('a duty'))),
  troubles: maybe(listOf(text('what is not well, a clause'))),
}

/** Whether a watch runs; the rest is missing until its first status. */
export const watchStatus = rowOf({ isRunning: flag('whether a watch runs on this machine'), ...watching })

/** The output of every failed command; the fields beside `error` depend on the command. */
export const failure = rowOf({
  error: rowOf({
    kind: word(
      Object.keys(exitCodes),
      'what it means for the money. Nothing was sent: usage, notSent, unreachable; rejected: nothing was placed; ' +
        'unknown: it may be live',
    ),
    message: text('what happened, a sentence; not for programs to read'),
    todo: maybe(text('what to do next, a sentence')),
    clientOrderId: maybe(text('of the order')),
  }),
  request: maybe({ type: 'object', description: 'of a dry run that is refused: what would be sent' }),
  checks: maybe(checks),
  accept: maybe(accept),
  orders: maybe(listOf(canceled, 'of several cancels: what became of each')),
  working: maybe(listOf(orderWithTerms, 'of a cancel of all: what is still working')),
  findings: maybe(listOf(finding, 'of doctor: all of them')),
  isRunning: maybe(flag('of watch --status: whether a watch runs')),
  ...watching,
  brokenRow: maybe(whole('of hub audit --verify: the first row that is broken')),
  wholeRows: maybe(whole('of hub audit --verify: the rows before it')),
})

const role = word(roles, 'what the person may do')
const name = text('the name of the person')

const limitOf: Readonly<Record<(typeof personLimitNames)[number], string>> = {
  orderUsd: 'the most that one order may be worth, USD',
  dayUsd: 'the most that all orders of a UTC day may be worth, USD',
  withdrawDayUsd: 'the most that all withdrawals of a UTC day may be worth, USD',
}
const limits = Object.fromEntries(
  personLimitNames.map((each) => [each, maybe(amount(`${limitOf[each]}; missing: no limit`))]),
)
const ownLimits = text("which of the limits are the person's own, with spaces between")

export const hubServe = rowOf({
  url: text('what a profile names as its exchange'),
  metricsUrl: text('where its metrics are'),
})
export const personToken = rowOf({
  name,
  role,
  token: text('the token: shown this once, and as secret as a key'),
})
export const personRevoked = rowOf({ name, state: word(['revoked'], 'every token of theirs has ended') })
export const personListed = rowOf({
  name,
  role,
  state: word(['active', 'revoked'], 'whether they have access'),
  ...limits,
  ownLimits,
  addedAt: time('when they were added'),
  tokenMadeAt: maybe(time('when their token was made')),
  oldTokenUntil: maybe(time('how long their token before is valid')),
  revokedAt: maybe(time('when they were revoked')),
})
export const personLimits = rowOf({ name, role, ...limits, ownLimits })
export const roleLimits = rowOf({ role, ...limits })
export const halt = rowOf({
  isHalted: flag('whether only cancels go out'),
  reason: maybe(text('why it is halted')),
})
export const auditRow = rowOf({
  number: whole('its number'),
  at: time('when it happened'),
  person: maybe(text('who did it')),
  subject: maybe(text('whom it is about')),
  action: text('what was done, a word; actions may be added'),
  sentence: text('the same in words'),
  detail: { description: 'more of it, by the action' } satisfies JsonSchema,
  digest: maybe(text('of this row and the one before')),
})
export const auditVerified = rowOf({ rows: whole('rows, all of them whole'), digest: maybe(text('of the last row')) })
export const me = rowOf({
  name,
  role,
  account: text('the account at the exchange'),
  halted: maybe(text('why the firm is halted; missing: it is not')),
  ...limits,
})

/** The addresses of a practice exchange, and its keys. */
export const sandbox = rowOf({
  exchange: text('address of the exchange'),
  gateway: text('address of the payment gateway'),
  admin: text('address of the administration'),
  adminToken: text('the key of the administration'),
  accounts: listOf(
    rowOf({
      name: text('the account'),
      token: text('its key'),
      twoFactor: flag('whether withdrawals need a second factor'),
    }),
  ),
  partnerKey: text('the key of the payment gateway'),
})

/** The answer of the administration depends on the request. */
export const adminAnswer: JsonSchema = { description: 'the answer, by what was asked: it is not frozen' }

export const schemaName = rowOf({
  name: text('what pitdesk schema takes'),
  command: text('the command line that prints it'),
  about: text('what it is'),
})
