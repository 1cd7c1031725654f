import { keyName } from '../../key-help.ts'
import type { Binding } from '../../keys/binding.ts'

/** A page of the tour: a title and short paragraphs. `{buy}` stands for the key of the action `buy`. */
export type TourPage = { title: string; paragraphs: readonly string[] }

export const tourPages: readonly TourPage[] = [
  {
    title: 'Welcome to the desk',
    paragraphs: [
      'The first line says where you are: PRACTICE is play money on an exchange inside this program, LIVE is real. Beside it the mode: ARMED may send orders, SAFE may not, HALTED only cancels, MONITOR only looks.',
      'Then how old every picture is. What is too old dims and says so, and no order rests on it.',
      'The last line has the keys that act now. {help} shows all of them, {openPalette} takes words for anything.',
    ],
  },
  {
    title: 'The ladder',
    paragraphs: [
      'Prices stand still in the middle, dear ones above. Left of them what others bid, right of them what others ask; CUM adds up from the best price. Your own orders stand in the outer columns.',
      '{cursorUp} and {cursorDown} move the cursor, {centre} brings it back to the market, {groupCoarser} and {groupFiner} put prices together. The ladder never moves under your hand.',
      '* marks the last price, @ the average of your own fills, = where an auction would open. B and S are your orders, b and s your stops that wait; ! or B+b: both.',
    ],
  },
  {
    title: 'Your first order',
    paragraphs: [
      'Press {centre}, then {buy}: a ticket opens at the price under the cursor. Type how much, for example 0.05. The lines below check it as you type; a block says what would pass.',
      'Enter shows the order once more, as it will be sent. Enter again sends it, once you have read it: a key that is held down sends nothing.',
      'Or in words: {openPalette} buy 0.05 btc-usd @ 64000 fills the same ticket.',
    ],
  },
  {
    title: 'Taking it back',
    paragraphs: [
      'Your order stands in 2 Orders. {cancelAtCursor} on its row, in the ladder or in the list, takes it back: at once, in every mode but MONITOR.',
      '{askHalt} halts: it asks, and then no new order leaves until you arm the desk again, and what works is cancelled. {toggleArmed} arms and disarms.',
    ],
  },
  {
    title: 'What keeps you safe',
    paragraphs: [
      'Hard limits cannot be talked out of; soft ones ask for a Y. An order without an answer is never sent twice: it stays on screen as UNKNOWN and is looked up until it is settled ({askUnsettled}).',
      'Left alone, the desk makes itself SAFE after a while; {lock} covers the screen. Everything sent is in the journal on disk before it leaves.',
      'That is all: Esc, then {centre} and {buy}.',
    ],
  },
]

/** The paragraph with the keys as they are bound. */
export const withKeys = (paragraph: string, bindings: readonly Binding[]): string =>
  paragraph.replace(/\{(\w+)\}/g, (whole, action: string) => {
    const key = bindings.find((binding) => binding.action === action && binding.keys.length > 0)?.keys[0]
    return key === undefined ? whole : keyName(key)
  })
