import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

type Segmenter = new (locale?: string, options?: Intl.SegmenterOptions) => { segment(text: string): Iterable<object> }
const { default: LazySegmenter }: { default: Segmenter } = await import(pathToFileURL('.tools/lazy-segmenter.mjs').href)

test.each([
  ['a family and an accent', 'a\u{1f468}‍\u{1f469}‍\u{1f467}é', { granularity: 'grapheme' }],
  ['words', 'buy 2 BTC', { granularity: 'word' }],
] as const)('a segmenter that is made late cuts %s as one that is made at once', (_, text, options) => {
  const late = new LazySegmenter('en', options)
  const atOnce = [...new Intl.Segmenter('en', options).segment(text)]
  expect([...late.segment(text)]).toEqual(atOnce)
  // Asked again, it is the same one.
  expect([...late.segment(text)]).toEqual(atOnce)
  expect(atOnce.length).toBeGreaterThan(2)
})
