import { type Actions, type Binding, inScope } from './binding.ts'
import type { DeskAction } from './desk.ts'

/** What the keys do where money is paid in: every action as what it asks of the desk. */
export const depositActions = {
  typeInDeposit: ({ commands, text }) => commands.typeIntoDeposit(text),
  depositDown: ({ commands }) => commands.moveInDeposit(1),
  depositUp: ({ commands }) => commands.moveInDeposit(-1),
  takeDeposit: ({ commands }) => commands.chooseDeposit(),
  eraseInDeposit: ({ commands }) => commands.eraseInDeposit(),
  clearDeposit: ({ commands }) => commands.clearDeposit(),
  copyDeposit: ({ commands }) => commands.copyDeposit(),
  invertDepositCode: ({ commands }) => commands.invertDepositCode(),
} satisfies Actions
export type DepositAction = keyof typeof depositActions

const choose = inScope<DepositAction | DeskAction>('depositChoose')
const shown = inScope<DepositAction | DeskAction>('deposit')

export const depositKeys: readonly Binding<DepositAction | DeskAction>[] = [
  choose([], 'typeInDeposit', 'deposit: currency', { foot: 'search', takesText: true, shown: 'letters' }),
  choose(['down', 'tab'], 'depositDown', 'deposit: choose it', { foot: 'choose', shown: 'Up Dn Ent' }),
  choose(['up', 'shift+tab'], 'depositUp', 'deposit: choose it'),
  choose(['enter'], 'takeDeposit', 'deposit: choose it', { foot: 'ask for the address' }),
  choose(['backspace', 'delete'], 'eraseInDeposit', 'deposit: currency'),
  choose(['ctrl+u', 'ctrl+w'], 'clearDeposit', 'deposit: currency'),
  choose(['esc'], 'closeOverlay', 'deposit: close', { foot: 'leave' }),
  shown(['y'], 'copyDeposit', 'copy address, then tag', { foot: 'copy address, tag' }),
  shown(['i'], 'invertDepositCode', 'QR: light, dark', { foot: 'invert code' }),
  shown(['esc', 'q', 'enter'], 'closeOverlay', 'deposit: close', { foot: 'close' }),
]
