import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createJsonExport } from '../../src/state-files/exports.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

function folder(): string {
  const made = temporaryFolder('json')
  return made
}
const clock = { wallMs: () => Date.UTC(2026, 10, 20, 14, 2, 7) }

test('an export is a file of its own, for its owner alone, and none is overwritten', async () => {
  const exports = join(folder(), 'exports')
  const { write } = createJsonExport(exports, clock)
  const paths = [await write('statement', ['{"a":', '1}\n']), await write('statement', ['{"a":2}\n'])]
  expect(paths).toEqual([
    { ok: true, value: { path: join(exports, 'statement-20261120T140207Z.json') } },
    { ok: true, value: { path: join(exports, 'statement-20261120T140207Z-2.json') } },
  ])
  expect(readFileSync(join(exports, 'statement-20261120T140207Z.json'), 'utf8')).toBe('{"a":1}\n')
  expect(statSync(join(exports, 'statement-20261120T140207Z.json')).mode & 0o777).toBe(0o600)
})

test('a folder that cannot be written to is said', async () => {
  const path = join(folder(), 'taken')
  writeFileSync(path, '')
  const written = await createJsonExport(path, clock).write('statement', ['{}\n'])
  expect(written.ok ? '' : written.error).toMatch(
    /^The statement could not be exported to .*: .*\. Nothing was kept\.$/,
  )
})
