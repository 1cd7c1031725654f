import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createInput } from '../../src/ui/console/console.tsx'
import { pastedMs } from '../../src/ui/keys/input-guard.ts'
import { createKeyReader, lateMs } from '../../src/ui/terminal/key-reader.ts'
import { createTerminalLink } from '../../src/ui/terminal/terminal-link.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { anOrder } from '../fakes/orders.ts'
import { runs } from '../fakes/runs.ts'
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

/** The terminal at the end of the line; one that tells keys by codes has been asked to. */
function aLink(clock: FakeClock) {
  const link = createTerminalLink({
    ...{ env: { TERM: 'xterm-kitty' }, clock, wantsFocus: false, wantsCodes: true },
    ...{ onFocus: () => {}, onTypedAhead: () => {}, onGround: () => {} },
  })
  link.dressed('\u001b[?1049h')
  link.told({ kind: 'keyboard', flags: 0 })
  link.told({ kind: 'identity' })
  return link
}

/** A desk at the end of a slow line, in time that passes only when a test lets it. */
function atLine(desk: Desk, isCoded = false) {
  const clock = new FakeClock(startMs)
  const input = createInput({ store: desk.store, commands: desk.commands, clock })
  const reader = createKeyReader((event) => input.take(event), clock, isCoded ? aLink(clock) : null, false)
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
const moments: Readonly<Record<string, (isCoded?: boolean) => Promise<Line>>> = {
  async 'an order of the list is chosen, which x cancels'(isCoded) {
    const line = atLine(aDesk(), isCoded)
    const orders = [anOrder({ orderId: '1', clientOrderId: 'a' }), anOrder({ orderId: '2', clientOrderId: 'b' })]
    line.store.dispatch({ type: 'orders', orders, atMs: startMs })
    line.take('2')
    await line.pass(2_000)
    line.take('j')
    await line.pass(5_000)
    return line
  },
  // Esc lets go of a row of a list; in the ladder nothing but the guard of the keys stands between it and `x`.
  async 'an own order rests in the row, which x cancels'(isCoded) {
    const line = atLine(aDesk(), isCoded)
    line.take('k')
    await line.pass(500)
    const limitPrice = line.store.getState().ladder.cursorPrice
    line.store.dispatch({ type: 'orders', orders: [anOrder({ orderId: '1', limitPrice })], atMs: startMs })
    await line.pass(5_000)
    return line
  },
  async 'a review, which Enter sends'(isCoded) {
    const line = atLine(aDesk(), isCoded)
    line.take('b')
    await line.pass(500)
    line.take('\r')
    await line.pass(4_000)
    expect(line.store.getState().ticket?.stage).toBe('review')
    return line
  },
  async 'a desk that is SAFE, which L arms'(isCoded) {
    const line = atLine(aDesk('SAFE'), isCoded)
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
const pieces = (bytes: fc.Arbitrary<string>, delayMaxMs: number): fc.Arbitrary<Piece[]> =>
  fc
    .tuple(bytes, fc.array(fc.nat(60), { maxLength: 8 }), fc.array(fc.nat(delayMaxMs), { minLength: 9, maxLength: 9 }))
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
      { numRuns: runs(250, 700) },
    )
  },
)

/** Keys by codes that are no press: held ones, releases, keys of the desktop, and codes that say nothing. */
const noPress = fc
  .tuple(
    fc.constantFrom('13', '120', '108:76', '107:75', '113', '57414', '1089::120', '27', '0', ''),
    fc.constantFrom('1', '2', '65', '129', ''),
    fc.constantFrom('2', '3'),
    fc.constantFrom('', ';120', ';76', ';13', ';27:120', ';76:76'),
  )
  .map(([key, mods, kind, text]) => `\u001b[${key};${mods}:${kind}${text}u`)
const codedLine = fc.oneof(
  pieces(noPress, lateMs - 1),
  pieces(
    fc.array(noPress, { minLength: 2, maxLength: 5 }).map((all) => all.join('')),
    100,
  ),
  pieces(
    fc.constantFrom('\u001b[<0;3;4M', '\u001b[<0;3;4m', '\u001b[<64;120;13M', '\u001b[?31u', '\u001b[13;9u'),
    lateMs - 1,
  ),
  paste,
)

test.each(Object.keys(moments))(
  '%s: no key that is held does it, however cut and late its code comes',
  async (name) => {
    const begin = moments[name]
    if (begin === undefined) throw new Error(name)
    await fc.assert(
      fc.asyncProperty(codedLine, async (arriving) => {
        const at = await begin(true)
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
      { numRuns: runs(120, 300) },
    )
  },
)

test('a press by its code does it, cut in pieces too', async () => {
  for (const [name, code, sent] of [
    ['an order of the list is chosen, which x cancels', '\u001b[120;1:1;120u', [/^cancel /]],
    ['a review, which Enter sends', '\u001b[13u', [/^submit /]],
    ['a desk that is SAFE, which L arms', '\u001b[108:76;2;76u', []],
  ] as const)
    for (let cut = 1; cut < code.length; cut += 1) {
      const at = await moments[name]?.(true)
      if (at === undefined) throw new Error(name)
      at.take(code.slice(0, cut))
      await at.pass(600)
      at.take(code.slice(cut))
      await at.pass(10)
      at.stop()
      expect([done(at), at.store.getState().mode.kind]).toEqual([
        sent.map((each) => expect.stringMatching(each)),
        'ARMED',
      ])
    }
})

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
  // Esc took the cursor away: a step puts it back into the row.
  at.take('k')
  await at.pass(200)
  at.take('x')
  expect(done(at)).toEqual(['cancel 1'])
  at.stop()
})
