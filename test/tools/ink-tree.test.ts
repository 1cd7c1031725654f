import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changes, load, original } from './ink-files.ts'

type YogaNode = { calculateLayout(width?: number, height?: number, direction?: number): void; freeRecursive(): void }
type DomNode = { nodeName: string; style: object; childNodes: readonly DomNode[]; yogaNode: YogaNode }
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
type Render = (node: DomNode, output: object, options: object) => void
type Place = readonly [what: 'write' | 'clip' | 'unclip', ...rest: unknown[]]

const { default: applyStyles }: { default: (node: YogaNode, style: object) => void } = await import(
  pathToFileURL('node_modules/ink/build/styles.js').href
)

/** Ink's nodes and how they are written out, as published or as changed. */
async function loadInk(name: string, change: (file: 'dom.js' | 'render-node-to-output.js') => string) {
  const dom = await load<Dom>(`dom-${name}`, change('dom.js'))
  const { default: render } = await load<{ default: Render }>(`render-${name}`, change('render-node-to-output.js'))
  return { dom, render }
}
type Ink = Awaited<ReturnType<typeof loadInk>>

const published = await loadInk('published', original)
const remembering = await loadInk('remembering', (file) =>
  (file === 'dom.js' ? changes.domWithMemory : changes.renderWithMemory)(original(file)),
)

const step = fc.record({
  kind: fc.constantFrom('text', 'text', 'text', 'size', 'hide', 'show', 'add', 'remove', 'wrap'),
  at: fc.nat(40),
  cells: fc.integer({ min: 1, max: 12 }),
  glyph: fc.constantFrom('x', 'x', 'y', '\u001b[31mx\u001b[0m', '日', 'a b', '\u001b[1m', '\n'),
})
type Step = { kind: string; at: number; cells: number; glyph: string }

/**
 * Two panes and two texts beside each other, between a line above and one below, changed step by step; what each frame
 * writes where.
 */
function frames({ dom, render }: Ink, steps: readonly Step[]): Place[][] {
  const styled = (node: DomNode, style: object): DomNode => {
    dom.setStyle(node, style)
    applyStyles(node.yogaNode, style)
    return node
  }
  const withChildren = (node: DomNode, children: readonly DomNode[]): DomNode => {
    for (const child of children) dom.appendChildNode(node, child)
    return node
  }
  const box = (style: object, children: readonly DomNode[]) =>
    withChildren(styled(dom.createNode('ink-box'), style), children)
  // Squeezed into less room than they need, lines would take fractions of a cell, and Yoga's rounding of these depends
  // on what it rounded before.
  const line = (text: string) =>
    withChildren(styled(dom.createNode('ink-text'), { textWrap: 'truncate', flexShrink: 0 }), [
      dom.createTextNode(text),
    ])
  const pane = (name: string) =>
    box({ flexDirection: 'column', width: 12, flexShrink: 0, overflow: 'hidden' }, [line(name), line('two')])
  const beside = box({ flexDirection: 'row', flexShrink: 0 }, [line('one'), line('two')])
  const panes = box({ flexDirection: 'row', height: 6, flexShrink: 0 }, [pane('left'), pane('right'), beside])
  const page = box({ flexDirection: 'column', width: 40 }, [line('head'), panes, line('foot')])
  const root = withChildren(dom.createNode('ink-root'), [page])

  const draw = (): Place[] => {
    root.yogaNode.calculateLayout(40, undefined, 1)
    const places: Place[] = []
    const output = {
      write: (x: number, y: number, text: string) => places.push(['write', x, y, text]),
      clip: (clip: object) => places.push(['clip', clip]),
      unclip: () => places.push(['unclip']),
    }
    render(root, output, { skipStaticElements: false })
    return places
  }
  const take = ({ kind, at, cells, glyph }: Step): void => {
    const target = panes.childNodes[at % panes.childNodes.length]
    const child = target?.childNodes[at % (target.childNodes.length || 1)]
    if (target === undefined) return
    if (kind === 'size') styled(target, { ...target.style, width: cells, height: cells })
    else if (kind === 'add') dom.appendChildNode(target, line('more'.repeat(cells)))
    if (child === undefined) return
    if (kind === 'text' && child.childNodes[0] !== undefined) {
      dom.setTextNodeValue(child.childNodes[0], glyph.repeat(cells))
    } else if (kind === 'wrap') styled(child, { ...child.style, textWrap: at % 2 === 0 ? 'wrap' : 'truncate' })
    else if (kind === 'hide' || kind === 'show') dom.setNodeHidden(child, kind === 'hide')
    else if (kind === 'remove') {
      dom.removeChildNode(target, child)
      dom.freeYogaSubtree(child)
    }
  }
  const drawn = [draw()]
  for (const each of steps) {
    take(each)
    drawn.push(draw())
  }
  root.yogaNode.freeRecursive()
  return drawn
}

test('a tree that changes step by step is written as it is without the memory', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      expect(frames(remembering, steps)).toEqual(frames(published, steps))
    }),
    { numRuns: 400 },
  )
})
