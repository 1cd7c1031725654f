import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isThere, namesIn, readPlainFile, refuseOtherThanFile } from '../../../src/base/files/plain-file.ts'
import { diskReason } from '../../../src/base/text/error-text.ts'
import { openHistory } from '../../../src/history/history-file.ts'
import { takeLock } from '../../../src/journal/locks.ts'
import { readNote } from '../../../src/journal/pid-note.ts'
import { readLock } from '../../../src/lock/lock-file.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'

const reasonOf = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    return diskReason(error)
  }
  return 'read'
}

/** What may stand in the place of a file. */
const inTheWay: Record<string, (path: string) => unknown> = {
  pipe: (path) => execFileSync('mkfifo', ['-m', '600', path]),
  device: (path) => symlinkSync('/dev/zero', path),
  folder: (path) => mkdirSync(path),
}

test.each(Object.keys(inTheWay))('a %s in the place of a file is a sentence, and nothing waits', async (kind) => {
  const path = join(temporaryFolder('plain'), 'history.sqlite')
  inTheWay[kind]?.(path)
  expect(reasonOf(() => readPlainFile(path, 10))).toBe('not a plain file (EFTYPE)')
  expect(reasonOf(() => refuseOtherThanFile(path))).toBe('not a plain file (EFTYPE)')
  expect(takeLock(path)).toEqual({ ok: false, error: `${basename(path)}: not a plain file (EFTYPE)` })
  expect(readNote(path)).toBeNull()
  for (const isReadOnly of [true, false]) {
    const opened = openHistory(join(path, '..'), { isReadOnly })
    expect(opened.ok ? '' : opened.error.message).toContain('not a plain file')
  }
  const lock = await readLock(path)
  expect(lock.ok ? '' : lock.error).toMatch(/not a plain file|Others can read/)
})

test('a socket and a file that is too long are sentences too, and a plain file is read', async () => {
  const folder = temporaryFolder('plain')
  const path = join(folder, 'socket')
  const server = createServer().listen(path)
  onTestFinished(() => {
    server.close()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  expect(reasonOf(() => readPlainFile(path, 10))).not.toBe('read')
  const huge = join(folder, 'huge')
  closeSync(openSync(huge, 'w'))
  truncateSync(huge, 2 ** 40)
  expect(reasonOf(() => readPlainFile(huge, 1_000))).toBe('longer than such a file can be (EOVERFLOW)')
  writeFileSync(join(folder, 'plain'), 'text')
  expect(readPlainFile(join(folder, 'plain'), 4).toString()).toBe('text')
})

test('the names in a folder come sorted; where there is none there are none, and a file is no folder', () => {
  const folder = temporaryFolder('names')
  for (const name of ['b', 'a']) writeFileSync(join(folder, name), '')
  expect(namesIn(folder)).toEqual(['a', 'b'])
  expect(namesIn(join(folder, 'none'))).toEqual([])
  expect(() => namesIn(join(folder, 'a'))).toThrow('ENOTDIR')
})

test('what lies in a folder that cannot be looked into is not called missing', () => {
  const folder = temporaryFolder('plain')
  writeFileSync(join(folder, 'file'), '')
  symlinkSync('circle', join(folder, 'circle'))
  const found = ['file', 'none', 'none/none', 'file/none'].map((name) => isThere(join(folder, name)))
  expect(found).toEqual([true, false, false, false])
  expect(reasonOf(() => isThere(join(folder, 'circle/file')))).toBe('links that lead in a circle (ELOOP)')
  const opened = openHistory(join(folder, 'circle'), { isReadOnly: true })
  expect(opened.ok ? '' : opened.error.message).toMatch(/history\.sqlite cannot be used: links that lead in a circle/)
})
