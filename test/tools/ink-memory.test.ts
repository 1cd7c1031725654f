import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { styledCharsFromTokens, styledCharsToString, tokenize } from '@alcalzone/ansi-tokenize'
import fc from 'fast-check'
import { expect, test } from 'vitest'

type Change = (published: string) => string
const changes: { outputWithMemory: Change; squashWithMemory: Change; renderWithMemory: Change } = await import(
  pathToFileURL('.tools/ink-memory.mjs').href
)
const { outputWithMemory, squashWithMemory, renderWithMemory } = changes
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
    { numRuns: 3_000 },
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
  const besideInk = (text: string) => text.replaceAll("from './", "from '../../node_modules/ink/build/")
  const plain = await load<(node: Node) => string>('squash-published', besideInk(published('squash-text-nodes.js')))
  const changed = besideInk(squashWithMemory(original('squash-text-nodes.js')))
  const remembering = await load<(node: Node) => string>('squash-remembering', changed)
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

type DomNode = { nodeName: string; style: object; childNodes: readonly DomNode[]; yogaNode: YogaNode }
type YogaNode = { calculateLayout(width?: number, height?: number, direction?: number): void; freeRecursive(): void }
type Dom = {
  createNode(name: string): DomNode
  createTextNode(text: string): DomNode
  appendChildNode(node: DomNode, child: DomNode): void
  removeChildNode(node: DomNode, child: DomNode): void
  freeYogaSubtree(node: DomNode): void
  setTextNodeValue(node: DomNode, text: string): void
  setNodeHidden(node: DomNode, isHidden: boolean): void
  setStyle(node: DomNode, style: object): void
}
type Place = { x: number; y: number; text: string } | { clip: Clip } | 'unclip'

/** What a tree of nodes writes where. */
function written(render: (node: DomNode, output: object, options: object) => void, root: DomNode): Place[] {
  const places: Place[] = []
  const output = {
    write: (x: number, y: number, text: string) => places.push({ x, y, text }),
    clip: (clip: Clip) => places.push({ clip }),
    unclip: () => places.push('unclip'),
  }
  render(root, output, { skipStaticElements: false })
  return places
}

const change = fc.record({
  kind: fc.constantFrom('text', 'size', 'hide', 'show', 'add', 'remove', 'wrap'),
  at: fc.nat(40),
  cells: fc.integer({ min: 1, max: 12 }),
})

test('a tree that is laid out again and again writes what it writes without the memory', async () => {
  const besideInk = (text: string) => text.replaceAll("from './", "from '../../node_modules/ink/build/")
  type Render = (node: DomNode, output: object, options: object) => void
  const publishedText = besideInk(published('render-node-to-output.js'))
  const plain = await load<Render>('render-published', publishedText)
  const remembering = await load<Render>(
    'render-remembering',
    besideInk(renderWithMemory(original('render-node-to-output.js'))),
  )
  const inkFile = (name: string) => pathToFileURL(`node_modules/ink/build/${name}`).href
  const dom: Dom = await import(inkFile('dom.js'))
  const { default: applyStyles }: { default: (node: YogaNode, style: object) => void } = await import(
    inkFile('styles.js')
  )
  const styled = (node: DomNode, style: object): DomNode => {
    dom.setStyle(node, style)
    applyStyles(node.yogaNode, style)
    return node
  }
  const line = (text: string) => {
    const node = styled(dom.createNode('ink-text'), { textWrap: 'truncate', flexShrink: 1 })
    dom.appendChildNode(node, dom.createTextNode(text))
    return node
  }
  const box = (style: object, children: readonly DomNode[]) => {
    const node = styled(dom.createNode('ink-box'), style)
    for (const child of children) dom.appendChildNode(node, child)
    return node
  }
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 25 }), (steps) => {
      const pane = (name: string) =>
        box({ flexDirection: 'column', width: 12, flexShrink: 0, overflow: 'hidden' }, [line(name), line('two')])
      const row = box({ flexDirection: 'row', height: 6, flexShrink: 0 }, [pane('left'), pane('right')])
      const root = dom.createNode('ink-root')
      dom.appendChildNode(root, box({ flexDirection: 'column', width: 40 }, [line('head'), row, line('foot')]))
      const draws = () => {
        root.yogaNode.calculateLayout(40, undefined, 1)
        expect(written(remembering, root)).toEqual(written(plain, root))
      }
      draws()
      for (const { kind, at, cells } of steps) {
        const panes = row.childNodes
        const target = panes[at % panes.length]
        const child = target?.childNodes[at % (target.childNodes.length || 1)]
        if (target === undefined) continue
        if (kind === 'size') styled(target, { ...target.style, width: cells, height: cells })
        else if (kind === 'add') dom.appendChildNode(target, line('more'.repeat(cells)))
        else if (child === undefined) continue
        else if (kind === 'text' && child.childNodes[0] !== undefined) {
          dom.setTextNodeValue(child.childNodes[0], 'x'.repeat(cells))
        } else if (kind === 'wrap') styled(child, { ...child.style, textWrap: at % 2 === 0 ? 'wrap' : 'truncate' })
        else if (kind === 'hide' || kind === 'show') dom.setNodeHidden(child, kind === 'hide')
        else if (kind === 'remove') {
          dom.removeChildNode(target, child)
          dom.freeYogaSubtree(child)
        }
        draws()
      }
      root.yogaNode.freeRecursive()
    }),
    { numRuns: 300 },
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
  for (const change of [outputWithMemory, squashWithMemory, renderWithMemory]) {
    expect(() => change('export default class Output {}')).toThrow(/is not the file that the change was made for/)
  }
  expect(renderWithMemory(original('render-node-to-output.js'))).toContain('measureText(text).width')
})
