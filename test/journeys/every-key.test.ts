import { expect, test } from 'vitest'
import { keymap } from '../../src/ui/keys/keymap.ts'
import { type Journey, startJourney } from './journey.tsx'
import { deskWalk, haltWalk, lockWalk, quitWalk, smallWalk, unknownWriteWalk } from './keys/desk.ts'
import { gatewayListsWalk, gatewayReadWalk } from './keys/gateway.ts'
import { cancelWalk, chartAndTickersWalk, ladderWalk, moveWalk, ordersWalk } from './keys/ladder.ts'
import { columnsWalk, plansWalk, rowsWalk, worthWalk } from './keys/lists.ts'
import { alertsWalk, helpWalk, paletteWalk, symbolsWalk, themesWalk } from './keys/overlays.ts'
import { draftWalk, sizesWalk, ticketWalk, unusualWalk } from './keys/ticket.ts'
import { transferListsWalk } from './keys/transfer-lists.ts'
import { depositWalk, withdrawLockWalk, withdrawWalk } from './keys/transfers.ts'
import type { Start, Walk } from './keys/walk.ts'

const walks: Readonly<Record<string, Walk>> = {
  ladder: ladderWalk,
  move: moveWalk,
  orders: ordersWalk,
  'what is taken back': cancelWalk,
  'chart and tickers': chartAndTickersWalk,
  rows: rowsWalk,
  columns: columnsWalk,
  'accounts, positions and equity': worthWalk,
  plans: plansWalk,
  'lists of transfers': transferListsWalk,
  'lists of the gateway': gatewayListsWalk,
  'what of the gateway is read': gatewayReadWalk,
  ticket: ticketWalk,
  'sizes and one key': sizesWalk,
  'an unusual size': unusualWalk,
  'a draft of an order': draftWalk,
  symbols: symbolsWalk,
  help: helpWalk,
  palette: paletteWalk,
  themes: themesWalk,
  alerts: alertsWalk,
  desk: deskWalk,
  halt: haltWalk,
  quit: quitWalk,
  'a small screen': smallWalk,
  lock: lockWalk,
  unknownWrites: unknownWriteWalk,
  deposit: depositWalk,
  withdraw: withdrawWalk,
  'the lock of a withdrawal': withdrawLockWalk,
}

const usualSize = { columns: 120, rows: 40 }
const journeys: Journey[] = []
const start: Start = async (size = usualSize, settings = {}) => {
  const journey = await startJourney(size, false, settings)
  journeys.push(journey)
  return journey
}

test.each(Object.keys(walks))('each key does what it says: %s', async (name) => {
  await walks[name]?.(start)
})

test('every key in the table has a journey', () => {
  const pressed = new Set(journeys.flatMap((journey) => [...journey.pressed]))
  const table = keymap.flatMap(({ scope, keys, takesText }) => [
    ...keys.map((key) => `${scope} ${key}`),
    ...(takesText === true ? [`${scope} text`] : []),
  ])
  expect(table.filter((key) => !pressed.has(key))).toEqual([])
})
