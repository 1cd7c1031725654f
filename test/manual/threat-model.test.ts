import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = readFileSync('src/manual/threat-model.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)

test('everybody who may want to harm somebody has what stands against them, and a test or a drill that shows it', () => {
  expect(rows.length).toBeGreaterThanOrEqual(8)
  for (const row of rows) {
    const [, who = '', against = '', shown = ''] = row.split('|').map((cell) => cell.trim())
    expect([who, against], row).not.toContain('')
    const tests = [...shown.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path)
    const drills = [...shown.matchAll(/drill `([a-z-]+)`/g)].map(([, name]) => `test/drill/${name}.ts`)
    expect(tests.length + drills.length, row).toBeGreaterThan(0)
    for (const path of [...tests, ...drills]) expect(existsSync(path), path).toBe(true)
  }
})
