import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { leadsNowhere } from '../../../src/base/process/output.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'

function opened(path: string): { fd: number } {
  const fd = openSync(path, 'w')
  onTestFinished(() => closeSync(fd))
  return { fd }
}

test('a stream to the null device leads nowhere; a file, another device, and one without a number lead somewhere', () => {
  expect(leadsNowhere(opened(devNull))).toBe(true)
  expect(leadsNowhere(opened(join(temporaryFolder('output'), 'file')))).toBe(false)
  expect(leadsNowhere(opened('/dev/zero'))).toBe(false)
  expect(leadsNowhere({})).toBe(false)
})
