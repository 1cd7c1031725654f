import fs from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { isUnsyncable, writeAtomically } from '../../../src/base/files/atomic-write.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'

afterEach(() => vi.restoreAllMocks())

/** What was synced, in order: each file handle of a path tells its name, and fails where it is told to. */
async function watchedSyncs(folder: string, failing?: { name: string; code: string }) {
  const synced: string[] = []
  const probe = await open(folder, 'r')
  const handles = Object.getPrototypeOf(probe) as { sync(this: { fd: number }): Promise<void> }
  await probe.close()
  const { sync } = handles
  vi.spyOn(handles, 'sync').mockImplementation(async function (this: { fd: number }) {
    const name = basename(fs.readlinkSync(`/proc/self/fd/${this.fd}`))
    synced.push(name)
    if (name === failing?.name) throw Object.assign(new Error('sync failed'), { code: failing.code })
    await sync.call(this)
  })
  return synced
}

test('the file is on disk before it bears its name, and the name too', async () => {
  const folder = temporaryFolder('atomic')
  const path = join(folder, 'file.json')
  const synced = await watchedSyncs(folder)
  await writeAtomically(path, 'whole')
  expect(synced).toEqual([`file.json.${process.pid}.new`, basename(folder)])
  expect([fs.readFileSync(path, 'utf8'), fs.readdirSync(folder)]).toEqual(['whole', ['file.json']])
})

test('a folder that the disk fails to keep is told of', async () => {
  const folder = temporaryFolder('atomic')
  await watchedSyncs(folder, { name: basename(folder), code: 'EIO' })
  await expect(writeAtomically(join(folder, 'file.json'), 'whole')).rejects.toThrow('sync failed')
})

test('only a system that cannot sync a folder is forgiven', () => {
  const codes = ['EISDIR', 'EPERM', 'EINVAL', 'EIO', 'ENOSPC', 'EACCES']
  expect(codes.map((code) => isUnsyncable(Object.assign(new Error(code), { code })))).toEqual([
    ...[true, true, true],
    ...[false, false, false],
  ])
})
