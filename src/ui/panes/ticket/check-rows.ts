import type { Check, CheckRule } from '../../../domain/check.ts'
import { cellText, wrapWords } from '../../text/cells.ts'
import { type Row, span } from '../../text/row.ts'

/** A rule's name in the line of those that pass. */
const names: Readonly<Record<CheckRule, string>> = {
  fields: 'fields',
  freshness: 'fresh',
  status: 'status',
  tick: 'tick',
  lot: 'lot',
  minimum: 'min',
  maximum: 'max',
  postOnly: 'post',
  market: 'book',
  funds: 'funds',
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

/** Those that block, then the warnings, then the names of the rules that pass. */
export function checkRows(checks: readonly Check[], width: number): Row[] {
  const complaints = (['block', 'warn'] as const).flatMap((level) =>
    checks.filter((check) => check.level === level).flatMap(({ text }) => complaint(level, text, width)),
  )
  const passed = checks.filter(({ level }) => level === 'ok').map(({ rule }) => names[rule])
  if (passed.length === 0) return complaints
  const lines = wrapWords(`OK ${[...new Set(passed)].join(' ')}`, width - 2)
  return [...complaints, ...lines.map((line): Row => [span(` ${line}`, 'good')])]
}
