import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

type Change = (published: string) => string
const changes: { loaderWithBytes: Change; indexWithBytes: Change } = await import(
  pathToFileURL('.tools/yoga-bytes.mjs').href
)

const folder = 'node_modules/yoga-layout/dist'
const read = (name: string) => readFileSync(`${folder}/${name}`, 'utf8').replace(/\n\/\/# source.*$/, '')

type Node = {
  setWidth(cells: number): void
  setHeight(cells: number): void
  setFlexGrow(share: number): void
  setFlexDirection(direction: number): void
  insertChild(child: Node, at: number): void
  calculateLayout(width: number, height: number, direction: number): void
  getComputedLayout(): object
}
type Yoga = { Node: { create(): Node }; DIRECTION_LTR: number; FLEX_DIRECTION_ROW: number }

/** The changed files beside each other, as the bundle has them. */
async function changedYoga(): Promise<Yoga> {
  const place = `${process.cwd()}/.cache/yoga`
  mkdirSync(`${place}/binaries`, { recursive: true })
  mkdirSync(`${place}/src/generated`, { recursive: true })
  writeFileSync(`${place}/package.json`, '{"type":"module"}')
  writeFileSync(
    `${place}/binaries/yoga-wasm-base64-esm.js`,
    changes.loaderWithBytes(read('binaries/yoga-wasm-base64-esm.js')),
  )
  writeFileSync(`${place}/src/index.js`, changes.indexWithBytes(read('src/index.js')))
  for (const name of ['wrapAssembly.js', 'generated/YGEnums.js'])
    writeFileSync(`${place}/src/${name}`, read(`src/${name}`))
  const module: { default: Yoga } = await import(pathToFileURL(`${place}/src/index.js`).href)
  return module.default
}

/** Two columns, one as wide as it says and one with the rest. */
function layoutsOf(yoga: Yoga): object[] {
  const [root, fixed, rest] = [yoga.Node.create(), yoga.Node.create(), yoga.Node.create()]
  root.setFlexDirection(yoga.FLEX_DIRECTION_ROW)
  root.setHeight(10)
  fixed.setWidth(33)
  rest.setFlexGrow(1)
  root.insertChild(fixed, 0)
  root.insertChild(rest, 1)
  root.calculateLayout(120, 10, yoga.DIRECTION_LTR)
  return [root, fixed, rest].map((node) => node.getComputedLayout())
}

test('the bytes that are handed over lay out as Yoga does, and nothing is fetched', async () => {
  const { fetch } = globalThis
  onTestFinished(() => {
    globalThis.fetch = fetch
  })
  globalThis.fetch = () => Promise.reject(new Error('nothing is to be fetched'))
  const yoga = await changedYoga()
  globalThis.fetch = fetch
  const published: { default: Yoga } = await import(pathToFileURL(`${process.cwd()}/${folder}/src/index.js`).href)
  expect(layoutsOf(yoga)).toEqual(layoutsOf(published.default))
  expect(layoutsOf(yoga)).toMatchObject([{ width: 120 }, { width: 33 }, { left: 33, width: 87 }])
})

test('files that are not as published are not changed silently', () => {
  expect(() => changes.indexWithBytes('export default null')).toThrow('not as published')
  expect(() => changes.loaderWithBytes('export default null')).toThrow('not as published')
})
