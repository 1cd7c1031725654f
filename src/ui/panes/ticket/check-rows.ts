import { mayPlace } from '../../../domain/desk/mode.ts'
import { keyOf } from '../../../domain/desk/session.ts'
import { type Check, type CheckRule, type Confirmed, isConfirmed } from '../../../domain/orders/checks/check.ts'
import type { DeskState } from '../../../store/desk.ts'
import { cellText, wrapWords } from '../../text/cells.ts'
import type { FrameKind } from '../../text/frame.tsx'
import { ownChecks } from '../../text/privacy.ts'
import { type Row, rowWidth, span, wordRows } from '../../text/row.ts'
import type { Scrolled } from '../../text/scrolled.ts'
import { type Sections, stacked, type TicketContent } from './ticket-layout.ts'

/** Short names of rules, for the line of passed checks. */
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
 * The confirmations given in a review: soft limits by rule, with the key that confirms one, and the quantity retyped so
 * far.
 */
type Confirmation = { confirmed: readonly Confirmed[]; key: string; retyped: string }

/** Indent of continuation lines. */
const complaintIndent = '   '

/** A check that does not pass: what is wrong and what would be right, wrapped over as many lines as needed. */
function complaint(level: 'block' | 'warn', text: string, width: number): Row[] {
  const tone = level === 'block' ? 'bad' : 'warn'
  return wrapWords(`${words[level]} ${cellText(text)}`, width - complaintIndent.length).map((line, index) => [
    span(index === 0 ? ' ' : complaintIndent),
    span(line, tone),
  ])
}

/** What must be confirmed and how: a soft limit by a key in the review, an unusual size by retyping the quantity. */
function askText(check: Check, confirmation: Confirmation | null): string {
  const { rule, text } = check
  if (confirmation === null) return `${text}: the review asks`
  if (isConfirmed(check, confirmation.confirmed)) return `${text}: CONFIRMED`
  return rule === 'unusual'
    ? `${text}: type the quantity again: ${confirmation.retyped}_`
    : `${text}: type ${confirmation.key}, then Enter`
}

const at = (checks: readonly Check[], level: Check['level']) => checks.filter((check) => check.level === level)

/** The check that another value would resolve, and the key that applies that value. */
type OfferedRemedy = { check: Check; text: string; key: string; isMore: boolean }

/**
 * Blocking checks, then those to confirm, then warnings. `confirmation` is null outside a review; `remedy` is null if
 * no key offers a value that would pass.
 */
export const complaintRows = (
  checks: readonly Check[],
  width: number,
  confirmation: Confirmation | null = null,
  remedy: OfferedRemedy | null = null,
): Row[] => [
  ...at(checks, 'block').flatMap((check) => [
    ...complaint('block', check.text, width),
    // The checks were evaluated again since, so the same one is found by its rule and text.
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

/** The names of passed rules, for a ticket with lines to spare. */
export function passedRows(checks: readonly Check[], width: number): Row[] {
  // A name shared by several rules is listed only if all of them pass.
  const failed = new Set(checks.filter(({ level }) => level !== 'ok').map(({ rule }) => names[rule]))
  const passed = new Set(
    at(checks, 'ok')
      .map(({ rule }) => names[rule])
      .filter((name) => !failed.has(name)),
  )
  if (passed.size === 0) return []
  return wordRows(`OK ${[...passed].join(' ')}`, width, 'good')
}

/** All checks summarized for the frame: `OK 14 checks`, or `BLOCK 2  WARN 1`. */
function countRow(checks: readonly Check[]): Row {
  const blocked = at(checks, 'block').length
  const warned = at(checks, 'ask').length + at(checks, 'warn').length
  if (blocked + warned === 0) return [span(`OK ${checks.length} checks`, 'good')]
  return [
    ...(blocked > 0 ? [span(`BLOCK ${blocked}`, 'bad')] : []),
    ...(blocked > 0 && warned > 0 ? [span('  ')] : []),
    ...(warned > 0 ? [span(`WARN ${warned}`, 'warn')] : []),
  ]
}

/** The checks as shown, preceded by the mode if it does not allow sending: the order would be refused in the end. */
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

/** A review that is longer than its place: all its lines, without gaps, and which of them are visible. */
export type LongReview = { lines: readonly Row[] } & Scrolled

type Reviewing = { title: Row; checks: readonly Check[]; key: string; keys: readonly Row[] }

/** The visible lines of a long review, `keys` below them, and in the foot how many lines follow. */
export function longContent(
  { lines, top, shownCount, hiddenBelow }: LongReview,
  { title, checks, key, keys }: Reviewing,
): TicketContent {
  const more = hiddenBelow === 0 ? [] : [span(`  ${hiddenBelow} more: ${key}`, 'warn')]
  const rows = [...lines.slice(top, top + shownCount), ...keys]
  return { title, rows, foot: [...countRow(checks), ...more], kind: 'dialog' }
}

/** A form's scroll position, and the key that scrolls it. */
type Scrolling = { top: number; key: string; width: number }

/** A form with its sections stacked, and a summary of its checks in the foot. */
export function formContent(
  { title, sections, checks, kind }: Form,
  rowCount: number,
  scrolling: Scrolling | null = null,
): TicketContent {
  const { rows, hiddenCount, scrolled } = stacked(sections, rowCount, scrolling?.top)
  const count = countRow(checks)
  if (scrolling !== null && scrolled !== null) {
    const more = [`  ${hiddenCount} more: ${scrolling.key}`, `  +${hiddenCount}: ${scrolling.key}`]
    // At the end, the key wraps to the first lines.
    const texts = hiddenCount > 0 ? more : [`  ${scrolling.key}: first lines`, `  ${scrolling.key}: top`]
    const room = scrolling.width - 2 - rowWidth(count)
    const text = texts.find((each) => each.length <= room) ?? texts.at(-1) ?? ''
    return { title, rows, foot: [...count, span(text, 'warn')], kind, scrolled }
  }
  // Beside a count of blocks and warnings, the narrowest ticket has no room for the word.
  const lines = count.length > 1 ? '' : hiddenCount === 1 ? ' line' : ' lines'
  const note = hiddenCount === 0 ? [] : [span(`  ${hiddenCount}${lines} hidden`, 'warn')]
  return { title, rows, foot: [...count, ...note], kind }
}
