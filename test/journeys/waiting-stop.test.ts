import { expect, onTestFinished, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import type { WriteJournal } from '../../src/journal/entry.ts'
import type { DeskStore } from '../../src/store/desk.ts'
import { keymap } from '../../src/ui/keys/keymap.ts'
import { ordersContent } from '../../src/ui/panes/orders-pane.tsx'
import { rowText } from '../../src/ui/text/row.ts'
import { createMemoryJournal } from '../fakes/memory-journal.ts'
import { aDraft } from '../fakes/orders.ts'
import { practiceDesk } from '../fakes/practice-desk.ts'
import { type Journey, keys, quoteAndCenter, startJourney } from './journey.tsx'

/** Another desk on the same exchange, account and journal, as after a restart. */
function startAgain({ sandbox, clock }: Journey, journal: WriteJournal): DeskStore {
  const desk = practiceDesk(sandbox, clock, { journal })
  desk.start()
  onTestFinished(() => desk.stop())
  return desk.store
}

const orderLines = (store: DeskStore): string =>
  ordersContent(store.getState(), keymap, 78, 8).rows.map(rowText).join('\n')

const waiting = /BUY .*\.0500\/\.0500 +market +>=64211\.00 .*PENDING/

test('a stop that waits shows quantity and trigger, in the ladder too, and still does after a restart', async () => {
  const journal = createMemoryJournal()
  const journey = await startJourney({ columns: 80, rows: 24 }, false, { journal })
  await quoteAndCenter(journey)
  await journey.press('b')
  for (const [field, text] of [
    ['type', 's'],
    ['quantity', `${keys.clear}0.05`],
    ['stop', `${keys.clear}64211.00`],
  ] as const) {
    while (journey.store.getState().ticket?.field !== field) await journey.press(keys.tab)
    await journey.press(text)
  }
  await journey.press(keys.enter)
  await journey.sees('REVIEW on PRACTICE')
  await journey.passes(1_000)
  await journey.press(keys.enter)
  await journey.until((screen) => waiting.test(screen))
  expect(await journey.sees('b.05')).toMatch(/b\.05.*64211\.00/)
  expect(journey.store.getState().log.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^Sent BUY 0\.0500 BTC-USD STOP stop 64,211\.00 GTC as /),
  )

  // It goes to another trigger as one move: the old stop is canceled, the new one waits.
  await journey.press('2')
  await journey.press('j')
  await journey.press('m')
  await journey.sees('Move BUY BTC-USD', 'from   stop 64,211.00')
  for (const key of '64300') await journey.press(key)
  await journey.sees('64300_')
  await journey.press(keys.enter)
  await journey.sees(
    'REVIEW: move it?',
    'No stop stands in between.',
    'Cancel order 3 at stop',
    '64,211.00, then BUY 0.0500',
    '64,300.00 GTC on PRACTICE.',
  )
  await journey.passes(1_000)
  await journey.press(keys.enter)
  await journey.until((screen) => /BUY .*\.0500\/\.0500 +market +>=64300\.00 .*PENDING/.test(screen))
  expect(journey.store.getState().log.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^Moved stop 64,211\.00 → 64,300\.00: order \d+ is a pending stop\.$/),
  )
  expect((await journey.trader.fetchOrders({})).entries.map(({ status }) => status)).toEqual(['PENDING'])

  const elsewhere = aDraft({ type: 'STOP', limitPrice: null, stopPrice: new Decimal('64300') })
  await journey.trader.placeOrder({ ...elsewhere, clientOrderId: 'elsewhere' })
  const store = startAgain(journey, journal)
  await journey.until(() => orderLines(store).includes('>=64300.00'))
  await journey.until(() => orderLines(store).includes('?/?'))
})
