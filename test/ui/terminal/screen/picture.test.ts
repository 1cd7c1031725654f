import xterm from '@xterm/headless'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { type Line, Picture, type Place, type ScreenRegion } from '../../../../src/ui/terminal/screen/picture.ts'
import { linkTo } from '../../../../src/ui/terminal/screen/styles.ts'

const { Terminal } = xterm
type Term = InstanceType<typeof Terminal>
const open = (cols: number, rows: number) => new Terminal({ cols, rows, allowProposedApi: true, scrollback: 0 })

const at = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null ? Reflect.get(object, name) : undefined

/** At once: what the emulator is given otherwise waits for a timer each time. */
function write(term: Term, text: string): void {
  const core = at(term, '_core')
  const writeSync = at(core, 'writeSync')
  if (typeof writeSync !== 'function') throw new Error('the emulator writes at once by another name')
  Reflect.apply(writeSync, core, [text])
}

/** The address behind a cell; the emulator keeps it among what it does not show. */
function linkOf(term: Term, cell: object): string {
  const service = at(at(term, '_core'), '_oscLinkService')
  const getLinkData = at(service, 'getLinkData')
  const id = at(at(cell, 'extended'), 'urlId')
  if (typeof getLinkData !== 'function' || typeof id !== 'number') throw new Error('the emulator keeps links elsewhere')
  return id === 0 ? '' : String(at(Reflect.apply(getLinkData, service, [id]), 'uri'))
}

function cells(term: Term): string {
  const out: string[] = []
  for (let y = 0; y < term.rows; y += 1) {
    const line = term.buffer.active.getLine(y)
    for (let x = 0; x < term.cols; x += 1) {
      const c = line?.getCell(x)
      if (c === undefined) throw new Error('no cell')
      const chars = c.getChars() === '' && c.getWidth() === 1 ? ' ' : c.getChars()
      const visible = chars !== ' ' || c.isUnderline() || c.isInverse() || c.isStrikethrough() || c.isOverline()
      const style = visible
        ? [
            c.isBold(),
            c.isDim(),
            c.isItalic(),
            c.isUnderline(),
            c.isInverse(),
            c.isInvisible(),
            c.isStrikethrough(),
            c.isOverline(),
            c.getFgColorMode(),
            c.getFgColor(),
            c.getBgColorMode(),
            c.getBgColor(),
          ]
            .map(Number)
            .join(',')
        : [c.getBgColorMode(), c.getBgColor()].join(',')
      out.push(`${y},${x} ${chars} ${c.getWidth()} ${style} ${linkOf(term, c)}`)
    }
  }
  return out.join('\n')
}

const cols = 24
const rows = 6
const other = open(cols, rows)

/** A terminal as new: to make one takes as long as all that is written to it. */
function emptied(): Term {
  other.reset()
  return other
}

const sgr = fc.constantFrom(
  '0',
  '1',
  '2',
  '3',
  '4',
  '7',
  '9',
  '22',
  '24',
  '27',
  '31',
  '92',
  '39',
  '44',
  '49',
  '38;5;120',
  '48;5;17',
  '38;2;1;2;3',
  '48;2;200;10;10',
  '1;31;48;5;3',
  '',
)
const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: fc.constantFrom(...'ab01.,- │█'), maxLength: 9 }) },
  { weight: 2, arbitrary: fc.constantFrom('     ', '            ', '日本', 'é', 'e\u0301', '한', '┌──┐', '⣿⠁') },
)
const piece = fc
  .tuple(fc.option(sgr, { nil: undefined }), text)
  .map(([s, t]) => (s === undefined ? t : `\u001b[${s}m${t}`))
const widthOf = (t: string) => stringWidth(t)
const line = fc.array(piece, { maxLength: 8 }).map((pieces) => {
  let width = 0
  let out = ''
  for (const p of pieces) {
    width += widthOf(p)
    if (width > cols) break
    out += p
  }
  return `${out}\u001b[0m`
})
const frame = fc.array(line, { minLength: rows, maxLength: rows })
const frames = fc.array(frame, { minLength: 1, maxLength: 5 }).chain((all) =>
  // Frames that share most of their lines, as real ones do.
  fc
    .array(fc.tuple(fc.nat(all.length - 1), fc.nat(rows - 1), fc.nat(all.length - 1)), { maxLength: 6 })
    .map((mixes) => {
      const made = [...all]
      for (const [a, r, b] of mixes) {
        const copy = [...(made.at(-1) ?? [])]
        copy[r] = (all[a] ?? [])[(r + b) % rows] ?? ''
        made.push(copy)
      }
      return made
    }),
)

/** The line as a terminal would have to be told it for each cell to be in the base where the line names nothing. */
const based = (text: string, base: string): string =>
  `\u001b[m${base}${' '.repeat(cols)}\r${text.replace(/\u001b\[(?:0|39|49)?m/g, (off) => {
    const [, ink = '', ground = ''] = /^\u001b\[(.*);(4.*)m$/.exec(base) ?? []
    if (base === '') return off
    return off === '\u001b[39m' ? `\u001b[${ink}m` : off === '\u001b[49m' ? `\u001b[${ground}m` : `\u001b[m${base}`
  })}`

test.each([
  ['', 300],
  ['\u001b[37;40m', 200],
  ['\u001b[38;2;9;8;7;48;2;250;251;252m', 200],
] as const)(
  'what a terminal shows after the difference is what it shows after the whole frame, on the ground %j',
  (base, numRuns) => {
    fc.assert(
      fc.property(frames, (all) => {
        const term = open(cols, rows)
        const picture = new Picture(cols, rows, base)
        for (const lines of all) {
          write(term, picture.draw(lines, [], false))
          const whole = emptied()
          write(whole, lines.map((each, i) => `\u001b[${i + 1}H${based(each, base)}`).join(''))
          expect(cells(term)).toBe(cells(whole))
        }
        term.dispose()
      }),
      { numRuns },
    )
  },
)

test('on a painted ground nothing is erased, and others write in the plain style', () => {
  const picture = new Picture(12, 2, '\u001b[37;44m')
  const whole = picture.draw(['ab', ''], [], false)
  expect(whole).not.toContain('\u001b[K')
  expect(whole.replace(/\u001b\[[\d;]*[A-HJ-Za-z]|\r/g, '')).toBe(`ab${' '.repeat(22)}`)
  const change = picture.draw(['', ''], [], false)
  expect(change).not.toContain('\u001b[K')
  expect(picture.rest()).toBe('\u001b[m')
  expect(picture.rest()).toBe('')
})

test('blanks in the middle of a row are erased where that is shorter, and shows what writing them would', () => {
  const term = open(20, 1)
  const picture = new Picture(20, 1)
  write(term, picture.draw(['\u001b[31mabcdefghij\u001b[0m klm'], [], false))
  const change = picture.draw([`ab${' '.repeat(9)}klm`], [], false)
  expect(change).toContain('\u001b[8X')
  write(term, change)
  const whole = open(20, 1)
  write(whole, `ab${' '.repeat(9)}klm`)
  expect(cells(term)).toBe(cells(whole))
  // An erased cell takes the ground of the pen: under a color that shows, blanks are written.
  const reversed = picture.draw([`ab${' '.repeat(9)}\u001b[7mklm      \u001b[0m`], [], false)
  expect(reversed).not.toContain('X')
})

test('the same frame again writes nothing', () => {
  const picture = new Picture(10, 2)
  expect(picture.draw(['abc', 'def'], [], false)).not.toBe('')
  expect(picture.draw(['abc', 'def'], [], false)).toBe('')
})

test('what changes in two colors over many rows costs one change of color', () => {
  const rowCount = 8
  const picture = new Picture(20, rowCount)
  const frame = (bid: number, ask: number) =>
    Array.from({ length: rowCount }, (_, row) => `\u001b[32m${bid + row} \u001b[31m  ${ask + row}\u001b[0m`)
  picture.draw(frame(100, 200), [], false)
  picture.draw(frame(310, 420), [], false)
  const change = picture.draw(frame(520, 630), [], false)
  // It begins in the color that the one before ended in.
  expect(change.match(/\u001b\[[\d;]*m/g)).toHaveLength(1)
})

test('a blank whose color cannot be seen is not written for its color', () => {
  const picture = new Picture(12, 1)
  picture.draw(['\u001b[31mab  cd\u001b[0m'], [], false)
  expect(picture.draw(['\u001b[31mab\u001b[0m  \u001b[31mcd\u001b[0m'], [], false)).toBe('')
  expect(picture.draw(['\u001b[31mab\u001b[44m  \u001b[0;31mcd\u001b[0m'], [], false)).toContain('44')
})

/** A region as a test moves it about. */
type Part = { layer: number; place: Place; lines: Line[] }

const on = fc.constantFrom(
  '',
  '\u001b[1m',
  '\u001b[31m',
  '\u001b[7m',
  '\u001b[48;5;17m',
  '\u001b[4m\u001b[24m',
  linkTo('https://a.example/1'),
  `\u001b[31m${linkTo('https://b.example/2')}`,
)
const regionLine = fc.array(fc.record({ text, on }), { maxLength: 4 })
const part: fc.Arbitrary<Part> = fc.record({
  layer: fc.nat(2),
  place: fc.record({
    x: fc.integer({ min: -4, max: cols }),
    y: fc.integer({ min: -2, max: rows }),
    width: fc.integer({ min: 0, max: cols }),
    height: fc.integer({ min: 0, max: rows }),
  }),
  lines: fc.array(regionLine, { maxLength: rows }),
})
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), part }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat(3) }),
  fc.record({ kind: fc.constant('move' as const), at: fc.nat(3), part }),
  fc.record({ kind: fc.constant('line' as const), at: fc.nat(3), row: fc.nat(rows), line: regionLine }),
  fc.record({ kind: fc.constant('frame' as const), line, row: fc.nat(rows - 1) }),
)

test('regions that come, go, move, lie over each other and change are on the screen as if drawn anew', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const term = open(cols, rows)
      const picture = new Picture(cols, rows)
      let parts: { now: Part; region: ScreenRegion }[] = []
      const over = Array.from({ length: rows }, () => '')
      for (const each of steps) {
        let isMoved = false
        const known = 'at' in each ? parts[each.at % Math.max(1, parts.length)] : undefined
        if (each.kind === 'add') {
          const now = { ...each.part }
          parts = [
            ...parts,
            { now, region: { layer: now.layer, place: () => now.place, lines: () => now.lines } },
          ].sort((left, right) => left.now.layer - right.now.layer)
        } else if (each.kind === 'remove') parts = parts.filter((one) => one !== known)
        else if (each.kind === 'move' && known !== undefined) {
          known.now.place = each.part.place
          isMoved = true
        } else if (each.kind === 'line' && known !== undefined)
          known.now.lines = known.now.lines.toSpliced(each.row, 1, each.line)
        else if (each.kind === 'frame') over[each.row] = each.line
        const regions = parts.map(({ region }) => region)
        write(term, picture.draw([...over], regions, isMoved))
        const whole = emptied()
        write(whole, new Picture(cols, rows).draw([...over], regions, true))
        expect(cells(term)).toBe(cells(whole))
      }
      term.dispose()
    }),
    { numRuns: 100 },
  )
})

const regionAt = (x: number, y: number, texts: readonly string[], layer = 0) => ({
  layer,
  place: () => ({ x, y, width: texts[0]?.length ?? 0, height: texts.length }),
  lines: () => texts.map((each) => [{ text: each, on: '' }]),
})

function seen(regions: readonly ScreenRegion[], frame: readonly string[] = []): string[] {
  const term = open(12, 3)
  write(term, new Picture(12, 3).draw(frame, regions, true))
  return Array.from({ length: 3 }, (_, y) => term.buffer.active.getLine(y)?.translateToString(true) ?? '')
}

test('a region of a higher layer covers what is below it, blanks included; the frame lies over all and lets it through', () => {
  const below = regionAt(0, 0, ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc'])
  const box = regionAt(3, 1, ['+    +'], 1)
  expect(seen([below, box])).toEqual(['aaaaaaaaaaaa', 'bbb+    +bbb', 'cccccccccccc'])
  expect(seen([below, box], ['', '    in', ''])).toEqual(['aaaaaaaaaaaa', 'bbb+in  +bbb', 'cccccccccccc'])
})

test('a wide character that something covers half of leaves a blank, and one that does not fit is cut', () => {
  expect(seen([regionAt(0, 0, ['日本日本日本']), regionAt(3, 0, ['x'], 1)])).toEqual(['日 x日', '', ''])
})

test('a link ends with the words it is behind, whoever writes next', () => {
  const region: ScreenRegion = {
    layer: 0,
    place: () => ({ x: 0, y: 0, width: 12, height: 1 }),
    lines: () => [
      [
        { text: 'ab ', on: '' },
        { text: 'cd', on: linkTo('https://a.example/1') },
      ],
    ],
  }
  const picture = new Picture(12, 1)
  const bytes = picture.draw([], [region], true)
  expect(bytes.match(/\u001b\]8;;[^\u001b]*\u001b\\/g)).toEqual([linkTo('https://a.example/1'), linkTo('')])
  expect(bytes.indexOf(linkTo(''))).toBeGreaterThan(bytes.indexOf('cd'))
})
