import type { TicketField } from '../../../src/store/ticket/ticket.ts'
import { aDesk, type Desk } from '../desk.ts'

export const ticket = ({ store }: Desk) => store.getState().ticket
export const form = (desk: Desk) => ticket(desk)?.form
export const notice = ({ store }: Desk) => store.getState().notice?.text

/** A desk with a ticket open at 64,209.50 and the keys in one of its fields. */
export function aTicket(field: TicketField = 'quantity', settings: Parameters<typeof aDesk>[1] = {}): Desk {
  const desk = aDesk('ARMED', settings)
  desk.commands.openTicket('BUY')
  write(desk, 'price', '64209.50')
  desk.commands.chooseTicketField(field)
  return desk
}

/** Types into a field; one that does not apply is left as it is. */
export function write(desk: Desk, field: TicketField, text: string): void {
  const { commands } = desk
  commands.chooseTicketField(field)
  if (ticket(desk)?.field !== field) return
  commands.clearTicketField()
  for (const character of text) commands.typeIntoTicket(character)
}

/** Presses what changes a choice until it reads so. */
export function choose(desk: Desk, field: 'type' | 'timeInForce', value: string): void {
  desk.commands.chooseTicketField(field)
  for (let press = 0; press < 4 && form(desk)?.[field] !== value; press += 1) desk.commands.nudgeTicket(1)
}

export function send(desk: Desk): void {
  desk.commands.reviewTicket()
  desk.wait(200)
  desk.commands.sendTicket()
}
