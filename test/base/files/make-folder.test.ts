import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { madeFolder, makeFolder } from '../../../src/base/files/make-folder.ts'
import { diskReason } from '../../../src/base/text/error-text.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'

/** What doing it says of the disk. */
function said(work: () => void): string {
  try {
    work()
    return 'nothing'
  } catch (error) {
    return diskReason(error)
  }
}

test('a folder and those above it are made for the owner alone; one that is there stays as it is', () => {
  const root = temporaryFolder('folders')
  makeFolder(join(root, 'a/b/c'))
  for (const name of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, name)).mode & 0o777).toBe(0o700)
  mkdirSync(join(root, 'open'))
  const { mode } = statSync(join(root, 'open'))
  makeFolder(join(root, 'open'))
  expect(statSync(join(root, 'open')).mode).toBe(mode)
})

test('what is in the way is told as that', () => {
  const file = join(temporaryFolder('folders'), 'file')
  writeFileSync(file, '')
  expect(said(() => makeFolder(file))).toBe('a file of this name is in the way (EEXIST)')
  expect(said(() => makeFolder(join(file, 'a/b')))).toBe('a file is in the place of a folder (ENOTDIR)')
  expect(madeFolder(file)).toEqual({
    ok: false,
    error: `${file} cannot be made: a file of this name is in the way (EEXIST)`,
  })
})

test('where nobody may make anything it ends, and says so', () => {
  if (existsSync('/proc/self'))
    expect(said(() => makeFolder('/proc/nowhere/at/all'))).toBe('no such file or folder (ENOENT)')
})
