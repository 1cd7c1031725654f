import { durationText } from '../../base/text/time-text.ts'
import type { FiredAlert } from '../../domain/alerts/news.ts'
import { priceText, standingWords, type Watch, watchText } from '../../domain/alerts/watch.ts'
import { isUnlisted, type Names, noNames } from '../../domain/limits.ts'
import { type Instrument, statusWords } from '../../domain/market/instrument.ts'
import { type AlertItem, alertItems, isSnoozed, selectedAlertAt } from '../../store/alerts/alerts.ts'
import { wallNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { windowOf } from '../tables/list-window.ts'
import { levels } from '../tables/log-table.ts'
import { cellText, cut, left, nameText } from '../text/cells.ts'
import { useDesk } from '../text/desk-context.ts'
import { pastText } from '../text/moment.ts'
import { alertText } from '../text/privacy.ts'
import { cursorMark, type Row, span } from '../text/row.ts'
import type { Tone } from '../text/theme.ts'
import { Dialog } from './dialog.tsx'
import type { ScreenSize } from './dialog-room.ts'

type Alerts = DeskState['alerts']

/** Why an armed watch gets no prices; null if nothing is known to prevent them. */
function idleText({ symbol }: Watch, { instruments, unread = noNames }: AlertsLook): string | null {
  if (instruments === null || instruments === undefined) return null
  const status = instruments.get(symbol)?.status
  if (status === undefined) return isUnlisted(symbol, instruments, unread) ? 'not listed: no price' : null
  return status === 'open' ? null : `armed, ${statusWords[status].replace(/^is /, '')}`
}

/** A watch's state, in the longest words of as many cells: a price that is cut would be another one. */
function watchStateText(watch: Watch, look: AlertsLook, width: number): { text: string; tone: Tone } {
  const { state } = watch
  const idle = state.kind === 'fired' ? null : idleText(watch, look)
  if (idle !== null) return { text: idle, tone: 'warn' }
  switch (state.kind) {
    case 'unseen':
      return { text: 'no price yet', tone: 'dim' }
    case 'near':
      return { text: 'armed', tone: 'good' }
    case 'beyond':
      return { text: 'armed, past the level', tone: 'label' }
    case 'fired': {
      const at = ` at ${priceText(state.price, watch)}`
      const texts = [`FIRED ${pastText(state.atMs + look.aheadMs, look.nowMs)}${at}`, `FIRED${at}`]
      return { text: texts.find(({ length }) => length <= width) ?? 'FIRED', tone: 'warn' }
    }
  }
}

const nameWidth = 38
/** The cells before it: cursor and number. */
const numberWidth = 5

/** A watch in words; of a long one the symbol is shortened, not its level. */
function watchName(watch: Watch): string {
  const { symbol, repeats } = watch
  const rest = `${watchText(watch).slice(symbol.length)}${repeats ? ' each' : ''}`
  return `${nameText(symbol, Math.max(symbolMin, nameWidth - rest.length))}${rest}`
}
const symbolMin = 7

function itemRow(item: AlertItem, isMarked: boolean, look: AlertsLook): Row {
  const tone: Tone = isMarked ? 'cursor' : 'text'
  if (item.kind === 'watch') {
    const { watch } = item
    const { text, tone: stateTone } = watchStateText(watch, look, look.width - numberWidth - nameWidth - 1)
    return [
      cursorMark(isMarked),
      span(`${`${watch.id}`.padStart(3)} `, 'label'),
      span(left(watchName(watch), nameWidth), tone),
      span(` ${text}`, stateTone),
    ]
  }
  const { word, meaning } = standingWords[item.rule]
  return [
    cursorMark(isMarked),
    span('    '),
    span(left(word, 10), tone),
    span(item.isOn ? ' on  ' : ' OFF ', item.isOn ? 'good' : 'warn'),
    span(` ${meaning}`, 'label'),
  ]
}

function firedRow(alert: FiredAlert, { width, nowMs, aheadMs, isPrivate }: AlertsLook): Row {
  const { atMs, level, isQuiet } = alert
  const when = ` ${pastText(atMs + aheadMs, nowMs)} `
  const { tone, sign } = levels[level]
  const quiet = isQuiet ? '(snoozed) ' : ''
  return [
    span(when, 'dim'),
    span(cut(`${quiet}${sign}${cellText(alertText(alert, isPrivate))}`, width - when.length - 1), tone),
  ]
}

/** `Alerts`, and for how much longer they are snoozed. */
export const alertsTitle = (alerts: Alerts, nowMs: number): string => {
  const { snoozedUntilMs } = alerts
  if (snoozedUntilMs === null || !isSnoozed(alerts, nowMs)) return 'Alerts'
  return `Alerts: SNOOZED for ${durationText(Math.ceil((snoozedUntilMs - nowMs) / 60_000) * 60_000)} more`
}

/** Rows the list needs if there is room for all of them. */
export const alertsHeight = (alerts: Alerts): number =>
  alertItems(alerts).length + 3 + Math.max(1, Math.min(alerts.fired.length, 8))

type AlertsLook = {
  width: number
  /** Today by the wall clock, for times without a date. */
  nowMs: number
  /** How far the wall clock is ahead of desk time, by which alerts fire. */
  aheadMs: number
  isPrivate: boolean
  /** The symbols' rules: an alert for a symbol that is not listed, or not trading, says so. Null while not loaded. */
  instruments?: ReadonlyMap<string, Instrument> | null
  /** The symbols whose rules cannot be read; their prices may still arrive. */
  unread?: Names | undefined
}

/** The watches with their state, `>` at the selected one; below, recently fired alerts, newest first. */
export function alertsRows(alerts: Alerts, selected: number, rowCount: number, look: AlertsLook): Row[] {
  const items = alertItems(alerts)
  const firedRoom = Math.max(1, Math.min(alerts.fired.length, 8, rowCount - items.length - 3, rowCount - 8))
  const shown = windowOf(items, selected, Math.max(1, rowCount - firedRoom - 3))
  const fired = alerts.fired.slice(0, firedRoom).map((each) => firedRow(each, look))
  return [
    [span(`   # ${left('ALERT WHEN', nameWidth)} STATE`, 'label')],
    ...shown.map((item) => itemRow(item, item === items[selected], look)),
    [],
    [span(' FIRED LATELY', 'label')],
    ...(fired.length === 0 ? [[span(' Nothing yet.', 'dim')]] : fired),
  ]
}

/** Wide enough for a sentence; a narrower terminal limits it further. */
const widthMax = 100

/** Every alert, its state, and when alerts fired. */
export function AlertsOverlay({ screen }: { screen: ScreenSize }) {
  const alerts = useDesk((state) => state.alerts)
  const overlay = useDesk((state) => state.overlay)
  const isPrivate = useDesk((state) => state.looks.isPrivate)
  const instruments = useDesk((state) => state.instruments.value)
  const unread = useDesk((state) => state.listedSymbols?.unread)
  // The displayed times change only by the minute.
  const minuteMs = useDesk((state) => Math.floor(wallNow(state) / 60_000) * 60_000)
  const aheadMs = useDesk((state) => state.ahead.wallMs)
  const title = useDesk((state) => alertsTitle(state.alerts, state.nowMs))
  if (overlay?.kind !== 'alerts') return null
  const width = Math.min(widthMax, screen.columns - 4)
  const height = Math.min(screen.rows - 3, alertsHeight(alerts) + 2)
  const rows = alertsRows(alerts, selectedAlertAt(alerts, overlay), height - 2, {
    ...{ width: width - 2, nowMs: minuteMs, aheadMs, isPrivate, instruments, unread },
  })
  return <Dialog title={[span(title, 'title')]} rows={rows} width={width} height={height} screen={screen} />
}
