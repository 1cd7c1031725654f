import { type Claim, claims, crashPattern, plainSentences, stackPattern } from './claims.ts'
import { isPlaced } from './exchange.ts'
import type { Build, Ran } from './program.ts'
import {
  hasHappened,
  hasHappenedNow,
  inWords,
  isSame,
  orderBy,
  ordersOf,
  type Scene,
  withdrawalsOf,
  workingIn,
} from './scene.ts'
import { isObject, readWire, textOf, type WireObject, writeWire } from './wire-json.ts'

/**
 * What is wrong. `doubled`: it happened more often than was wanted. `forgotten`: it happened, and the program's record
 * does not have it. `false`: what was said is not so. `untold`: it happened, and nothing was said of it. `unasked`: it
 * was sent without anybody's word. `crash`: the program ended by itself. `unread`: the drill does not know the
 * sentence, so it cannot judge it. `stuck`: the drill itself could not go on.
 */
export type FindingKind = 'doubled' | 'forgotten' | 'false' | 'untold' | 'unasked' | 'crash' | 'unread' | 'stuck'
export type Finding = { kind: FindingKind; text: string }

type Judged = { findings: Finding[]; meanings: Set<Claim['means']> }

const truthInWords = ({ intent, truth, writes }: Scene): string => {
  const orders = intent.kind === 'cancel' || intent.kind === 'move' ? [orderBy(intent.orderId, truth)] : []
  const found = [...orders, ...ordersOf(intent, truth)].flatMap((order) =>
    order === undefined
      ? []
      : [`order ${order.id} (${order.clientOrderId}) is ${order.status}, filled ${order.filled}`],
  )
  const money = withdrawalsOf(intent, truth).map(({ id, amount, state }) => `withdrawal ${id} of ${amount} is ${state}`)
  const left = intent.kind === 'cancelAll' ? [`${workingIn(intent.symbol, truth).length} orders work`] : []
  const sent = writes.map(
    (call) => `${call.method} ${call.path} ${call.distortion ?? 'honest'} ×${call.deliveredCount}`,
  )
  return `the exchange: ${[...found, ...money, ...left].join('; ') || 'nothing of it'} [${sent.join(', ')}]`
}

/** Holds sentences against the exchange. */
export async function judgeSentences(scene: Scene, sentences: readonly string[]): Promise<Judged> {
  const judged: Judged = { findings: [], meanings: new Set() }
  const add = (kind: FindingKind, sentence: string, why: string) =>
    judged.findings.push({ kind, text: `${inWords(scene.intent)}: "${sentence}"${why}; ${truthInWords(scene)}` })
  for (const sentence of sentences) {
    let isKnown = plainSentences.some((pattern) => pattern.test(sentence))
    let isFalse = false
    for (const { pattern, means, isTrue } of claims) {
      const match = pattern.exec(sentence)
      if (match === null) continue
      isKnown = true
      judged.meanings.add(means)
      if (isTrue !== undefined && !(await isTrue(match.groups ?? {}, scene))) isFalse = true
    }
    for (const [id = ''] of sentence.matchAll(/\d+/g)) scene.past.told.add(id)
    if (isFalse) add('false', sentence, ' is not so')
    if (!isKnown) add('unread', sentence, ' is in no table of the drill')
  }
  return judged
}

/**
 * `pitdesk order place: not sent: …` without the name of the command; a line may hold several sentences and stays
 * whole.
 */
const withoutName = (line: string): string => line.replace(/^pitdesk(?: [a-z-]+){0,3}: /, '')
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

/** Holds all that a command said, and how it ended, against the exchange. */
export async function judgeRan(scene: Scene, ran: Ran, features: Build['features']): Promise<Judged> {
  const output = readWire(ran.stdout)
  const told = isObject(output) && isObject(output.error) ? [textOf(output.error.message) ?? ''] : []
  const lines = output === undefined ? linesOf(ran.stdout) : []
  const said = linesOf(ran.stderr)
  const crash = said.filter((line) => crashPattern.test(line))
  const sentences = said.filter((line) => !crashPattern.test(line) && (crash.length === 0 || !stackPattern.test(line)))
  const judged = await judgeSentences(scene, [...sentences, ...lines, ...told].map(withoutName))
  const add = (kind: FindingKind, text: string) =>
    judged.findings.push({ kind, text: `${inWords(scene.intent)}: ${text}; ${truthInWords(scene)}` })
  for (const line of crash) add('crash', `"${line}"`)
  if (output !== undefined) {
    for (const claim of judgeOutput(output, scene)) {
      judged.meanings.add('done')
      if (!claim.isTrue) add('false', `stdout says ${claim.says}`)
    }
  }
  if (ran.wasKilled) return judged
  const codes = features.accept ? newCodes : oldCodes
  const wrong = ran.code === null ? `it was ended by ${ran.signal}` : codes[ran.code]?.(scene)
  if (wrong !== undefined && wrong !== null) add('false', `exit code ${ran.code}: ${wrong}`)
  const isTold = ['done', 'unknown', 'none'].some((means) => judged.meanings.has(means as Claim['means']))
  const isCode = features.accept && (ran.code === 0 || ran.code === 6)
  if (hasHappenedNow(scene) && !isTold && !isCode)
    add('untold', `exit code ${ran.code}, stderr "${said.slice(0, 3).join(' / ')}"`)
  return judged
}

type CodeRule = (scene: Scene) => string | null

const isDone: CodeRule = (scene) => (scene.intent.kind === 'none' || hasHappened(scene) ? null : 'done, and it is not')
const nothingLeft: CodeRule = ({ writes }) =>
  writes.some(({ deliveredCount }) => deliveredCount > 0) ? 'nothing was sent, and the exchange got it' : null
const nothingHappened: CodeRule = (scene) => (hasHappened(scene) ? 'it was rejected, and it has happened' : null)

const oldCodes: Readonly<Record<number, CodeRule>> = { 0: isDone }
/** Section 1 of the contract. */
const newCodes: Readonly<Record<number, CodeRule>> = { 0: isDone, 3: nothingLeft, 4: nothingHappened, 5: nothingLeft }

type OutputClaim = { says: string; isTrue: boolean }

/** What JSON on stdout claims: an order, a withdrawal, a list of cancels, or the end of a cancel of all. */
function judgeOutput(output: unknown, scene: Scene): OutputClaim[] {
  if (Array.isArray(output)) return output.filter(isObject).flatMap((each) => judgeOutput(each, scene))
  if (!isObject(output)) return []
  if ('clOrdId' in output) return [judgeOrder(output, scene)]
  if ('beneficiary' in output && !('draftId' in output)) return [judgeWithdrawal(output, scene)]
  if ('outcome' in output) return [judgeCancel(output, scene)]
  return []
}

function judgeOrder(output: WireObject, { intent, truth }: Scene): OutputClaim {
  const [id, status, filled] = ['exOrdId', 'ordStatus', 'cumQty'].map((name) => textOf(output[name]))
  const order = orderBy(textOf(output.clOrdId) ?? '', truth)
  const isIt =
    order !== undefined &&
    (id === null || id === undefined || id === order.id) &&
    // What an answer left out is not said, and what is not said is not false.
    (status === null || status === undefined || status === order.status || !isPlaced(order)) &&
    (filled === null || filled === undefined || isSame(filled, order.filled))
  const isMeant =
    intent.kind !== 'order' || status === 'REJECTED' || ordersOf(intent, truth).some((each) => each.id === order?.id)
  return { says: writeWire(output), isTrue: isIt && isMeant }
}

function judgeWithdrawal(output: WireObject, { intent, truth }: Scene): OutputClaim {
  const id = textOf(output.withdrawalId)
  const found = truth.withdrawals.find((each) => each.id === id)
  const state = textOf(output.state)
  const isIt =
    found !== undefined && isSame(found.amount, textOf(output.amount)) && (state === null || found.state === state)
  const isMeant = intent.kind !== 'withdrawal' || withdrawalsOf(intent, truth).some((each) => each.id === id)
  return { says: writeWire(output), isTrue: id === null || (isIt && isMeant) }
}

function judgeCancel(output: WireObject, scene: Scene): OutputClaim {
  const says = writeWire(output)
  const { outcome } = output
  const id = textOf(output.exOrdId)
  if (outcome === 'canceled' && id !== null) return { says, isTrue: orderBy(id, scene.truth)?.status === 'CANCELED' }
  if (outcome === 'canceled') return { says, isTrue: workingIn(textOf(output.symbol), scene.truth).length === 0 }
  if (outcome === 'refused' || outcome === 'notSent') return { says, isTrue: !hasHappenedNow(scene) }
  return { says, isTrue: true }
}
