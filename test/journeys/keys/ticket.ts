import { expect } from 'vitest'
import { ok } from '../../../src/base/result.ts'
import type { DraftedOrder } from '../../../src/domain/orders/drafted-order.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { amount } from '../../fakes/amounts.ts'
import { anOrderDraft } from '../../fakes/drafts.ts'
import { noLimits } from '../../fakes/limits.ts'
import { createMemoryDrafts } from '../../fakes/memory-drafts.ts'
import { aDraft } from '../../fakes/orders.ts'
import { quoteAndCenter } from '../journey.tsx'
import { becomes, pause, pressKey, type Walk, working } from './walk.ts'

const stage = ({ ticket }: DeskState) => ticket?.stage ?? null
const field = ({ ticket }: DeskState) => ticket?.field
const quantity = ({ ticket }: DeskState) => ticket?.form.quantityText

/** Every key of the ticket, an order over a soft limit, and one that comes back to be edited. */
export const ticketWalk: Walk = async (start) => {
  const journey = await start(undefined, {
    limits: { ...noLimits, orderNotionalUsd: { soft: amount('100'), hard: amount('50000') } },
  })
  await quoteAndCenter(journey)
  await pressKey(journey, 'pgdn')
  await becomes(journey, 'b', stage, 'edit')
  await becomes(journey, 'esc', stage, null)
  await pressKey(journey, 'b')
  await pressKey(journey, 'ctrl+u')
  await becomes(journey, '1', quantity, '1')
  await becomes(journey, 'backspace', quantity, '')
  await pressKey(journey, '2')
  await becomes(journey, 'delete', quantity, '')
  await pressKey(journey, '3')
  await becomes(journey, 'ctrl+u', quantity, '')
  await pressKey(journey, '3')
  await becomes(journey, 'ctrl+w', quantity, '')
  for (const key of ['0', '.', '0']) await pressKey(journey, key)
  await becomes(journey, '5', quantity, '0.05')
  await becomes(journey, 'up', quantity, '0.0501')
  await becomes(journey, 'down', quantity, '0.0500')
  await becomes(journey, 'right', quantity, '0.0501')
  await becomes(journey, 'left', quantity, '0.0500')
  await becomes(journey, 'pgup', quantity, '0.0510')
  await becomes(journey, 'pgdn', quantity, '0.0500')
  await becomes(journey, 'tab', field, 'price')
  await becomes(journey, 'shift+tab', field, 'quantity')
  const overlay = (state: DeskState) => state.overlay?.kind ?? null
  const before = journey.store.getState().ticket
  await becomes(journey, ':', overlay, 'palette')
  await journey.press('layout')
  await becomes(journey, 'esc', overlay, null)
  expect(journey.store.getState().ticket).toBe(before)
  await becomes(journey, 'f4', field, 'loss')
  await becomes(journey, 'f4', field, 'quantity')
  journey.resize(40, 12)
  await journey.until((screen) => screen.includes('more: End'))
  const isOn = ({ ticket }: DeskState) => ticket?.stage === 'edit' && (ticket.top ?? 0) > 0
  await becomes(journey, 'end', isOn, true)
  journey.resize(80, 24)
  await journey.sees('1 Ladder')
  await pressKey(journey, '%')
  await journey.until(() => quantity(journey.store.getState()) !== '0.0500')
  await pressKey(journey, 'ctrl+u')
  await journey.press('0.0100')
  await becomes(journey, 'enter', stage, 'review')
  const confirmed = ({ ticket }: DeskState) => (ticket?.stage === 'review' ? ticket.confirmed.length : 0)
  await becomes(journey, 'Y', confirmed, 1)
  journey.resize(40, 12)
  await journey.until((screen) => screen.includes('Down more'))
  const isBelow = ({ ticket }: DeskState) => ticket?.stage === 'review' && (ticket.top ?? 0) > 0
  await becomes(journey, 'down', isBelow, true)
  await becomes(journey, 'up', isBelow, false)
  await becomes(journey, 'pgdn', isBelow, true)
  await becomes(journey, 'pgup', isBelow, false)
  journey.resize(80, 24)
  await journey.sees('1 Ladder')
  await becomes(journey, 'esc', stage, 'edit')
  await pressKey(journey, 'enter')
  await becomes(journey, 'y', confirmed, 1)
  await pause(journey, 400)
  await pressKey(journey, 'enter')
  await journey.sees('OPEN')
  if ((await working(journey)).length !== 1) throw new Error('no order was placed')
}

/** A size in money, a size at hand, a value that passes, and an order that goes at one key. */
export const sizesWalk: Walk = async (start) => {
  const sizes = new Map([['default', ['0.01', '$500', '10%', 'half']]])
  const entry = { confirmAboveUsd: amount('1000'), sizes }
  const journey = await start(undefined, { limits: noLimits, entry })
  await quoteAndCenter(journey)
  await pressKey(journey, 'pgdn')
  await pressKey(journey, 'b')
  await becomes(journey, 'f5', quantity, '0.01')
  await becomes(journey, 'f6', quantity, '$500')
  await becomes(journey, 'f7', quantity, '10%')
  await becomes(journey, 'f8', quantity, 'half')
  await becomes(journey, '=', quantity, '$')
  for (const key of '0.0123') await pressKey(journey, key)
  await pressKey(journey, 'ctrl+u')
  for (const key of '0.01234') await pressKey(journey, key)
  await becomes(journey, 'F', quantity, '0.0123')
  await journey.sees('ONE-KEY <= 1,000 USD', 'Enter SEND')
  await pressKey(journey, 'enter')
  await journey.sees('OPEN')
  if ((await working(journey)).length !== 1) throw new Error('no order was placed')
}

/** An order of an unusual size goes out only when its size is typed once more. */
export const unusualWalk: Walk = async (start) => {
  const journey = await start(undefined, {
    limits: { ...noLimits, orderNotionalUsd: { soft: null, hard: amount('1000') } },
  })
  await quoteAndCenter(journey)
  await pressKey(journey, 'pgdn')
  await pressKey(journey, 'b')
  await journey.press('\u00150.0150')
  await pressKey(journey, 'enter')
  const retyped = ({ ticket }: DeskState) => (ticket?.stage === 'review' ? ticket.retyped : null)
  await becomes(journey, '0', retyped, '0')
  await becomes(journey, 'backspace', retyped, '')
  await pressKey(journey, '5')
  await becomes(journey, 'delete', retyped, '')
  await pressKey(journey, '5')
  await becomes(journey, 'ctrl+u', retyped, '')
  await pressKey(journey, '5')
  await becomes(journey, 'ctrl+w', retyped, '')
  for (const key of '0.015') await pressKey(journey, key)
  await pause(journey, 400)
  await pressKey(journey, 'enter')
  await journey.sees('OPEN')
}

/** A draft that another program left: reviewed, discarded there, and in the list. */
export const draftWalk: Walk = async (start) => {
  const orderDrafts = createMemoryDrafts<DraftedOrder>()
  const journey = await start(undefined, { orderDrafts })
  await quoteAndCenter(journey)
  const prepare = (draftId: string) => {
    const order = aDraft({ orderQuantity: amount('0.01'), limitPrice: amount('64200.00') })
    return orderDrafts.update((all) =>
      ok([anOrderDraft({ draftId, createdAtMs: journey.clock.wallMs(), order }), ...all]),
    )
  }
  await prepare('first2')
  await journey.until((screen) => screen.includes('1 draft'))
  await pressKey(journey, '2')
  await becomes(journey, 'd', stage, 'review')
  await becomes(journey, 'x', stage, null)
  await journey.until(() => orderDrafts.drafts[0]?.state.kind === 'dropped')
}
