import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readThemeFile } from '../../src/themes/read-theme-file.ts'

test('the theme that the README shows is one', () => {
  const [, example = ''] = /```json\n(\{\n {2}"name"[\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? []
  expect(readThemeFile(example, 'README.md')).toMatchObject({ ok: true, value: { name: 'evening' } })
})
