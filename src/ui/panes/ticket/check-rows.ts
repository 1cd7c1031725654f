import { mayPlace } from '../../../domain/desk/mode.ts'
import { keyOf } from '../../../domain/desk/session.ts'
import type { Check, CheckRule } from '../../../domain/orders/checks/check.ts'
import type { DeskState } from '../../../store/desk.ts'
import { cellText, wrapWords } from '../../text/cells.ts'
import type { FrameKind } from '../../text/frame.tsx'
import { ownChecks } from '../../text/privacy.ts'
import { type Row, rowWidth, span, wordRows } from '../../text/row.ts'
import { type Sections, stacked, type TicketContent } from './ticket-layout.ts'

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
  plan: 'plan',
}

const words = { block: 'BLOCK', warn: 'WARN' } as const

/**
 * What a review has had confirmed of what it asks: the soft limits by rule, with the key that does, and the quantity
 * typed once more so far.
 */
type Confirmation = { confirmed: readonly CheckRule[]; key: string; retyped: string }

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

/** The check that another value would resolve, and the key that takes that value. */
type OfferedRemedy = { check: Check; text: string; key: string; isMore: boolean }

/**
 * Those that block, then what is asked, then the warnings. `confirmation` is null outside a review, `remedy` where no
 * key takes a value that would pass.
 */
export const complaintRows = (
  checks: readonly Check[],
  width: number,
  confirmation: Confirmation | null = null,
  remedy: OfferedRemedy | null = null,
): Row[] => [
  ...at(checks, 'block').flatMap((check) => [
    ...complaint('block', check.text, width),
    // The same check, read anew: it is known by its words.
    ...(remedy === null || check.rule !== remedy.check.rule || check.text !== remedy.check.text
      ? []
      : [
          [
            ...[span(complaintIndent), span(remedy.key, 'key'), span(` takes ${remedy.text}`)],
            ...(remedy.isMore ? [span(': more than typed', 'warn')] : []),
          ],
        ]),
  ]),
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

/**
 * The checks as they are shown, and before them the mode where it sends nothing: the order would be refused at the end.
 */
export function withModeCheck(
  all: readonly Check[],
  { mode, reboundKeys, looks }: Pick<DeskState, 'mode' | 'reboundKeys' | 'looks'>,
): readonly Check[] {
  const checks = ownChecks(all, looks.isPrivate)
  if (mayPlace(mode)) return checks
  const key = keyOf(reboundKeys, 'toggleArmed')
  return [
    { rule: 'mode', level: 'warn', text: `the desk is ${mode.kind}: ${key} arms it before anything is sent` },
    ...checks,
  ]
}

type Form = { title: Row; sections: Sections; checks: readonly Check[]; kind: FrameKind }
/** Where a form is scrolled to, and the key that goes on. */
type Scrolling = { top: number; key: string; width: number }

/** A form with its sections below each other, and at its foot how its checks stand. */
export function formContent(
  { title, sections, checks, kind }: Form,
  rowCount: number,
  scrolling: Scrolling | null = null,
): TicketContent {
  const { rows, hiddenCount, scrolled } = stacked(sections, rowCount, scrolling?.top)
  const count = countRow(checks)
  if (scrolling !== null && scrolled !== null) {
    const more = [`  ${hiddenCount} more: ${scrolling.key}`, `  +${hiddenCount}: ${scrolling.key}`]
    // At its end the key shows the first lines again.
    const texts = hiddenCount > 0 ? more : [`  ${scrolling.key}: first lines`, `  ${scrolling.key}: top`]
    const room = scrolling.width - 2 - rowWidth(count)
    const text = texts.find((each) => each.length <= room) ?? texts.at(-1) ?? ''
    return { title, rows, foot: [...count, span(text, 'warn')], kind, scrolled }
  }
  // Beside blocks and warnings the narrowest ticket has no room for more.
  const lines = count.length > 1 ? '' : hiddenCount === 1 ? ' line' : ' lines'
  const note = hiddenCount === 0 ? [] : [span(`  ${hiddenCount}${lines} hidden`, 'warn')]
  return { title, rows, foot: [...count, ...note], kind }
}
