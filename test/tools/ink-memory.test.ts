import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { styledCharsFromTokens, styledCharsToString, tokenize } from '@alcalzone/ansi-tokenize'
import fc from 'fast-check'
import { expect, test } from 'vitest'

type Change = (published: string) => string
const changes: { outputWithMemory: Change; sanitizeWithMemory: Change; renderWithMemory: Change } = await import(
  pathToFileURL('.tools/ink-memory.mjs').href
)
const { outputWithMemory, sanitizeWithMemory, renderWithMemory } = changes

type Output = {
  write(x: number, y: number, text: string, options: { transformers: readonly ((line: string) => string)[] }): void
  clip(clip: Clip): void
  unclip(): void
  get(): { output: string; height: number }
}
type OutputClass = new (size: { width: number; height: number }) => Output
type Clip = { x1: number; x2: number; y1: number; y2: number }

const published = (name: string) =>
  readFileSync(`node_modules/ink/build/${name}`, 'utf8').replace(/\n\/\/# source.*$/, '')
const original = (name: string) => readFileSync(`node_modules/ink/build/${name}`, 'utf8')

/** The default export of a module of this text, loaded from a file of the cache so that its imports are found. */
async function load<T>(name: string, text: string): Promise<T> {
  mkdirSync('.cache/ink', { recursive: true })
  const path = `.cache/ink/${name}.mjs`
  writeFileSync(path, text.replace(/\n\/\/# source.*$/, ''))
  const module: { default: T } = await import(pathToFileURL(path).href)
  return module.default
}

const Published = await load<OutputClass>('output-published', published('output.js'))
const Remembering = await load<OutputClass>('output-remembering', outputWithMemory(original('output.js')))

const text = fc
  .array(fc.constantFrom('a', 'bc', ' ', '\u001b[31mred\u001b[39m', '\u001b[1mx', '日本', '│', '\n', 'é'), {
    minLength: 1,
    maxLength: 6,
  })
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

test('with the memory every frame is what it was without', () => {
  fc.assert(
    fc.property(operations, (list) => {
      expect(asCells(composed(Remembering, list))).toBe(asCells(composed(Published, list)))
    }),
    { numRuns: 3_000 },
  )
})

test('a text is cleaned the same, the second time too', async () => {
  const source = (name: string) => published(name).replaceAll("from './", "from '../../node_modules/ink/build/")
  const plain = await load<(text: string) => string>('sanitize-published', source('sanitize-ansi.js'))
  const remembering = sanitizeWithMemory(original('sanitize-ansi.js')).replaceAll(
    "from './",
    "from '../../node_modules/ink/build/",
  )
  const kept = await load<(text: string) => string>('sanitize-remembering', remembering)
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '\u001b', '[', '3', '1', 'm', 'H', '\u0007', '\t', 'é') }),
      (each) => {
        expect(kept(each)).toBe(plain(each))
        expect(kept(each)).toBe(plain(each))
      },
    ),
  )
})

test('a file that Ink published anew is not changed blindly', () => {
  for (const change of [outputWithMemory, sanitizeWithMemory, renderWithMemory]) {
    expect(() => change('export default class Output {}')).toThrow(/is not the file that the change was made for/)
  }
  expect(renderWithMemory(original('render-node-to-output.js'))).toContain('measureText(text).width')
})
