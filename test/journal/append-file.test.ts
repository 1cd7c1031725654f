import { appendFileSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { nextTurn } from '../../src/base/clock.ts'
import { type AppendFile, continueAppendFile, createAppendFile } from '../../src/journal/append-file.ts'
import { atRest } from '../fakes/at-rest.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

const aPath = () => join(temporaryFolder('append'), 'lines')
const textOf = (path: string) => readFileSync(path, 'utf8')

/** What is asked of a file, which is over once the disk is at rest: nobody waits for ever. */
const over = async <T>(asked: Promise<T>): Promise<T> =>
  await Promise.race([asked, atRest().then(() => Promise.reject(new Error('it is never over')))])

async function made(
  path: string,
  making: (path: string) => Promise<AppendFile> = createAppendFile,
): Promise<AppendFile> {
  const file = await over(making(path))
  onTestFinished(() => over(file.close()).catch(() => undefined))
  return {
    size: () => file.size(),
    append: (lines) => over(file.append(lines)),
    idle: () => over(file.idle()),
    close: () => over(file.close()),
  }
}

/** What every open file does from here on, until the test is over. */
async function spied<K extends 'datasync' | 'write' | 'truncate' | 'stat'>(name: K) {
  const handle = await open(aPath(), 'w')
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const spy = vi.spyOn(prototype, name)
  onTestFinished(() => spy.mockRestore())
  return spy
}

test('a new file is for the owner alone, and takes the place of none', async () => {
  const path = aPath()
  const file = await made(path)
  await file.append('one\n')
  expect([textOf(path), statSync(path).mode & 0o777, file.size()]).toEqual(['one\n', 0o600, 4])
  await expect(createAppendFile(path)).rejects.toThrow('EEXIST')
  expect(textOf(path)).toBe('one\n')
})

test('lines of one moment reach the disk together, those of meanwhile together after them, and each with a sync', async () => {
  const path = aPath()
  const file = await made(path)
  const synced = await spied('datasync')
  const first = ['a\n', 'b\n'].map((line) => file.append(line))
  await nextTurn()
  const second = ['c\n', 'd\n', 'é\n'].map((line) => file.append(line))
  await Promise.all(first)
  expect(textOf(path).startsWith('a\nb\n')).toBe(true)
  await file.idle()
  expect([textOf(path), file.size(), synced.mock.calls.length]).toEqual(['a\nb\nc\nd\né\n', 11, 2])
  await Promise.all(second)
})

test('a file is closed after what is under way', async () => {
  const path = aPath()
  const file = await made(path)
  const last = file.append('last\n')
  await file.close()
  await last
  expect(textOf(path)).toBe('last\n')
  await expect(file.append('late\n')).rejects.toThrow('file closed')
})

test('a file is gone on with after what it has; one that is not there is made', async () => {
  const path = aPath()
  const file = await made(path, continueAppendFile)
  expect([file.size(), statSync(path).mode & 0o777]).toEqual([0, 0o600])
  await file.append('one\n')
  await file.close()
  const again = await made(path, continueAppendFile)
  expect(again.size()).toBe(4)
  await again.append('two\n')
  expect([textOf(path), again.size()]).toEqual(['one\ntwo\n', 8])
})

test('what cannot be gone on with is left closed', async () => {
  const path = aPath()
  const stat = await spied('stat')
  stat.mockRejectedValueOnce(new Error('EIO'))
  await expect(continueAppendFile(path)).rejects.toThrow('EIO')
  expect(stat.mock.contexts).toMatchObject([{ fd: -1 }])
})

test('a half line that was found stays apart from what follows, also where the disk first takes nothing', async () => {
  const path = aPath()
  writeFileSync(path, 'whole\nha')
  const file = await made(path, continueAppendFile)
  renameSync(path, `${path}-away`)
  await expect(file.append('refused\n')).rejects.toThrow('its file was removed or replaced')
  renameSync(`${path}-away`, path)
  expect(textOf(path)).toBe('whole\nha')
  await file.append('kept\n')
  await file.append('more\n')
  expect([textOf(path), file.size()]).toEqual(['whole\nha\nkept\nmore\n', 19])
})

test('what is written to a file that is gone, or that another one replaced, is refused, and is not there later', async () => {
  const path = aPath()
  const file = await made(path)
  await file.append('one\n')
  renameSync(path, `${path}-away`)
  await expect(file.append('refused\n')).rejects.toThrow('its file was removed or replaced')
  writeFileSync(path, 'of another\n')
  const both = [file.append('refused as well\n'), file.append('with it\n')]
  for (const each of await Promise.allSettled(both)) expect(each.status).toBe('rejected')
  expect(textOf(path)).toBe('of another\n')
  renameSync(`${path}-away`, path)
  await file.append('two\n')
  expect([textOf(path), file.size()]).toEqual(['one\ntwo\n', 8])
})

test('a file that somebody cut short takes nothing more until it is whole again: what it lacks is counted on', async () => {
  const path = aPath()
  const file = await made(path)
  await file.append('one\n')
  await file.append('two\n')
  for (const [left, line] of [
    ['', 'refused\n'],
    ['one\n', 'a longer line than was cut away\n'],
  ] as const) {
    writeFileSync(path, left)
    await expect(file.append(line)).rejects.toThrow('its file was cut short')
    expect(textOf(path)).toBe(left)
  }
  // Another failure does not fill it up.
  const datasync = await spied('datasync')
  datasync.mockRejectedValueOnce(new Error('EIO'))
  await expect(file.append('x\n')).rejects.toThrow('EIO')
  expect(textOf(path)).not.toContain('\0')
  writeFileSync(path, 'one\ntwo\n')
  await file.append('three\n')
  expect([textOf(path), file.size()]).toEqual(['one\ntwo\nthree\n', 14])
})

test('a disk that takes a part at a time gets the rest', async () => {
  const path = aPath()
  const file = await made(path)
  const write = await spied('write')
  write.mockImplementation(async function (this: FileHandle, bytes: unknown, from: unknown) {
    if (!(bytes instanceof Uint8Array) || typeof from !== 'number') throw new Error('unexpected')
    appendFileSync(this.fd, bytes.subarray(from, from + 3))
    return { bytesWritten: Math.min(3, bytes.length - from), buffer: bytes }
  } as never)
  await file.append('a line of many parts\n')
  expect([textOf(path), file.size()]).toEqual(['a line of many parts\n', 21])
})

test('half a line that cannot be taken away costs no line before it nor after it, however often that happens', async () => {
  const path = aPath()
  const file = await made(path)
  await file.append('one\n')
  const datasync = await spied('datasync')
  const truncate = await spied('truncate')
  // On the disk, as far as it got, and not known to be.
  datasync.mockRejectedValueOnce(new Error('EIO'))
  truncate.mockRejectedValueOnce(new Error('EIO'))
  await expect(file.append('half of a li')).rejects.toThrow('EIO')
  await file.append('two\n')
  expect(textOf(path)).toBe('one\nhalf of a li\ntwo\n')
  datasync.mockRejectedValueOnce(new Error('EIO'))
  await expect(file.append('another half')).rejects.toThrow('EIO')
  await file.append('three\n')
  expect([textOf(path), file.size()]).toEqual(['one\nhalf of a li\ntwo\nthree\n', statSync(path).size])
})
