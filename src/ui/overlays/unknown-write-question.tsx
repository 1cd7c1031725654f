import type { BalanceMoment } from '../../domain/transfers/followed.ts'
import type { Withdrawal } from '../../domain/transfers/transfer.ts'
import type { UnknownWrite } from '../../domain/unknown-write.ts'
import { exchangeNow } from '../../store/clock.ts'
import type { DeskState, Overlay } from '../../store/desk.ts'
import { type Binding, offeredEntriesOf } from '../tables/key-bindings.ts'
import { useBindings } from '../tables/key-context.ts'
import { windowOf } from '../tables/list-window.ts'
import { cellText, cutWords, wrapWords } from '../text/cells.ts'
import { useDesk } from '../text/desk-context.ts'
import { pastText } from '../text/moment.ts'
import { type Row, span, wordRows } from '../text/row.ts'
import { Dialog } from './dialog.tsx'
import { dialogRoom, keysRow, type ScreenSize } from './dialog-room.ts'

type EvidenceState = Pick<DeskState, 'balances' | 'followed' | 'whitelist' | 'looks' | 'nowMs' | 'ahead'>

function nameOf({ whitelist }: EvidenceState, beneficiary: string): string {
  const name = whitelist.value?.find(({ whitelistId }) => whitelistId === beneficiary)?.name ?? ''
  return name === '' || name === beneficiary ? beneficiary : `${name} (${beneficiary})`
}

function inWords(state: EvidenceState, each: Withdrawal): string {
  const fee = each.fee === null ? '' : ` + fee ${each.fee.toFixed()}`
  const time = each.timestampMs === null ? 'no time' : `${pastText(each.timestampMs, exchangeNow(state))}Z`
  const what = `${each.amount.toFixed()} ${each.currency}${fee} to ${nameOf(state, each.beneficiary)}`
  return cellText(`${each.withdrawalId ?? 'no id'}  ${what}  ${each.state ?? 'no state'}  ${time}`)
}

/** One withdrawal, wrapped over as many lines as it needs; the selected one is marked. */
function listed(text: string, isChosen: boolean, width: number): Row[] {
  const [first = '', ...rest] = wrapWords(text, width - 4)
  const tone = isChosen ? 'cursor' : 'text'
  return [
    [span(isChosen ? ' > ' : '   ', tone), span(first, tone)],
    ...rest.map((line): Row => [span(`     ${line}`.slice(0, width), tone)]),
  ]
}

/** The available balance when it was sent, and now: the difference shows whether money left. */
function balanceRows(
  before: BalanceMoment | null,
  currency: string,
  { balances, looks }: EvidenceState,
  width: number,
) {
  const now = balances.value?.find((each) => each.currency === currency)
  if (before === null || now === undefined) return []
  const change = now.available.minus(before.available)
  const changed = change.isZero() ? 'the same' : `${change.gt(0) ? '+' : ''}${change.toFixed()}`
  const way = change.isZero() ? 'as much as' : change.gt(0) ? 'more than' : 'less than'
  const told = looks.isPrivate
    ? `Available in ${currency}: ${way} before it was sent`
    : `Available in ${currency}: ${before.available.toFixed()} before it was sent, ${now.available.toFixed()} now ` +
      `(${changed})`
  const text = `${told}; orders and other transfers move it too.`
  return wrapWords(cellText(text), width).map((line): Row => [span(` ${line}`)])
}

/** The evidence for the question about a withdrawal: possible matches, others of that time, and the balance. */
function evidenceRows(
  { key, question }: UnknownWrite,
  match: string | null,
  state: EvidenceState,
  width: number,
): Row[] {
  const evidence = question?.withdrawals
  if (evidence === undefined) return []
  const { request, matches, others } = evidence
  const before = state.followed.leaving.find((each) => each.key === key)?.before ?? null
  const rows = matches.flatMap((each) => listed(inWords(state, each), each.withdrawalId === match, width))
  const rest = others.flatMap((each) => listed(inWords(state, each), false, width))
  const restTitle: Row[] = rest.length === 0 ? [] : [[span(` Others in ${cellText(request.currency)} of that time:`)]]
  const money = balanceRows(before, request.currency, state, width)
  const parts = [rows, [...restTitle, ...rest], money].filter((part) => part.length > 0)
  return parts.flatMap((part): Row[] => [...part, []])
}

const width = 70
/** A longer list scrolls: the evidence needs the room. */
const choicesMax = 4

const sentence = (text: string): Row[] => wordRows(cellText(text), width - 2)

/** The answer keys, without those that the evidence rules out, and without the choice keys if there is no choice. */
const answerRow = (state: DeskState, bindings: readonly Binding[]): Row =>
  keysRow(offeredEntriesOf(bindings, 'unknownWrite', state))

/** Every write to resolve, if there are several; the one in question is marked. */
function choiceRows(unknownWrites: readonly UnknownWrite[], chosen: string): Row[] {
  const asked = unknownWrites.filter(({ question }) => question !== null)
  if (asked.length < 2) return []
  const at = asked.findIndex(({ key }) => key === chosen)
  const first = Math.max(0, Math.min(at - 1, asked.length - choicesMax))
  const lines = asked.slice(first, first + choicesMax).map(({ key, sentence: text }): Row => {
    const line = cutWords(cellText(text), width - 7)
    return key === chosen ? [span(' > ', 'cursor'), span(line, 'cursor')] : [span('   '), span(line, 'dim')]
  })
  return [...lines, []]
}

/** As much of the evidence as fits, always including the chosen match; what the answers do must stay below it. */
function inRoom(rows: readonly Row[], room: number): readonly Row[] {
  if (rows.length <= room) return rows
  const chosenAt = rows.findIndex((row) => row.some(({ tone }) => tone === 'cursor'))
  const shown = windowOf(rows, chosenAt + linesOfMatch, Math.max(1, room - 1))
  return [...shown, [span(` ${rows.length - shown.length} more lines have no room`, 'warn')]]
}
/** A match may go on over a few lines, which are to be seen with its first. */
const linesOfMatch = 2

/** What was sent without an answer, the evidence, and what each answer does. */
function unknownWriteRows(
  state: DeskState,
  overlay: Overlay,
  bindings: readonly Binding[],
  screen: Pick<ScreenSize, 'rows'>,
): Row[] {
  const { unknownWrites } = state
  const entry = overlay.kind === 'unknownWrite' ? unknownWrites.find(({ key }) => key === overlay.key) : undefined
  if (overlay.kind !== 'unknownWrite' || entry === undefined || entry.question === null)
    return [[], ...sentence('Already resolved.'), []]
  const { evidence, verdicts } = entry.question
  const meaning = verdicts.includes('canceled')
    ? 'Check yourself where you can. Neither answer sends anything: an order that still works can fill until you ' +
      'cancel it again.'
    : 'Check yourself where you can. Once you say that it was not placed, the same may be sent again; ' +
      'if it was, there are two.'
  const above = [
    [],
    ...choiceRows(unknownWrites, entry.key),
    ...sentence(entry.sentence),
    [],
    ...sentence(evidence),
    [],
  ]
  const below = [...sentence(meaning), [], answerRow(state, bindings)]
  const room = dialogRoom(screen) - 2 - above.length - below.length
  return [...above, ...inRoom(evidenceRows(entry, overlay.match, state, width - 4), room), ...below]
}

/** `2 of 3`: which write the question is about. */
function countText({ unknownWrites }: DeskState, overlay: Overlay): string {
  const asked = unknownWrites.filter(({ question }) => question !== null)
  const at = overlay.kind === 'unknownWrite' ? asked.findIndex(({ key }) => key === overlay.key) : -1
  return at < 0 || asked.length < 2 ? '' : ` ${at + 1} of ${asked.length}`
}

export function UnknownWriteOverlay({ screen }: { screen: ScreenSize }) {
  const state = useDesk((each) => each)
  const bindings = useBindings()
  const { overlay } = state
  if (overlay === null) return null
  const rows = unknownWriteRows(state, overlay, bindings, screen)
  const title = [span(`Resolve unknown outcome${countText(state, overlay)}`, 'warn')]
  return <Dialog title={title} rows={rows} width={width} height={rows.length + 2} screen={screen} />
}
