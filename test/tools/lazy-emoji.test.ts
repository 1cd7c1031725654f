import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'

const { withLazyEmoji }: { withLazyEmoji: (published: string) => string } = await import(
  pathToFileURL('.tools/lazy-emoji.mjs').href
)

test('widths are as published, also of emoji, with a set of them that is made late', async () => {
  const folder = `${process.cwd()}/.cache/lazy-emoji`
  mkdirSync(folder, { recursive: true })
  const published = readFileSync('node_modules/string-width/index.js', 'utf8')
  writeFileSync(`${folder}/index.mjs`, withLazyEmoji(published))
  const { default: late }: { default: typeof stringWidth } = await import(pathToFileURL(`${folder}/index.mjs`).href)
  const texts = [
    'buy 2',
    '┃ é 日本',
    '\u{1f600}',
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    '1\ufe0f\u20e3',
    '\u2764\ufe0f',
    '',
  ]
  expect(texts.map((text) => late(text))).toEqual(texts.map((text) => stringWidth(text)))
  expect(late('\u{1f600}')).toBe(2)
})

test('a file that is not as published is not changed silently', () => {
  expect(() => withLazyEmoji('export default null')).toThrow('not as published')
})
