import { expect, test } from 'vitest'
import type { Commands } from '../../../src/store/commands.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { paletteWith } from '../../../src/store/palette.ts'
import { keymap } from '../../../src/ui/keys/keymap.ts'
import {
  itemKey,
  markedItem,
  paletteActions,
  paletteItems,
  paletteReading,
} from '../../../src/ui/overlays/palette/palette-items.ts'
import { paletteRows } from '../../../src/ui/overlays/palette/palette-rows.ts'
import { rowText, rowWidth } from '../../../src/ui/text/row.ts'
import { deskState } from '../../fakes/desk-state.ts'

const typed = (line: string, more: Partial<DeskState> = {}): DeskState =>
  deskState({ overlay: paletteWith(line), ...more })
const items = (line: string, more: Partial<DeskState> = {}) => paletteItems(typed(line, more), keymap)
const size = { width: 74, rowCount: 18 }

test('every action of the key table is in it, once for each thing it does', () => {
  const offered = new Set(items('').flatMap((item) => (item.kind === 'action' ? [item.action] : [])))
  const wanted = keymap.filter(
    ({ keys, takesText, action }) => keys.length > 0 && takesText !== true && action !== 'openPalette',
  )
  for (const { action } of wanted) expect(offered).toContain(action)
})

test('no two actions are called the same', () => {
  const names = paletteActions(typed(''), keymap).map(({ text }) => text)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('actions that act on this desk stand before those that do not, which say why', () => {
  const all = items('').filter((item) => item.kind === 'action')
  const first = all.findIndex((item) => item.kind === 'action' && item.unavailableReason !== null)
  expect(first).toBeGreaterThan(5)
  expect(all.slice(first).every((item) => item.kind === 'action' && item.unavailableReason !== null)).toBe(true)
  const offered = (action: string, state: DeskState) =>
    paletteActions(state, keymap).find((item) => item.kind === 'action' && item.action === action)
  expect(offered('center', typed(''))).toMatchObject({ unavailableReason: null, key: 'c' })
  expect(offered('center', typed('', { focus: 'orders' }))).toMatchObject({ unavailableReason: 'works on the ladder' })
  expect(offered('buy', typed('', { focus: 'orders' }))).toMatchObject({ unavailableReason: null, key: 'b' })
  // In SAFE a ticket is a what-if.
  expect(offered('buy', typed('', { mode: { kind: 'SAFE' } }))).toMatchObject({ unavailableReason: null })
  expect(offered('buy', typed('', { mode: { kind: 'HALTED' } }))).toMatchObject({
    unavailableReason: 'the desk is HALTED: arm it first',
  })
})

test('sending is never offered to Enter: it acts in the review only', () => {
  const sending = keymap.filter(
    ({ scope, danger }) => danger !== undefined && /^(oneKey|review|moveReview|withdrawReview)$/.test(scope),
  )
  const names = new Set<string>(sending.map(({ action }) => action))
  expect(names).toContain('send')
  const offered = paletteActions(typed('send'), keymap).filter(
    (item) => item.kind === 'action' && names.has(item.action),
  )
  expect(offered).toHaveLength(names.size)
  for (const item of offered) expect(item).toMatchObject({ unavailableReason: expect.stringMatching(/^works in /) })
})

test('letters find actions by the starts of their words, and symbols', () => {
  expect(items('bac')[0]).toMatchObject({ kind: 'action', action: 'buy' })
  expect(items('ethus')[0]).toMatchObject({ kind: 'symbol', symbol: 'ETH-USD' })
  expect(items('qqqq')).toEqual([])
})

test('a sentence stands first; one with something wrong leaves nothing that Enter could take by mistake', () => {
  expect(items('halt')[0]).toMatchObject({ kind: 'sentence', reading: { kind: 'understood' } })
  expect(items('cancel all btc-usd')[0]).toMatchObject({ kind: 'sentence' })
  expect(items('buy o.05 btc-usd @ 64209.5').filter(({ kind }) => kind !== 'example')).toEqual([])
})

test('what was understood is told line by line, with what Enter does', () => {
  const text = paletteRows(typed('buy 0.05 btc-usd @ 64209.5'), keymap, size).map(rowText).join('\n')
  expect(text).toContain(': buy 0.05 btc-usd @ 64209.5_')
  expect(text).toContain(' = Buy 0.05 BTC-USD with a limit price of 64209.5')
  expect(text).toContain(' Enter fills the ticket; nothing is sent')
  const wrong = paletteRows(typed('buy 0.05 btc-usd @'), keymap, size).map(rowText).join('\n')
  expect(wrong).toContain(' ! ')
  expect(wrong).not.toContain(' Enter ')
})

test('danger and impossibility are there without color', () => {
  const rows = paletteRows(typed('cancel own'), keymap, size).map(rowText)
  expect(rows.find((row) => row.includes('cancel own in the row'))).toMatch(/cancel own in the row ! .*x $/)
  const dim = paletteRows(typed('center', { focus: 'orders' }), keymap, size).map(rowText)
  expect(dim.find((row) => row.includes('center the ladder'))).toContain('works on the ladder')
})

test('rows fit their box whatever is typed and however small it is', () => {
  for (const line of [
    '',
    'b',
    'halt',
    'buy 1 btc-usd @ 1 gtd 20991231 post',
    '\u001b[2J金'.repeat(30),
    'cancel all eth-usd',
  ]) {
    for (const [width, rowCount] of [
      [74, 18],
      [40, 6],
      [118, 22],
    ] as const) {
      const rows = paletteRows(typed(line), keymap, { width, rowCount })
      expect(rows.length).toBeLessThanOrEqual(rowCount)
      for (const row of rows) expect(rowWidth(row)).toBeLessThanOrEqual(width)
    }
  }
})

test('the line shows where the next letter goes, and of a long one the part around it', () => {
  const long = `${'buy 0.05 btc-usd @ 64209.5 '.repeat(6)}`.slice(0, 150)
  const drawn = (line: string, caret: number) => {
    const state = deskState({ overlay: { ...paletteWith(line), caret } })
    return rowText(paletteRows(state, keymap, size)[0] ?? [])
  }
  expect(drawn('buy btc', 4)).toBe(' : buy _btc')
  for (let caret = 0; caret <= long.length; caret += 1) {
    const row = drawn(long, caret)
    expect(row.length).toBeLessThanOrEqual(size.width)
    expect(row).toContain('_')
    const [before = '', after = ''] = row.slice(3).replaceAll('…', '').split('_')
    expect(long.slice(0, caret).endsWith(before)).toBe(true)
    expect(long.slice(caret).startsWith(after)).toBe(true)
  }
})

test('with nothing typed it begins with what the desk waits for, then what can be done, and none of that acts by itself', () => {
  const texts = (more: Partial<DeskState>) => items('', more).map(({ text }) => text)
  const calm: Partial<DeskState> = { unknownWrites: [], alerts: { ...deskState().alerts, toasts: [] } }
  expect(texts({ ...calm })[0]).toMatch(/^buy /)
  const { unknownWrites } = deskState()
  expect(texts({ ...calm, unknownWrites })[0]).toBe('resolve an unknown order')
  const halted = texts({ ...calm, mode: { kind: 'HALTED' } })
  expect(halted.findIndex((text) => text.startsWith('buy '))).toBeGreaterThan(
    halted.findIndex((text) => text.startsWith('freeze')),
  )
  const { gateway, orders } = deskState()
  const quiet = texts({ ...calm, gateway: { ...gateway, isShown: false }, orders: { ...orders, value: [] } })
  for (const late of ['cancel all eth-usd', 'inbox stop'])
    expect(quiet.indexOf(late)).toBeGreaterThan(quiet.indexOf('export orders'))
  for (const mode of ['SAFE', 'ARMED', 'HALTED', 'MONITOR'] as const) {
    const [first] = items('', { mode: { kind: mode } })
    const action = first?.kind === 'action' ? first.action : null
    const binding = keymap.find((each) => each.action === action)
    expect([binding?.danger, binding?.caution]).toEqual([undefined, undefined])
  }
})

test('a near miss is offered first and only into the line; of several readings none is marked', () => {
  expect(items('byu .1 btc')[0]).toMatchObject({ kind: 'example', start: 'buy .1 btc', help: 'did you mean' })
  expect(items('canel all')[0]).toMatchObject({ kind: 'example', start: 'cancel all' })
  const asked = items('buy 1k btc')
  expect(asked[0]).toMatchObject({ kind: 'sentence', reading: { kind: 'wrong' } })
  expect(asked.slice(1).map((item) => item.kind === 'example' && item.start)).toEqual([
    'buy 1000 usd btc',
    'buy 1000 btc',
  ])
  for (const line of ['byu .1 btc', 'buy 1k btc', '0.1btc', 'flatten btc', 'canel'])
    expect(items(line).filter(({ kind }) => kind === 'sentence')).not.toContainEqual(
      expect.objectContaining({ reading: expect.objectContaining({ kind: 'understood' }) }),
    )
})

test('a price far off the market is understood and warned of', () => {
  const rows = paletteRows(typed('buy 0.1 btc 640000'), keymap, size).map(rowText)
  expect(rows.join('\n')).toContain('! Look again: the limit price 640,000.00')
  expect(rows.join('\n')).toContain('Enter fills the ticket; nothing is sent')
})

test('sort takes a column of the list in focus', () => {
  const read = (line: string, more: Partial<DeskState> = {}) => paletteReading(typed(line, more))
  const taken = (line: string) => {
    const sorts: unknown[] = []
    const reading = read(line, { focus: 'fills' })
    if (reading?.kind === 'understood') {
      const commands = { sortTable: (...said: unknown[]) => sorts.push(said) }
      reading.run(commands as unknown as Commands, () => undefined)
    }
    return sorts[0] ?? reading
  }
  expect(taken('sort price')).toEqual(['fills', { column: 'price', direction: 'up' }])
  expect(taken('sort by price down')).toEqual(['fills', { column: 'price', direction: 'down' }])
  expect(taken('sort off')).toEqual(['fills', null])
  expect(taken('sort pirce')).toMatchObject({ kind: 'wrong', instead: ['sort price'] })
  expect(taken('sort price sideways')).toMatchObject({ kind: 'wrong' })
  expect(read('sort price', { focus: 'ladder' })).toMatchObject({ kind: 'wrong' })
  expect(items('sort p', { focus: 'fills' }).map(({ text }) => text)).toContain('sort price')
})

test('on the least compact screen what was understood is read in whole, and what else has no room is counted', () => {
  const at40 = (line: string) => paletteRows(typed(line), keymap, { width: 38, rowCount: 10 }).map(rowText)
  const sold = at40('sell half my btc stop 63000').join('\n').replaceAll(/\s+/g, ' ')
  expect(sold).toContain(
    '= Sell 50% of the available balance: BTC-USD at the market once the last trade reaches 63000,',
  )
  expect(sold).toContain('= 50% = 0.1960 BTC at 63,000.00.')
  expect(sold).toContain('Enter fills the ticket')
  const alert = at40('alert btc 70000')
  expect(alert.join(' ').replaceAll(/\s+/g, ' ')).toContain('= Alert when the last price of BTC-USD rises to 70,000')
  expect(alert.at(-2)).toMatch(/^ \+\d+ more lines?: PgDn/)
  // Scrolled, every line of it is seen, and the last ones say how many stand above.
  const all = paletteRows(typed('alert btc 70000'), keymap, { width: 38, rowCount: 40 }).map(rowText)
  const overlayAt = (top: number): DeskState => {
    return typed('alert btc 70000', { overlay: { ...paletteWith('alert btc 70000'), top } })
  }
  const seen = Array.from({ length: 20 }, (_, top) =>
    paletteRows(overlayAt(top), keymap, { width: 38, rowCount: 10 }).map(rowText),
  )
  for (const line of all.filter((each) => /^ [=!] /.test(each))) expect(seen.flat()).toContain(line)
  expect(seen.at(-1)?.at(-2)).toMatch(/^ \d+ lines? above: PgUp/)
  expect(alert.at(-1)).toMatch(/^ Enter does it at once/)
})

test('Enter takes nothing that only has the letters somewhere: a line that says so stands first', () => {
  for (const line of ['hit', 'pln', 'undo', 'trail', 'stopp', 'ocoo', 'lift', 'fill me']) {
    const [first] = items(line)
    if (first !== undefined && first.kind !== 'example')
      expect(first, line).toMatchObject({ kind: 'sentence', reading: { kind: 'wrong' } })
  }
  expect(items('undo').length).toBeGreaterThan(1)
  expect(items('arm', { mode: { kind: 'HALTED' } })[0]).toMatchObject({ kind: 'sentence', reading: { kind: 'wrong' } })
  expect(items('grco')[0]).toMatchObject({ kind: 'action', text: 'group coarser prices' })
})

test('the answers to a question are not on offer where no question is asked', () => {
  for (const line of ['cancel last', 'question', 'cancel', 'last'])
    expect(items(line, { orders: { ...deskState().orders, value: [] } }).map(({ text }) => text)).not.toContainEqual(
      expect.stringContaining('question'),
    )
})

test('on the least compact screen the lines to choose from are seen', () => {
  const rows = paletteRows(typed('buy 0.1 btc 64,020'), keymap, { width: 38, rowCount: 10 }).map(rowText).join('\n')
  expect(rows).toContain('buy 0.1 btc 64.02 ')
  expect(rows).toContain('buy 0.1 btc 64020')
  const flatten = paletteRows(typed('flatten btc'), keymap, { width: 38, rowCount: 10 }).map(rowText).join('\n')
  expect(flatten).toContain('sell 0.0200 btc-usd market')
  expect(items('flatten btc').map(({ text }) => text)).not.toContain('flatten btc-usd ')
})

test('Enter takes the line that was chosen, wherever news have moved it, and none in the place of one that is gone', () => {
  const wanted = 'example sell half my eth market'
  const at = items('').findIndex((item) => itemKey(item) === wanted)
  const chosen = { ...paletteWith(''), selected: at, chosen: wanted }
  const toast = { seq: 1, atMs: 0, isQuiet: false, kind: 'fill', level: 'good', text: 'A fill.' } as const
  const alerts = { ...deskState().alerts, toasts: [toast] }
  const marked = (more: Partial<DeskState>) => {
    const state = deskState({ overlay: chosen, ...more })
    return markedItem(paletteItems(state, keymap), state)
  }
  expect(marked({}).at).toBe(at)
  expect(marked({ alerts }).at).toBe(at + 1)
  expect(marked({ alerts }).item?.text).toBe('sell half my eth market')
  const gone = deskState({ overlay: { ...chosen, chosen: 'action no longer there' } })
  expect(markedItem(paletteItems(gone, keymap), gone)).toEqual({ at: -1 })
})
