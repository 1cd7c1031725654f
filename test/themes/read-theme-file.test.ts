import { expect, test } from 'vitest'
import { usualTheme } from '../../src/themes/built-in.ts'
import { readThemeFile } from '../../src/themes/read-theme-file.ts'

const issuesOf = (text: string): readonly string[] => {
  const read = readThemeFile(text, '/t/mine.json')
  return read.ok ? [] : read.issues
}

test('a theme of one tone takes the others from the one it is based on', () => {
  const read = readThemeFile(
    '{"name":"mine","base":"light","tones":{"bid":{"fg":"#0000ff","bold":true}}}',
    '/t/mine.json',
  )
  expect(read).toMatchObject({
    ok: true,
    value: { name: 'mine', background: '#ffffff', tones: { bid: { fg: '#0000ff' }, ask: { fg: '#b3261e' } } },
  })
})

test('without a base it is dark', () => {
  const read = readThemeFile('\ufeff{"name":"mine","tones":{}}', '/t/mine.json')
  expect(read).toMatchObject({ ok: true, value: { tones: usualTheme.tones } })
})

test.each([
  ['{"name":"mine"', '/t/mine.json: is not JSON: '],
  ['[]', '/t/mine.json: the whole must be an object with a name and tones'],
  ['{"name":"mine"}', '/t/mine.json: tones must be an object of tones, such as {"bid": {"fg": "#5fd78f"}}'],
  ['{"name":"Mine","tones":{}}', '/t/mine.json: name must be a name of up to 30 small letters'],
  ['{"name":"dark","tones":{}}', '/t/mine.json: name is taken: "dark" comes with the desk'],
  ['{"name":"auto","tones":{}}', '/t/mine.json: name is taken: "auto" comes with the desk'],
  ['{"name":"mine","base":"neon","tones":{}}', '/t/mine.json: base must be one of "dark", "light"'],
  ['{"name":"mine","tones":{"bid":{"fg":"greenish"}}}', '/t/mine.json: tones.bid.fg must be a color such as "#5fd78f"'],
  ['{"name":"mine","tones":{"bid":{"ansi":"pink"}}}', '/t/mine.json: tones.bid.ansi must be one of black, red,'],
  ['{"name":"mine","tones":{"bid":{"bold":1}}}', '/t/mine.json: tones.bid.bold must be true or false'],
  ['{"name":"mine","tones":{"bid":"green"}}', '/t/mine.json: tones.bid must be an object such as {"fg"'],
  [
    '{"name":"mine","tones":{"bidd":{}}}',
    '/t/mine.json: tones has no "bidd", did you mean "bid"? (allowed: text, dim,',
  ],
  ['{"name":"mine","tones":{},"colour":1}', '/t/mine.json: a theme has no "colour" (allowed: $schema, name'],
  [
    '{"name":"mine","tones":{"bid":{"fgg":1}}}',
    '/t/mine.json: tones.bid has no "fgg", did you mean "fg"? (allowed: fg, bg, ansi',
  ],
])('%s is told in one sentence', (text, sentence) => {
  const issues = issuesOf(text)
  expect(issues).toHaveLength(1)
  expect(issues[0]).toContain(sentence)
})

test('each mistake has a sentence of its own, and none can steer the terminal', () => {
  const issues = issuesOf('{"name":"mine","tones":{"bid":{"fg":"red","bg":"blue"},"\\u001b[2J":{}}}')
  expect(issues).toHaveLength(3)
  expect(issues.join('')).not.toContain('\u001b')
})
