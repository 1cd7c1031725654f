import { encode } from 'uqr'
import { keyOf } from '../../domain/desk/session.ts'
import { addressParts } from '../../domain/transfers/transfer.ts'
import type { DeskState } from '../../store/desk.ts'
import { placeOf } from '../../store/slice.ts'
import { depositCurrencies } from '../../store/transfers/deposit-commands.ts'
import type { DepositOverlay } from '../../store/transfers/transfers.ts'
import { windowOf } from '../tables/list-window.ts'
import { cellText } from '../text/cells.ts'
import { useDesk, useTheme } from '../text/desk-context.ts'
import { cursorMark, type Row, rowWidth, span, wordRows } from '../text/row.ts'
import type { Tone } from '../text/theme.ts'
import { Dialog, LiveDialog } from './dialog.tsx'
import type { ScreenSize } from './dialog-room.ts'

/** Light modules around the code, which cameras need to find it. */
const quiet = 2
const halves = [' ', '▄', '▀', '█'] as const

/**
 * A text as the lines of a QR code, two modules per character height. The light modules are drawn, for light text on a
 * dark background; `isInverted` draws the dark ones.
 */
export function qrLines(text: string, isInverted: boolean): string[] {
  const { data, size } = encode(text, { ecc: 'L', border: 0 })
  const isDrawn = (row: number, column: number): boolean =>
    (data[row - quiet]?.[column - quiet] === true) === isInverted
  const across = size + 2 * quiet
  return Array.from({ length: Math.ceil(across / 2) }, (_, line) =>
    Array.from({ length: across }, (__, column) => {
      const upper = isDrawn(2 * line, column) ? 2 : 0
      // Nothing is drawn below the last module.
      const lower = 2 * line + 1 < across && isDrawn(2 * line + 1, column) ? 1 : 0
      return halves[upper + lower] ?? ' '
    }).join(''),
  )
}

type Shown = Extract<DepositOverlay, { kind: 'deposit' }>
type Choosing = Extract<DepositOverlay, { kind: 'depositChoose' }>

/** The space for the code in cells and lines, and whether the terminal has the block characters for it. */
type CodeRoom = { width: number; height: number; isAscii: boolean }

/** A text column narrower than this is of no use beside a code. */
const wordsMin = 30

const words = (text: string, width: number, tone: Tone = 'text'): Row[] => wordRows(cellText(text), width, tone)

/** Text to be copied from the screen: broken at any character, since it has no words. */
function exact(text: string, width: number, tone: Tone): Row[] {
  const room = Math.max(1, width - 2)
  const cells = cellText(text)
  const lines = Array.from({ length: Math.ceil(cells.length / room) }, (_, at) =>
    cells.slice(at * room, (at + 1) * room),
  )
  return lines.map((line) => [span(` ${line}`, tone)])
}

/** The currencies that accept deposits and match the query; `>` marks the one that Enter selects. */
export function depositChooseRows(state: DeskState, overlay: Choosing, rowCount: number): Row[] {
  const typed: Row = [span(' Currency: ', 'label'), span(`${cellText(overlay.query)}_`, 'cursor')]
  if (state.instruments.value === null) return [typed, [], [span(' Waiting for the currencies…', 'dim')]]
  const all = depositCurrencies(state, overlay.query)
  if (all.length === 0)
    return [typed, [], [span(` No currency matches. ${keyOf(state.reboundKeys, 'eraseInDeposit')} deletes.`, 'dim')]]
  const at = placeOf(overlay.selected, all)
  const marked = all[at]
  const rows = windowOf(all, at, rowCount - 4).map(
    (currency): Row => [span(' '), cursorMark(currency === marked), span(cellText(currency))],
  )
  return [typed, [], ...rows, [], [span(' Enter asks the exchange for its address.', 'label')]]
}

function knownRows({ answer, currency, copySentence }: Shown, width: number): Row[] {
  if (answer.kind !== 'known') return []
  const { address, tag } = addressParts(answer.deposit.address)
  const tagRows: Row[] =
    tag === null
      ? [[], ...words('No tag comes with it.', width, 'label')]
      : [
          [],
          [span(' TAG, needed as well', 'warn')],
          ...exact(tag, width, 'own'),
          [],
          ...words(`Without this tag the money is LOST: give both wherever ${currency} is sent from.`, width, 'warn'),
        ]
  return [
    [span(' ADDRESS', 'label')],
    ...exact(address, width, 'own'),
    ...tagRows,
    [],
    ...words(`Send only ${currency} to it.`, width),
    ...(copySentence === '' ? [] : [[], ...words(copySentence, width, 'label')]),
  ]
}

function wordsOf(overlay: Shown, width: number): Row[] {
  const { answer, currency } = overlay
  switch (answer.kind) {
    case 'asking':
      return words(`Asking the exchange for the address of ${currency}…`, width, 'dim')
    case 'failed':
      return words(answer.sentence, width, 'bad')
    case 'known':
      return knownRows(overlay, width)
  }
}

/**
 * The code's lines, or why there are none. It never includes the tag, which cameras and wallets read inconsistently.
 */
function codeOf({ answer, isInverted }: Shown, { width, height, isAscii }: CodeRoom): string[] | string {
  if (answer.kind !== 'known') return ''
  if (isAscii) return 'This terminal only has ASCII: a QR code cannot be drawn here.'
  const lines = qrLines(addressParts(answer.deposit.address).address, isInverted)
  const isFitting = lines.length <= height && (lines[0]?.length ?? 0) + wordsMin <= width
  return isFitting ? lines : 'The QR code needs a larger terminal.'
}

/** Address, tag and code side by side, or only the text if the code does not fit. */
export function depositRows(overlay: Shown, room: CodeRoom): Row[] {
  const code = codeOf(overlay, room)
  if (typeof code === 'string') {
    const why = code === '' ? [] : [[], ...words(code, room.width, 'label')]
    return [...wordsOf(overlay, room.width), ...why]
  }
  const codeWidth = code[0]?.length ?? 0
  const hasTag = overlay.answer.kind === 'known' && addressParts(overlay.answer.deposit.address).tag !== null
  const width = room.width - codeWidth
  const note = hasTag ? words('The code holds the address, not the tag.', width, 'warn') : []
  const beside = [...wordsOf(overlay, width), ...(note.length === 0 ? [] : [[], ...note])]
  return Array.from({ length: Math.max(code.length, beside.length) }, (_, at): Row => {
    const row = beside[at] ?? []
    const line = code[at]
    return line === undefined ? row : [...row, span(' '.repeat(Math.max(0, width - rowWidth(row)))), span(line)]
  })
}

const chooseWidth = 50
const widthMax = 100
/** Height of the box until the answer arrives. */
const quietHeight = 9

/** The choice of the deposit's currency. */
export function DepositChooseOverlay({ screen }: { screen: ScreenSize }) {
  const height = Math.min(screen.rows - 4, 18)
  return (
    <LiveDialog
      title={[span('Deposit: which currency?', 'title')]}
      make={(state) =>
        state.overlay?.kind === 'depositChoose' ? depositChooseRows(state, state.overlay, height - 2) : []
      }
      width={chooseWidth}
      height={height}
      screen={screen}
    />
  )
}

/** A currency's deposit address, its separate tag, and the QR code. */
export function DepositAddressOverlay({ screen }: { screen: ScreenSize }) {
  const overlay = useDesk((state) => state.overlay)
  const { glyphs } = useTheme()
  if (overlay?.kind !== 'deposit') return null
  const width = Math.min(widthMax, screen.columns)
  const room = { width: width - 2, height: screen.rows - 3, isAscii: glyphs.isAscii }
  const rows = depositRows(overlay, room)
  const height = Math.max(quietHeight, rows.length + 2)
  const title = [span(`Deposit ${cellText(overlay.currency)}`, 'title')]
  return <Dialog title={title} rows={rows} width={width} height={height} screen={screen} />
}
