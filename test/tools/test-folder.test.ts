import { spawnSync } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const tool = pathToFileURL(fileURLToPath(new URL('../../.tools/test-folder.mjs', import.meta.url))).href

test('what a run of the same number has left is taken away, also with a disk in it, and the folder goes at the end', () => {
  const script = `
    const { spawnSync } = await import('node:child_process')
    const { existsSync, mkdirSync, readdirSync, rmSync } = await import('node:fs')
    const { keepFilesInMemory } = await import('${tool}')
    const earlier = '/dev/shm/pitdesk-' + process.pid
    if (existsSync('/dev/shm')) mkdirSync(earlier + '/home', { recursive: true })
    // Only the superuser may; for others it is a folder.
    const disk = ['-t', 'tmpfs', '-o', 'size=64k', 'pitdesk-test', earlier + '/home']
    if (existsSync('/dev/shm')) spawnSync('mount', disk)
    const remove = keepFilesInMemory()
    const folder = process.env.TMPDIR ?? null
    const files = folder === null ? [] : readdirSync(folder)
    remove()
    const isGone = folder === null || !existsSync(folder)
    rmSync(earlier, { recursive: true, force: true })
    console.log(JSON.stringify({ isNamed: folder === null || folder === earlier, files, isGone }))`
  const { TMPDIR: _own, ...env } = process.env
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  // On a machine without that room the files stay on the disk: no folder is named.
  expect(JSON.parse(stdout)).toEqual({ isNamed: true, files: [], isGone: true })
})
