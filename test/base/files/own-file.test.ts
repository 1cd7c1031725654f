import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { ownFileComplaint, ownFolderComplaint, readOwnFile } from '../../../src/base/files/own-file.ts'

let home = ''
let path = ''

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'pitdesk-own-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  mkdirSync(join(home, 'a'), { mode: 0o700 })
  mkdirSync(join(home, 'a', 'b'), { mode: 0o755 })
  path = join(home, 'a', 'b', 'file')
  writeFileSync(path, 'hello', { mode: 0o644 })
  chmodSync(join(home, 'a', 'b'), 0o755)
})

const read = (at = path) => readOwnFile(at, { rule: 'trusted', bytesMax: 1_024 })
const refused = (at = path): string => {
  const text = read(at)
  if (text.ok) throw new Error(`was read: ${text.value}`)
  expect(ownFileComplaint(at, 'trusted')).toBe(text.error)
  return text.error
}

test('a file that only its owner can change is read, by whatever way that is safe', () => {
  expect(read()).toEqual({ ok: true, value: 'hello' })
  symlinkSync('a/b', join(home, 'short'))
  symlinkSync(`${home}/short/../b/file`, join(home, 'link'))
  expect(read(join(home, 'link'))).toEqual({ ok: true, value: 'hello' })
  expect(read(join(home, 'a', 'none'))).toEqual({ ok: true, value: null })
  expect(read(join(path, 'none'))).toEqual({ ok: true, value: null })
  // In /tmp others may put files, but not in the place of one's own.
  chmodSync(join(home, 'a'), 0o1777)
  expect(read()).toEqual({ ok: true, value: 'hello' })
})

test('a link to nothing is no missing file: somebody meant one to count', () => {
  symlinkSync('none', join(home, 'link'))
  symlinkSync('none', join(home, 'folder'))
  expect(refused(join(home, 'link'))).toBe('is behind a link to nothing')
  expect(refused(join(home, 'folder', 'file'))).toBe('is behind a link to nothing')
  symlinkSync('a/b', join(home, 'good'))
  expect(read(join(home, 'good', 'none'))).toEqual({ ok: true, value: null })
})

test.each([0o664, 0o646, 0o666, 0o602, 0o620])('a file of mode %o is not', (mode) => {
  chmodSync(path, mode)
  expect(refused()).toBe(`can be changed by others (mode 0${mode.toString(8)}): chmod go-w it`)
})

test('every folder on the way counts, and those that links lead through', () => {
  const open = join(home, 'a')
  chmodSync(open, 0o770)
  expect(refused()).toBe(`is in ${open}, which others can write to (mode 0770): chmod go-w ${open}`)
  mkdirSync(join(home, 'safe'), { mode: 0o700 })
  symlinkSync(path, join(home, 'safe', 'link'))
  expect(refused(join(home, 'safe', 'link'))).toContain(`is in ${open}`)
  chmodSync(open, 0o700)
  // The link itself may be exchanged.
  mkdirSync(join(home, 'open'))
  chmodSync(join(home, 'open'), 0o777)
  symlinkSync(path, join(home, 'open', 'link'))
  expect(refused(join(home, 'open', 'link'))).toContain(`is in ${join(home, 'open')}`)
  symlinkSync(join(home, 'open', 'link'), join(home, 'safe', 'second'))
  expect(refused(join(home, 'safe', 'second'))).toContain(`is in ${join(home, 'open')}`)
})

test("another user's file is not, nor one in or behind what is another user's", () => {
  if (process.getuid?.() !== 0) {
    // Only root can give files away; what is root's is nobody's own secret.
    expect(ownFileComplaint('/etc/passwd', 'secret')).toContain('belongs to another user')
    return
  }
  chownSync(path, 12_345, 0)
  expect(refused()).toBe('belongs to another user (uid 12345)')
  chownSync(path, 0, 0)
  chownSync(join(home, 'a'), 12_345, 0)
  expect(refused()).toBe(`is behind ${join(home, 'a')}, which belongs to another user (uid 12345)`)
  expect(ownFolderComplaint(join(home, 'a', 'b'))).toContain(`is behind ${join(home, 'a')}`)
})

test('a secret is for nobody else to read; one of root may be for a group', () => {
  for (const [mode, secret, shared] of [
    [0o600, true, true],
    [0o400, true, true],
    [0o640, false, process.getuid?.() === 0],
    [0o644, false, false],
    [0o660, false, false],
    [0o604, false, false],
  ] as const) {
    chmodSync(path, mode)
    expect(ownFileComplaint(path, 'secret') === null, mode.toString(8)).toBe(secret)
    expect(ownFileComplaint(path, 'shared secret') === null, mode.toString(8)).toBe(shared)
  }
})

test('no more is read than a file may have, and nothing but plain files', () => {
  writeFileSync(path, 'x'.repeat(1_025))
  expect(read()).toEqual({ ok: false, error: 'is longer than 1 KiB' })
  expect(read(home)).toEqual({ ok: false, error: 'is not a plain file' })
  execFileSync('mkfifo', [join(home, 'pipe')])
  expect(read(join(home, 'pipe'))).toEqual({ ok: false, error: 'is not a plain file' })
  expect(read('/dev/zero')).toEqual({ ok: false, error: 'is not a plain file' })
})

test('a folder is one that nobody else can put files into', () => {
  const folder = join(home, 'a', 'b')
  expect(ownFolderComplaint(folder)).toBeNull()
  expect(ownFolderComplaint(join(home, 'none'))).toBeNull()
  chmodSync(folder, 0o1777)
  expect(ownFolderComplaint(folder)).toBe('can be written to by others (mode 1777): chmod go-w it')
  chmodSync(folder, 0o755)
  chmodSync(join(home, 'a'), 0o777)
  expect(ownFolderComplaint(folder)).toContain(`is in ${join(home, 'a')}`)
})
