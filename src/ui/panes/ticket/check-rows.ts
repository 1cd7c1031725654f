import type { Check, CheckRule } from '../../../domain/orders/checks/check.ts'
import { cellText, wrapWords } from '../../text/cells.ts'
import { type Row, span, wordRows } from '../../text/row.ts'

/** A rule's name in the line of those that pass. */
const names: Readonly<Record<CheckRule, string>> = {
  fields: 'fields',
  freshness: 'fresh',
  status: 'sym',
  tick: 'tick',
  lot: 'lot',
  minimum: 'min',
  maximum: 'max',
  postOnly: 'post',
  market: 'book',
  stop: 'stop',
  selfMatch: 'own',
  funds: 'funds',
  mode: 'mode',
  orderValue: 'limits',
  dayValue: 'limits',
  openOrders: 'limits',
  collar: 'limits',
  duplicate: 'limits',
  unusual: 'size',
}

const words = { block: 'BLOCK', warn: 'WARN' } as const

/**
 * What a review has had confirmed of what it asks: the soft limits by rule, with the key that does, and the quantity
 * typed once more so far.
 */
export type Confirmation = { confirmed: readonly CheckRule[]; key: string; retyped: string }

/** Lines after the first stand in by this. */
const complaintIndent = '   '

/** One rule that does not pass: what is wrong and what would be right, over as many lines as it takes. */
function complaint(level: 'block' | 'warn', text: string, width: number): Row[] {
  const tone = level === 'block' ? 'bad' : 'warn'
  return wrapWords(`${words[level]} ${cellText(text)}`, width - complaintIndent.length).map((line, index) => [
    span(index === 0 ? ' ' : complaintIndent),
    span(line, tone),
  ])
}

/**
 * What is asked about, and what answers it: a soft limit a key in the review, an unusual size the quantity typed once
 * more.
 */
function askText({ rule, text }: Check, confirmation: Confirmation | null): string {
  if (confirmation === null) return `${text}: the review asks`
  if (confirmation.confirmed.includes(rule)) return `${text}: CONFIRMED`
  return rule === 'unusual'
    ? `${text}: type the quantity again: ${confirmation.retyped}_`
    : `${text}: type ${confirmation.key}, then Enter`
}

const at = (checks: readonly Check[], level: Check['level']) => checks.filter((check) => check.level === level)

/** Those that block, then what is asked, then the warnings. `confirmation` is null outside a review. */
export const complaintRows = (
  checks: readonly Check[],
  width: number,
  confirmation: Confirmation | null = null,
): Row[] => [
  ...at(checks, 'block').flatMap(({ text }) => complaint('block', text, width)),
  ...at(checks, 'ask').flatMap((check) => complaint('warn', askText(check, confirmation), width)),
  ...at(checks, 'warn').flatMap(({ text }) => complaint('warn', text, width)),
]

/** The names of the rules that pass, for a ticket with lines to spare. */
export function passedRows(checks: readonly Check[], width: number): Row[] {
  // A name that several rules share stands there when all of them pass.
  const failed = new Set(checks.filter(({ level }) => level !== 'ok').map(({ rule }) => names[rule]))
  const passed = new Set(
    at(checks, 'ok')
      .map(({ rule }) => names[rule])
      .filter((name) => !failed.has(name)),
  )
  if (passed.size === 0) return []
  return wordRows(`OK ${[...passed].join(' ')}`, width, 'good')
}

/** All checks in a few words, for the frame: `OK 14 checks`, or `BLOCK 2  WARN 1`. */
export function countRow(checks: readonly Check[]): Row {
  const blocked = at(checks, 'block').length
  const warned = at(checks, 'ask').length + at(checks, 'warn').length
  if (blocked + warned === 0) return [span(`OK ${checks.length} checks`, 'good')]
  return [
    ...(blocked > 0 ? [span(`BLOCK ${blocked}`, 'bad')] : []),
    ...(blocked > 0 && warned > 0 ? [span('  ')] : []),
    ...(warned > 0 ? [span(`WARN ${warned}`, 'warn')] : []),
  ]
}
