import { isOwn, isPlaced, isWorking, type TrueOrder } from './exchange.ts'
import {
  cancelledBy,
  hasHappenedNow,
  isSame,
  orderBy,
  ordersOf,
  type Scene,
  wasCancelled,
  withdrawalsOf,
  workingIn,
} from './scene.ts'

/** What a sentence means for the write it is about; `plain` ones say nothing of any write. */
type Meaning = 'done' | 'none' | 'unknown' | 'state' | 'plain'

type Groups = Readonly<Record<string, string | undefined>>

/**
 * A way to say something, in the words of any version, and when it is so. Without `isTrue` it claims nothing that can
 * be wrong.
 */
export type Claim = {
  pattern: RegExp
  means: Meaning
  isTrue?: (groups: Groups, scene: Scene) => boolean | Promise<boolean>
}

const order = ({ id = '' }: Groups, { truth }: Scene): TrueOrder | undefined => orderBy(id, truth)
const clean = (amount: string | undefined): string => amount?.replaceAll(',', '') ?? ''

/** The order is what was asked for, where something was asked for in this act and the sentence answers that. */
const isMeant = ({ id = '' }: Groups, { intent, truth, past }: Scene): boolean => {
  if (intent.kind !== 'order' && intent.kind !== 'move') return true
  const named = orderBy(id, truth)
  // One that was placed earlier may only be told of now.
  if (named !== undefined && isOwn(named) && !past.told.has(named.id)) return true
  return (
    ordersOf(intent, truth).some((each) => each.id === named?.id) || (intent.kind === 'move' && id === intent.orderId)
  )
}

/** What is said first in an act may be of what was before its own write. */
const sometime =
  (isTrue: (groups: Groups, scene: Scene) => boolean) =>
  (groups: Groups, scene: Scene): boolean =>
    isTrue(groups, scene) || isTrue(groups, { ...scene, truth: scene.before })

const hasStatus = sometime((groups, scene) => {
  const named = order(groups, scene)
  const said = groups.status?.toUpperCase() ?? ''
  // Between the look and the sentence a working order may trade on.
  return named !== undefined && (said === named.status || (isWorking({ status: said }) && isWorking(named)))
})

const isAtWork = sometime((groups, scene) => {
  const named = order(groups, scene)
  return named !== undefined && isWorking(named)
})

const hasFilled = (groups: Groups, scene: Scene): boolean => {
  const named = order(groups, scene)
  return named !== undefined && isSame(named.filled, groups.filled === undefined ? '0' : clean(groups.filled))
}

const scopeOf = ({ scope }: Groups): string | null => (scope === undefined || /every symbol/.test(scope) ? null : scope)
const noneWorks = sometime((groups, { truth }) => workingIn(scopeOf(groups), truth).length === 0)

const someWork = sometime((groups, { truth }) => workingIn(scopeOf(groups), truth).length > 0)

/** As many were canceled by the act as it says; where that is all of them, none of `left` works. */
const isTally = ({ done, count }: Groups, scene: Scene, left: readonly TrueOrder[]): boolean =>
  cancelledBy(scene).length === Number(done) && (done !== count || left.length === 0)

/**
 * The tally of this act. A desk may tell that of the cancel before it only now, when orders of this act work already.
 */
const hasTally = (groups: Groups, scene: Scene): boolean => {
  const left = workingIn(scopeOf(groups), scene.truth)
  if (scene.intent.kind === 'cancelAll' && isTally(groups, scene, left)) return true
  const { cancelAll } = scene.past
  const worked = new Set(cancelAll?.before.orders.map(({ id }) => id))
  const leftThen = left.filter(({ id }) => worked.has(id))
  return cancelAll !== null && isTally(groups, { ...scene, ...cancelAll }, leftThen)
}

/**
 * Nothing of this act was canceled, or not the order that is named: what worked before works on, or ended by itself.
 */
const nothingCancelled = ({ id }: Groups, scene: Scene): boolean =>
  id === undefined || !/^\d+$/.test(id) ? cancelledBy(scene).length === 0 : !wasCancelled(id, scene)

/** On record as unknown, or settled since: that may happen between the sentence and the end of the command. */
const isHeldBack = async (_: Groups, scene: Scene): Promise<boolean> => {
  const open = (await scene.journal()).filter(({ fate, result }) => fate === 'open' || result.startsWith('settled'))
  const { intent } = scene
  if (intent.kind === 'withdrawal') return open.some(({ what }) => what.includes(` ${intent.amount} `))
  if (intent.kind === 'order' || intent.kind === 'move') return open.some(({ what }) => priceIn(what, intent.price))
  return open.length > 0
}

const priceIn = (what: string, price: string): boolean => {
  const [, shown] = /@ ([\d.,]+)/.exec(what) ?? []
  return shown !== undefined && isSame(clean(shown), price)
}

const withdrawal = ({ id = '' }: Groups, { truth }: Scene) => truth.withdrawals.find((each) => each.id === id)

/** The withdrawal is there, says what the sentence says, and is what was asked for. */
const isSuchWithdrawal = (groups: Groups, scene: Scene): boolean => {
  const named = withdrawal(groups, scene)
  if (named === undefined) return false
  const { amount, state } = groups
  if (amount !== undefined && !isSame(named.amount, clean(amount))) return false
  return state === undefined || state === named.state || /^(accepted|taken)$/.test(state)
}

const hasLeft = ({ amount, currency }: Groups, { withdrawals }: Pick<Scene['truth'], 'withdrawals'>): boolean =>
  withdrawals.some((each) => each.currency === currency && isSame(each.amount, clean(amount)))

const isMeantWithdrawal = (groups: Groups, scene: Scene): boolean =>
  isSuchWithdrawal(groups, scene) &&
  (scene.intent.kind !== 'withdrawal' || withdrawalsOf(scene.intent, scene.truth).some(({ id }) => id === groups.id))

const notPlaced = (_: Groups, scene: Scene): boolean => !hasHappenedNow(scene)
// `the order is CANCELED` names no order.
const id = '(?<id>(?!is\\b)[\\w-]+)'
const status = '(?<status>OPEN|REJECTED|CANCELED|FILLED|PART_FILLED|EXPIRED|PENDING)'
const scope = '(?<scope>every symbol|[A-Z0-9]+-[A-Z0-9]+)'
const of = (text: string): RegExp => new RegExp(text, 'i')

const onRecord = '(?:not|back) on record: '
const ownOrder = '(?:order|move of order \\d+ as) (?<ours>\\w+), '
const took = `(?:accepted as ${id}|resolved as placed \\(${id}\\))`
const tookNoEffect = '(?:resolved as )?(?:rejected|refused|not placed|not cancell?ed|not sent)(?: |[.;]|$)'

/** Claims that can be wrong. A sentence may hold several. */
export const claims: readonly Claim[] = [
  // Orders that were placed, or were not.
  { pattern: /^(?!Found: ).*nothing was placed/i, means: 'none', isTrue: notPlaced },
  {
    pattern: of('(order rejected|the exchange rejected it|refused for too many calls): '),
    means: 'none',
    isTrue: notPlaced,
  },
  {
    pattern: of(`order #?${id} (is working|is a pending stop)`),
    means: 'done',
    isTrue: (groups, scene) => isAtWork(groups, scene) && isMeant(groups, scene),
  },
  {
    pattern: of(`found: order ${id} was placed and is ${status}`),
    means: 'done',
    isTrue: hasStatus,
  },
  {
    pattern: of(`found: order ${id} was placed and is working`),
    means: 'done',
    isTrue: isAtWork,
  },
  {
    pattern: of(`found: order ${id} was rejected`),
    means: 'none',
    isTrue: (groups, scene) => {
      const named = order(groups, scene)
      return named !== undefined && !isPlaced(named)
    },
  },
  { pattern: of(`order ${id}(?: (?:BUY|SELL) [\\w-]+)? is ${status}`), means: 'done', isTrue: hasStatus },
  {
    pattern: of(`order ${id} (?:BUY|SELL) [\\w-]+ is \\w+, filled (?<filled>[\\d.,]+) at`),
    means: 'state',
    isTrue: hasFilled,
  },
  { pattern: of(`order ${id} (?:BUY|SELL) [\\w-]+ is \\w+, nothing filled`), means: 'state', isTrue: hasFilled },
  { pattern: of(`order ${id} had filled (?<filled>[\\d.,]+)`), means: 'state', isTrue: hasFilled },
  {
    pattern: of(`order ${id} is neither among the working`),
    means: 'unknown',
    isTrue: (groups, scene) => {
      const named = order(groups, scene)
      return named === undefined || !isPlaced(named)
    },
  },
  { pattern: of(`order ${id} is on none of the lists of orders that were answered`), means: 'unknown' },
  {
    pattern: of(`the exchange lists order ${id} .* as REJECTED, and (?:one of these lists|a list|an order listed)`),
    means: 'unknown',
  },
  {
    pattern: of(`the exchange knows no order ${id}`),
    means: 'none',
    isTrue: (groups, scene) => order(groups, scene) === undefined,
  },
  {
    pattern: of(`moved .* → (?<price>[\\d.,]+): (?:order )?#?${id} (?:is working|is a pending stop)`),
    means: 'done',
    isTrue: (groups, scene) => {
      const named = order(groups, scene)
      return named !== undefined && isWorking(named) && isSame(named.price, clean(groups.price))
    },
  },
  // Cancels.
  { pattern: of(`the exchange's report of order ${id} cannot be read`), means: 'unknown' },
  {
    pattern: of(`order ${id}(?: is| was already)?:? cancell?ed(?![\\w-])`),
    means: 'done',
    isTrue: (groups, scene) => order(groups, scene)?.status === 'CANCELED',
  },
  { pattern: of(`all orders (?:of|in) ${scope}(?: are|:)? cancell?ed`), means: 'done', isTrue: noneWorks },
  { pattern: of(`the cancel of all orders in ${scope} took effect`), means: 'done', isTrue: noneWorks },
  {
    pattern: of(`after the cancel of all in ${scope} \\d+ orders? (?:is|are) working`),
    means: 'state',
    isTrue: someWork,
  },
  {
    pattern: of(`cancel all (?:orders of )?${scope}: (?:no order (?:of \\S+ )?|none )is working`),
    means: 'done',
    isTrue: noneWorks,
  },
  { pattern: of(`no order is working in ${scope}`), means: 'done', isTrue: noneWorks },
  { pattern: of(`\\d+ orders? (?:is|are) still working in ${scope}: `), means: 'state', isTrue: someWork },
  {
    pattern: of(`no order is listed in ${scope}, but [\\w, -]+ may still arrive`),
    means: 'unknown',
    isTrue: noneWorks,
  },
  { pattern: of(`no order is listed in ${scope}, but [\\w, -]+ of your own may still be working`), means: 'unknown' },
  { pattern: of('whether orders are still working in .* is unknown'), means: 'unknown' },
  // How many of them were left changes until it is read.
  { pattern: of(`all orders in ${scope}: \\d+ still working`), means: 'state', isTrue: someWork },
  { pattern: of(`still working after the cancel of all in ${scope}: `), means: 'state', isTrue: someWork },
  { pattern: of(`still working: .*, after the cancel of all orders of ${scope}`), means: 'unknown', isTrue: someWork },
  {
    pattern: of(`after the cancel of all orders of ${scope} \\((?<done>\\d+) of (?<count>\\d+) cancell?ed`),
    means: 'done',
    isTrue: hasTally,
  },
  {
    pattern: of(`cancel all (?:orders of )?${scope}: (?<done>\\d+) of (?<count>\\d+) cancell?ed`),
    means: 'done',
    isTrue: hasTally,
  },
  {
    pattern: of('halted: (?<done>\\d+) of (?<count>\\d+) cancell?ed'),
    means: 'done',
    isTrue: hasTally,
  },
  {
    pattern: of(`order ${id} has ended, final state unknown`),
    means: 'unknown',
    isTrue: (groups, scene) => !isAtWork(groups, { ...scene, before: scene.truth }),
  },
  { pattern: of('nothing was cancell?ed'), means: 'none', isTrue: nothingCancelled },
  { pattern: of(`order ${id}:? not cancell?ed[:,] `), means: 'none', isTrue: nothingCancelled },
  { pattern: of(`order ${id}:? not cancell?ed[:,] it is (?:still )?${status}`), means: 'none', isTrue: hasStatus },
  { pattern: of(`order ${id}: not sent, `), means: 'none', isTrue: nothingCancelled },
  { pattern: of(`cancel of ${id} refused: `), means: 'none', isTrue: nothingCancelled },
  { pattern: of('cancel of all [\\w -]+ refused: '), means: 'none', isTrue: nothingCancelled },
  { pattern: of(`all orders in ${scope}: not (?:cancell?ed|sent), `), means: 'none', isTrue: nothingCancelled },
  {
    pattern: of(`the cancel of ${id} is (?:settled|resolved): (?:the )?order is ${status}`),
    means: 'done',
    isTrue: hasStatus,
  },
  {
    pattern: of(`the cancel of ${id} did not take effect: (?:the )?order is ${status}`),
    means: 'none',
    isTrue: hasStatus,
  },
  // Withdrawals.
  {
    pattern: of(
      'nothing left the account|no money was moved|(?:refused: [^.]*|answer.*|connection (?:was (?:reset|closed)[^.]*|within \\d+ ms))\\. nothing was sent',
    ),
    means: 'none',
    isTrue: notPlaced,
  },
  { pattern: of('timed out in the call queue with \\d+ calls waiting'), means: 'none', isTrue: notPlaced },
  { pattern: of('the exchange refused it: '), means: 'none', isTrue: notPlaced },
  {
    pattern: of(
      `withdrawal ${id}(?: of (?<amount>[\\d.,]+) \\w+ to [\\w-]+)? is (?<state>accepted|taken|REJECTED|PENDING|REFUNDED|FAILED|COMPLETED)`,
    ),
    means: 'done',
    isTrue: isMeantWithdrawal,
  },
  {
    pattern: of(`found: withdrawal ${id} \\((?<amount>[\\d.,]+) \\w+, (?:state not given|(?<state>\\w+))`),
    means: 'done',
    isTrue: isSuchWithdrawal,
  },
  {
    pattern: of('found: withdrawal one without an id \\((?<amount>[\\d.,]+) (?<currency>\\w+), '),
    means: 'done',
    isTrue: (groups, { truth }) => hasLeft(groups, truth),
  },
  { pattern: of(`it was sent as ${id}`), means: 'done', isTrue: isMeantWithdrawal },
  {
    pattern: of('lists no withdrawal of (?<amount>[\\d.,]+) (?<currency>\\w+) to '),
    means: 'unknown',
    isTrue: (groups, { truth }) => !hasLeft(groups, truth),
  },
  // What the disk did not take: what was sent, and what became of it.
  {
    pattern: of(`${onRecord}withdrawal of (?<amount>[\\d.,]+) .*${took}`),
    means: 'done',
    isTrue: isMeantWithdrawal,
  },
  {
    pattern: of(`${onRecord}withdrawal of (?<amount>[\\d.,]+) (?<currency>\\w+) to [\\w-]+, ${tookNoEffect}`),
    means: 'none',
    isTrue: (groups, { truth: { withdrawals } }) =>
      !hasLeft(groups, { withdrawals: withdrawals.filter(({ state }) => state !== 'REJECTED') }),
  },
  {
    pattern: of(`${onRecord}${ownOrder}${took}`),
    means: 'done',
    isTrue: (groups, scene) => orderBy(groups.ours ?? '', scene.truth)?.id === groups.id,
  },
  {
    pattern: of(`${onRecord}${ownOrder}${tookNoEffect}`),
    means: 'none',
    isTrue: ({ ours = '' }, { truth }) => !truth.orders.some((each) => each.clientOrderId === ours && isPlaced(each)),
  },
  {
    pattern: of(`${onRecord}cancel of order ${id}, (?:resolved as )?cancell?ed(?: |[.;]|$)`),
    means: 'done',
    isTrue: (groups, scene) => order(groups, scene)?.status === 'CANCELED',
  },
  { pattern: of(`${onRecord}cancel of order ${id}, ${tookNoEffect}`), means: 'none', isTrue: nothingCancelled },
  {
    pattern: of(`${onRecord}cancel of all orders in ${scope}, (?:resolved as )?cancell?ed(?: |[.;]|$)`),
    means: 'done',
    isTrue: noneWorks,
  },
  {
    pattern: of(`${onRecord}cancel of all orders in ${scope}, ${tookNoEffect}`),
    means: 'none',
    isTrue: nothingCancelled,
  },
  { pattern: of(`${onRecord}[^;]*, sent(?:, no answer)?(?:[.;]|$)`), means: 'unknown' },
  // What is promised of an outcome that nobody knows.
  {
    pattern: of(
      'a like one is held back until it is settled|duplicates (?:are|stay) blocked until (?:it is |this is )?resolved|it stays in the journal',
    ),
    means: 'unknown',
    isTrue: isHeldBack,
  },
  // Another one may be settled between this line and the end of the command.
  { pattern: of('^still unknown: '), means: 'unknown' },
  { pattern: of('no answer for|no answer\\. the money may|there was no answer|no answer \\('), means: 'unknown' },
  {
    pattern: of(
      '(?:may be live|may be working|may still be working|may still arrive|may have been cancell?ed|may be on its way)',
    ),
    means: 'unknown',
  },
  {
    pattern: of('outcome (?:is |of .* is )?(?:not known|unknown)|still without an answer|unanswered'),
    means: 'unknown',
  },
]

/**
 * A program that ends in the middle of something says nothing of what it sent. Held against whole lines, names of
 * commands and all.
 */
export const crashPattern = /^pitdesk(?: [a-z-]+)*:? (?:could not start: Error|stopped by a fault|crashed)/
/** What follows such a line. */
export const stackPattern = /^\s+at |^\s*[{}]|^ {2}\w+: /

/**
 * What is said of other things than writes, from its beginning; it is known, and claims nothing that the drill could
 * check.
 */
export const plainSentences: readonly RegExp[] = [
  /^Play money/,
  /^\S+ is practice by its profile: /,
  /^Sent (BUY|SELL|the withdrawal)/,
  /^Cancell?ing /,
  /^(Mind|Warning): /,
  /^Not sent: /,
  /^not sent[:,] /,
  /^nothing more was sent: /,
  /^(left as it is|not confirmed): nothing was sent/,
  /^The order is as the list shows it|^See 2 Orders/,
  /^Fill (BUY|SELL) /,
  /^! /,
  /exchange .*(failing|answers again|does not answer as it should)/i,
  /^Alert: /,
  /^Journal .* (cut off|damaged|left out)/i,
  /^The last line of journal /,
  /^\d+ lines of journal /,
  /^An outcome could not be recorded/,
  /^the journal (cannot be|in ).*(written|opened)/i,
  /A person has to decide: open the /,
  /Press u to /,
  /^(Not yet|Blocked): /,
  /^Unreadable entry /,
  /^A fill contradicts its order, not counted: /,
  /^Fills that the exchange lists and that cannot be read are left out: /,
  /^The list of .* is incomplete/,
  /^(Journal|Journals|Part of an earlier journal|Only cancels are sent|The journal|A full file of the journal) /,
  /^Not kept[,:] /,
  /^No history is recorded: /,
  /^the drafts in .* cannot be locked/,
  /^no draft of that id is kept here/,
  /^The files of profile .* are now in /,
  /^(New key for profile|Another key left) /,
  /is no longer listed, and the exchange does not know it/,
  /^(pitdesk orders: )?\d+ orders are listed no more and wait to be looked up/,
  /was post-only but filled/,
  /^Not moved: /,
  /^(The last order is still on its way|Wait: the last order)/,
  /^No (working order|row) is selected: /,
  // A read that failed, with what to do next.
  /^[A-Z][^:]*(answer|exchange|connection|page|calls?|network|request|handshake).*\. (Try again|Check |Ask |Correct |See |Look )/i,
  /^Settled by you|^Resolved by you/,
  /^(Key|Order|Draft) \S+ was (used|sent) before, at .*: not sent again/,
  /^Key \S+ names draft /,
  /^unknown draft /,
  /^it was resolved as not sent(\.|, and its key is used up)/,
  /^order \S+ was resolved as not placed: its id is used up/,
  /^(it would not be sent|not confirmed|not approved): /,
  /^ended before it was sent/,
  /^\d+ orders? (is|are) still working: checking/,
  /^Not confirmed \(.*\): checking/,
  /^The exchange does not report (order|withdrawal) /,
  /^The (fee|state) of withdrawal \S+ is not reported/,
  /^Transfers without a time, /,
  /^Order \S+ was reported as [A-Z_]+, but is still listed as /,
  /^Cancel sent unrecorded: /,
  /^Limits in \S+ have no effect(, no order goes)?: /,
  /^Terms of own stops unknown, the journal in .* cannot be read: /,
  /^stdout not written: /,
  // Time, and keys that were not taken.
  /^Desk stood still |^Clock was set (back|forward) /,
  /^\S is text behind /,
  /^Nothing was planned: /,
  /^Plan \S+ is running already: /,
  /^(Not done|Not taken|Not halted): |^Release Enter, then press it once to send|^Sending: any key or click stops it/,
]
