import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { reviewArmedAfterMs } from '../../../src/store/ticket/ticket.ts'
import { createInput, freshMs, longBeatMs, sendBeatMs, surelyFreshMs } from '../../../src/ui/console/console.tsx'
import { actOnMouse } from '../../../src/ui/keys/mouse.ts'
import { createKeyTokenizer } from '../../../src/ui/terminal/key-tokenizer.ts'
import { aBook } from '../../fakes/books.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { noLimits } from '../../fakes/limits.ts'
import { heldPlan, lateEntry, ocoTerms, somePlans } from '../../fakes/plans.ts'
import { aDesk, type Desk, startMs } from '../../store/desk.ts'

/** A desk at the keyboard, in time that passes only when a test lets it. */
function atKeyboard(desk: Desk = aDesk()) {
  const clock = new FakeClock(startMs)
  const input = createInput({ store: desk.store, commands: desk.commands, clock })
  onTestFinished(() => input.stop())
  const tokenizer = createKeyTokenizer()
  const pass = async (ms: number) => {
    desk.wait(ms)
    await clock.advance(ms)
  }
  const press = (text: string) => {
    for (const event of tokenizer.push(text)) input.take(event)
  }
  return { ...desk, press, pass, tell: input.take }
}

const notice = ({ store }: Pick<Desk, 'store'>) => store.getState().notice?.text

/** A ticket under review, ready to be sent. */
async function atReview() {
  const keyboard = atKeyboard()
  keyboard.press('b')
  await keyboard.pass(500)
  keyboard.press('\r')
  expect(keyboard.store.getState().ticket?.stage).toBe('review')
  return keyboard
}

test.each([
  ['after a look at the review', surelyFreshMs, sendBeatMs],
  ['pressed a second time on purpose', freshMs, longBeatMs],
])('one Enter in a review, %s, sends once, a beat later', async (_name, pauseMs, beatMs) => {
  const keyboard = await atReview()
  await keyboard.pass(pauseMs)
  keyboard.press('\r')
  await keyboard.pass(beatMs - 1)
  expect(keyboard.sent).toEqual([])
  await keyboard.pass(1)
  expect(keyboard.sent).toHaveLength(1)
  await keyboard.pass(5_000)
  expect(keyboard.sent).toHaveLength(1)
})

test('that a key stops it is said in the beat alone: what has left without an answer is not stopped by one', async () => {
  const keyboard = await atReview()
  await keyboard.pass(freshMs)
  keyboard.press('\r')
  expect(notice(keyboard)).toBe('Sending: any key or click stops it.')
  await keyboard.pass(longBeatMs)
  expect(keyboard.sent).toHaveLength(1)
  expect(keyboard.store.getState().ticket?.stage).toBe('sending')
  expect(notice(keyboard)).toBeUndefined()
})

test('what was said of an Enter that did not send is gone once another one has sent', async () => {
  const keyboard = await atReview()
  await keyboard.pass(freshMs)
  keyboard.press('\r')
  keyboard.press('x')
  expect(notice(keyboard)).toBe('Not sent: another key came with Enter.')
  await keyboard.pass(freshMs)
  keyboard.press('\r')
  await keyboard.pass(sendBeatMs)
  expect(keyboard.sent).toHaveLength(1)
  expect(notice(keyboard)).toBeUndefined()
})

test('an Enter that comes sooner is not fresh; with another key in between it is', async () => {
  const keyboard = await atReview()
  await keyboard.pass(freshMs - 1)
  keyboard.press('\r')
  await keyboard.pass(5_000)
  expect(keyboard.sent).toEqual([])
  expect(notice(keyboard)).toMatch(/Release Enter/)
  const other = await atReview()
  await other.pass(200)
  other.press(' ')
  await other.pass(50)
  other.press('\r')
  await other.pass(sendBeatMs)
  expect(other.sent).toHaveLength(1)
})

test('an Enter that is held down from the edit on never sends, whatever the keyboard is set to', async () => {
  await fc.assert(
    fc.asyncProperty(
      // As slow as keyboards are set: two seconds until the first repeat, and twice a second.
      fc.integer({ min: 150, max: 2_400 }),
      fc.integer({ min: 15, max: 650 }),
      fc.integer({ min: 2, max: 60 }),
      fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 5 }),
      async (firstRepeatMs, repeatMs, count, trembles) => {
        const keyboard = await atReview()
        await keyboard.pass(firstRepeatMs)
        for (let repeat = 0; repeat < count; repeat += 1) {
          keyboard.press('\r')
          await keyboard.pass(repeatMs + (trembles[repeat % trembles.length] ?? 0))
        }
        await keyboard.pass(5_000)
        expect(keyboard.sent).toEqual([])
        expect(notice(keyboard)).toMatch(/Release Enter/)
      },
    ),
    { numRuns: 200 },
  )
})

test('after it was held, Enter pressed anew sends', async () => {
  const keyboard = await atReview()
  for (let repeat = 0; repeat < 20; repeat += 1) {
    await keyboard.pass(30)
    keyboard.press('\r')
  }
  await keyboard.pass(freshMs)
  keyboard.press('\r')
  await keyboard.pass(longBeatMs)
  expect(keyboard.sent).toHaveLength(1)
})

test('a key in the beat drops the order and does what it does', async () => {
  const keyboard = await atReview()
  await keyboard.pass(surelyFreshMs)
  keyboard.press('\r')
  await keyboard.pass(50)
  keyboard.press('K')
  await keyboard.pass(1_000)
  expect(keyboard.sent).toEqual([])
  expect(keyboard.store.getState().overlay).toMatchObject({ kind: 'halt' })
  expect(keyboard.store.getState().log.map(({ text }) => text)).toContain('Not sent: another key came with Enter.')
})

test('Enters that arrive in one piece never send', async () => {
  const keyboard = await atReview()
  await keyboard.pass(surelyFreshMs)
  keyboard.press('\r\r\r')
  await keyboard.pass(1_000)
  expect(keyboard.sent).toEqual([])
})

/** A ticket whose order goes at one key. */
async function atOneKey() {
  const entry = { confirmAboveUsd: new Decimal(500), sizes: new Map() }
  const keyboard = atKeyboard(aDesk('ARMED', { entry, limits: noLimits }))
  keyboard.press('b')
  await keyboard.pass(500)
  return keyboard
}
const stage = ({ store }: Pick<Desk, 'store'>) => store.getState().ticket?.stage

test('one key sends once, after a beat in which the order stands under review', async () => {
  const keyboard = await atOneKey()
  keyboard.press('\r')
  expect([stage(keyboard), keyboard.sent]).toEqual(['review', []])
  await keyboard.pass(reviewArmedAfterMs - 1)
  expect(keyboard.sent).toEqual([])
  await keyboard.pass(1)
  expect(keyboard.sent).toHaveLength(1)
  await keyboard.pass(5_000)
  expect(keyboard.sent).toHaveLength(1)
})

test('a key in the beat leaves the order under review, and so do Enters that come in one piece', async () => {
  for (const keys of ['\r5', '\r\r', '\r\r\r\r']) {
    const keyboard = await atOneKey()
    for (const key of keys) {
      keyboard.press(key)
      await keyboard.pass(40)
    }
    await keyboard.pass(5_000)
    expect([keys, stage(keyboard), keyboard.sent]).toEqual([keys, 'review', []])
  }
})

test('a click in the beat leaves the order under review', async () => {
  const keyboard = await atOneKey()
  keyboard.store.dispatch({ type: 'resized', screen: { ...keyboard.store.getState().screen, columns: 120, rows: 40 } })
  const { terminal } = keyboard.store.getState()
  keyboard.press('\r')
  await keyboard.pass(50)
  actOnMouse({ kind: 'mouse', act: 'wheelDown', column: 0, row: 0 }, keyboard)
  expect(keyboard.store.getState().terminal).toEqual(terminal)
  actOnMouse({ kind: 'mouse', act: 'press', column: 0, row: 0 }, keyboard)
  await keyboard.pass(5_000)
  expect([stage(keyboard), keyboard.sent]).toEqual(['review', []])
  expect(notice(keyboard)).toBe('Not sent: a click came with Enter.')
})

test('an Enter that is still held from before, typed ahead or pasted is not one key', async () => {
  const held = await atOneKey()
  held.commands.backFromTicket()
  held.press('\r')
  held.commands.openTicket('BUY')
  for (let repeat = 0; repeat < 40; repeat += 1) {
    await held.pass(repeat === 0 ? 600 : 33)
    held.press('\r')
  }
  await held.pass(5_000)
  expect([stage(held), held.sent]).toEqual(['edit', []])
  const ahead = await atOneKey()
  ahead.press('0.005\r')
  await ahead.pass(5_000)
  expect([stage(ahead), ahead.sent]).toEqual(['edit', []])
  const pasted = await atOneKey()
  pasted.press('\u001b[200~0.005\u001b[201~')
  await pasted.pass(100)
  pasted.press('\r')
  await pasted.pass(5_000)
  expect([stage(pasted), pasted.sent]).toEqual(['edit', []])
})

test('what happens in the beat of one key leaves the order unsent: SAFE, the lock, a standstill, a book that is gone', async () => {
  const happens: Record<string, (keyboard: Awaited<ReturnType<typeof atOneKey>>) => void> = {
    safe: ({ store }) => store.dispatch({ type: 'modeChanged', mode: { kind: 'SAFE' }, atMs: startMs + 600 }),
    locked: ({ store }) => store.dispatch({ type: 'lockCovered', sentence: '', atMs: startMs + 600 }),
    stoodStill: ({ store }) => store.dispatch({ type: 'ticked', nowMs: startMs + 60_000 }),
    unreadBook: ({ store }) =>
      store.dispatch({ type: 'book', symbol: 'BTC-USD', book: aBook([], []), atMs: startMs - 60_000 }),
    unreadOrders: ({ store }) =>
      store.dispatch({ type: 'orders', orders: [], unreadable: [], isWhole: false, atMs: startMs + 600 }),
  }
  for (const [name, happen] of Object.entries(happens)) {
    const keyboard = await atOneKey()
    keyboard.press('\r')
    await keyboard.pass(50)
    happen(keyboard)
    await keyboard.pass(5_000)
    expect([name, keyboard.sent]).toEqual([name, []])
  }
})

test('every key counts as activity, one without a meaning too; time alone does not', async () => {
  const keyboard = atKeyboard()
  await keyboard.pass(5_000)
  expect(keyboard.store.getState().lastKeyAtMs).toBe(startMs)
  keyboard.press('!')
  expect(keyboard.store.getState().lastKeyAtMs).toBe(startMs + 5_000)
})

/** What a terminal that tells presses from repeats says of Enter. */
const pressed = { kind: 'key', key: 'enter', text: null, press: 'fresh' } as const
const held = { ...pressed, press: 'held' } as const

test('where the terminal tells a press from a repeat Enter sends at once, and a held one never', async () => {
  const keyboard = await atReview()
  for (let count = 0; count < 4; count += 1) {
    await keyboard.pass(count % 2 === 0 ? 35 : 900)
    keyboard.tell(held)
  }
  expect([keyboard.sent, notice(keyboard)]).toEqual([[], expect.stringContaining('held')])
  await keyboard.pass(freshMs)
  keyboard.tell(pressed)
  expect(keyboard.sent).toHaveLength(1)
  for (let count = 0; count < 40; count += 1) {
    await keyboard.pass(35)
    keyboard.tell(held)
  }
  await keyboard.pass(5_000)
  expect(keyboard.sent).toHaveLength(1)
})

test('two presses one right after the other send no review that nobody can have read', async () => {
  const keyboard = atKeyboard()
  keyboard.press('b')
  await keyboard.pass(500)
  keyboard.tell(pressed)
  await keyboard.pass(200)
  keyboard.tell(pressed)
  await keyboard.pass(5_000)
  expect([keyboard.store.getState().ticket?.stage, keyboard.sent]).toEqual(['review', []])
})

test('a held key neither cancels, arms, reviews nor leaves; it moves and writes', async () => {
  const key = (name: string, text: string | null = name) => ({ kind: 'key', key: name, text, press: 'held' }) as const
  const safe = atKeyboard(aDesk('SAFE'))
  safe.tell(key('L'))
  expect(safe.store.getState().mode.kind).toBe('SAFE')
  safe.tell(key('q'))
  expect([safe.store.getState().overlay, safe.sent]).toEqual([null, []])
  const form = atKeyboard()
  form.press('b')
  await form.pass(500)
  form.tell(held)
  expect(form.store.getState().ticket?.stage).toBe('edit')
  const cursor = () => form.store.getState().ticket?.form.quantityText
  form.tell(key('5'))
  form.tell(key('5'))
  expect(cursor()).toMatch(/55$/)
})

test('Enter in the review of a plan makes it, and h in the list lets a held one go on', async () => {
  const asked: string[] = []
  const desk = aDesk()
  const commands: Desk['commands'] = {
    ...desk.commands,
    sendPlan: () => void asked.push('send'),
    resumePlan: (planId) => void asked.push(`resume ${planId}`),
  }
  const keyboard = atKeyboard({ ...desk, commands })
  desk.commands.reviewPlan(ocoTerms, null)
  expect(desk.store.getState().overlay?.kind).toBe('planReview')
  await keyboard.pass(surelyFreshMs)
  keyboard.press('\r')
  await keyboard.pass(sendBeatMs)
  expect(asked).toEqual(['send'])
  desk.store.dispatch({ type: 'overlayClosed' })
  desk.store.dispatch({ type: 'plans', owner: 'desk', plans: somePlans(heldPlan('p2')).list })
  keyboard.press('T')
  keyboard.press('j')
  await keyboard.pass(surelyFreshMs)
  keyboard.press('h')
  await keyboard.pass(sendBeatMs)
  expect(asked).toEqual(['send', 'resume p2'])
})

test('h on a held plan whose market entry is due asks, and Enter alone resumes it', async () => {
  const asked: string[] = []
  const desk = aDesk()
  const confirmResumePlan = () => void asked.push('resume')
  const keyboard = atKeyboard({ ...desk, commands: { ...desk.commands, confirmResumePlan } })
  desk.store.dispatch({ type: 'plans', owner: 'desk', plans: [lateEntry()] })
  keyboard.press('T')
  keyboard.press('j')
  await keyboard.pass(surelyFreshMs)
  keyboard.press('h')
  await keyboard.pass(surelyFreshMs)
  expect(desk.store.getState().overlay?.kind).toBe('planResume')
  keyboard.press('h')
  await keyboard.pass(surelyFreshMs)
  expect(asked).toEqual([])
  keyboard.press('\r')
  await keyboard.pass(sendBeatMs)
  expect(asked).toEqual(['resume'])
})

test('of a desk that is still being opened keys only leave or redraw; every other one is counted, to be told', () => {
  const { store } = aDesk()
  const done: string[] = []
  const input = createInput({
    store,
    commands: { leave: () => done.push('left') },
    clock: new FakeClock(startMs),
    link: { notTaken: () => done.push('not taken') },
  })
  for (const event of createKeyTokenizer().push('bK\u000cq')) input.take(event)
  expect(done).toEqual(['not taken', 'not taken', 'left'])
  expect(store.getState().terminal.redraws).toBe(1)
})
