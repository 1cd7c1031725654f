import type { TicketField } from '../../../src/store/ticket/ticket.ts'
import { aDesk, type Desk } from '../desk.ts'

export const ticket = ({ store }: Desk) => store.getState().ticket
export const form = (desk: Desk) => ticket(desk)?.form
export const notice = ({ store }: Desk) => store.getState().notice?.text

/** Tabs on to a field, at least once round; one that does not apply is not reached. */
export function tabTo(desk: Pick<Desk, 'commands' | 'store'>, field: TicketField): void {
  const fieldNow = () => desk.store.getState().ticket?.field
  const before = fieldNow()
  do desk.commands.nextTicketField(1)
  while (fieldNow() !== field && fieldNow() !== before)
}

/** A desk with a ticket open at 64,209.50 and the keys in one of its fields. */
export function aTicket(field: TicketField = 'quantity', settings: Parameters<typeof aDesk>[1] = {}): Desk {
  const desk = aDesk('ARMED', settings)
  desk.commands.openTicket('BUY')
  write(desk, 'price', '64209.50')
  tabTo(desk, field)
  return desk
}

/** Types into a field; one that does not apply is left as it is. */
export function write(desk: Desk, field: TicketField, text: string): void {
  const { commands } = desk
  tabTo(desk, field)
  if (ticket(desk)?.field !== field) return
  commands.clearTicketField()
  for (const character of text) commands.typeIntoTicket(character)
}

/** Presses what changes a choice until it reads so. */
export function choose(desk: Desk, field: 'type' | 'timeInForce', value: string): void {
  tabTo(desk, field)
  for (let press = 0; press < 4 && form(desk)?.[field] !== value; press += 1) desk.commands.nudgeTicket(1)
}

export function send(desk: Desk): void {
  desk.commands.reviewTicket()
  desk.wait(200)
  desk.commands.sendTicket()
}
