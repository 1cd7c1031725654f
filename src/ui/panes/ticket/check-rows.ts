import type { Check, CheckRule } from '../../../domain/check.ts'
import { cellText, wrapWords } from '../../text/cells.ts'
import { type Row, span } from '../../text/row.ts'

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
  funds: 'funds',
  mode: 'mode',
  orderValue: 'limits',
  dayValue: 'limits',
  openOrders: 'limits',
  collar: 'limits',
  duplicate: 'limits',
}

const words = { block: 'BLOCK', warn: 'WARN' } as const

/** One rule that does not pass: what is wrong and what would be right, over as many lines as it takes. */
function complaint(level: 'block' | 'warn', text: string, width: number): Row[] {
  const tone = level === 'block' ? 'bad' : 'warn'
  return wrapWords(`${words[level]} ${cellText(text)}`, width - 2).map((line, index) => [
    span(index === 0 ? ' ' : '   '),
    span(line, tone),
  ])
}

/** A soft limit and what lifts it: it is confirmed in the review, by a key of its own. */
function softText({ rule, text }: Check, confirmed: readonly CheckRule[] | null): string {
  if (confirmed === null) return `${text}: the review asks`
  return confirmed.includes(rule) ? `${text}: CONFIRMED` : `${text}: type Y, then Enter`
}

/**
 * Those that block, then the soft limits and the warnings, then the names of the rules that pass. `confirmed` are the soft limits that
 * the review has had confirmed; null outside a review.
 */
export function checkRows(
  checks: readonly Check[],
  width: number,
  confirmed: readonly CheckRule[] | null = null,
): Row[] {
  const at = (level: Check['level']) => checks.filter((check) => check.level === level)
  const complaints = [
    ...at('block').flatMap(({ text }) => complaint('block', text, width)),
    ...at('ask').flatMap((check) => complaint('warn', softText(check, confirmed), width)),
    ...at('warn').flatMap(({ text }) => complaint('warn', text, width)),
  ]
  // A name that several rules share stands there when all of them pass.
  const failed = new Set(checks.filter(({ level }) => level !== 'ok').map(({ rule }) => names[rule]))
  const passed = at('ok')
    .map(({ rule }) => names[rule])
    .filter((name) => !failed.has(name))
  if (passed.length === 0) return complaints
  const lines = wrapWords(`OK ${[...new Set(passed)].join(' ')}`, width - 2)
  return [...complaints, ...lines.map((line): Row => [span(` ${line}`, 'good')])]
}
