import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { Static, Text } from 'ink'
import { render } from 'ink-testing-library'
import { expect, test } from 'vitest'

type Rewrite = (published: string) => string
type Clip = { x1?: number; x2?: number; y1?: number; y2?: number }
type Drawing = {
  write(x: number, y: number, text: string, options: { transformers: readonly ((line: string) => string)[] }): void
  clip(clip: Clip): void
  unclip(): void
  get(): { output: string; height: number }
}
type Output = new (size: { width: number; height: number }) => Drawing
type Measure = (text: string, options?: { countAnsiEscapeCodes?: boolean }) => number

const {
  outputWithMemory,
  widthsWithMemory,
  sanitizingWithMemory,
  drawingWhenSeen,
  framesWhenSeen,
}: Record<
  'outputWithMemory' | 'widthsWithMemory' | 'sanitizingWithMemory' | 'drawingWhenSeen' | 'framesWhenSeen',
  Rewrite
> = await import(pathToFileURL('.tools/ink-memory.mjs').href)
const published = {
  output: 'node_modules/ink/build/output.js',
  width: 'node_modules/string-width/index.js',
  sanitize: 'node_modules/ink/build/sanitize-ansi.js',
}

/** What a published file exports, and what it exports with a memory. */
async function both<Export>(path: string, rewrite: Rewrite): Promise<readonly [Export, Export]> {
  const folder = `${process.cwd()}/.cache/ink-memory`
  mkdirSync(folder, { recursive: true })
  const rewritten = `${folder}/${path.replaceAll('/', '-')}.mjs`
  const beside = pathToFileURL(`${dirname(path)}/`).href
  writeFileSync(rewritten, rewrite(readFileSync(path, 'utf8')).replaceAll("from './", `from '${beside}`))
  const load = async (file: string): Promise<Export> => (await import(pathToFileURL(file).href)).default
  return [await load(path), await load(rewritten)]
}

const styled = (text: string): string => `\u001b[31m${text.slice(0, 3)}\u001b[1m${text.slice(3)}\u001b[39m\u001b[22m`
/** So few that each comes back, at other places and behind other clips. */
const text = fc
  .constantFrom('buy 2', '┃é日本 sell', '\u{1f600}1\ufe0f\u20e3!', 'two\nlines 日', '\u200b')
  .chain((plain) => fc.constantFrom(plain, styled(plain), `${plain}\u001b[4mx\u001b[24m`))
const at = fc.integer({ min: -3, max: 12 })
const clip = fc.record({ x1: at, x2: at, y1: at, y2: at }, { requiredKeys: ['x1', 'x2'] })
const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ x: at, y: at, text, isUpper: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ clip }) },
  { weight: 1, arbitrary: fc.constant('unclip' as const) },
)

test('what is drawn with a memory is what Ink draws without, frame after frame', async () => {
  const [Plain, Kept] = await both<Output>(published.output, outputWithMemory)
  const frame = fc.array(operation, { maxLength: 12 })
  fc.assert(
    fc.property(frame, (operations) => {
      const [plain, kept] = [Plain, Kept].map((Each) => {
        const drawing = new Each({ width: 10, height: 6 })
        for (const each of operations)
          if (each === 'unclip') drawing.unclip()
          else if ('clip' in each) drawing.clip(each.clip)
          else
            drawing.write(each.x, each.y, each.text, {
              transformers: each.isUpper ? [(line) => line.toUpperCase()] : [],
            })
        return drawing.get()
      })
      expect(kept).toEqual(plain)
    }),
    { seed: 20_261_123, numRuns: 500 },
  )
})

test('a width that is remembered is the width, also where options ask for another', async () => {
  const [plain, kept] = await both<Measure>(published.width, widthsWithMemory)
  const options = fc.option(fc.record({ countAnsiEscapeCodes: fc.boolean() }), { nil: undefined })
  fc.assert(
    fc.property(text, options, (each, asked) => {
      expect(kept(each, asked)).toBe(plain(each, asked))
    }),
    { seed: 20_261_123, numRuns: 500 },
  )
})

test('what of a text may reach a terminal is remembered as it is', async () => {
  const [plain, kept] = await both<(text: string) => string>(published.sanitize, sanitizingWithMemory)
  const pieces = fc.constantFrom(
    'buy',
    '\u001b[31m',
    '\u001b[4:3m',
    '\u001b[2J',
    '\u001b]8;;x\u0007',
    '\u0008',
    '\n',
    '\u0301',
  )
  const texts = fc.array(fc.oneof(pieces, text), { maxLength: 5 }).map((each) => each.join(''))
  fc.assert(
    fc.property(texts, (each) => {
      expect([kept(each), kept(each)]).toEqual([plain(each), plain(each)])
    }),
    { seed: 20_261_123, numRuns: 500 },
  )
})

test('a frame is drawn when it is looked at: as it is by then, and whatever was never looked at is not', () => {
  const view = render(<Text>one</Text>)
  view.rerender(<Text>two</Text>)
  view.rerender(<Text>three</Text>)
  expect(view.frames).toEqual([])
  expect([view.lastFrame(), view.lastFrame(), view.frames]).toEqual(['three', 'three', ['three']])
  view.rerender(<Text>four</Text>)
  view.unmount()
  // The last one is drawn for whoever looks only then, before all of it goes.
  expect(view.frames.slice(0, 2)).toEqual(['three', 'four'])
})

test('what is written once and stays is drawn whether it is looked at or not', () => {
  const said = (items: string[]) => <Static items={items}>{(item) => <Text key={item}>{item}</Text>}</Static>
  const view = render(said(['one']))
  view.rerender(said(['one', 'two']))
  expect(view.frames.at(-1)).toContain('one\ntwo')
  view.unmount()
})

test('files that are not as published are not changed silently', () => {
  expect(() => outputWithMemory('export default class Output {}')).toThrow('not as published')
  expect(() => widthsWithMemory('export default null')).toThrow('not as published')
  for (const rewrite of [sanitizingWithMemory, drawingWhenSeen, framesWhenSeen])
    expect(() => rewrite('')).toThrow('not as published')
})
