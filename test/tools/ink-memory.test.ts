import { pathToFileURL } from 'node:url'
import { styledCharsFromTokens, styledCharsToString, tokenize } from '@alcalzone/ansi-tokenize'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changes, load, original } from './ink-files.ts'

const { outputWithMemory, squashWithMemory, renderWithMemory, domWithMemory } = changes
const { isPlainLine }: { isPlainLine: (text: string) => boolean } = await import(
  pathToFileURL('.tools/plain-line.mjs').href
)

type Output = {
  write(x: number, y: number, text: string, options: { transformers: readonly ((line: string) => string)[] }): void
  clip(clip: Clip): void
  unclip(): void
  get(): { output: string; height: number }
}
type OutputClass = new (size: { width: number; height: number }) => Output
type Clip = { x1: number; x2: number; y1: number; y2: number }

type OutputModule = { default: OutputClass }
const { default: Published } = await load<OutputModule>('output-published', original('output.js'))
const { default: Remembering } = await load<OutputModule>('output-remembering', outputWithMemory(original('output.js')))

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'bc', ' ', '│', '\u001b[1;31mred\u001b[0m', '\u001b[7m \u001b[0m'),
      fc.constantFrom('\u001b[31mred\u001b[39m', '\u001b[1mx', '日本', '\n', 'é', '\u00ad'),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((pieces) => pieces.join(''))
const write = fc.record({
  x: fc.integer({ min: -2, max: 28 }),
  y: fc.integer({ min: -1, max: 5 }),
  text,
  isColoured: fc.boolean(),
})
const clip = fc.record({
  x1: fc.nat(5),
  x2: fc.integer({ min: 10, max: 30 }),
  y1: fc.nat(1),
  y2: fc.integer({ min: 2, max: 6 }),
})
const operations = fc.array(fc.oneof({ weight: 8, arbitrary: write }, { weight: 1, arbitrary: clip }), {
  maxLength: 10,
})

function composed(
  OutputKind: OutputClass,
  list: readonly (Clip | { x: number; y: number; text: string; isColoured: boolean })[],
) {
  const output = new OutputKind({ width: 30, height: 5 })
  let clips = 0
  for (const each of list) {
    if ('text' in each) {
      const transformers = each.isColoured ? [(line: string) => `\u001b[36m${line}\u001b[39m`] : []
      output.write(each.x, each.y, each.text, { transformers })
    } else {
      output.clip(each)
      clips += 1
    }
  }
  for (; clips > 0; clips -= 1) output.unclip()
  return output.get().output
}

/** The same cells in the same styles: how the sequences between them are written may differ. */
const asCells = (frame: string): string =>
  frame
    .split('\n')
    .map((line) => styledCharsToString(styledCharsFromTokens(tokenize(line))).replace(/ +$/, ''))
    .join('\n')

test('with the memory every frame is what it was without, the second time too', () => {
  fc.assert(
    fc.property(operations, (list) => {
      const frame = asCells(composed(Published, list))
      expect(asCells(composed(Remembering, list))).toBe(frame)
      expect(asCells(composed(Remembering, list))).toBe(frame)
    }),
    { numRuns: 1_000 },
  )
})

test('a frame of which one piece changed has that piece and the others', () => {
  const piece = fc.constantFrom('one  ', 'two  ', '\u001b[31mthree\u001b[0m', '\u001b[1mx\u001b[22m    ', '日本 ')
  fc.assert(
    fc.property(fc.array(piece, { minLength: 10, maxLength: 10 }), fc.nat(9), piece, (pieces, at, other) => {
      const placed = (texts: readonly string[]) =>
        // The last ones lie over the first, as a dialog does.
        texts.map((text, index) => ({ x: (index % 2) * 6, y: Math.floor(index / 2) % 3, text, isColoured: false }))
      composed(Remembering, placed(pieces))
      const changed = placed(pieces.with(at, other))
      expect(asCells(composed(Remembering, changed))).toBe(asCells(composed(Published, changed)))
    }),
  )
})

test('a node of one text reads the same with the memory, also after it changed', async () => {
  type Node = { nodeName: string; childNodes: { nodeName: string; nodeValue: string }[] }
  type Module = { default: (node: Node) => string }
  const file = original('squash-text-nodes.js')
  const { default: plain } = await load<Module>('squash-published', file)
  const { default: remembering } = await load<Module>('squash-remembering', squashWithMemory(file))
  const unit = fc.constantFrom('a', '│', '\u001b', '[', '3', '1', '0', 'm', 'H', '\u0007', '\t', '\r\n', '\u009b', 'é')
  const node = (...texts: string[]): Node => ({
    nodeName: 'ink-text',
    childNodes: texts.map((nodeValue) => ({ nodeName: '#text', nodeValue })),
  })
  fc.assert(
    fc.property(fc.array(fc.string({ unit }), { minLength: 1, maxLength: 3 }), (texts) => {
      expect(remembering(node(...texts))).toBe(plain(node(...texts)))
      const kept = node('')
      for (const text of [...texts, ...texts]) {
        kept.childNodes = node(text).childNodes
        expect(remembering(kept)).toBe(plain(node(text)))
        expect(remembering(kept)).toBe(plain(node(text)))
      }
    }),
    { numRuns: 1_000 },
  )
})

test('what is taken as it is has one cell for each character and ends in the plain style', () => {
  for (const line of ['', 'abc', '│ 1 │', '\u001b[31m1.5\u001b[0m', ' \u001b[1;38;2;1;2;3ma\u001b[m b']) {
    expect([line, isPlainLine(line)]).toEqual([line, true])
  }
  const others = [
    '\u001b[31mred',
    '\u001b[0m',
    '\u001b[31ma\u001b[39m',
    '\u001b[31m\u001b[1ma\u001b[0m',
    'a\nb',
    'a\tb',
  ]
  for (const line of [
    ...others,
    '日',
    'e\u0301',
    '\u00ad',
    '\u001b[2K',
    '\u001b]0;x\u0007',
    '\u009b31m',
    '\u001b[38:5:1ma\u001b[0m',
  ]) {
    expect([line, isPlainLine(line)]).toEqual([line, false])
  }
})

test('a file that Ink published anew is not changed blindly', () => {
  for (const change of [outputWithMemory, squashWithMemory, renderWithMemory, domWithMemory]) {
    expect(() => change('export default class Output {}')).toThrow(/is not the file that the change was made for/)
  }
})
