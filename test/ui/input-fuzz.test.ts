import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createInput } from '../../src/ui/console/console.tsx'
import { pastedMs } from '../../src/ui/keys/input-guard.ts'
import { createKeyReader, lateMs } from '../../src/ui/terminal/key-reader.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { anOrder } from '../fakes/orders.ts'
import { aDesk, type Desk, startMs } from '../store/desk.ts'

/** Answers to all polls that say what was known: what is old would hold an order back whatever was typed. */
function freshen({ store }: Pick<Desk, 'store'>) {
  const { nowMs: atMs, books, balances, fees, instruments, orders, fills } = store.getState()
  const book = books.get('BTC-USD')?.value
  if (!(book && balances.value && fees.value && instruments.value)) throw new Error('a desk that knows nothing')
  store.dispatchAll([
    { type: 'instruments', instruments: instruments.value, atMs },
    { type: 'book', symbol: 'BTC-USD', book, atMs },
    { type: 'balances', balances: balances.value, atMs },
    { type: 'fees', fees: fees.value, atMs },
    { type: 'orders', orders: orders.value ?? [], atMs },
    { type: 'fills', fills: fills.value ?? [], atMs },
  ])
}

/** A desk at the end of a slow line, in time that passes only when a test lets it. */
function atLine(desk: Desk) {
  const clock = new FakeClock(startMs)
  const input = createInput({ store: desk.store, commands: desk.commands, clock })
  const reader = createKeyReader((event) => input.take(event), clock)
  const pass = async (ms: number) => {
    desk.wait(ms)
    freshen(desk)
    await clock.advance(ms)
  }
  const stop = () => {
    input.stop()
    reader.stop()
  }
  return { ...desk, take: reader.take, pass, stop }
}
/** What cannot be taken back, or leaves; asking for older orders, or writing a list to a file, is none of it. */
const done = ({ sent }: Pick<Desk, 'sent'>) => sent.filter((each) => /^(submit|cancel|move|decide|exit)/.test(each))
type Line = ReturnType<typeof atLine>

/** Moments in which one key does what cannot be taken back. */
const moments: Readonly<Record<string, () => Promise<Line>>> = {
  async 'an order of the list is chosen, which x cancels'() {
    const line = atLine(aDesk())
    const orders = [anOrder({ orderId: '1', clientOrderId: 'a' }), anOrder({ orderId: '2', clientOrderId: 'b' })]
    line.store.dispatch({ type: 'orders', orders, atMs: startMs })
    line.take('2')
    await line.pass(2_000)
    line.take('j')
    await line.pass(5_000)
    return line
  },
  // Esc lets go of a row of a list; in the ladder nothing but the guard of the keys stands between it and `x`.
  async 'an own order rests in the row, which x cancels'() {
    const line = atLine(aDesk())
    line.take('c')
    await line.pass(500)
    const limitPrice = line.store.getState().ladder.cursorPrice
    line.store.dispatch({ type: 'orders', orders: [anOrder({ orderId: '1', limitPrice })], atMs: startMs })
    await line.pass(5_000)
    return line
  },
  async 'a review, which Enter sends'() {
    const line = atLine(aDesk())
    line.take('b')
    await line.pass(500)
    line.take('\r')
    await line.pass(4_000)
    expect(line.store.getState().ticket?.stage).toBe('review')
    return line
  },
  async 'a desk that is SAFE, which L arms'() {
    const line = atLine(aDesk('SAFE'))
    await line.pass(5_000)
    return line
  },
}

const sequence = fc.oneof(
  // Control sequences and those of the keypad, with every end there can be but the keypad's Enter, which is one.
  fc
    .tuple(
      fc.constantFrom('\u001b[', '\u001bO', '\u001b[['),
      fc.stringMatching(/^[0-9;?<=>]{0,6}$/),
      fc.constantFrom(...'ABCDEFGHIJKLNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz~'),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom(...'xLnyYKb\r').map((key) => `\u001b${key}`),
  fc.constantFrom('\u001b]11;rgb:xxxx/LLLL/0000\u0007', '\u001bP1$rx\u001b\\', '\u001b[M xL', '\u001b[M\r\rx'),
)
const content = fc
  .array(fc.constantFrom('x', 'L', 'n', 'y', '\r', 'b', '0.05', 'q', ' '), { maxLength: 6 })
  .map((keys) => keys.join(''))
/** Pastes that hold marks themselves, to break out. */
const breakout = fc
  .tuple(content, content, content)
  .chain(([inner, outer, more]) =>
    fc.constantFrom(
      `\u001b[200~${inner}\u001b[201~${outer}`,
      `\u001b[200~${inner}\u001b[201~${outer}\u001b[201~`,
      `\u001b[200~${inner}\u001b[200~${outer}\u001b[201~${more}\u001b[201~`,
      `\u001b[200~${inner}\u001b[201~${outer}\u001b[200~${more}\u001b[201~`,
    ),
  )

type Piece = { chunk: string; delayMs: number }

/** Bytes cut anywhere, with at most so long between the pieces. */
const pieces = (bytes: fc.Arbitrary<string>, delayMostMs: number): fc.Arbitrary<Piece[]> =>
  fc
    .tuple(bytes, fc.array(fc.nat(60), { maxLength: 8 }), fc.array(fc.nat(delayMostMs), { minLength: 9, maxLength: 9 }))
    .map(([text, cuts, delays]) => {
      if (text === '') return []
      const within = [...new Set(cuts.map((cut) => cut % text.length))].filter((cut) => cut > 0)
      const ends = [...within.toSorted((left, right) => left - right), text.length]
      return ends.map((end, at) => ({ chunk: text.slice(at === 0 ? 0 : ends[at - 1], end), delayMs: delays[at] ?? 0 }))
    })

/**
 * Whole pastes, and such as never end: their marks come within a second for each piece, what is between them however
 * slowly.
 */
const paste = fc
  .tuple(
    pieces(fc.constant('\u001b[200~'), lateMs - 1),
    pieces(content, 5_000),
    fc.oneof(pieces(fc.constant('\u001b[201~'), lateMs - 1), fc.constant([])),
  )
  .map((parts) => parts.flat())

/**
 * What arrives: a sequence within a second for each piece, a paste however slowly, one that breaks out within a second
 * in all.
 */
const line = fc.oneof(pieces(sequence, lateMs - 1), paste, pieces(breakout, Math.floor(pastedMs / 10)))

test.each(Object.keys(moments))(
  '%s: no sequence and no paste does it, however cut and however late its pieces come',
  async (name) => {
    const begin = moments[name]
    if (begin === undefined) throw new Error(name)
    await fc.assert(
      fc.asyncProperty(line, async (arriving) => {
        const at = await begin()
        const wasArmed = at.store.getState().mode.kind === 'ARMED'
        for (const { chunk, delayMs } of arriving) {
          at.take(chunk)
          await at.pass(delayMs)
        }
        await at.pass(6_000)
        at.stop()
        expect(done(at)).toEqual([])
        expect(wasArmed || at.store.getState().mode.kind !== 'ARMED').toBe(true)
      }),
      { numRuns: 700 },
    )
  },
)

test('the keys of those moments do it, pressed by hand', async () => {
  const known = new Map(Object.entries(moments))
  for (const [name, key, sent, mode] of [
    ['an order of the list is chosen, which x cancels', 'x', [/^cancel /], 'ARMED'],
    ['an own order rests in the row, which x cancels', 'x', [/^cancel 1$/], 'ARMED'],
    ['a review, which Enter sends', '\r', [/^submit /], 'ARMED'],
    ['a desk that is SAFE, which L arms', 'L', [], 'ARMED'],
  ] as const) {
    const at = await known.get(name)?.()
    if (at === undefined) throw new Error(name)
    known.delete(name)
    const before = at.store.getState().mode.kind
    expect([done(at), before]).toEqual([[], key === 'L' ? 'SAFE' : mode])
    at.take(key)
    await at.pass(1_000)
    at.stop()
    expect([done(at), at.store.getState().mode.kind]).toEqual([sent.map((each) => expect.stringMatching(each)), mode])
  }
  expect([...known.keys()]).toEqual([])
})

test('x after Esc by hand is asked for once more, and then done', async () => {
  const at = await moments['an own order rests in the row, which x cancels']?.()
  if (at === undefined) throw new Error('no moment')
  at.take('\u001b')
  await at.pass(300)
  at.take('x')
  expect(done(at)).toEqual([])
  expect(at.store.getState().notice?.text).toContain('Press it again')
  await at.pass(200)
  at.take('x')
  expect(done(at)).toEqual(['cancel 1'])
  at.stop()
})
